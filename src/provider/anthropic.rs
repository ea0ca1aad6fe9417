//! The Anthropic Messages API, streamed. Also spoken by llama.cpp's server and by gateways.
//!
//! Sends no temperature, top_p, prefill or thinking budget: current models refuse them.

use serde_json::{Value, json};

use super::ask::Decode;
use super::fault::{Fault, message_of};
use super::http::Http;
use super::sse::{Event, Events};
use super::{Call, Entry, Provider, ProviderError, Settings, clean, detect, models};
use crate::model::{Block, Completion, Request, StopReason, Usage};

pub(super) const ENTRY: Entry = Entry {
    name: "anthropic",
    base: BASE,
    summary: "Anthropic's Messages API, or a server that speaks it",
    open: |settings| Ok(Box::new(Anthropic::new(settings)?)),
};

const BASE: &str = "https://api.anthropic.com";

struct Anthropic {
    http: Http,
    model: String,
}

impl Anthropic {
    fn new(settings: &Settings) -> Result<Self, ProviderError> {
        let mut http = Http::new(ENTRY.name, settings, BASE)?;
        http.header("anthropic-version", "2023-06-01");
        match &settings.key {
            Some(key) => http.key("x-api-key", "", key)?,
            None if http.is_local() => {}
            None => return Err(detect::key_missing(ENTRY.name, "ANTHROPIC_API_KEY")),
        }
        let listed = |http: &Http| detect::listed_model(http, &path(http, "models"));
        let model = settings.model.clone().or_else(|| http.is_local().then(|| listed(&http)).flatten());
        let model = model.or_else(|| models::default_model(ENTRY.name).map(str::to_owned)).unwrap_or_default();
        Ok(Anthropic { http, model })
    }
}

/// The address may be given with or without `/v1`.
fn path(http: &Http, leaf: &str) -> String {
    let base = http.base_path();
    format!("{}/v1/{leaf}", base.strip_suffix("/v1").unwrap_or(base))
}

impl Provider for Anthropic {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn context_window(&self) -> Option<u32> {
        self.http.is_local().then(|| detect::listed_window(&self.http, &path(&self.http, "models"), &self.model))?
    }

    fn complete(&self, request: &Request, call: &mut Call) -> Result<Completion, ProviderError> {
        self.http.ask(&path(&self.http, "messages"), &body(&self.model, request), call, IncomingReply::default)
    }
}

fn body(model: &str, request: &Request) -> Value {
    let mut budget = Breakpoints::of(request);
    let system = blocks(&request.system, &mut budget);
    let messages: Vec<_> = request
        .messages
        .iter()
        .map(|message| json!({"role": message.role, "content": blocks(&message.content, &mut budget)}))
        .collect();
    let mut body = json!({"model": model, "max_tokens": request.max_tokens, "messages": messages, "stream": true});
    if !system.is_empty() {
        body["system"] = system.into();
    }
    body
}

/// Which of the wanted cache breakpoints are sent. The API takes four: the first, which many runs share, and the
/// last three, which the next request of this run reads from.
struct Breakpoints {
    wanted: usize,
    seen: usize,
}

impl Breakpoints {
    fn of(request: &Request) -> Self {
        let all = request.messages.iter().flat_map(|message| &message.content).chain(&request.system);
        Breakpoints { wanted: all.filter(|block| block.cache && !block.text.is_empty()).count(), seen: 0 }
    }

    fn take(&mut self) -> bool {
        self.seen += 1;
        self.seen == 1 || self.seen + 3 > self.wanted
    }
}

fn blocks(blocks: &[Block], breakpoints: &mut Breakpoints) -> Vec<Value> {
    let mut sent = Vec::new();
    // The API refuses empty blocks.
    for block in blocks.iter().filter(|block| !block.text.is_empty()) {
        let mut value = json!({"type": "text", "text": block.text});
        if block.cache && breakpoints.take() {
            value["cache_control"] = json!({"type": "ephemeral"});
        }
        sent.push(value);
    }
    sent
}

/// A reply that is coming in.
#[derive(Default)]
struct IncomingReply {
    events: Events,
    /// An event of this API was seen.
    begun: bool,
    done: bool,
    /// Indices of blocks that hold something else than text.
    other_blocks: Vec<u64>,
    text: String,
    stop: Option<StopReason>,
    counts: Counts,
    id: Option<String>,
    model: Option<String>,
}

/// As the API counts: `input` is what neither came from nor went to a cache.
#[derive(Default)]
struct Counts {
    input: u64,
    output: u64,
    cache_read: u64,
    cache_write: u64,
}

impl Counts {
    /// Later counts replace earlier ones.
    fn update(&mut self, usage: &Value) {
        let fields = [
            (&mut self.input, "input_tokens"),
            (&mut self.output, "output_tokens"),
            (&mut self.cache_read, "cache_read_input_tokens"),
            (&mut self.cache_write, "cache_creation_input_tokens"),
        ];
        for (count, name) in fields {
            if let Some(told) = usage.get(name).and_then(Value::as_u64) {
                *count = told;
            }
        }
    }
}

