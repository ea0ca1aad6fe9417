//! The words for what shall happen to a file: `Add (Directory)`, `**Modify**`, `Create new`, prose.
//!
//! Knows words only: not where they stand, and not whether the file exists.

use super::Change;
use super::inline::plain;
use super::verbs::forbid_file;
use super::vocabulary::{self, asked, has, words};

/// What a cell, a note or a bullet's first word says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Wording {
    pub change: Option<Change>,
    /// The text is nothing but a change type: not prose that begins with a verb.
    pub exact: bool,
    pub directory: bool,
    /// It names changes that exclude each other (`Add / Delete`).
    pub torn: bool,
    /// It says that the file must stay as it is: "do not touch".
    pub forbids: bool,
}

/// Reads a change type.
pub(super) fn read(text: &str) -> Wording {
    let text = plain(text).to_lowercase();
    let (main, notes) = split_notes(&text);
    // `(new)`: the note is all there is.
    let main = if vocabulary::words(&main).is_empty() { notes.join(" ") } else { main };
    let words = words(&main);
    let mut wording = Wording::default();
    if let Some(change) = sign(text.trim()) {
        return Wording { change: Some(change), exact: true, ..wording };
    }
    let mut verbs: Vec<Change> = Vec::new();
    let mut strange = 0;
    for &word in &words {
        match asked(word) {
            Some(change) if verbs.contains(&change) => {}
            Some(change) => verbs.push(change),
            None if is_directory(word) => wording.directory = true,
            None => strange += usize::from(!has("type-filler", word)),
        }
    }
    wording.directory |= notes.iter().any(|note| vocabulary::words(note).into_iter().any(is_directory));
    wording.exact = strange == 0 && !verbs.is_empty() && words.len() <= 6;
    wording.change = if wording.exact { combine(&verbs) } else { prose(&words) };
    wording.torn = wording.exact && wording.change.is_none();
    // Few words: a sentence may forbid something else.
    wording.forbids = words.len() <= MAX_FORBIDDING && forbid_file(&words);
    if wording.forbids || notes.iter().any(|note| is_deferred(note)) || is_deferred(&main) {
        wording.change = Some(Change::None);
        wording.exact = true;
    }
    wording
}

/// The most words by which a change type forbids all changes.
const MAX_FORBIDDING: usize = 6;

/// Text outside and inside of parentheses and brackets.
fn split_notes(text: &str) -> (String, Vec<String>) {
    let (mut main, mut notes, mut note) = (String::new(), Vec::new(), String::new());
    let mut depth = 0usize;
    for letter in text.chars() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    notes.push(std::mem::take(&mut note));
                }
            }
            _ if depth == 0 => main.push(letter),
            _ => note.push(letter),
        }
    }
    if !note.is_empty() {
        notes.push(note);
    }
    (main, notes)
}

/// The letters of `git status --short`, and the emoji that mean the same.
fn sign(text: &str) -> Option<Change> {
    Some(match text.trim_end_matches('\u{fe0f}') {
        "a" | "🆕" | "➕" | "✨" => Change::Add,
        "m" | "✏" | "📝" => Change::Modify,
        "d" | "🗑" => Change::Delete,
        "r" => Change::Rename,
        _ => return None,
    })
}

fn is_directory(word: &str) -> bool {
    has("type-directory", word)
}

/// What several verbs mean together; `None` if they exclude each other.
fn combine(verbs: &[Change]) -> Option<Change> {
    let has = |change| verbs.contains(&change);
    if has(Change::None) {
        // "No change", "Verify only", "N/A".
        return Some(Change::None);
    }
    match (has(Change::Add), has(Change::Modify), has(Change::Delete), has(Change::Rename)) {
        (true, false, false, false) => Some(Change::Add),
        (false, true, false, false) => Some(Change::Modify),
        (true, true, false, false) => Some(Change::AddOrModify),
        (false, false, true, false) => Some(Change::Delete),
        (_, _, false, true) => Some(Change::Rename),
        _ => None,
    }
}

/// A sentence: its first word may decide, carefully. "Add a field" modifies the file, "Remove the call" does not
/// delete it.
fn prose(words: &[&str]) -> Option<Change> {
    let (&first, rest) = words.split_first()?;
    let about_the_file = || {
        let mut rest =
            rest.iter().skip_while(|word| matches!(**word, "the" | "a" | "an" | "this" | "new" | "entire" | "whole"));
        rest.next().is_some_and(|word| matches!(*word, "file" | "module" | "package" | "script"))
    };
    match asked(first)? {
        Change::Rename if matches!(rest.first(), Some(&"from" | &"to")) => Some(Change::Rename),
        Change::Modify => Some(Change::Modify),
        Change::Add if matches!(first, "new" | "create" | "creates" | "created") => Some(Change::Add),
        change @ (Change::Add | Change::Delete) if about_the_file() => Some(change),
        Change::None if words.starts_with(&["no", "change"]) || words.starts_with(&["no", "changes"]) => {
            Some(Change::None)
        }
        _ => None,
    }
}

/// Words that take a row out of this change.
fn is_deferred(text: &str) -> bool {
    let words = words(text);
    let said = |word: &str| words.contains(&word);
    said("future")
        || said("deferred")
        || said("postponed")
        || text.contains("follow-up")
        || text.contains("out of scope")
        || (said("existing") && said("directory") && words.len() == 2)
        || (words == ["existing"])
        || (words == ["existing", "file"])
        || text.trim() == "n/a"
        || (said("no") && (said("change") || said("changes")) && words.len() <= 4)
}
