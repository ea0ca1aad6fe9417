//! What a row permits: `allow: <id>` as written, and the few things that plain words permit.
//!
//! Words permit only what the outside forms say they may: overwriting a file that is added, and added fixtures that are
//! meant to be malformed or empty. Everything else needs the id.

use super::Change;
use super::vocabulary::has;

/// The ids that the cells of one row (change type, note, description) permit for the file at `path`, in order.
pub(super) fn read(cells: &[&str], path: &str, change: Change) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for id in cells.iter().flat_map(|cell| in_cell(cell, path, change)) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

fn in_cell(text: &str, path: &str, change: Change) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut ids = written(&lower);
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '\''))
        .filter(|word| !word.is_empty())
        .collect();
    let mut permit = |id: &str| {
        if !ids.iter().any(|have| have == id) {
            ids.push(id.to_owned());
        }
    };
    if matches!(change, Change::Add | Change::AddOrModify) {
        if overwrites(&words) {
            permit("overwrite");
        }
        if is_fixture(path) {
            if malformed(&words) {
                permit("syntax");
            }
            if said_empty(&words) {
                permit("empty");
            }
        }
    }
    ids
}

/// The most ids that one cell permits.
const MAX_IDS: usize = 16;

/// `allow: size, overwrite`
fn written(lower: &str) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for (at, mark) in lower.match_indices("allow:") {
        if lower.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric())) {
            continue;
        }
        let rest = lower.get(at + mark.len()..).unwrap_or_default();
        for (nth, word) in rest.trim_start_matches([' ', '`', '*']).split(',').enumerate() {
            let word = word.trim_start_matches([' ', '`']);
            let id: String =
                word.chars().take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-').collect();
            let after = word.get(id.len()..).unwrap_or_default().trim_start_matches('`').trim_start();
            // `allow: size, then the rest` is one id and a sentence.
            if id.is_empty() || id.len() > 40 || (nth > 0 && !after.is_empty()) {
                break;
            }
            if ids.len() < MAX_IDS && !ids.contains(&id) {
                ids.push(id);
            }
            if !after.is_empty() {
                break;
            }
        }
    }
    ids
}

fn negated(before: &[&str]) -> bool {
    before.iter().rev().take(4).any(|word| has("permits-not", word))
}

/// "overwrites the existing file", "may overwrite", "(overwrite)".
fn overwrites(words: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let (before, after) = words.split_at(at);
        let next = |n: usize| after.get(n).copied().unwrap_or_default();
        let whole = match *word {
            "overwrite" | "overwrites" | "overwriting" => {
                let last = before.last().copied().unwrap_or_default();
                matches!(last, "may" | "can" | "will")
                    || (next(1).is_empty() && matches!(last, "" | "add" | "create" | "new"))
                    || matches!(next(1), "existing" | "if" | "any")
                    || (next(1) == "the" && matches!(next(2), "existing" | "file" | "old" | "current"))
            }
            "replace" | "replaces" | "replacing" => {
                matches!(next(1), "existing" | "the")
                    && matches!((next(2), next(3)), ("file", _) | ("existing", "file"))
            }
            _ => false,
        };
        whole && !negated(before)
    })
}

/// "malformed JSON", "invalid YAML", "with a syntax error".
fn malformed(words: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let hit = match *word {
            "malformed" | "corrupt" | "corrupted" | "unparseable" | "unparsable" | "truncated" => true,
            "invalid" | "broken" | "bad" => {
                matches!(
                    next,
                    "json" | "yaml" | "toml" | "xml" | "csv" | "python" | "syntax" | "javascript" | "typescript"
                )
            }
            "syntax" => matches!(next, "error" | "errors"),
            _ => false,
        };
        hit && !negated(words.get(..at).unwrap_or_default())
    })
}

/// "empty file", "zero-byte".
fn said_empty(words: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let hit = match *word {
            "empty" => words.len() == 1 || matches!(next, "file" | "fixture" | "placeholder"),
            "zero-byte" | "0-byte" => true,
            _ => false,
        };
        hit && !negated(words.get(..at).unwrap_or_default())
    })
}

/// Data, and everything that lies among fixtures.
fn is_fixture(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut parts = lower.split('/').rev();
    let name = parts.next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    has("extension-data", extension) || parts.any(|part| has("folder-fixture", part))
}
