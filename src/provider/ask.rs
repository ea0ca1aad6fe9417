//! One question to a model's HTTP API, from sending it to the end of its streamed reply: tries, waits, time-outs.
//! Which bytes go out and what those that come back mean is for a [`Decode`] to know.

use std::time::{Duration, Instant, SystemTime};

use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::fault::{Fault, message_of};
use super::http::Http;
use super::retry::{self, Advice};
use super::{Call, ProviderError, clean, trace};
use crate::event::Progress;
use crate::model::{Completion, Usage};
use crate::plan::estimate_tokens;

/// As much of an error's body as is read.
const LONGEST_ERROR: usize = 64 << 10;
/// How long it is waited for.
const ERROR_PATIENCE: Duration = Duration::from_secs(30);
/// No reply of a model is this long.
const LONGEST_REPLY: usize = 256 << 20;

/// What came of one try, for the bill: who stops in the middle of an answer is charged for it all the same.
#[derive(Default)]
struct Heard {
    /// The server has taken the prompt.
    accepted: bool,
    /// Estimated, of the text that came.
    tokens: u64,
    /// What the server has counted.
    told: Usage,
}

impl Heard {
    /// What the try has used. A request that was turned away costs nothing.
    fn used(&self, body: &str) -> Usage {
        if !self.accepted {
            return Usage::default();
        }
        let input = if self.told.input > 0 { self.told.input } else { estimate_tokens(body) };
        Usage { input, output: self.told.output.max(self.tokens), ..self.told }
    }
}

/// The answer, with an estimate where the server has counted nothing.
fn counted(completion: Completion, body: &str) -> Completion {
    if completion.usage != Usage::default() {
        return completion;
    }
    let (input, output) = (estimate_tokens(body), estimate_tokens(&completion.text));
    Completion { usage: Usage { input, output, ..Usage::default() }, ..completion }
}

/// Makes an answer of a reply's bytes.
pub(super) trait Decode {
    /// Takes the next bytes, cut anywhere, and tells the text that they add to the reply.
    fn push(&mut self, bytes: &[u8], text: &mut dyn FnMut(&str)) -> Result<(), Fault>;
    /// The end mark was seen: nothing after it matters.
    fn is_done(&self) -> bool;
    /// What the server has said so far that it counted.
    fn usage(&self) -> Usage;
    /// The whole answer, or the fault that it is not whole.
    fn finish(&mut self) -> Result<Completion, Fault>;
}

impl Http {
    /// Asks until there is a whole answer, the tries are used up, or the fault is one that another try cannot mend.
    /// `decoder` is called for each try.
    pub(super) fn ask<D: Decode>(
        &self,
        path: &str,
        body: &Value,
        call: &mut Call,
        decoder: impl Fn() -> D,
    ) -> Result<Completion, ProviderError> {
        let body = body.to_string();
        let interrupt = call.interrupt;
        self.run(interrupt, async {
            let mut stalls = 0;
            let mut tries = 0;
            loop {
                tries += 1;
                let mut heard = Heard::default();
                let fault = match self.attempt(path, &body, call, decoder(), &mut heard).await {
                    Ok(completion) => return Ok(counted(completion, &body)),
                    Err(fault) => fault,
                };
                let again = (call.failed)(heard.used(&body));
                // A stalled connection may be a dead one; a second stall is how things are.
                stalls += u32::from(matches!(fault, Fault::Idle(_)));
                if !again || tries >= self.max_tries || stalls > 1 || !fault.may_pass() {
                    return Err(self.give_up(fault, tries));
                }
                let asked = fault.wait();
                if asked.is_some_and(|wait| wait > self.max_wait) {
                    return Err(self.give_up(fault, tries));
                }
                let wait = asked.unwrap_or_else(|| retry::backoff(tries, trace::chance())).min(self.max_wait);
                let reason = self.give_up(fault, 1).to_string();
                (call.progress)(Progress::Retry {
                    try_number: tries + 1,
                    seconds: wait.as_secs_f64(),
                    reason: &reason,
                });
                sleep(wait).await;
            }
        })
    }

