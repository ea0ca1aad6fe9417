//! One request to a model's HTTP API, from sending it to the end of its streamed reply: tries, waits, time-outs,
//! interruption. Which bytes go out and what those that come back mean is for a [`Decode`] to know.
//!
//! Asynchronous inside, on a runtime of its own with one thread, so that everything can be given up at any
//! moment; blocking outside.

use std::future::Future;
use std::time::{Duration, SystemTime};

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::time::{sleep, timeout};

use super::clean::{self, Secrets};
use super::retry::{self, Advice};
use super::{Call, ProviderError, Settings, trace};
use crate::event::{Interrupt, Progress};
use crate::model::Completion;

/// As much of an error's body as is read.
const LONGEST_ERROR: usize = 64 << 10;
/// No reply of a model is this long.
const LONGEST_REPLY: usize = 256 << 20;
const CONNECT: Duration = Duration::from_secs(30);

/// Why one try gave no answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fault {
    Status {
        status: u16,
        message: String,
        advice: Advice,
        request_id: Option<String>,
    },
    Connection(String),
    CutShort(String),
    Idle(Duration),
    /// Bytes of a reply that make no sense. The stream may be broken: worth another try.
    Malformed(String),
    /// Not the protocol at all: another try would give the same.
    Foreign(String),
    /// The prompt did not arrive whole.
    PromptCut(String),
}

impl Fault {
    /// An error that the server tells in the middle of its reply, as if it had been the answer's status.
    pub(super) fn told(status: u16, message: String) -> Self {
        Fault::Status { status, message, advice: Advice::default(), request_id: None }
    }
}

impl From<super::sse::TooLong> for Fault {
    fn from(_: super::sse::TooLong) -> Self {
        Fault::Foreign("a line without end".to_owned())
    }
}

/// Makes an answer of a reply's bytes.
pub(super) trait Decode {
    /// Takes the next bytes, cut anywhere, and tells the text that they add to the reply.
    fn push(&mut self, bytes: &[u8], text: &mut dyn FnMut(&str)) -> Result<(), Fault>;
    /// The end mark was seen: nothing after it matters.
    fn is_done(&self) -> bool;
    /// The whole answer, or the fault that it is not whole.
    fn finish(&mut self) -> Result<Completion, Fault>;
}

/// Where a provider is, and how it is spoken to.
pub(super) struct Http {
    provider: &'static str,
    client: Client,
    /// Always there until it is dropped.
    runtime: Option<Runtime>,
    base: Url,
    headers: HeaderMap,
    secrets: Secrets,
    idle: Duration,
    first_byte: Duration,
    max_tries: u32,
    max_wait: Duration,
}

