//! Conflict markers: the three of them, in order, at the starts of lines, and not there before.

use super::{Base, Change, Check, Design, Settings, Verdict, Weight, kind};
use crate::finding::Finding;

pub const CHECK: Check =
    Check { id: "conflict", allowable: true, design: Design::Never, weight: Weight::ALWAYS, base: Base::Excuses, run };

fn run(candidate: &Change, _: &Settings) -> Verdict {
    let before = candidate.base.map_or(0, |base| conflicts(candidate.path, base).len());
    let found = conflicts(candidate.path, candidate.text);
    if found.len() <= before {
        return Verdict::Pass;
    }
    let finding = |line: &usize| {
        Finding::error(CHECK.id, format!("'{}' has conflict markers", candidate.path))
            .line(*line)
            .hint("keep one of the two sides, without the markers")
    };
    Verdict::Fail(found.iter().skip(before).map(finding).collect())
}

/// The lines of the opening markers of whole conflicts.
fn conflicts(path: &str, text: &str) -> Vec<usize> {
    if memchr::memmem::find(text.as_bytes(), b"<<<<<<<").is_none() {
        return Vec::new();
    }
    let prose = kind::may_be_prose(path);
    let mut found = Vec::new();
    let mut opened = None;
    let mut parted = false;
    let mut fenced = false;
    for (at, line) in text.lines().enumerate() {
        // Documents show conflicts in fences; a document in conflict has them outside.
        if prose && (line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~")) {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        if is_marker(line, '<') {
            (opened, parted) = (Some(at + 1), false);
        } else if opened.is_some() && is_marker(line, '=') {
            parted = true;
        } else if parted && is_marker(line, '>') {
            found.extend(opened.take());
            parted = false;
        }
    }
    found
}

/// Seven of `mark`, no more, and a blank or the end of the line.
fn is_marker(line: &str, mark: char) -> bool {
    let rest = line.trim_start_matches(mark);
    line.len() - rest.len() == 7 && (rest.is_empty() || rest.starts_with([' ', '\r']))
}
