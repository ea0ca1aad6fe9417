//! OpenAI's chat completions, streamed: OpenAI itself, llama.cpp, vLLM, LM Studio, Ollama's /v1, gateways.
//!
//! Chat completions rather than the newer responses: some servers hide a cut-off reply there.

use serde_json::{Value, json};

use super::ask::Decode;
use super::fault::{Fault, message_of};
use super::http::Http;
use super::sse::Events;
use super::{Call, Entry, Provider, ProviderError, Settings, clean, detect, models};
use crate::model::{Block, Completion, Request, StopReason, Usage};

pub(super) const ENTRY: Entry = Entry {
    name: "openai",
    base: BASE,
    summary: "OpenAI's chat completions, or any server that speaks them",
    open: |settings| Ok(Box::new(OpenAi::new(settings)?)),
};

const BASE: &str = "https://api.openai.com/v1";

struct OpenAi {
    http: Http,
    model: String,
}

impl OpenAi {
    fn new(settings: &Settings) -> Result<Self, ProviderError> {
        let mut http = Http::new(ENTRY.name, settings, BASE)?;
        match &settings.key {
            Some(key) => http.key("authorization", "Bearer ", key)?,
            None if http.is_local() => {}
            None => return Err(detect::key_missing(ENTRY.name, "OPENAI_API_KEY")),
        }
        let model = match &settings.model {
            Some(model) => model.clone(),
            None if is_openai(&http) => models::default_model(ENTRY.name).unwrap_or_default().to_owned(),
            // Somebody else's server has somebody else's models.
            None => {
                detect::listed_model(&http, &path(&http, "models")).ok_or_else(|| detect::model_missing(ENTRY.name))?
            }
        };
        Ok(OpenAi { http, model })
    }
}

fn is_openai(http: &Http) -> bool {
    http.host() == "api.openai.com" || http.host().ends_with(".openai.azure.com")
}

/// The address is the one that `/chat/completions` is added to; without any path, `/v1` is meant.
fn path(http: &Http, leaf: &str) -> String {
    match http.base_path() {
        "" => format!("/v1/{leaf}"),
        base => format!("{}/{leaf}", base.strip_suffix("/chat/completions").unwrap_or(base)),
    }
}

impl Provider for OpenAi {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn context_window(&self) -> Option<u32> {
        if is_openai(&self.http) {
            return None;
        }
        detect::listed_window(&self.http, &path(&self.http, "models"), &self.model)
    }

    fn complete(&self, request: &Request, call: &mut Call) -> Result<Completion, ProviderError> {
        // OpenAI's current models refuse the old name, most other servers ignore the new one.
        let limit = if is_openai(&self.http) { "max_completion_tokens" } else { "max_tokens" };
        let body = body(&self.model, request, limit);
        self.http.ask(&path(&self.http, "chat/completions"), &body, call, IncomingReply::default)
    }
}

fn body(model: &str, request: &Request, limit: &str) -> Value {
    let mut body = json!({
        "model": model, "messages": chat_messages(request), "stream": true,
        "stream_options": {"include_usage": true},
    });
    body[limit] = request.max_tokens.into();
    body
}

/// System prompt and messages as plain text, the way chat servers take them.
pub(super) fn chat_messages(request: &Request) -> Vec<Value> {
    let text = |blocks: &[Block]| blocks.iter().map(|block| block.text.as_str()).collect::<String>();
    let system = text(&request.system);
    let system = (!system.is_empty()).then(|| json!({"role": "system", "content": system}));
    let messages = request.messages.iter().map(|m| json!({"role": m.role, "content": text(&m.content)}));
    system.into_iter().chain(messages).collect()
}

/// A reply that is coming in.
#[derive(Default)]
struct IncomingReply {
    events: Events,
    begun: bool,
    done: bool,
    text: String,
    stop: Option<StopReason>,
    refused: bool,
    usage: Usage,
    id: Option<String>,
    model: Option<String>,
}

impl Decode for IncomingReply {
    fn push(&mut self, bytes: &[u8], text: &mut dyn FnMut(&str)) -> Result<(), Fault> {
        for event in self.events.push(bytes)? {
            if !self.done {
                self.take(&event.data, text)?;
            }
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn usage(&self) -> Usage {
        self.usage
    }

    /// The finish reason makes a reply whole. `[DONE]` alone does not: gateways send it after an upstream stream
    /// that broke.
    fn finish(&mut self) -> Result<Completion, Fault> {
        if !self.begun {
            return Err(Fault::Foreign("not an event stream of chat completions".to_owned()));
        }
        let stop = self.stop.take().ok_or_else(|| Fault::CutShort("it ended without a finish reason".to_owned()))?;
        Ok(Completion {
            text: std::mem::take(&mut self.text),
            stop: if self.refused { StopReason::Refusal } else { stop },
            usage: self.usage,
            request_id: self.id.take(),
            model: self.model.take(),
        })
    }
}

impl IncomingReply {
    fn take(&mut self, data: &str, text: &mut dyn FnMut(&str)) -> Result<(), Fault> {
        if data.trim() == "[DONE]" {
            self.done = true;
            self.begun = true;
            return Ok(());
        }
        let data: Value =
            serde_json::from_str(data).map_err(|error| Fault::Malformed(format!("chunk that is not JSON: {error}")))?;
        let string = |pointer| data.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
        if data.get("error").is_some_and(|error| !error.is_null()) {
            let code = ["/error/code", "/error/status", "/code"].iter().find_map(|p| data.pointer(p)?.as_u64());
            let status = code.and_then(|code| u16::try_from(code).ok()).filter(|code| (400..600).contains(code));
            let message = message_of(&data).unwrap_or_else(|| "error without words".to_owned());
            return Err(Fault::told(status.unwrap_or(500), message));
        }
        self.begun |= data.get("choices").is_some();
        if self.id.is_none() {
            self.id = string("/id").map(str::to_owned);
            self.model = string("/model").map(clean::line);
        }
        if let Some(piece) = string("/choices/0/delta/content") {
            self.text.push_str(piece);
            text(piece);
        }
        self.refused |= string("/choices/0/delta/refusal").is_some();
        if let Some(reason) = string("/choices/0/finish_reason") {
            self.stop = Some(stop_reason(reason));
        }
        if let Some(usage) = data.get("usage").filter(|usage| usage.is_object()) {
            let count = |pointer| usage.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
            self.usage = Usage {
                input: count("/prompt_tokens"),
                output: count("/completion_tokens"),
                cache_read: count("/prompt_tokens_details/cached_tokens"),
                cache_write: count("/prompt_tokens_details/cache_write_tokens"),
            };
        }
        Ok(())
    }
}

fn stop_reason(word: &str) -> StopReason {
    match word {
        "stop" => StopReason::EndTurn,
        "length" => StopReason::MaxTokens,
        "content_filter" => StopReason::Refusal,
        other => StopReason::Other(clean::line(other)),
    }
}
