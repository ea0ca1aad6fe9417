//! Where the API key of a provider comes from: data only. Starting the key command or `git credential` is the
//! caller's effect.

use super::Config;
use super::value::is_loopback;
use super::words::ProviderKind;
use secrecy::SecretString;

/// Where to get the key, decided before anything is started.
#[derive(Debug)]
pub enum KeySource {
    /// The provider needs none: a program, recorded replies, a server on this machine.
    None,
    /// It is there; the name of the variable that held it.
    Environment(&'static str, SecretString),
    /// Run this; its standard output, less the line end, is the key.
    Command(Vec<String>),
    /// Give `git credential fill` this on standard input; the `password=` line of its answer is the key.
    Credential { input: String },
}

impl Config {
    /// Where the key for `provider` comes from: the key command if there is one, else the vendor's variable, else
    /// git's credential helpers, asked for the host of `default_url` or of what is set in its place.
    pub fn key_source(&self, provider: ProviderKind, default_url: &str) -> KeySource {
        let variable = match provider {
            ProviderKind::Command | ProviderKind::Replay => return KeySource::None,
            ProviderKind::Anthropic => self.vendors.anthropic_key.as_ref().map(|key| ("ANTHROPIC_API_KEY", key)),
            ProviderKind::Openai => self.vendors.openai_key.as_ref().map(|key| ("OPENAI_API_KEY", key)),
            ProviderKind::Ollama => None,
        };
        let named = self.provider.as_ref().is_some_and(|named| named.value == provider);
        if let Some(command) = self.key_command.as_ref().filter(|_| named) {
            return KeySource::Command(command.value.clone());
        }
        if let Some((name, key)) = variable {
            return KeySource::Environment(name, key.clone());
        }
        let url = self.base_url_of(provider).map_or(default_url, |setting| &setting.value);
        if provider == ProviderKind::Ollama || is_loopback(url) {
            return KeySource::None;
        }
        credential(url).map_or(KeySource::None, |input| KeySource::Credential { input })
    }
}

fn credential(url: &str) -> Option<String> {
    let url = reqwest::Url::parse(url).ok()?;
    let host = url.host_str()?;
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("protocol={}\nhost={host}{port}\n\n", url.scheme()))
}

/// The key in what a key command printed: its first line, if it is all that there is.
pub fn key_from_command(output: &str) -> Option<SecretString> {
    let key = output.trim();
    (!key.is_empty() && key.bytes().all(|b| b.is_ascii_graphic())).then(|| key.to_owned().into())
}

/// The key in what `git credential fill` printed.
pub fn key_from_credential(output: &str) -> Option<SecretString> {
    key_from_command(output.lines().find_map(|line| line.strip_prefix("password="))?)
}
