//! The search for secrets in everything that a run would send to a provider, before any of it is sent.

use crate::check;
use crate::finding::{Finding, Permission};
use crate::prompt::Material;
use std::borrow::Cow;

/// Secrets in the design, in the files that prompts show, and in those that are to be changed. The person may permit one
/// (`--allow secret:<path>`), a design may not.
pub fn secrets(material: &Material, allow: &[Permission]) -> Vec<Finding> {
    let shown = std::iter::once(&material.design).chain(&material.beside).chain(&material.context);
    let shown = shown.map(|document| (document.path.as_str(), Cow::Borrowed(document.text.as_str())));
    let bases = material.bases.iter().map(|base| (base.path.as_str(), Cow::Borrowed(base.text.as_str())));
    in_texts(shown.chain(bases), allow)
}

/// Secrets in texts that would be sent, by their paths.
pub(super) fn in_texts<'a>(texts: impl Iterator<Item = (&'a str, Cow<'a, str>)>, allow: &[Permission]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in texts {
        if allow.iter().any(|allow| allow.covers(check::SECRET, Some(path))) {
            continue;
        }
        for (line, what) in check::secrets(&text) {
            let message = format!("'{path}' has what looks like {what}, which would be sent");
            let hint = format!("take it out and revoke it, or give --allow {}:{path} if it is made up", check::SECRET);
            findings.push(Finding::error(check::SECRET, message).path(path).line(line).hint(hint));
        }
    }
    findings.dedup();
    findings
}
