//! The layer of git's own configuration: what git prints for [`GIT_CONFIG_ARGUMENTS`].
//!
//! The git executable reads it, because only git knows every include, `-c` and `GIT_CONFIG_*`; who starts it is
//! the caller's business.

use super::layer::{Given, KEY_HINT};
use super::registry::{self, KEYS, Key, ValueKind};
use super::secret;
use super::setting::{Origin, Scope, Setting};
use super::value::{self, Value};
use super::{When, verify};
use crate::finding::Finding;

/// The arguments after `git`. Status 1 means that there is nothing, and is no failure.
pub const GIT_CONFIG_ARGUMENTS: &[&str] =
    &["config", "--show-scope", "-z", "--get-regexp", r"^(implement\.|color\.ui$)"];

/// One entry, in git's order: weakest scope first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitEntry {
    pub scope: Scope,
    /// As git prints it: section and name in lower case.
    pub key: String,
    /// `None` for a name without `=`, which is git's way to say true.
    pub value: Option<String>,
}

/// Reads the output: `<scope> NUL <key> LF <value> NUL`, again and again.
pub fn parse(output: &[u8]) -> Result<Vec<GitEntry>, Finding> {
    let text = std::str::from_utf8(output)
        .map_err(|_| Finding::error("config-value", "git configuration of 'implement' is not valid UTF-8"))?;
    let mut fields = text.split('\0');
    let mut entries = Vec::new();
    while let (Some(scope), Some(entry)) = (fields.next(), fields.next()) {
        let (key, value) = match entry.split_once('\n') {
            Some((key, value)) => (key, Some(value.to_owned())),
            None => (entry, None),
        };
        entries.push(GitEntry { scope: Scope::from_word(scope), key: key.to_owned(), value });
    }
    Ok(entries)
}

/// What git's own commands go by; the only key that is not ours.
const COLOR: &str = "color.ui";

/// What it says, as `git config --get-colorbool` reads it. `None`: as the terminal has it.
pub(super) fn color(entries: &[GitEntry]) -> Option<Setting<When>> {
    let entry = entries.iter().rfind(|entry| entry.key == COLOR)?;
    let when = match entry.value.as_deref()?.to_ascii_lowercase().as_str() {
        "always" => When::Always,
        "never" | "false" | "no" | "off" | "0" | "" => When::Never,
        _ => return None,
    };
    Some(Setting::new(when, Origin::Git(entry.scope)))
}

pub(super) fn layer(entries: &[GitEntry], given: &mut Vec<Given>, findings: &mut Vec<Finding>) {
    let mut tables: Vec<Table> = Vec::new();
    for GitEntry { scope, key: name, value } in entries.iter().filter(|entry| entry.key != COLOR) {
        let origin = Origin::Git(*scope);
        if let Some((table, field)) = name.strip_prefix(TABLES).and_then(|rest| rest.rsplit_once('.')) {
            let field = (field, value.as_deref());
            // What the repository says adds nothing to what the person has said.
            let own = origin.is_protected();
            match tables.iter_mut().find(|known| known.name == table && known.origin.is_protected() == own) {
                Some(known) => known.fields.push(field),
                None => tables.push(Table { name: table, origin, fields: vec![field] }),
            }
            continue;
        }
        // Section and name are the same in any case; what stands between them (a subsection) is not, and no key has one.
        let Some(key) = KEYS.iter().find(|key| key.git_name().eq_ignore_ascii_case(name)) else {
            findings.push(unknown(name, &origin));
            continue;
        };
        let text = match (value, key.kind) {
            (Some(text), _) => text.as_str(),
            (None, ValueKind::Flag) => "true",
            (None, _) => {
                findings.push(wrong(key, &origin, "it has no value"));
                continue;
            }
        };
        match value::parse(key.kind, text) {
            Ok(value) => given.push(Given { key: key.name, value, origin }),
            Err(problem) => findings.push(wrong(key, &origin, &problem)),
        }
    }
    for Table { name, origin, fields } in tables {
        match verify::section(fields.into_iter(), origin.clone()) {
            Ok(verify) => given.push(Given { key: "verify", value: Value::Verify(Box::new(verify)), origin }),
            Err(wrong) => findings.push(verify::finding(wrong, &format!("in '{TABLES}{name}' of {origin}"))),
        }
    }
}

/// What the names of the tables begin with, in git's own spelling of them.
const TABLES: &str = "implement.verify.";

/// A subsection: a command that verifies, field by field.
struct Table<'a> {
    name: &'a str,
    /// Of its first field.
    origin: Origin,
    fields: Vec<(&'a str, Option<&'a str>)>,
}

fn wrong(key: &Key, origin: &Origin, problem: &str) -> Finding {
    Finding::error("config-value", format!("bad value for '{}' in {origin}: {problem}", key.git_name()))
}

fn unknown(name: &str, origin: &Origin) -> Finding {
    let finding = Finding::error("config-unknown-key", format!("unknown key '{name}' in {origin}"));
    if secret::names_a_secret(name.trim_start_matches("implement.")) {
        return finding.hint(KEY_HINT);
    }
    let names: Vec<String> = KEYS.iter().map(Key::git_name).collect();
    match registry::closest(name, names.iter().map(String::as_str)) {
        Some(near) => finding.hint(format!("did you mean '{near}'?")),
        None => finding.hint("'git implement man' lists the keys"),
    }
}
