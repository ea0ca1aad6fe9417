//! The process's environment as data. It is read once, by [`crate::config`]; whoever starts a program, looks for a directory
//! or wants to know the terminal asks here.

use secrecy::SecretString;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// Our own variables begin with this.
pub const PREFIX: &str = "GIT_IMPLEMENT_";

/// What `git rev-parse --local-env-vars` lists, here and in newer versions: they name the repository of one command, and in the hands of another
/// program they have damaged repositories.
pub const GIT_LOCAL: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REFERENCE_BACKEND",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Variables that hold a secret of a model provider or of telemetry.
const SECRETS: &[&str] = &[
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "OPENAI_API_KEY",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
];

/// A variable: its name and its value.
type Pair = (OsString, OsString);

/// All variables, as they were when the program began.
#[derive(Clone, Default)]
pub struct Environment(Vec<Pair>);

/// Names only: values may be secrets.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

impl FromIterator<Pair> for Environment {
    fn from_iter<I: IntoIterator<Item = Pair>>(pairs: I) -> Self {
        Environment(pairs.into_iter().collect())
    }
}

impl Environment {
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_os_str())
    }

    /// The variable's text, if it is there, not empty, and UTF-8.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(OsStr::to_str).filter(|text| !text.is_empty())
    }

    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> + Clone {
        self.0.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    pub fn home(&self) -> Option<PathBuf> {
        self.get("HOME").filter(|home| !home.is_empty()).map(PathBuf::from)
    }

    /// `$XDG_DATA_HOME`, or `~/.local/share`. A relative path there is to be ignored, by the specification.
    pub fn data_home(&self) -> Option<PathBuf> {
        let named = self.get("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        named.or_else(|| self.home().map(|home| home.join(".local/share")))
    }

    /// `$XDG_CONFIG_HOME`, or `~/.config`, by the same rule.
    pub fn config_home(&self) -> Option<PathBuf> {
        let named = self.get("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        named.or_else(|| self.home().map(|home| home.join(".config")))
    }

    /// `$XDG_CACHE_HOME`, or `~/.cache`, by the same rule.
    pub fn cache_home(&self) -> Option<PathBuf> {
        let named = self.get("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        named.or_else(|| self.home().map(|home| home.join(".cache")))
    }

    /// Can the terminal move its cursor? Not with `TERM=dumb`, nor without any `TERM` on Unix.
    pub fn terminal_is_dumb(&self) -> bool {
        match self.text("TERM") {
            Some(term) => term == "dumb",
            None => cfg!(unix),
        }
    }

    /// Without the variables whose name is one of those.
    pub(crate) fn less(&self, without: impl Fn(&str) -> bool) -> Environment {
        self.0.iter().filter(|(name, _)| !name.to_str().is_some_and(&without)).cloned().collect()
    }

    /// The same, by name and value; what is no UTF-8 is looked at as far as it is.
    pub(crate) fn without(&self, which: impl Fn(&str, &str) -> bool) -> Environment {
        let is_left = |(name, value): &&Pair| !which(&name.to_string_lossy(), &value.to_string_lossy());
        self.0.iter().filter(is_left).cloned().collect()
    }

    /// A key, without the white space that pasting leaves.
    pub fn secret(&self, name: &str) -> Option<SecretString> {
        self.text(name).map(str::trim).filter(|text| !text.is_empty()).map(|text| text.to_owned().into())
    }
}

pub(crate) fn is_secret(name: &str) -> bool {
    SECRETS.contains(&name)
}

pub(crate) fn is_ours(name: &str) -> bool {
    name.starts_with(PREFIX)
}

pub(crate) fn is_git_local(name: &str) -> bool {
    // The numbered ones mean nothing without GIT_CONFIG_COUNT; they go with it.
    GIT_LOCAL.contains(&name) || name.starts_with("GIT_CONFIG_KEY_") || name.starts_with("GIT_CONFIG_VALUE_")
}

/// Does a variable of this name hold something that no message should repeat?
pub fn holds_secret(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_uppercase();
    ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSPHRASE"].iter().any(|word| name.ends_with(word))
}

/// Words in the name of a variable that holds a secret, or leads to one.
const SECRET_WORDS: &[&str] =
    &["AUTH", "BEARER", "COOKIE", "CRED", "CREDS", "DSN", "KEY", "KEYS", "PASS", "PAT", "PWD", "SESSION", "WEBHOOK"];
/// Parts of such names, also within a word.
const SECRET_PARTS: &[&str] =
    &["APIKEY", "AUTHTOKEN", "CREDENTIAL", "PASSPHRASE", "PASSWD", "PASSWORD", "SECRET", "TOKEN"];

/// Might it hold a secret, by its name, or as an address with a user in it? For who needs none: better one too many.
pub(crate) fn may_hold_secret(name: &str, value: &str) -> bool {
    let upper = name.to_uppercase();
    let mut words = upper.split(|c: char| !c.is_ascii_alphanumeric());
    // Those are folders.
    let is_folder = ["PWD", "OLDPWD"].contains(&name);
    let with_user = || {
        let host = value.split_once("://").map(|(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or_default());
        host.and_then(|host| host.rsplit_once('@')).is_some()
    };
    !is_folder && words.any(|word| SECRET_WORDS.contains(&word))
        || SECRET_PARTS.iter().any(|part| upper.contains(part))
        || with_user()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_that_git_calls_local_is_known_as_such() {
        let output = std::process::Command::new("git").args(["rev-parse", "--local-env-vars"]).output().unwrap();
        let names = String::from_utf8(output.stdout).unwrap();
        assert!(names.lines().count() > 10, "{names}");
        for name in names.lines() {
            assert!(is_git_local(name), "{name}");
        }
    }

    #[test]
    fn what_might_hold_a_secret_is_known_by_its_name_or_as_an_address_with_a_password() {
        for (name, value) in [
            ("STRIPE_KEY", "x"),
            ("MYSQL_PWD", "x"),
            ("npm_config__authToken", "x"),
            ("SENTRY_DSN", "x"),
            ("GOOGLE_APPLICATION_CREDENTIALS", "/x.json"),
            ("DATABASE_URL", "postgres://me:word@db.example/x"),
            ("https_proxy", "http://me:word@proxy:3128"),
            ("CREDS", "x"),
            ("MY_SESSION", "x"),
            ("REMOTE", "https://token@host/x.git"),
        ] {
            assert!(may_hold_secret(name, value), "{name}");
        }
        for (name, value) in [
            ("PWD", "/home/me"),
            ("PATH", "/usr/bin"),
            ("GIT_AUTHOR_NAME", "me"),
            ("KEYBOARD", "de"),
            ("DATABASE_URL", "sqlite:///tmp/a@b:c.db"),
            ("PYTEST_ADDOPTS", "-q"),
            ("PATTERN", "x"),
        ] {
            assert!(!may_hold_secret(name, value), "{name}");
        }
    }

    #[test]
    fn a_secret_is_known_by_the_end_of_its_name() {
        for name in ["ANTHROPIC_API_KEY", "GITHUB_TOKEN", "db_password"] {
            assert!(holds_secret(OsStr::new(name)), "{name}");
        }
        for name in ["PATH", "KEYBOARD", "GIT_AUTHOR_NAME"] {
            assert!(!holds_secret(OsStr::new(name)), "{name}");
        }
    }
}
