//! What a published record does not hold: secrets in replies that came to nothing, and what the person wants to be left
//! out. Replies that were accepted are never altered.

use super::ImplementError;
use crate::check::{self, Mask};
use crate::config::Recorded;
use crate::git::RecordFile;
use crate::provider::recording::Recording;
use crate::transcript::DESIGN;
use crate::transcript::recipe::{By, Recipe};
use serde_json::Value;
use std::collections::HashSet;

/// The files as they may be published.
pub(super) fn keep_back(
    files: Vec<RecordFile>,
    recipe: &Recipe,
    recorded: Recorded,
) -> Result<Vec<RecordFile>, ImplementError> {
    let used = used(recipe);
    let stays = |file: &RecordFile| match (recorded, file.name.split('/').next().unwrap_or_default()) {
        (Recorded::Full, _) => true,
        (Recorded::Replies, folder) => folder != "blocks",
        (Recorded::None, folder) => !["blocks", "requests", "replies", DESIGN].contains(&folder),
    };
    let broken = |error: serde_json::Error| ImplementError::Record { message: error.to_string() };
    let shown = |file: RecordFile| match file.name.split_once('/') {
        // What else lies there is the mark of the verdicts.
        Some(("replies", name)) if name.ends_with(".json") => without_secrets(file, &used).map_err(broken),
        Some(("requests", _)) if recorded != Recorded::Full => without_prompt(file).map_err(broken),
        _ => Ok(file),
    };
    files.into_iter().filter(stays).map(shown).collect()
}

/// The replies of which texts were made.
fn used(recipe: &Recipe) -> HashSet<(&str, usize)> {
    let replies = recipe.texts.iter().filter_map(|text| match &text.by {
        By::Reply { replies, .. } => Some(replies),
        _ => None,
    });
    replies.flatten().map(|answer| (answer.key.as_str(), answer.nth)).collect()
}

fn without_secrets(file: RecordFile, used: &HashSet<(&str, usize)>) -> serde_json::Result<RecordFile> {
    let mut recording: Recording = serde_json::from_slice(&file.bytes)?;
    let key = recording.key.clone();
    let mut any = false;
    for (nth, reply) in recording.replies.iter_mut().enumerate() {
        if reply.masked || used.contains(&(key.as_str(), nth)) || check::secrets(&reply.text).is_empty() {
            continue;
        }
        reply.text = Mask::of([reply.text.as_str()]).apply(&reply.text).into_owned();
        reply.masked = true;
        any = true;
    }
    if !any {
        return Ok(file);
    }
    let bytes = (serde_json::to_string_pretty(&recording)? + "\n").into_bytes();
    Ok(RecordFile { bytes, ..file })
}

/// A request without its text: which there was, for which file and in which form, is still told.
fn without_prompt(file: RecordFile) -> serde_json::Result<RecordFile> {
    let mut request: Value = serde_json::from_slice(&file.bytes)?;
    (request["system"], request["messages"]) = (Value::Array(Vec::new()), Value::Array(Vec::new()));
    let bytes = (serde_json::to_string_pretty(&request)? + "\n").into_bytes();
    Ok(RecordFile { bytes, ..file })
}
