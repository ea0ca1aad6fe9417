//! Who is asked: what the person said, else what is there; with the key, the limits and the prices that go with it.

use super::{Continued, ImplementError};
use crate::config::{self, Config, KeySource, Origin, ProviderKind};
use crate::environment::Environment;
use crate::git;
use crate::plan::Prices;
use crate::process::{ChildKind, Command, Interrupt, Stop};
use crate::prompt::{LARGEST_WINDOW, Limits};
use crate::provider::detect::{Places, detect};
use crate::provider::models::{self, ModelFacts};
use crate::provider::{self, Provider, ProviderError, Settings, Taken};
use secrecy::SecretString;
use sha2::{Digest, Sha256};

/// A provider that can be asked, and what is known of it.
pub struct Chosen {
    pub provider: Box<dyn Provider>,
    /// Why this one: `--provider`, `ANTHROPIC_API_KEY is set`.
    pub why: String,
    /// Nothing leaves the machine.
    pub local: bool,
    /// The person has named the program on the command line, which is as good as agreeing to it.
    pub by_option: bool,
    /// What an agreement to send source there is kept under.
    pub agreement: String,
    /// Where it is, for a question about it: the host, or the program.
    pub place: String,
    pub limits: Limits,
    pub prices: Option<Prices>,
}