impl Http {
    /// `base` is where the API is when the settings do not say.
    pub(super) fn new(provider: &'static str, settings: &Settings, base: &str) -> Result<Self, ProviderError> {
        // A second call finds one installed already, which is as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let given = settings.base_url.as_deref().unwrap_or(base);
        let base = parse_base(given)?;
        let mut secrets = Secrets::default();
        if let Some(password) = base.password() {
            secrets.add(password);
        }
        base.query_pairs().for_each(|(_, value)| secrets.add(&value));
        let mut client = Client::builder()
            .user_agent(concat!("git-implement/", env!("CARGO_PKG_VERSION")))
            // A redirect would take key and prompt to a place that nobody configured.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            // Requests are minutes apart: a kept connection is a broken one more often than a saved one.
            .pool_max_idle_per_host(0);
        let local = is_loopback(&base);
        if local {
            client = client.no_proxy();
        }
        // Reading a long prompt takes a machine without an accelerator its time.
        let minutes = if local { 30 } else { 10 };
        let first_byte = settings.first_byte_timeout.unwrap_or(Duration::from_secs(minutes * 60));
        let client = client.build().map_err(|error| {
            ProviderError::configuration(format!("cannot set up TLS: {}", innermost(&error.without_url())), "")
        })?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| {
            ProviderError::configuration(format!("cannot start a connection: {}", clean::line(&error.to_string())), "")
        })?;
        Ok(Http {
            provider,
            client,
            runtime: Some(runtime),
            base,
            headers: HeaderMap::new(),
            secrets,
            idle: settings.idle_timeout,
            first_byte,
            max_tries: settings.max_tries.max(1),
            max_wait: settings.max_wait,
        })
    }

    /// A header of every request.
    pub(super) fn header(&mut self, name: &'static str, value: &'static str) {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }

    /// The header that carries the key, which from now on is never repeated. `prefix` goes before it (`Bearer `).
    pub(super) fn key(&mut self, name: &'static str, prefix: &str, key: &SecretString) -> Result<(), ProviderError> {
        let key = key.expose_secret().trim();
        let mut value = HeaderValue::from_str(&format!("{prefix}{key}")).map_err(|_| {
            ProviderError::configuration(
                format!("API key of '{}' holds characters that no key has", self.provider),
                "check for line breaks or quotes around it",
            )
        })?;
        value.set_sensitive(true);
        self.secrets.add(key);
        self.headers.insert(HeaderName::from_static(name), value);
        Ok(())
    }

    /// A header of the user's, which may hold a secret.
    pub(super) fn extra_header(&mut self, name: &str, value: &SecretString) -> Result<(), ProviderError> {
        let parsed = (name.parse::<HeaderName>(), HeaderValue::from_str(value.expose_secret().trim()));
        let (Ok(name), Ok(mut sent)) = parsed else {
            let name = clean::line(name);
            return Err(ProviderError::configuration(format!("header '{name}' cannot be sent"), "check its spelling"));
        };
        sent.set_sensitive(true);
        self.secrets.add(value.expose_secret().trim());
        self.headers.insert(name, sent);
        Ok(())
    }

    /// Is the server on this machine?
    pub(super) fn is_local(&self) -> bool {
        is_loopback(&self.base)
    }

    pub(super) fn host(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    /// The path of the base address, without a slash at its end.
    pub(super) fn base_path(&self) -> &str {
        self.base.path().trim_end_matches('/')
    }

    /// The address without anything that might be secret.
    pub(super) fn address(&self) -> String {
        self.base.origin().ascii_serialization()
    }

    fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(path);
        url
    }

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
                let fault = match self.attempt(path, &body, call, decoder()).await {
                    Ok(completion) => return Ok(completion),
                    Err(fault) => fault,
                };
                // A stalled connection may be a dead one; a second stall is how things are.
                stalls += u32::from(matches!(fault, Fault::Idle(_)));
                if tries >= self.max_tries || stalls > 1 || !may_pass(&fault) {
                    return Err(self.give_up(fault, tries));
                }
                let asked = match &fault {
                    Fault::Status { advice, .. } => advice.after,
                    _ => None,
                };
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
    ) -> Result<Completion, Fault> {
        let mut request = self.client.post(self.url(path)).headers(self.headers.clone());
        if !call.traceparent.is_empty() {
            request = request.header("traceparent", call.traceparent);
        }
        let request = request.header(CONTENT_TYPE, "application/json").body(body.to_owned());
        let mut response = match timeout(self.first_byte, request.send()).await {
            Ok(sent) => sent.map_err(|error| self.connection(error))?,
            Err(_) => return Err(Fault::Idle(self.first_byte)),
        };
        let header = |name| response.headers().get(name)?.to_str().ok().map(str::to_owned);
        let request_id = header("request-id").or_else(|| header("x-request-id")).map(|id| self.clean(&id));
        let kind = header("content-type").unwrap_or_default();
        if !response.status().is_success() {
            return Err(self.refusal(response, request_id).await);
        }
        let mut received = 0;
        let mut silence = self.first_byte;
        while !decoder.is_done() {
            let end = match timeout(silence, response.chunk()).await {
                Ok(Ok(Some(bytes))) => {
                    received += bytes.len();
                    if received > LONGEST_REPLY {
                        return Err(Fault::Foreign("a reply without end".to_owned()));
                    }
                    silence = self.idle;
                    let mut text = |text: &str| (call.progress)(Progress::Text(text));
                    decoder.push(&bytes, &mut text).map_err(|fault| self.with_id(fault, &request_id))?;
                    continue;
                }
                Ok(Ok(None)) => Fault::CutShort("it ended before its end mark".to_owned()),
                Ok(Err(error)) => Fault::CutShort(self.reason(error)),
                Err(_) => Fault::Idle(silence),
            };
            // What comes after the last word, such as the count of tokens, is no reason to ask again.
            return match decoder.finish() {
                Ok(completion) => Ok(self.signed(completion, request_id)),
                Err(Fault::Foreign(what)) => Err(Fault::Foreign(match clean::line(&kind) {
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
        while let Ok(Ok(Some(bytes))) = timeout(self.idle.min(CONNECT), response.chunk()).await {
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

    /// A JSON document of the server, asked for once and not for long: null if it is empty, None if there
    /// is none.
    pub(super) fn get(&self, path: &str, limit: Duration, interrupt: &Interrupt) -> Option<Value> {
        self.document(self.client.get(self.url(path)), limit, interrupt)
    }

    /// The same, with a question.
    pub(super) fn post(&self, path: &str, body: &Value, limit: Duration, interrupt: &Interrupt) -> Option<Value> {
        let request = self.client.post(self.url(path)).header(CONTENT_TYPE, "application/json");
        self.document(request.body(body.to_string()), limit, interrupt)
    }

    fn document(&self, request: reqwest::RequestBuilder, limit: Duration, interrupt: &Interrupt) -> Option<Value> {
        let ask = async {
            let mut response = request.headers(self.headers.clone()).send().await.ok()?.error_for_status().ok()?;
            let mut body = Vec::new();
            while let Some(bytes) = response.chunk().await.ok()? {
                body.extend_from_slice(&bytes);
                if body.len() > 4 << 20 {
                    return None;
                }
            }
            if body.is_empty() { Some(Value::Null) } else { serde_json::from_slice(&body).ok() }
        };
        self.run(interrupt, async { Ok(timeout(limit, ask).await.ok().flatten()) }).ok().flatten()
    }

    /// Runs `work` to its end, or to the interruption.
    fn run<T>(
        &self,
        interrupt: &Interrupt,
        work: impl Future<Output = Result<T, ProviderError>>,
    ) -> Result<T, ProviderError> {
        let Some(runtime) = &self.runtime else { return Err(ProviderError::Interrupted) };
        let until_interrupted = async {
            while !interrupt.is_set() {
                sleep(Duration::from_millis(50)).await;
            }
        };
        runtime.block_on(async {
            tokio::select! {
                biased;
                () = until_interrupted => Err(ProviderError::Interrupted),
                result = work => result,
            }
        })
    }

    fn connection(&self, error: reqwest::Error) -> Fault {
        Fault::Connection(self.reason(error))
    }

    fn reason(&self, error: reqwest::Error) -> String {
        self.clean(&innermost(&error.without_url()))
    }

    fn clean(&self, text: &str) -> String {
        clean::line(&self.secrets.scrub(text))
    }

    fn give_up(&self, fault: Fault, tries: u32) -> ProviderError {
        let provider = self.provider;
        match fault {
            Fault::Status { status, message, advice, .. } if advice.after.is_some_and(|wait| wait > self.max_wait) => {
                let seconds = advice.after.unwrap_or_default().as_secs();
                ProviderError::RetryTooLate { provider, status, message, seconds, limit: self.max_wait.as_secs() }
            }
            Fault::Status { status, message, request_id, .. } => {
                ProviderError::Status { provider, status, message, request_id, tries }
            }
            Fault::Connection(reason) => ProviderError::Connection { provider, address: self.address(), reason, tries },
            Fault::CutShort(reason) => ProviderError::CutShort { provider, reason, tries },
            Fault::Idle(limit) => ProviderError::Idle { provider, seconds: limit.as_secs(), tries },
            Fault::Malformed(reason) | Fault::Foreign(reason) => ProviderError::Malformed { provider, reason, tries },
            Fault::PromptCut(reason) => ProviderError::PromptCut { provider, reason },
        }
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        // Not the plain drop: it would wait for a name server that does not answer.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn may_pass(fault: &Fault) -> bool {
    match fault {
        Fault::Status { status, advice, .. } => advice.should.unwrap_or(retry::is_passing(*status)),
        Fault::Connection(_) | Fault::CutShort(_) | Fault::Idle(_) | Fault::Malformed(_) => true,
        Fault::Foreign(_) | Fault::PromptCut(_) => false,
    }
}

/// What an error document says, in the shapes that servers use.
pub(super) fn message_of(json: &Value) -> Option<String> {
    let text = |pointer| json.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
    match (text("/error/type"), text("/error/message")) {
        (Some(kind), Some(message)) => Some(format!("{kind}: {message}")),
        (kind, message) => {
            message.or(kind).or(text("/error")).or(text("/message")).or(text("/detail")).map(str::to_owned)
        }
    }
}

/// The cause at the bottom says most: the layers above it say that something was wrong below.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    clean::line(&cause.to_string())
}

pub(super) fn parse_base(text: &str) -> Result<Url, ProviderError> {
    // The text is not repeated: it may hold a password.
    let wrong = |what: &str| {
        ProviderError::configuration(
            format!("base URL {what}"),
            "it looks like https://models.example.org/v1 or http://127.0.0.1:8080",
        )
    };
    let url = Url::parse(text.trim()).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    match url.scheme() {
        "http" | "https" if url.host_str().is_some() => Ok(url),
        _ => Err(wrong("is neither http nor https")),
    }
}

pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let is_address = host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    is_address || host == "localhost" || host.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_known_by_name_and_by_address() {
        let local = |text| is_loopback(&Url::parse(text).unwrap());
        for yes in
            ["http://localhost:1", "http://127.0.0.1", "http://127.9.9.9/v1", "http://[::1]:80", "http://a.localhost"]
        {
            assert!(local(yes), "{yes}");
        }
        for no in ["https://api.openai.com", "http://10.0.0.1", "http://localhost.example.org", "http://[::2]"] {
            assert!(!local(no), "{no}");
        }
    }

    #[test]
    fn a_base_url_that_is_none_is_refused_without_repeating_it() {
        for wrong in ["", "models", "ftp://user:hunter2@host", "http://", "http://user:hunter2@"] {
            let error = parse_base(wrong).unwrap_err();
            assert!(error.to_string().starts_with("base URL "), "{error}");
            assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
        }
    }

    #[test]
    fn error_documents_are_read_in_every_usual_shape() {
        let message = |json: &str| message_of(&serde_json::from_str(json).unwrap());
        assert_eq!(message(r#"{"error":{"type":"t","message":"m"}}"#).unwrap(), "t: m");
        assert_eq!(message(r#"{"error":{"message":"m","code":400}}"#).unwrap(), "m");
        assert_eq!(message(r#"{"error":"model not found"}"#).unwrap(), "model not found");
        assert_eq!(message(r#"{"detail":"no"}"#).unwrap(), "no");
        assert_eq!(message(r#"{"error":{}}"#), None);
        assert_eq!(message("[]"), None);
    }
}
