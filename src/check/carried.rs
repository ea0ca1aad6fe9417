//! Secrets in what is no file: where links lead, names of files, messages of commits and tags.

use super::{Settings, level, secret};
use crate::finding::Finding;

/// More of them in one text say nothing new.
const MOST: usize = 10;

/// What the gate for secrets says of a text that `what` names ("the commit message"). Lines are those of the text.
pub fn carried(what: &str, text: &str, settings: &Settings) -> Vec<Finding> {
    let finding = |(line, name): (usize, &str)| {
        let hint = format!("revoke it if it ever left this machine; '--allow {}' if it is made up", secret::CHECK.id);
        let finding = Finding::error(secret::CHECK.id, format!("{what} has what looks like {name}"));
        level::weigh_secret(finding.line(line).hint(hint), settings)
    };
    secret::secrets(text).into_iter().take(MOST).filter_map(finding).collect()
}

/// A path with what is secret in it left out.
pub fn without_secrets(path: &str) -> String {
    let shown = |part: &str| if secret::secrets(part).is_empty() { part.to_owned() } else { "…".to_owned() };
    let shown = path.split('/').map(shown).collect::<Vec<String>>().join("/");
    if secret::secrets(&shown).is_empty() { shown } else { "…".to_owned() }
}
