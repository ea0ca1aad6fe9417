//! Ollama's own API, streamed as lines of JSON. Unlike its /v1 it can set the context window, without which a
//! prompt of more than a few thousand tokens silently loses its beginning.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use super::ask::Decode;
use super::fault::{Fault, message_of};
use super::http::Http;
use super::openai::chat_messages;
use super::sse::Lines;
use super::{Call, Entry, Provider, ProviderError, Settings, clean, detect};
use crate::model::{Completion, Request, StopReason, Usage};
use crate::process::Interrupt;

pub(super) const ENTRY: Entry = Entry {
    name: "ollama",
    base: BASE,
    summary: "a local Ollama server, through its own API",
    open: |settings| Ok(Box::new(Ollama::new(settings)?)),
};

pub(super) const BASE: &str = "http://127.0.0.1:11434";

/// Context windows are asked for in these steps: each change makes the server load the model anew.
const STEP: u64 = 8192;

struct Ollama {
    http: Http,
    model: String,
    /// The largest window asked for yet: within a run it never shrinks, for the same reason.
    window: AtomicU64,
    /// What the model was trained for, once asked; 0 before.
    trained: AtomicU64,
}

impl Ollama {
    fn new(settings: &Settings) -> Result<Self, ProviderError> {
        let mut http = Http::new(ENTRY.name, settings, BASE)?;
        if let Some(key) = &settings.key {
            http.key("authorization", "Bearer ", key)?;
        }
        let model = settings.model.clone().or_else(|| detect::ollama_model(&http, &path(&http, "tags")));
        let model = model.ok_or_else(|| detect::model_missing(ENTRY.name))?;
        Ok(Ollama { http, model, window: AtomicU64::new(0), trained: AtomicU64::new(0) })
    }

    /// The longest context that the model knows; None if the server does not say.
    fn trained(&self, interrupt: &Interrupt) -> Option<u64> {
        let known = self.trained.load(Ordering::Relaxed);
        if known > 0 {
            return Some(known);
        }
        let question = json!({"model": self.model});
        let answer = self.http.post(&path(&self.http, "show"), &question, Duration::from_secs(10), interrupt)?;
        let info = answer.get("model_info")?.as_object()?;
        let length = info.iter().find(|(name, _)| name.ends_with(".context_length"))?.1.as_u64()?;
        self.trained.store(length, Ordering::Relaxed);
        Some(length)
    }
}

fn path(http: &Http, leaf: &str) -> String {
    let base = http.base_path();
    format!("{}/api/{leaf}", base.strip_suffix("/api").unwrap_or(base))
}

impl Provider for Ollama {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn context_window(&self) -> Option<u32> {
        self.trained(&Interrupt::default()).and_then(|tokens| u32::try_from(tokens).ok())
    }

    fn complete(&self, request: &Request, call: &mut Call) -> Result<Completion, ProviderError> {
        let size = Size::of(request);
        let trained = self.trained(call.interrupt);
        if let Some(trained) = trained.filter(|trained| size.least > *trained) {
            let reason = format!("at least {} tokens, and '{}' knows {trained}", size.least, clean::line(&self.model));
            return Err(ProviderError::PromptCut { provider: ENTRY.name, reason });
        }
        let wanted = (size.most + u64::from(request.max_tokens)).next_multiple_of(STEP);
        let window = self.window.fetch_max(wanted, Ordering::Relaxed).max(wanted);
        let window = trained.map_or(window, |trained| window.min(trained));
        let body = json!({
            "model": self.model, "messages": chat_messages(request), "stream": true,
            "options": {"num_ctx": window, "num_predict": request.max_tokens},
            // An error rather than a prompt without its beginning, where the server is new enough to know these.
            "truncate": false, "shift": false,
        });
        self.http.ask(&path(&self.http, "chat"), &body, call, || IncomingReply::new(size, window))
    }
}

/// How many tokens a prompt may be, without the model's tokenizer at hand.
#[derive(Debug, Clone, Copy)]
struct Size {
    /// No usual tokenizer makes one token of several words.
    least: u64,
    /// Three bytes a token: more than prose needs, and about what dense code does.
    most: u64,
}

