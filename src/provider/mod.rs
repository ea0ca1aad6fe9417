//! Providers: who answers a [`Request`]. Each is one file and one line of [`PROVIDERS`]; [`Provider`] is all
//! that the run knows of them.
//!
//! Nothing here reads the environment, prints, or knows what a reply is for: settings come in as [`Settings`], an
//! answer goes out whole or not at all.

pub mod detect;
pub mod models;
pub mod recording;
pub mod trace;

mod address;
mod anthropic;
mod ask;
mod clean;
mod command;
mod error;
mod fault;
mod http;
mod ollama;
mod openai;
mod replay;
mod retry;
mod sse;

pub use error::{ErrorKind, ProviderError};

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;

use crate::environment::Environment;
use crate::event::Progress;
use crate::model::{Completion, Request, Speaker, Usage};
use crate::process::Interrupt;

/// What a provider may know of a request beside its text.
pub struct Call<'a> {
    /// The file that is asked for.
    pub path: &'a str,
    /// From 1.
    pub attempt: u32,
    /// Who is to answer.
    pub speaker: Speaker,
    /// The round of the talk, from 1.
    pub round: u32,
    /// W3C trace context of this request's span: `00-<trace>-<span>-01`.
    pub traceparent: &'a str,
    pub interrupt: &'a Interrupt,
    /// After [`Progress::Retry`] the reply begins anew: text told before it is void.
    pub progress: &'a mut dyn FnMut(Progress),
    /// Is told what each try that gave no answer has used, as far as the server says, else estimated; and says whether
    /// there may be another try.
    pub failed: &'a mut dyn FnMut(Usage) -> bool,
}

pub trait Provider: Send + Sync {
    /// As on the command line: `anthropic`.
    fn name(&self) -> &'static str;
    /// The model that is asked for.
    fn model(&self) -> &str;
    /// The context window in tokens that the server itself says it has; None if it says nothing, when
    /// [`models::facts`] knows as much as can be known. May ask the server.
    fn context_window(&self) -> Option<u32> {
        None
    }
    /// Asks, and waits for the whole answer.
    fn complete(&self, request: &Request, call: &mut Call) -> Result<Completion, ProviderError>;
}

/// By file, the keys of recorded replies, in the order of attempts.
pub type Taken = BTreeMap<String, Vec<String>>;

/// All that decides who is asked and how. [`Settings::new`] has the defaults.
#[derive(Clone)]
pub struct Settings {
    /// A name of [`PROVIDERS`].
    pub provider: String,
    /// Unset: the provider's default ([`models::default_model`]), or what a local server says it has.
    pub model: Option<String>,
    /// Unset: the provider's own address.
    pub base_url: Option<String>,
    /// Not needed for a loopback address.
    pub key: Option<SecretString>,
    /// The command line of provider `command`, to be split by POSIX quoting.
    pub command: Option<String>,
    /// The environment of provider `command`, before it is cleaned.
    pub environment: Environment,
    /// Where provider `replay` reads; another answers from there first.
    pub replay: Option<PathBuf>,
    /// Recorded replies that count though what is asked has changed.
    pub taken: Taken,
    /// The longest silence in the middle of a reply.
    pub idle_timeout: Duration,
    /// The longest silence before the first byte, when a prompt has to be read, perhaps a model loaded. Unset: ten
    /// minutes, and half an hour for a server on this machine.
    pub first_byte_timeout: Option<Duration>,
    /// The longest silence of provider `command`.
    pub command_idle_timeout: Duration,
    /// The longest time that one try may take in all: a server may well keep a connection alive that never says more.
    pub reply_timeout: Duration,
    /// How often one request is sent at most, transport failures included.
    pub max_tries: u32,
    /// The longest wait between two tries; a server that asks for more is not waited for.
    pub max_wait: Duration,
}

impl Settings {
    pub fn new(provider: impl Into<String>) -> Self {
        Settings {
            provider: provider.into(),
            model: None,
            base_url: None,
            key: None,
            command: None,
            environment: Environment::default(),
            replay: None,
            taken: Taken::new(),
            idle_timeout: Duration::from_secs(120),
            first_byte_timeout: None,
            command_idle_timeout: Duration::from_secs(30 * 60),
            reply_timeout: Duration::from_secs(2 * 60 * 60),
            max_tries: 5,
            max_wait: Duration::from_secs(60),
        }
    }
}

