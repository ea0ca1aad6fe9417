//! What a heading, a label or a tag announces of the paths that stand under it: that they are to be written, that they are
//! there to be read, that they must stay as they are, or nothing.
//!
//! By its words, in the languages that people plan in, never by its number: `10.1` is "Test Scenarios" in one kind of document
//! and "Error Handling" in another. Does not read what stands under it.

use super::Change;
use super::inline::plain;
use super::verbs::{forbid, has_word};
use super::vocabulary::{asked, has, list, words, writes};
use super::wording;

/// What holds for the paths under a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// They are files to write, and this happens to all of them, if it says so.
    Files(Option<Change>),
    /// Steps: what they say of a path counts, a path alone does not.
    Steps,
    /// They are there to be read; only a verb beside a path counts.
    Reference,
    /// They belong to another change: what was decided against, comes later, was there before.
    Aside,
    /// They must stay as they are.
    Forbidden,
}

/// A title less its marks, numbers, `[TAGS]` and what stands in parentheses, in lower case.
pub(super) fn normal(title: &str) -> String {
    let mut text = plain(title).to_lowercase();
    while let (Some(open), true) = (text.rfind('('), text.trim_end().ends_with(')')) {
        text.truncate(open);
    }
    let mut text = text.trim();
    loop {
        let before = text;
        if let Some((tag, rest)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            text = if tag.len() < 40 { rest.trim_start() } else { text };
        }
        // Numbers (`2.1`, `3)`, `§4:`, `iv.` is left alone), emoji and dashes.
        text = text.trim_start_matches(|c: char| !(c.is_alphabetic() || c == '['));
        for word in ["section ", "step ", "appendix "] {
            let rest = text.strip_prefix(word).map(str::trim_start);
            if let Some(rest) = rest.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
                text = rest;
            }
        }
        if text == before {
            break;
        }
    }
    text.trim_end_matches(|c: char| !(c.is_alphanumeric() || c == ')')).to_owned()
}

/// Does the title announce a list of files to write, and what happens to all of them ("Files to Create")? Every word must be
/// one that such titles use: "Files to Investigate" and "Safe File Write Gate" are other things.
pub(super) fn file_list(title: &str) -> Option<Option<Change>> {
    let text = normal(title);
    if text.len() > MAX_TITLE {
        return None;
    }
    let words = words(&text);
    let mut changes: Vec<Option<Change>> = Vec::new();
    for word in &words {
        let change = match asked(word) {
            _ if has("title-change", word) => None,
            _ if has("title-filler", word) => continue,
            change @ Some(Change::Add | Change::Modify | Change::Delete) => change,
            None if *word == "creation" => Some(Change::Add),
            None if *word == "deletion" => Some(Change::Delete),
            _ => return None,
        };
        if !changes.contains(&change) {
            changes.push(change);
        }
    }
    let files = words.iter().any(|word| matches!(*word, "file" | "files"));
    match changes.as_slice() {
        [] => None,
        _ if !files => None,
        [change] => Some(*change),
        _ => Some(None),
    }
}

/// The longest title that announces anything, in bytes.
const MAX_TITLE: usize = 80;

/// What a caption or heading inside a file list says about the rows under it: "New files", "**Modified:**".
pub(super) fn implied(title: &str) -> Option<Change> {
    if is_about_others(title) {
        return Some(Change::None);
    }
    if let Some(change) = file_list(title) {
        return change;
    }
    let wording = wording::read(&normal(title));
    wording.change.filter(|change| wording.exact && !matches!(change, Change::Rename | Change::AddOrModify))
}

/// "Files not changed", "For reference", "Existing files (read only)": files that the design leaves alone.
fn is_about_others(title: &str) -> bool {
    let text = plain(title).to_lowercase();
    let words = words(&text);
    let changing = |word: &str| file_list(&format!("files {word}")).is_some();
    words.windows(2).any(|pair| match pair {
        ["not", word] => changing(word) || matches!(*word, "be" | "to" | "in" | "included"),
        ["no", "change" | "changes"] | ["read", "only"] | ["for", "reference" | "context"] | ["out", "of"] => true,
        _ => false,
    }) || words.iter().any(|word| has("title-left", word))
}

/// What `title` says; `None`: nothing, and what stands above it holds.
pub(super) fn scope(title: &str) -> Option<Scope> {
    let text = normal(title);
    if text.is_empty() || text.len() > MAX_TITLE {
        return None;
    }
    let words = words(&text);
    let asks = words.iter().any(|word| writes(word));
    let files = || words.iter().any(|word| matches!(*word, "file" | "files" | "code" | "modules"));
    let about = |name: &str| has_phrase(&text, &words, list(name));
    // "Do NOT modify", "Files that must not change", and with "What not to do" nothing of files.
    if forbid(&words) || implied(title) == Some(Change::None) && files() && !asks {
        return Some(match about("title-reference") && !forbid(&words) {
            true => Scope::Reference,
            false => Scope::Forbidden,
        });
    }
    // "Files to inspect"
    if files() && !asks && words.windows(2).any(|pair| pair[0] == "to" && has("look", pair[1])) {
        return Some(Scope::Reference);
    }
    if about("title-aside") && !asks {
        return Some(Scope::Aside);
    }
    if let Some(change) = file_list(title) {
        return Some(Scope::Files(change));
    }
    // "Update configuration files"
    if let ([first, .., "files"], true) = (words.as_slice(), words.len() <= 4)
        && let Some(change) =
            asked(first).filter(|change| matches!(change, Change::Add | Change::Modify | Change::Delete))
    {
        return Some(Scope::Files(Some(change)));
    }
    let built =
        words.iter().any(|word| has("title-built", word)) && words.iter().any(|word| has("title-picture", word));
    if has("title-files", &text)
        || built
        || has_phrase(&text, &words, &["critical files", "relevant files", "file structure", "file map"])
    {
        return Some(Scope::Files(implied(title).filter(|change| *change != Change::None)));
    }
    let wording = wording::read(&text);
    // "Update existing tests" is a step; "New tests" and "Modified" are lists.
    let step = words.len() > 1 && !files() && words.first().is_some_and(|word| has("step", word));
    if wording.exact && !words.is_empty() && !step {
        return wording.change.map(|change| match change {
            Change::None => Scope::Reference,
            Change::AddOrModify => Scope::Files(None),
            change => Scope::Files(Some(change)),
        });
    }
    if words.iter().any(|word| matches!(*word, "changes" | "modifications" | "updates" | "edits")) && words.len() <= 4 {
        return Some(Scope::Files(None));
    }
    if about("title-reference") && !asks {
        return Some(Scope::Reference);
    }
    let steps = ["phase", "step", "steps", "task", "tasks", "implementation", "chunk", "milestone", "todo"];
    words.iter().any(|word| steps.contains(word)).then_some(Scope::Steps)
}