    async fn attempt<D: Decode>(
        &self,
        path: &str,
        body: &str,
        call: &mut Call<'_>,
        mut decoder: D,
        heard: &mut Heard,
    ) -> Result<Completion, Fault> {
        let mut request = self.client.post(self.url(path)).headers(self.headers.clone());
        if !call.traceparent.is_empty() {
            request = request.header("traceparent", call.traceparent);
        }
        let request = request.header(CONTENT_TYPE, "application/json").body(body.to_owned());
        let end = Instant::now() + self.reply;
        // How long the next word may take, and what it means if it does not come.
        let patience = |silence: Duration| match end.saturating_duration_since(Instant::now()) {
            left if left < silence => (left, Fault::Late(self.reply)),
            _ => (silence, Fault::Idle(silence)),
        };
        let (longest, fault) = patience(self.first_byte);
        let mut response = match timeout(longest, request.send()).await {
            Ok(sent) => sent.map_err(|error| Fault::Connection(self.reason(error)))?,
            Err(_) => return Err(fault),
        };
        let header = |name| response.headers().get(name)?.to_str().ok().map(str::to_owned);
        let request_id = header("request-id").or_else(|| header("x-request-id")).map(|id| self.clean(&id));
        let kind = header("content-type").unwrap_or_default();
        if !response.status().is_success() {
            return Err(self.refusal(response, request_id).await);
        }
        heard.accepted = true;
        let mut received = 0;
        let mut silence = self.first_byte;
        while !decoder.is_done() {
            let mut closed = false;
            let (longest, fault) = patience(silence);
            let end = match timeout(longest, response.chunk()).await {
                Ok(Ok(Some(bytes))) => {
                    received += bytes.len();
                    if received > LONGEST_REPLY {
                        return Err(Fault::Foreign("a reply without end".to_owned()));
                    }
                    silence = self.idle;
                    let mut text = |text: &str| {
                        heard.tokens += estimate_tokens(text);
                        (call.progress)(Progress::Text(text));
                    };
                    let pushed = decoder.push(&bytes, &mut text);
                    heard.told = decoder.usage();
                    pushed.map_err(|fault| self.with_id(fault, &request_id))?;
                    continue;
                }
                Ok(Ok(None)) => {
                    closed = received > 0;
                    Fault::CutShort("it ended before its end mark".to_owned())
                }
                Ok(Err(error)) => Fault::CutShort(self.reason(error)),
                Err(_) => fault,
            };
            // What comes after the last word, such as the count of tokens, is no reason to ask again.
            return match decoder.finish() {
                Ok(completion) => Ok(self.signed(completion, request_id)),
                // Only a whole answer can be said to be another protocol's.
                Err(Fault::Foreign(what)) if closed => Err(Fault::Foreign(match clean::line(&kind) {
                    kind if kind.is_empty() => what,
                    kind => format!("{what} ('{kind}')"),
                })),
                Err(Fault::PromptCut(reason)) => Err(Fault::PromptCut(reason)),
                Err(_) => Err(self.with_id(end, &request_id)),
            };
        }
        let completion = decoder.finish().map_err(|fault| self.with_id(fault, &request_id))?;
        Ok(self.signed(completion, request_id))
    }

    fn signed(&self, completion: Completion, request_id: Option<String>) -> Completion {
        let request_id = request_id.or(completion.request_id.map(|id| self.clean(&id)));
        Completion { request_id, ..completion }
    }

    /// The fault, clean, with the request's id where it has none of its own.
    fn with_id(&self, fault: Fault, id: &Option<String>) -> Fault {
        match fault {
            Fault::Status { status, message, advice, request_id } => {
                let request_id = id.clone().or(request_id.map(|id| self.clean(&id)));
                Fault::Status { status, message: self.clean(&message), advice, request_id }
            }
            Fault::Malformed(reason) => Fault::Malformed(self.clean(&reason)),
            Fault::Foreign(reason) => Fault::Foreign(self.clean(&reason)),
            other => other,
        }
    }

    /// Reads an answer that is no reply.
    async fn refusal(&self, mut response: Response, request_id: Option<String>) -> Fault {
        let status = response.status().as_u16();
        let mut advice = Advice::read(response.headers(), SystemTime::now());
        let mut body = Vec::new();
        while let Ok(Ok(Some(bytes))) = timeout(self.idle.min(ERROR_PATIENCE), response.chunk()).await {
            body.extend_from_slice(&bytes);
            if body.len() > LONGEST_ERROR {
                break;
            }
        }
        let text = String::from_utf8_lossy(&body);
        let json: Value = serde_json::from_str(&text).unwrap_or_default();
        // An empty account looks like a busy server, but does not fill by waiting.
        if json.pointer("/error/code").and_then(Value::as_str) == Some("insufficient_quota") {
            advice.should = Some(false);
        }
        let told = json.get("request_id").and_then(Value::as_str).map(str::to_owned);
        let message = message_of(&json).unwrap_or_else(|| text.into_owned());
        let message = if message.trim().is_empty() {
            response.status().canonical_reason().unwrap_or("no reason given").to_owned()
        } else {
            message
        };
        self.with_id(Fault::Status { status, message, advice, request_id: told }, &request_id)
    }

    fn give_up(&self, fault: Fault, tries: u32) -> ProviderError {
        fault.into_error(self.provider, self.address(), tries, self.max_wait)
    }
}