/// Without what may be secret: key, environment, and the places where people put a password.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { provider, model, replay, idle_timeout, max_tries, .. } = self;
        let mut shown = f.debug_struct("Settings");
        shown.field("provider", provider).field("model", model).field("replay", replay);
        shown.field("idle_timeout", idle_timeout).field("max_tries", max_tries).finish_non_exhaustive()
    }
}

impl Settings {
    /// Does the prompt stay on this machine, as far as can be known, and the answer cost nothing? (What a command
    /// does with a prompt cannot be known: it does not count as local.)
    pub fn is_local(&self) -> bool {
        match (&self.base_url, self.provider.as_str()) {
            (_, "replay") => true,
            (_, "command") => false,
            (None, "ollama") => true,
            (None, _) => false,
            (Some(url), _) => address::parse_base(url).is_ok_and(|url| address::is_loopback(&url)),
        }
    }
}

/// A provider, as the registry knows it.
pub struct Entry {
    /// As on the command line.
    pub name: &'static str,
    /// Where it is unless the settings say otherwise; empty for one that is nowhere.
    pub base: &'static str,
    /// One line for the help text.
    pub summary: &'static str,
    pub open: fn(&Settings) -> Result<Box<dyn Provider>, ProviderError>,
}

/// Every provider there is, in the order of the help text.
pub const PROVIDERS: &[&Entry] = &[&anthropic::ENTRY, &openai::ENTRY, &ollama::ENTRY, &command::ENTRY, &replay::ENTRY];

/// The usual address of the provider of this name; empty if it has none.
pub fn default_url(name: &str) -> &'static str {
    PROVIDERS.iter().find(|entry| entry.name == name).map_or("", |entry| entry.base)
}

/// The provider that the settings name, ready to be asked. Sends nothing, except that a local server may be asked
/// for its model when none is set.
pub fn open(settings: &Settings) -> Result<Box<dyn Provider>, ProviderError> {
    match PROVIDERS.iter().find(|entry| entry.name == settings.provider) {
        Some(entry) => {
            let provider = (entry.open)(settings)?;
            let is_beside = settings.replay.is_some() && entry.name != replay::ENTRY.name;
            if is_beside { replay::beside(provider, settings) } else { Ok(provider) }
        }
        None => {
            let names: Vec<_> = PROVIDERS.iter().map(|entry| entry.name).collect();
            Err(ProviderError::configuration(
                format!("unknown provider '{}'", clean::line(&settings.provider)),
                format!("the providers are {}", names.join(", ")),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_defines_a_provider_has_its_line_in_the_registry() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/provider");
        let mut defined: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
            .filter(|file| std::fs::read_to_string(file).unwrap().contains("const ENTRY: Entry"))
            .map(|file| file.file_stem().unwrap().to_string_lossy().into_owned())
            .filter(|stem| stem != "mod")
            .collect();
        let mut registered: Vec<_> = PROVIDERS.iter().map(|entry| entry.name.to_owned()).collect();
        defined.sort();
        registered.sort();
        assert_eq!(defined, registered);
    }

    #[test]
    fn an_unknown_provider_is_an_error_that_lists_the_known_ones() {
        let error = open(&Settings::new("open-ai")).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Configuration);
        assert_eq!(error.to_string(), "unknown provider 'open-ai'");
        assert_eq!(error.hints(), ["the providers are anthropic, openai, ollama, command, replay"]);
    }

    #[test]
    fn a_prompt_stays_here_only_with_a_server_on_this_machine_or_a_recording() {
        let local = |provider: &str, url: Option<&str>| {
            Settings { base_url: url.map(str::to_owned), ..Settings::new(provider) }.is_local()
        };
        assert!(local("replay", None) && local("ollama", None) && local("openai", Some("http://localhost:8080")));
        assert!(
            !local("anthropic", None) && !local("ollama", Some("http://10.0.0.2:11434")) && !local("command", None)
        );
    }

    #[test]
    fn settings_never_show_their_key() {
        let mut settings = Settings::new("anthropic");
        settings.key = Some("sk-ant-very-secret".to_owned().into());
        settings.environment = [("ANTHROPIC_API_KEY".into(), "sk-ant-very-secret".into())].into_iter().collect();
        settings.base_url = Some("http://me:very-secret@host".into());
        settings.command = Some("ask --key very-secret".into());
        assert!(!format!("{settings:?}").contains("very-secret"));
    }
}