/// Chooses by configuration, then by what is there; of a run that is `continued` the replies answer first. `taken`: of those
/// that are replayed, the ones that count whatever is asked.
pub fn choose(
    config: &Config,
    environment: &Environment,
    continued: Option<&Continued>,
    taken: &Taken,
    interrupt: &Interrupt,
) -> Result<Chosen, ImplementError> {
    let failed = |error: ProviderError| ImplementError::Provider { path: String::new(), error };
    let (mut settings, why) = match &config.provider {
        Some(named) => {
            (named_settings(config, named.value, environment, interrupt)?, format!("chosen by {}", named.origin))
        }
        None => {
            let mut places = Places {
                anthropic_key: config.vendors.anthropic_key.clone(),
                openai_key: config.vendors.openai_key.clone(),
                ..Places::default()
            };
            if let Some(url) = config.base_url_of(ProviderKind::Ollama) {
                places.ollama.clone_from(&url.value);
            }
            let found = detect(&places, interrupt).map_err(failed)?;
            let mut settings = found.settings;
            if settings.base_url.is_none()
                && let Some(kind) = ProviderKind::from_word(&settings.provider)
            {
                settings.base_url = config.base_url_of(kind).map(|url| url.value.clone());
            }
            (settings, format!("chosen because {}", found.why))
        }
    };
    if let Some(model) = &config.model {
        settings.model = Some(model.value.clone());
    }
    settings.idle_timeout = config.idle_timeout.value;
    settings.command_idle_timeout = config.command_idle_timeout.value;
    settings.reply_timeout = config.reply_timeout.value;
    settings.max_tries = config.max_tries.value;
    // How long a first byte may take depends on where the provider is, unless somebody says.
    settings.first_byte_timeout = Some(config.first_byte_timeout.value).filter(|_| config.first_byte_timeout.is_set());
    settings.environment = environment.clone();
    settings.replay = config.replay.as_ref().map(|dir| replies_in(&dir.value));
    settings.taken.clone_from(taken);
    if let Some(continued) = continued.filter(|_| settings.provider != ProviderKind::Replay.word()) {
        settings.replay = Some(continued.replies.clone());
        settings.taken = continued.taken();
    }
    let provider = provider::open(&settings).map_err(failed)?;
    let beside = settings.replay.as_ref().filter(|_| provider.name() != ProviderKind::Replay.word());
    let why = match beside {
        Some(dir) => format!("{why}, for what is not recorded in '{}'", dir.display()),
        None => why,
    };
    let local = settings.is_local();
    let facts = models::facts(provider.name(), provider.model(), local);
    let limits = limits(config, &facts, || provider.context_window());
    let by_option = config.command.as_ref().is_some_and(|command| matches!(command.origin, Origin::Option(_)));
    let by_option = by_option && settings.provider == ProviderKind::Command.word();
    let place = place(&settings);
    let agreement = match settings.command.as_deref().filter(|_| settings.provider == ProviderKind::Command.word()) {
        // Another argument can make another program of it; as it stands, it may hold a secret.
        Some(line) => {
            let hex = Sha256::digest(line.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            format!("command {place} {hex}")
        }
        None => format!("{} at {place}", settings.provider),
    };
    Ok(Chosen { why, local, by_option, agreement, place, limits, prices: facts.price, provider })
}

/// The person's word on the model's limits, else the server's, else what is known of the model.
fn limits(config: &Config, facts: &ModelFacts, server: impl FnOnce() -> Option<u32>) -> Limits {
    let said = config.context_window.as_ref().map(|window| window.value).or_else(server);
    let (window, certain) = (said.unwrap_or(facts.context), said.is_some() || facts.is_known());
    let asked = config.max_output_tokens.as_ref().map(|most| most.value);
    Limits { window: window.into(), certain, max_output: asked.unwrap_or(facts.max_output), asked }
}

fn named_settings(
    config: &Config,
    kind: ProviderKind,
    environment: &Environment,
    interrupt: &Interrupt,
) -> Result<Settings, ImplementError> {
    let mut settings = Settings::new(kind.word());
    settings.base_url = config.base_url_of(kind).map(|url| url.value.clone());
    settings.command = config.command.as_ref().map(|command| command.value.clone());
    settings.key = key(config.key_source(kind, provider::default_url(kind.word())), environment, interrupt)?;
    Ok(settings)
}

/// A run record keeps its replies in a folder of their own.
fn replies_in(dir: &std::path::Path) -> std::path::PathBuf {
    let inner = dir.join("replies");
    if inner.is_dir() { inner } else { dir.to_owned() }
}

fn place(settings: &Settings) -> String {
    match settings.provider.as_str() {
        // The program alone: its arguments may hold anything.
        "command" => {
            let line = settings.command.as_deref().unwrap_or_default();
            shell_words::split(line).ok().and_then(|argv| argv.into_iter().next()).unwrap_or_default()
        }
        "replay" => settings.replay.as_ref().map(|dir| dir.display().to_string()).unwrap_or_default(),
        name => settings.base_url.clone().unwrap_or_else(|| provider::default_url(name).to_owned()),
    }
}

/// Gets the key from where it is kept. The output of a key command is never shown, whatever it is.
fn key(
    source: KeySource,
    environment: &Environment,
    interrupt: &Interrupt,
) -> Result<Option<SecretString>, ImplementError> {
    match source {
        KeySource::None => Ok(None),
        KeySource::Environment(_, key) => Ok(Some(key)),
        KeySource::Credential { input } => {
            let output = git::credential(environment, &input, interrupt)?;
            Ok(output.and_then(|output| config::key_from_credential(&output)))
        }
        KeySource::Command(argv) => {
            let Some((program, arguments)) = argv.split_first() else { return Ok(None) };
            let wrong = |reason: String| ImplementError::Provider {
                path: String::new(),
                error: ProviderError::Configuration {
                    message: format!("key command '{program}' {reason}"),
                    hints: vec!["it must print the key, and nothing else, on standard output".into()],
                },
            };
            // In the foreground: it may ask for a pass-phrase.
            let command = Command::new(ChildKind::Other, environment, program).args(arguments);
            let ended = command.foreground().stderr_is_seen().run(interrupt).map_err(|failure| match failure.why {
                Stop::Interrupted => ImplementError::Interrupted,
                Stop::NotStarted(error) | Stop::Lost(error) => wrong(format!("cannot be run: {error}")),
                _ => wrong("has not ended".to_owned()),
            })?;
            if !ended.status.success() {
                return Err(wrong(format!("failed ({})", ended.status)));
            }
            let text = String::from_utf8(ended.stdout).unwrap_or_default();
            config::key_from_command(&text).map(Some).ok_or_else(|| wrong("printed no key".into()))
        }
    }
}

/// Limits and prices of the provider that would be asked, as far as they are known without asking anybody.
pub struct Expected {
    pub limits: Limits,
    /// `None` where nothing is known, or nothing is charged.
    pub prices: Option<Prices>,
    /// It is this machine's; `None` where nobody has named one.
    pub local: Option<bool>,
}

/// What can be said of the provider beforehand. Where nobody has named one, the largest window that there is counts.
pub fn expected(config: &Config) -> Expected {
    let key = |key: &Option<SecretString>, kind| key.as_ref().map(|_| kind);
    let kind = config
        .provider
        .as_ref()
        .map(|named| named.value)
        .or_else(|| key(&config.vendors.anthropic_key, ProviderKind::Anthropic))
        .or_else(|| key(&config.vendors.openai_key, ProviderKind::Openai));
    let name = kind.map_or("", ProviderKind::word);
    let model = config.model.as_ref().map(|model| model.value.as_str()).or(models::default_model(name));
    let loopback = kind.and_then(|kind| config.base_url_of(kind)).map(|url| config::is_loopback(&url.value));
    let local = loopback.unwrap_or(matches!(kind, Some(ProviderKind::Ollama | ProviderKind::Replay)));
    let facts = models::facts(name, model.unwrap_or_default(), local);
    let largest = || u32::try_from(LARGEST_WINDOW).ok().filter(|_| kind.is_none());
    let prices = facts.price.filter(|price| price.output > 0.0);
    let replayed = kind.is_none() && config.replay.is_some();
    let known = (kind.is_some() || replayed).then_some(local || replayed);
    Expected { limits: limits(config, &facts, largest), prices, local: known }
}
