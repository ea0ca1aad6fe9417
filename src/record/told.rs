//! What the events of a run tell of its texts, held against what its recipe says: who writes a recipe anew, in which another
//! text is made by a reply that nobody accepted, or by a formatter that never ran, has to write the events anew, too.

use super::about::Event;
use super::open::Record;
use super::remake::Remake;
use crate::transcript::recipe::By;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What the recipe says of texts that are in commits, and the events do not.
pub(super) fn untold(events: &[Event], remake: &Remake) -> Vec<String> {
    let (mut finished, mut reworked, mut asked) = (HashSet::new(), HashSet::new(), HashMap::new());
    for event in events {
        let path = event.path.as_deref().unwrap_or_default();
        match event.event.as_str() {
            "asked" => *asked.entry(event.text("key").unwrap_or_default()).or_insert(0_usize) += 1,
            "file-finished" | "mended" => _ = finished.insert((path, event.text("result"), event.text("key"))),
            "hook-changed" => _ = reworked.insert((path, event.text("blob"))),
            _ => {}
        }
    }
    let files = remake.recipe.commits.iter().flat_map(|commit| &commit.files);
    let numbers = files.filter_map(|file| remake.number(&file.path, file.blob.as_deref()?));
    let texts = numbers.collect::<BTreeSet<usize>>().into_iter().filter_map(|number| remake.recipe.texts.get(number));
    let mut wrong = Vec::new();
    for text in texts {
        let (path, result) = (text.path.as_str(), Some(text.result.as_str()));
        let is_told = match &text.by {
            By::Reply { replies, .. } => {
                let is_asked = replies.iter().all(|it| asked.get(it.key.as_str()).is_some_and(|count| *count > it.nth));
                is_asked && finished.contains(&(path, result, replies.last().map(|it| it.key.as_str())))
            }
            By::Design { .. } => finished.contains(&(path, result, None)),
            By::Command { .. } => reworked.contains(&(path, result)),
            // It is what the list makes of the boxes, and nobody's text.
            By::Tick { .. } => true,
        };
        if !is_told {
            wrong.push(format!("its events do not tell of the text that its recipe has for '{path}'"));
        }
    }
    wrong
}

/// Has a hook, or a command that formats, made something of the file?
pub(super) fn is_reworked(record: &Record, path: &str) -> bool {
    let is_it = |event: &Event| event.event == "hook-changed" && event.path.as_deref() == Some(path);
    record.events().is_ok_and(|(events, _)| events.iter().any(is_it))
}
