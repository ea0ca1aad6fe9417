//! git's configuration, asked for once (`git config --list -z`), so that `-c`, `GIT_CONFIG_*`, includes and scopes are
//! all git's own reading. Not this program's configuration.

use super::GitError;
use super::child::Git;
use crate::environment::Environment;
use std::collections::HashMap;
use std::path::Path;

/// What git prints in `directory`, be it in a repository or not, for these arguments of a query of its configuration.
pub fn config_output(environment: &Environment, directory: &Path, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
    Ok(Git::new(environment, directory).args(arguments).output()?.stdout)
}

/// Key (section and name in lower case, as git prints them) -> values in order; `None` for a key without `=`.
#[derive(Debug, Default)]
pub(super) struct GitConfig(HashMap<String, Vec<Option<String>>>);

impl GitConfig {
    /// Reads `key\nvalue\0` or, for a key without value, `key\0`.
    pub fn parse(listing: &[u8]) -> GitConfig {
        let mut config = GitConfig::default();
        for entry in listing.split(|&byte| byte == 0).filter(|entry| !entry.is_empty()) {
            let entry = String::from_utf8_lossy(entry);
            let (key, value) = match entry.split_once('\n') {
                Some((key, value)) => (key, Some(value.to_owned())),
                None => (entry.as_ref(), None),
            };
            config.0.entry(key.to_owned()).or_default().push(value);
        }
        config
    }

    /// The last value; `""` for a key without `=`. `key` in any case where git ignores case.
    pub fn get(&self, key: &str) -> Option<&str> {
        Some(self.0.get(&canonical(key))?.last()?.as_deref().unwrap_or(""))
    }

    /// Everything below this section, in a form that is the same for the same settings.
    pub fn all_of(&self, section: &str) -> String {
        let ours = self.0.iter().filter(|(key, _)| key.starts_with(section));
        let mut lines: Vec<String> = ours.map(|(key, values)| format!("{key} {values:?}\n")).collect();
        lines.sort();
        lines.concat()
    }

    pub fn get_bool(&self, key: &str) -> Result<Option<bool>, GitError> {
        let Some(value) = self.0.get(&canonical(key)).and_then(|values| values.last()) else { return Ok(None) };
        let Some(value) = value else { return Ok(Some(true)) };
        match value.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Ok(Some(true)),
            "false" | "no" | "off" | "" => Ok(Some(false)),
            number => match number.trim_end_matches(['k', 'm', 'g']).parse::<i64>() {
                Ok(number) => Ok(Some(number != 0)),
                Err(_) => Err(GitError::Git {
                    verb: "config".to_owned(),
                    message: format!("bad boolean value '{}' for '{key}'", value.escape_debug()),
                }),
            },
        }
    }

    /// Is a hook configured for `event` (`hook.<name>.event`, git 2.54 and newer)?
    pub fn has_hook(&self, event: &str) -> bool {
        self.hook_names(event).next().is_some()
    }

    /// The commands of the hooks that are configured for `event`.
    pub fn hooks(&self, event: &str) -> impl Iterator<Item = &str> {
        self.hook_names(event).filter_map(|name| self.get(&format!("{name}.command")))
    }

    /// `hook.<name>` of each of them.
    fn hook_names(&self, event: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(move |(key, values)| {
            let name = key.strip_suffix(".event").filter(|name| name.starts_with("hook."))?;
            values.iter().any(|value| value.as_deref() == Some(event)).then_some(name)
        })
    }
}

/// `commit.gpgSign` -> `commit.gpgsign`; the middle of `a.Middle.b` keeps its case.
fn canonical(key: &str) -> String {
    match (key.find('.'), key.rfind('.')) {
        (Some(first), Some(last)) => {
            key[..first].to_ascii_lowercase() + &key[first..last] + &key[last..].to_ascii_lowercase()
        }
        _ => key.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_counts_and_case_only_in_the_middle() {
        let config =
            GitConfig::parse(b"user.name\nA\0user.name\nB\nb\0commit.gpgsign\0remote.Up.url\nx\0core.bare\n0\0");
        assert_eq!(config.get("User.Name"), Some("B\nb"));
        assert_eq!(config.get_bool("commit.gpgSign"), Ok(Some(true)));
        assert_eq!(config.get_bool("core.bare"), Ok(Some(false)));
        assert_eq!(config.get("remote.Up.URL"), Some("x"));
        assert_eq!(config.get("remote.up.url"), None);
        assert!(config.get_bool("user.name").is_err());
    }

    #[test]
    fn a_hook_from_the_configuration_is_seen() {
        let config = GitConfig::parse(b"hook.lint.event\npre-commit\0hook.lint.command\nx\0");
        assert!(config.has_hook("pre-commit") && !config.has_hook("commit-msg"));
        assert_eq!(config.hooks("pre-commit").collect::<Vec<_>>(), ["x"]);
    }
}
