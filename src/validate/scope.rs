//! On a branch that a run made: what is staged beside the plan of that run.

use super::Found;
use crate::check::{self, Settings};
use crate::finding::Finding;
use crate::git::{Changed, GitError, Repository};
use serde_json::Value;
use std::collections::HashSet;

/// A word about every file that the plan does not name.
pub(super) fn outside(repository: &Repository, changed: &[Changed], settings: &Settings) -> Result<Found, GitError> {
    let Some(generated) = repository.generated()? else { return Ok(Found::default()) };
    let (header, plan) = (json(&generated.header), json(&generated.plan));
    if header["branch"].as_str() != Some(&generated.branch) {
        return Ok(Found::default());
    }
    let files = plan["files"].as_array().map_or(&[][..], Vec::as_slice);
    let planned: HashSet<&str> =
        files.iter().flat_map(|file| [file["path"].as_str(), file["from"].as_str()]).flatten().collect();
    let design = header["lld"].as_str().unwrap_or_default();
    let outside = changed
        .iter()
        .map(|file| file.path.as_str())
        .filter(|path| !planned.contains(path) && *path != design && !settings.exclude.has(path));
    let mut found = Found::default();
    for path in outside {
        let message = format!("'{path}' is not in the plan that made '{}'", generated.branch);
        let hint = format!("the plan is that of '{design}'; commit other work on another branch");
        found.extend(check::settle_scope(path, Finding::error("scope", message).hint(hint), settings).into());
    }
    Ok(found)
}

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_default()
}
