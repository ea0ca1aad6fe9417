//! The words for what shall happen to a file: `Add (Directory)`, `**Modify**`, `Create new`, prose.
//!
//! Knows words only: not where they stand, and not whether the file exists.

use super::Change;
use super::inline::plain;
use super::verbs::{asked, forbid_file};

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
    let main = if self::words(&main).is_empty() { notes.join(" ") } else { main };
    let words = words(&main);
    let mut wording = Wording::default();
    if let Some(change) = sign(text.trim()) {
        return Wording { change: Some(change), exact: true, ..wording };
    }
    let mut verbs: Vec<Change> = Vec::new();
    let mut strange = 0;
    for &word in &words {
        match class(word) {
            Some(Class::Verb(change)) => {
                if !verbs.contains(&change) {
                    verbs.push(change);
                }
            }
            Some(Class::Directory) => wording.directory = true,
            Some(Class::Filler) => {}
            None => strange += 1,
        }
    }
    wording.directory |= notes.iter().any(|note| self::words(note).iter().any(|w| class(w) == Some(Class::Directory)));
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

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()).collect()
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Verb(Change),
    Directory,
    Filler,
}

fn class(word: &str) -> Option<Class> {
    if let Some(change) = asked(word) {
        return Some(Class::Verb(change));
    }
    Some(match word {
        "directory" | "dir" | "folder" | "directories" | "subdirectory" => Class::Directory,
        "existing" | "file" | "files" | "or" | "and" | "a" | "the" | "only" | "in" | "place" | "to" | "from"
        | "minor" | "major" | "small" | "as" | "is" | "if" | "needed" | "conditional" | "conditionally"
        | "possibly" | "maybe" | "optional" | "optionally" | "likely" | "potentially" | "module" | "test" | "tests" => {
            Class::Filler
        }
        _ => return None,
    })
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
    match class(first)? {
        Class::Verb(Change::Rename) if matches!(rest.first(), Some(&"from" | &"to")) => Some(Change::Rename),
        Class::Verb(Change::Modify) => Some(Change::Modify),
        Class::Verb(Change::Add) if matches!(first, "new" | "create" | "creates" | "created") => Some(Change::Add),
        Class::Verb(change @ (Change::Add | Change::Delete)) if about_the_file() => Some(change),
        Class::Verb(Change::None) if words.starts_with(&["no", "change"]) || words.starts_with(&["no", "changes"]) => {
            Some(Change::None)
        }
        _ => None,
    }
}

/// Words that take a row out of this change.
fn is_deferred(text: &str) -> bool {
    let words = words(text);
    let has = |word: &str| words.contains(&word);
    has("future")
        || has("deferred")
        || has("postponed")
        || text.contains("follow-up")
        || text.contains("out of scope")
        || (has("existing") && has("directory") && words.len() == 2)
        || (words == ["existing"])
        || (words == ["existing", "file"])
        || text.trim() == "n/a"
        || (has("no") && (has("change") || has("changes")) && words.len() <= 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn change_types_are_read_in_all_the_words_that_people_use() {
        use Change::*;
        let table: &[(&str, Option<Change>, bool)] = &[
            ("Add", Some(Add), false),
            ("**Create**", Some(Add), false),
            ("New", Some(Add), false),
            ("Create new", Some(Add), false),
            ("NEW FILE", Some(Add), false),
            ("Add (Directory)", Some(Add), true),
            ("New directory", Some(Add), true),
            ("`Modify`", Some(Modify), false),
            ("Update existing", Some(Modify), false),
            ("Modify (Directory)", Some(Modify), true),
            ("Add/Modify", Some(AddOrModify), false),
            ("Create or Update", Some(AddOrModify), false),
            ("Delete", Some(Delete), false),
            ("Removed", Some(Delete), false),
            ("Rename", Some(Rename), false),
            ("Move / Modify", Some(Rename), false),
            ("Existing Directory", Some(None), true),
            ("Exists (Directory)", Some(None), true),
            ("Exists", Some(None), false),
            ("Verify", Some(None), false),
            ("Verify only", Some(None), false),
            ("No changes", Some(None), false),
            ("N/A", Some(None), false),
            ("Modify (future)", Some(None), false),
            ("Add (deferred)", Some(None), false),
        ];
        for &(text, change, directory) in table {
            let wording = read(text);
            assert_eq!((wording.change, wording.directory), (change, directory), "{text}");
            assert!(wording.exact, "{text}");
        }
    }

    #[test]
    fn prose_decides_only_where_it_cannot_mean_something_else() {
        let change = |text| (read(text).change, read(text).exact);
        assert_eq!(change("Modify prompts and `generate()`"), (Some(Change::Modify), false));
        assert_eq!(change("Create new file with the parser"), (Some(Change::Add), false));
        assert_eq!(change("Add a retry flag to the client"), (None, false));
        assert_eq!(change("Remove the deprecated call"), (None, false));
        assert_eq!(change("Delete the file, nobody imports it"), (Some(Change::Delete), false));
        assert_eq!(change("Package initialization"), (None, false));
    }

    #[test]
    fn changes_that_exclude_each_other_are_torn() {
        assert!(read("Add / Modify / Delete").torn);
        assert!(read("Delete/Add").torn);
        assert!(!read("Add/Modify").torn);
    }
}
