//! Each layer's entries, as [`Given`]: which key, which value, from where. Options and environment are here; the
//! file and git's configuration have a form of their own (`file.rs`, `gitconfig.rs`).

use super::registry::{self, ENVIRONMENT_PREFIX, KEYS, Key, NEVER_CONFIGURATION, TEST_PREFIX, ValueKind};
use super::setting::Origin;
use super::value::{self, Value};
use crate::environment::Environment;
use crate::finding::Finding;

/// Somebody said this.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Given {
    pub key: &'static str,
    pub value: Value,
    pub origin: Origin,
}

/// Options of the command line, in order, under the keys' names.
pub(super) fn options(options: &[(String, String)], given: &mut Vec<Given>, findings: &mut Vec<Finding>) {
    for (name, text) in options {
        // A setting of the reviewer is said with the reviewer.
        let spelled = format!("--{}", name.split_once('.').map_or(name.as_str(), |(option, _)| option));
        let Some(key) = registry::find(name) else {
            let finding = Finding::error("usage-unknown-option", format!("unknown option '{spelled}'"));
            findings.push(match registry::closest(name, KEYS.iter().map(|key| key.name)) {
                Some(near) => finding.hint(format!("did you mean '--{near}'?")),
                None => finding,
            });
            continue;
        };
        match value::parse(key.kind, text) {
            Ok(value) => given.push(Given { key: key.name, value, origin: Origin::Option(spelled) }),
            Err(problem) => {
                findings.push(Finding::error("usage-value", format!("bad value for option '{spelled}': {problem}")))
            }
        }
    }
}

/// Variables that begin with `GIT_IMPLEMENT_`. An empty one counts as not set.
pub(super) fn environment(environment: &Environment, given: &mut Vec<Given>, findings: &mut Vec<Finding>) {
    for (name, text) in environment.iter() {
        let Some(name) = name.to_str().filter(|name| name.starts_with(ENVIRONMENT_PREFIX)) else { continue };
        if NEVER_CONFIGURATION.contains(&name) || name.starts_with(TEST_PREFIX) {
            continue;
        }
        let Some(key) = KEYS.iter().find(|key| key.environment_name().as_deref() == Some(name)) else {
            findings.push(unknown_variable(name));
            continue;
        };
        let place = format!("bad value for environment variable '{name}'");
        let Some(text) = text.to_str() else {
            findings.push(Finding::error("config-value", format!("{place}: it is not valid UTF-8")));
            continue;
        };
        for text in items(key, text) {
            match value::parse(key.kind, text) {
                Ok(value) => given.push(Given { key: key.name, value, origin: Origin::Environment(name.into()) }),
                Err(problem) => findings.push(Finding::error("config-value", format!("{place}: {problem}"))),
            }
        }
    }
}

/// A list stands in one variable: one item a line, or, on a single line, separated by commas.
fn items<'a>(key: &Key, text: &'a str) -> Vec<&'a str> {
    match key.kind {
        ValueKind::List if text.contains('\n') => text.lines().map(str::trim).filter(|item| !item.is_empty()).collect(),
        // A command may have commas.
        ValueKind::Commands => text.lines().map(str::trim).filter(|line| !line.is_empty()).collect(),
        ValueKind::List => text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect(),
        _ if text.is_empty() => Vec::new(),
        _ => vec![text],
    }
}

fn unknown_variable(name: &str) -> Finding {
    let finding = Finding::error("config-unknown-key", format!("unknown environment variable '{name}'"));
    if super::secret::names_a_secret(name.trim_start_matches(ENVIRONMENT_PREFIX)) {
        return finding.hint(KEY_HINT);
    }
    let names: Vec<String> = KEYS.iter().filter_map(Key::environment_name).collect();
    match registry::closest(name, names.iter().map(String::as_str)) {
        Some(near) => finding.hint(format!("did you mean '{near}'?")),
        None => finding.hint("'git implement man' lists the variables"),
    }
}

/// What to do with an API key instead.
pub(super) const KEY_HINT: &str =
    "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or 'implement.keyCommand' in your own git configuration";
