//! How a file's content is asked for: whole, as edits, or not at all.

use super::decide::Case;
use super::{Options, Strategy, decide};
use crate::lld::Change;

pub(super) fn strategy(case: &Case, options: &Options) -> Strategy {
    if !decide::asks(case.spec) {
        return Strategy::None;
    }
    match case.change {
        Change::Add => Strategy::Whole,
        Change::Modify => modified(case, options),
        Change::Rename if asks_changes(&case.spec.description) => modified(case, options),
        Change::Rename | Change::Delete | Change::None => Strategy::None,
        Change::AddOrModify => Strategy::Unknown,
    }
}

fn modified(case: &Case, options: &Options) -> Strategy {
    let Some(base) = case.base else { return options.force.unwrap_or(Strategy::Unknown) };
    // Edits need something to stand on.
    if base.bytes.iter().all(u8::is_ascii_whitespace) {
        return Strategy::Whole;
    }
    match options.force {
        Some(force) => force,
        // The design asks for the file anew.
        None if case.overwrites => Strategy::Whole,
        None if lines(&base.bytes) > options.edit_lines || base.bytes.len() > options.edit_bytes => Strategy::Edits,
        None => Strategy::Whole,
    }
}

/// How many lines a text has; a last line without an end counts.
pub(super) fn lines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count() + usize::from(bytes.last().is_some_and(|&b| b != b'\n'))
}

/// Does the description of a rename ask for more than the rename? Code and paths in backquotes do not count: they
/// are names, and names are full of verbs.
pub(super) fn asks_changes(description: &str) -> bool {
    const VERBS: [&str; 26] = [
        "adapt",
        "add",
        "adjust",
        "adopt",
        "change",
        "convert",
        "correct",
        "drop",
        "edit",
        "expand",
        "extend",
        "extract",
        "fix",
        "implement",
        "improve",
        "introduce",
        "merge",
        "modify",
        "refactor",
        "remove",
        "replace",
        "rewrite",
        "simplify",
        "split",
        "switch",
        "update",
    ];
    let prose: String = description.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let words = prose.split_whitespace().filter(|word| !word.contains(['/', '_']));
    let words = words.flat_map(|word| word.split(|c: char| !c.is_alphanumeric())).filter(|word| !word.is_empty());
    let mut denied = false;
    for word in words.map(str::to_lowercase) {
        if !denied && VERBS.iter().any(|verb| is_form_of(&word, verb)) {
            return true;
        }
        denied = matches!(word.as_str(), "no" | "not" | "without" | "any" | "never");
    }
    false
}

/// `updates`, `updated`, `updating` of `update`; `dropped` of `drop`; `modified` of `modify`.
fn is_form_of(word: &str, verb: &str) -> bool {
    let stem = verb.strip_suffix(['e', 'y']).unwrap_or(verb);
    let Some(ending) = word.strip_prefix(stem) else { return false };
    let doubled = verb.chars().next_back().and_then(|last| ending.strip_prefix(last)).unwrap_or(ending);
    word == verb || [ending, doubled].iter().any(|e| matches!(*e, "s" | "es" | "ed" | "ing" | "ies" | "ied" | "ying"))
}

#[cfg(test)]
mod tests {
    use super::asks_changes;

    #[test]
    fn a_rename_asks_for_changes_when_its_prose_does() {
        for text in [
            "Rename and update the imports",
            "Move; imports are updated",
            "moved here, dropped the old API",
            "Renamed, modifies `x`",
            "Fixes the header",
        ] {
            assert!(asks_changes(text), "{text}");
        }
        for text in [
            "",
            "Rename",
            "Renamed from `src/update_all.py`",
            "Moved from src/fix.py to the address book package",
            "Pure move, content unchanged",
            "Moved without any changes",
            "`update()` lives here now",
        ] {
            assert!(!asks_changes(text), "{text}");
        }
    }
}
