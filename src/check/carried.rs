//! Secrets in what is no file: where links lead, names of files, messages of commits and tags.

use super::{Candidate, Change, MOST_FINDINGS, Settings, secret, settle};
use crate::finding::Finding;

/// What the gate for secrets says of a text that `what` names ("the commit message"). Lines are those of the text.
pub fn carried(what: &str, text: &str, settings: &Settings) -> Vec<Finding> {
    let finding = |(line, name): (usize, &str)| {
        let hint = format!("revoke it if it ever left this machine; '--allow {}' if it is made up", secret::CHECK.id);
        Finding::error(secret::CHECK.id, format!("{what} has what looks like {name}")).line(line).hint(hint)
    };
    let found = secret::secrets(text).into_iter().take(MOST_FINDINGS).map(finding).collect();
    // It has no path: what it would be known by may be the secret.
    settle(vec![(secret::CHECK.terms(), found)], &Change::of(&Candidate::default()), settings).findings
}

/// A path with what is secret in it left out.
pub fn without_secrets(path: &str) -> String {
    let shown = |part: &str| if secret::secrets(part).is_empty() { part.to_owned() } else { "…".to_owned() };
    let shown = path.split('/').map(shown).collect::<Vec<String>>().join("/");
    if secret::secrets(&shown).is_empty() { shown } else { "…".to_owned() }
}