impl Decode for IncomingReply {
    fn push(&mut self, bytes: &[u8], text: &mut dyn FnMut(&str)) -> Result<(), Fault> {
        for event in self.events.push(bytes)? {
            if !self.done {
                self.take(&event, text)?;
            }
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn usage(&self) -> Usage {
        let Counts { input, output, cache_read, cache_write } = self.counts;
        let input = input.saturating_add(cache_read).saturating_add(cache_write);
        Usage { input, output, cache_read, cache_write }
    }

    fn finish(&mut self) -> Result<Completion, Fault> {
        if !self.begun {
            return Err(Fault::Foreign("not an event stream of the Messages API".to_owned()));
        }
        let stop = self.stop.take().filter(|_| self.done);
        let stop = stop.ok_or_else(|| Fault::CutShort("it ended without a stop reason".to_owned()))?;
        Ok(Completion {
            text: std::mem::take(&mut self.text),
            stop,
            usage: self.usage(),
            request_id: self.id.take(),
            model: self.model.take(),
        })
    }
}

impl IncomingReply {
    fn take(&mut self, event: &Event, text: &mut dyn FnMut(&str)) -> Result<(), Fault> {
        let known =
            ["message_start", "content_block_start", "content_block_delta", "message_delta", "message_stop", "error"];
        let data: Value = match serde_json::from_str(&event.data) {
            Ok(data) => data,
            Err(_) if !event.name.is_empty() && !known.contains(&event.name.as_str()) => return Ok(()),
            Err(error) => return Err(Fault::Malformed(format!("event that is not JSON: {error}"))),
        };
        let string = |pointer| data.pointer(pointer).and_then(Value::as_str);
        let index = data.get("index").and_then(Value::as_u64).unwrap_or(0);
        match string("/type").unwrap_or(&event.name) {
            "message_start" => {
                self.begun = true;
                self.id = string("/message/id").map(str::to_owned);
                self.model = string("/message/model").map(clean::line);
                self.counts.update(&data["message"]["usage"]);
            }
            "content_block_start" => match string("/content_block/type") {
                Some("text") => self.add(string("/content_block/text"), text),
                // Thinking, or what will be thought of later: never part of the answer.
                _ => self.other_blocks.push(index),
            },
            "content_block_delta"
                if string("/delta/type") == Some("text_delta") && !self.other_blocks.contains(&index) =>
            {
                self.add(string("/delta/text"), text);
            }
            "message_delta" => {
                self.counts.update(&data["usage"]);
                if let Some(reason) = string("/delta/stop_reason") {
                    self.stop = Some(stop_reason(reason));
                }
            }
            "message_stop" => self.done = true,
            "error" => {
                self.begun = true;
                let status = status_of(string("/error/type").unwrap_or_default());
                let message = message_of(&data).unwrap_or_else(|| "error without words".to_owned());
                let mut fault = Fault::told(status, message);
                if let Fault::Status { request_id, .. } = &mut fault {
                    *request_id = string("/request_id").map(str::to_owned);
                }
                return Err(fault);
            }
            _ => {}
        }
        Ok(())
    }

    fn add(&mut self, piece: Option<&str>, text: &mut dyn FnMut(&str)) {
        if let Some(piece) = piece.filter(|piece| !piece.is_empty()) {
            self.text.push_str(piece);
            text(piece);
        }
    }
}

fn stop_reason(word: &str) -> StopReason {
    match word {
        "end_turn" => StopReason::EndTurn,
        "max_tokens" => StopReason::MaxTokens,
        "model_context_window_exceeded" => StopReason::ContextExceeded,
        "refusal" => StopReason::Refusal,
        other => StopReason::Other(clean::line(other)),
    }
}

/// The status that an error has when it comes before the reply.
fn status_of(error_type: &str) -> u16 {
    match error_type {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "conflict_error" => 409,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "timeout_error" => 504,
        "overloaded_error" => 529,
        _ => 500,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Message, Role};

    fn user(content: Vec<Block>) -> Request {
        let messages = vec![Message { role: Role::User, content }];
        Request {
            system: vec![Block::cached("system")],
            messages,
            format: "whole".into(),
            max_tokens: 64,
            asked_tokens: None,
        }
    }

    #[test]
    fn at_most_four_breakpoints_are_sent_the_first_and_the_last_three() {
        let request = user((0..6).map(|n| Block::cached(format!("file {n}"))).collect());
        let body = body("m", &request);
        let marked = |block: &Value| block.get("cache_control").is_some();
        assert!(marked(&body["system"][0]));
        let marks: Vec<_> = body["messages"][0]["content"].as_array().unwrap().iter().map(marked).collect();
        assert_eq!(marks, [false, false, false, true, true, true]);
    }

    #[test]
    fn empty_blocks_are_left_out_and_nothing_tunes_the_sampling() {
        let body = body("m", &user(vec![Block::new(""), Block::new("x")]));
        assert_eq!(body["messages"][0]["content"], json!([{"type": "text", "text": "x"}]));
        let mut keys: Vec<_> = body.as_object().unwrap().keys().cloned().collect();
        keys.sort();
        assert_eq!(keys, ["max_tokens", "messages", "model", "stream", "system"]);
    }
}
