//! A provider's server: its address, the key, and a client that keeps to the rules (no redirects, no proxy for this
//! machine, no secret in a message). What is asked there is for others to know.
//!
//! Asynchronous inside, on a runtime of its own with one thread, so that everything can be given up at any moment;
//! blocking outside.

use std::future::Future;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio::net::unix::pipe::Receiver;
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::address::{is_loopback, parse_base};
use super::clean::{self, Secrets};
use super::{ProviderError, Settings};
use crate::process::Interrupt;

const CONNECT: Duration = Duration::from_secs(30);
/// As much of a document as is read.
const LONGEST_DOCUMENT: usize = 4 << 20;

/// Where a provider is, and how it is spoken to.
pub(super) struct Http {
    pub(super) provider: &'static str,
    pub(super) client: Client,
    /// Always there until it is dropped.
    runtime: Option<Runtime>,
    base: Url,
    pub(super) headers: HeaderMap,
    secrets: Secrets,
    pub(super) idle: Duration,
    pub(super) first_byte: Duration,
    pub(super) reply: Duration,
    pub(super) max_tries: u32,
    pub(super) max_wait: Duration,
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
            reply: settings.reply_timeout,
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

    pub(super) fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(path);
        url
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
                if body.len() > LONGEST_DOCUMENT {
                    return None;
                }
            }
            if body.is_empty() { Some(Value::Null) } else { serde_json::from_slice(&body).ok() }
        };
        self.run(interrupt, async { Ok(timeout(limit, ask).await.ok().flatten()) }).ok().flatten()
    }

    /// Runs `work` to its end, or to the interruption.
    pub(super) fn run<T>(
        &self,
        interrupt: &Interrupt,
        work: impl Future<Output = Result<T, ProviderError>>,
    ) -> Result<T, ProviderError> {
        let Some(runtime) = &self.runtime else { return Err(ProviderError::Interrupted) };
        let until_interrupted = async {
            let bell = interrupt.bell().and_then(|bell| bell.try_clone_to_owned().ok());
            match bell.and_then(|bell| Receiver::from_owned_fd(bell).ok()) {
                _ if interrupt.is_set() => {}
                Some(bell) => drop(bell.readable().await),
                None => std::future::pending().await,
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

    /// What went wrong below, clean.
    pub(super) fn reason(&self, error: reqwest::Error) -> String {
        self.clean(&innermost(&error.without_url()))
    }

    /// A stranger's text, fit for a message.
    pub(super) fn clean(&self, text: &str) -> String {
        clean::line(&self.secrets.scrub(text))
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

/// The cause at the bottom says most: the layers above it say that something was wrong below.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    clean::line(&cause.to_string())
}
