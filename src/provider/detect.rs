//! Who is asked when nobody says: a key that is set, else a model server on this machine.

use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use super::http::Http;
use super::{ProviderError, Settings, clean, ollama};
use crate::process::Interrupt;

/// A server on this machine answers at once, or is not there.
const PATIENCE: Duration = Duration::from_millis(1500);
/// A list of models may come from far away.
const LIST_PATIENCE: Duration = Duration::from_secs(10);

/// Where a detection looks. [`Places::default`] has the servers' usual addresses.
#[derive(Debug, Clone)]
pub struct Places {
    pub anthropic_key: Option<SecretString>,
    pub openai_key: Option<SecretString>,
    pub ollama: String,
    pub llama_cpp: String,
}

impl Default for Places {
    fn default() -> Self {
        Places {
            anthropic_key: None,
            openai_key: None,
            ollama: ollama::BASE.to_owned(),
            llama_cpp: "http://127.0.0.1:8080".to_owned(),
        }
    }
}

/// A provider that was found.
#[derive(Debug, Clone)]
pub struct Detected {
    /// Ready for [`super::open`].
    pub settings: Settings,
    /// Why this one, to be shown: `ANTHROPIC_API_KEY is set`.
    pub why: String,
}

/// Looks for a provider, in this order: a key for Anthropic, a key for OpenAI, Ollama, llama.cpp.
pub fn detect(places: &Places, interrupt: &Interrupt) -> Result<Detected, ProviderError> {
    for (provider, key, variable) in
        [("anthropic", &places.anthropic_key, "ANTHROPIC_API_KEY"), ("openai", &places.openai_key, "OPENAI_API_KEY")]
    {
        // A variable that is set to nothing is a usual way to unset it.
        if let Some(key) = key.as_ref().filter(|key| !key.expose_secret().trim().is_empty()) {
            let settings = Settings { key: Some(key.clone()), ..Settings::new(provider) };
            return Ok(Detected { settings, why: format!("{variable} is set") });
        }
    }
    let local = |provider: &str, base: &str| Settings { base_url: Some(base.to_owned()), ..Settings::new(provider) };
    let settings = local("ollama", &places.ollama);
    // An Ollama without a model is none to ask.
    if let Some(http) = answers(&settings, "/api/version", "version", interrupt)?
        && let Some(model) = ollama_model(&http, "/api/tags")
    {
        let why = format!("Ollama answers at {}", places.ollama);
        return Ok(Detected { settings: Settings { model: Some(model), ..settings }, why });
    }
    let settings = local("openai", &places.llama_cpp);
    if let Some(http) = answers(&settings, "/props", "default_generation_settings", interrupt)? {
        let model = listed_model(&http, "/v1/models");
        let why = format!("llama.cpp's server answers at {}", places.llama_cpp);
        return Ok(Detected { settings: Settings { model, ..settings }, why });
    }
    Err(ProviderError::Configuration {
        message: "no language model to ask".to_owned(),
        hints: [
            "set ANTHROPIC_API_KEY or OPENAI_API_KEY,",
            "or start a local server: 'ollama serve' with a model pulled, or llama.cpp's 'llama-server',",
            "or name a program that reads a prompt and writes the reply: --command 'claude -p'",
        ]
        .map(str::to_owned)
        .to_vec(),
    })
}

/// Does the server answer with a document that has this field? Others may listen at such a port, too.
fn answers(settings: &Settings, path: &str, field: &str, interrupt: &Interrupt) -> Result<Option<Http>, ProviderError> {
    let http = Http::new("detect", settings, "")?;
    let answer = http.get(path, PATIENCE, interrupt);
    if interrupt.is_set() {
        return Err(ProviderError::Interrupted);
    }
    Ok(answer.is_some_and(|answer| answer.get(field).is_some()).then_some(http))
}

/// The first model that an OpenAI-like server lists.
pub(super) fn listed_model(http: &Http, path: &str) -> Option<String> {
    first_name(http, path, "/data/0/id")
}

/// The context window of a model, as servers tell it that are not OpenAI's: vLLM in its list of models, llama.cpp in
/// its properties.
pub(super) fn listed_window(http: &Http, path: &str, model: &str) -> Option<u32> {
    let ask = |path: &str| http.get(path, patience(http), &Interrupt::default());
    let list = ask(path)?;
    let listed = list.get("data")?.as_array()?.iter().find(|listed| listed["id"] == model);
    let tokens = match listed.and_then(|listed| listed.get("max_model_len")) {
        Some(tokens) => tokens.as_u64(),
        None => ask("/props")?.pointer("/default_generation_settings/n_ctx").and_then(Value::as_u64),
    };
    tokens.and_then(|tokens| u32::try_from(tokens).ok())
}

/// The model that Ollama has used last.
pub(super) fn ollama_model(http: &Http, path: &str) -> Option<String> {
    first_name(http, path, "/models/0/name")
}

fn patience(http: &Http) -> Duration {
    if http.is_local() { PATIENCE } else { LIST_PATIENCE }
}

fn first_name(http: &Http, path: &str, pointer: &str) -> Option<String> {
    let list = http.get(path, patience(http), &Interrupt::default())?;
    list.pointer(pointer).and_then(Value::as_str).map(clean::line)
}

pub(super) fn key_missing(provider: &str, variable: &str) -> ProviderError {
    ProviderError::configuration(format!("no API key for '{provider}'"), format!("set {variable}"))
}

pub(super) fn model_missing(provider: &str) -> ProviderError {
    ProviderError::configuration(
        format!("no model for '{provider}', and the server names none"),
        "choose one with --model <name>",
    )
}