impl Size {
    fn of(request: &Request) -> Self {
        let messages = request.messages.iter().flat_map(|message| &message.content);
        let texts = request.system.iter().chain(messages).map(|block| block.text.as_str());
        let (words, bytes) =
            texts.fold((0, 0), |(words, bytes), text| (words + text.split_whitespace().count(), bytes + text.len()));
        Size { least: words as u64, most: bytes as u64 / 3 + 256 }
    }
}

/// A reply that is coming in.
struct IncomingReply {
    size: Size,
    window: u64,
    lines: Lines,
    begun: bool,
    stop: Option<StopReason>,
    text: String,
    usage: Usage,
    model: Option<String>,
}

impl IncomingReply {
    fn new(size: Size, window: u64) -> Self {
        IncomingReply {
            size,
            window,
            lines: Lines::default(),
            begun: false,
            stop: None,
            text: String::new(),
            usage: Usage::default(),
            model: None,
        }
    }

    fn take(&mut self, line: &str, text: &mut dyn FnMut(&str)) -> Result<(), Fault> {
        if line.trim().is_empty() || self.stop.is_some() {
            return Ok(());
        }
        let data: Value = serde_json::from_str(line).map_err(|error| {
            let reason = format!("line that is not JSON: {error}");
            if self.begun { Fault::Malformed(reason) } else { Fault::Foreign(reason) }
        })?;
        if data.get("error").is_some() {
            let status = data.get("status").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
            let message = message_of(&data).unwrap_or_else(|| "error without words".to_owned());
            return Err(Fault::told(status.unwrap_or(500), message));
        }
        self.begun |= data.get("message").is_some() || data.get("done").is_some();
        let string = |pointer| data.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
        if let Some(piece) = string("/message/content") {
            self.text.push_str(piece);
            text(piece);
        }
        if data.get("done").and_then(Value::as_bool) == Some(true) {
            let count = |name| data.get(name).and_then(Value::as_u64).unwrap_or(0);
            self.usage.input = count("prompt_eval_count");
            self.usage.output = count("eval_count");
            self.model = string("/model").map(clean::line);
            self.stop = Some(stop_reason(string("/done_reason").unwrap_or_default()));
        }
        Ok(())
    }

    /// Old servers drop the beginning of a prompt that does not fit, and say nothing. Their count gives it away.
    fn check_prompt(&self) -> Result<(), Fault> {
        let read = self.usage.input;
        // No count is told for a prompt that the server still had in memory.
        if read > 0 && (read + 1 >= self.window || read < self.size.least) {
            let IncomingReply { size, window, .. } = self;
            let sent = size.least;
            return Err(Fault::PromptCut(format!("it read {read} tokens of at least {sent}, in a window of {window}")));
        }
        Ok(())
    }
}

impl Decode for IncomingReply {
    fn push(&mut self, bytes: &[u8], text: &mut dyn FnMut(&str)) -> Result<(), Fault> {
        let mut lines = Vec::new();
        self.lines.push(bytes, |line| lines.push(line.to_owned()))?;
        lines.iter().try_for_each(|line| self.take(line, text))
    }

    fn is_done(&self) -> bool {
        self.stop.is_some()
    }

    fn usage(&self) -> Usage {
        self.usage
    }

    fn finish(&mut self) -> Result<Completion, Fault> {
        if let Some(line) = self.lines.rest() {
            self.take(&line, &mut |_| ())?;
        }
        if !self.begun {
            return Err(Fault::Foreign("not a chat of Ollama's".to_owned()));
        }
        let stop = self.stop.take().ok_or_else(|| Fault::CutShort("it ended before 'done'".to_owned()))?;
        self.check_prompt()?;
        Ok(Completion {
            text: std::mem::take(&mut self.text),
            stop,
            usage: self.usage,
            request_id: None,
            model: self.model.take(),
        })
    }
}

fn stop_reason(word: &str) -> StopReason {
    match word {
        "stop" => StopReason::EndTurn,
        "length" => StopReason::MaxTokens,
        other => StopReason::Other(clean::line(other)),
    }
}
