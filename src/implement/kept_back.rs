//! What a published record does not hold: secrets in replies that came to nothing, and what the person wants to be left
//! out. Replies that were accepted are never altered.

use super::ImplementError;
use crate::check::{self, Mask};
use crate::config::Recorded;
use crate::git::RecordFile;
use crate::provider::recording::Recording;
use crate::transcript::recipe::{By, Recipe};
use crate::transcript::{DESIGN, EVENTS, PLAN};
use serde_json::Value;
use std::collections::HashSet;

/// What stands for words that are left out.
const LEFT_OUT: &str = "left out";

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
        None if recorded == Recorded::None && file.name == EVENTS => without_words(file).map_err(broken),
        None if recorded == Recorded::None && file.name == PLAN => without_design(file).map_err(broken),
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

/// Events without what was said: neither turns of a talk, nor what findings quote.
fn without_words(file: RecordFile) -> serde_json::Result<RecordFile> {
    let mut lines = Vec::new();
    for line in file.bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let mut event: Value = serde_json::from_slice(line)?;
        if event["event"] == "said" {
            event["text"] = LEFT_OUT.into();
        }
        for finding in event.get_mut("findings").and_then(Value::as_array_mut).into_iter().flatten() {
            finding["message"] = LEFT_OUT.into();
        }
        lines.push(serde_json::to_string(&event)? + "\n");
    }
    Ok(RecordFile { bytes: lines.concat().into_bytes(), ..file })
}

/// A plan without the design's words.
fn without_design(file: RecordFile) -> serde_json::Result<RecordFile> {
    let mut plan: Value = serde_json::from_slice(&file.bytes)?;
    plan["title"] = Value::Null;
    for row in plan.get_mut("files").and_then(Value::as_array_mut).into_iter().flatten() {
        row["description"] = "".into();
    }
    let bytes = (serde_json::to_string_pretty(&plan)? + "\n").into_bytes();
    Ok(RecordFile { bytes, ..file })
}

/// A request without its text: which there was, for which file and in which form, is still told.
fn without_prompt(file: RecordFile) -> serde_json::Result<RecordFile> {
    let mut request: Value = serde_json::from_slice(&file.bytes)?;
    (request["system"], request["messages"]) = (Value::Array(Vec::new()), Value::Array(Vec::new()));
    let bytes = (serde_json::to_string_pretty(&request)? + "\n").into_bytes();
    Ok(RecordFile { bytes, ..file })
}