/// The verb with which a label begins: "Create helpers", "Renaming strategy". Who adds something to a place changes that.
pub(super) fn verb_of(title: &str) -> Option<Change> {
    let text = normal(title);
    let words = words(&text);
    let first = words.first()?;
    match asked(first) {
        _ if words.iter().any(|word| has("title-rename", word) || has("renames", word)) => Some(Change::Rename),
        Some(Change::Add) if *first == "add" && words.iter().any(|word| has("place", word)) => Some(Change::Modify),
        asked => asked,
    }
}

/// Is the title one of what is there already?
pub(super) fn is_there(title: &str) -> bool {
    title.len() <= 2 * MAX_TITLE && words(&normal(title)).iter().any(|word| has("title-there", word))
}

/// Is `text`, of these words, about one of the phrases: does it begin or end with it, or has little else? Scripts without
/// blanks have it anywhere.
fn has_phrase(text: &str, words: &[&str], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| {
        let begins = text.strip_prefix(phrase).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        let ends = || text.strip_suffix(phrase).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
        let within = || words.len() <= 3 && has_word(text, phrase) || !phrase.is_ascii() && text.contains(phrase);
        begins || ends() || within()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_read_without_numbers_tags_and_marks() {
        #[rustfmt::skip]
        let titles = [
            "2.1 Files Changed", "[UNCHANGED] 2.1 Files Changed", "6. **Files Changed**", "📁 Files Changed:",
            "2.1. Files Changed (all)", "Section 2: Files Changed",
        ];
        for title in titles {
            assert_eq!(normal(title), "files changed", "{title}");
            assert_eq!(file_list(title), Some(None), "{title}");
        }
    }

    #[test]
    fn file_lists_are_told_from_other_titles_about_files() {
        #[rustfmt::skip]
        let titles = [
            "Files to Modify", "Files to Create/Modify", "File Inventory", "4. Files Modified", "New Files",
            "Files to be created or modified", "Summary of File Changes", "Files Affected",
        ];
        for title in titles {
            assert!(file_list(title).is_some(), "{title}");
        }
        #[rustfmt::skip]
        let titles = [
            "Files to Investigate", "Safe File Write Gate", "10.7 Atomic File Writes", "State File Locations",
            "3. Current State (for Modify/Delete files)", "Requirements", "Output Format (for Modify - Large Files)",
            "Files not to change", "Changes",
        ];
        for title in titles {
            assert!(file_list(title).is_none(), "{title}");
        }
    }

    #[test]
    fn a_title_may_say_what_happens_to_every_file_under_it() {
        assert_eq!(implied("Files to Create"), Some(Change::Add));
        assert_eq!(implied("**Modified files:**"), Some(Change::Modify));
        assert_eq!(implied("Files to Create/Modify"), None);
        assert_eq!(implied("New:"), Some(Change::Add));
        assert_eq!(implied("Backend"), None);
        for title in ["Files NOT changed", "Unchanged:", "Existing files (read-only)", "For reference"] {
            assert_eq!(implied(title), Some(Change::None), "{title}");
        }
    }

    #[test]
    fn titles_say_what_holds_for_the_paths_under_them() {
        use Scope::*;
        for (title, want) in [
            ("Files to Create", Some(Files(Some(Change::Add)))),
            ("Files", Some(Files(None))),
            ("5. Files", Some(Files(None))),
            ("Proposed file map", Some(Files(None))),
            ("Relevant Files", Some(Files(None))),
            ("Proposed Changes", Some(Files(None))),
            ("Changes Required:", Some(Files(None))),
            ("Desired Codebase tree", Some(Files(None))),
            ("Critical Files for Implementation", Some(Files(None))),
            ("対象ファイル", Some(Files(None))),
            ("Modify:", Some(Files(Some(Change::Modify)))),
            ("Do not touch", Some(Forbidden)),
            ("Files NOT to change", Some(Forbidden)),
            ("What NOT to Change", Some(Forbidden)),
            ("Current Codebase tree", Some(Aside)),
            ("What We're NOT Doing", Some(Aside)),
            ("Out of Scope", Some(Aside)),
            ("Verification Plan", Some(Reference)),
            ("References", Some(Reference)),
            ("Phase 1: Setup", Some(Steps)),
            ("The parser", None),
            ("Backend", None),
        ] {
            assert_eq!(scope(title), want, "{title}");
        }
    }
}
