//! What a heading announces: a file list, a kind of change, a section of the template.
//!
//! By its words, never by its number: `10.1` is "Test Scenarios" in one kind of document and "Error Handling" in another.

use super::Change;
use super::inline::plain;

/// How sure a heading is to announce the file list of the whole document. The surest comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// "Files Changed", "Files to Implement": the name that the templates give it.
    Template,
    /// Any other way to say which files are created, modified or deleted.
    Words,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileList {
    pub rank: Rank,
    /// What the title says about every file under it ("Files to Create").
    pub change: Option<Change>,
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

/// Does the title announce a list of files to write? Every word must be one that such titles use: "Files to
/// Investigate" and "Safe File Write Gate" are other things.
pub(super) fn file_list(title: &str) -> Option<FileList> {
    let text = normal(title);
    if text.len() > 80 {
        return None;
    }
    if matches!(text.as_str(), "files changed" | "files to implement" | "file changes" | "changed files") {
        return Some(FileList { rank: Rank::Template, change: None });
    }
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let files = words.iter().any(|word| matches!(*word, "file" | "files"));
    let (mut add, mut modify, mut delete, mut other) = (false, false, false, false);
    for word in &words {
        match *word {
            "create" | "created" | "creating" | "add" | "added" | "adding" | "new" | "creation" => add = true,
            "modify" | "modified" | "modifying" | "update" | "updated" | "updating" | "edit" | "edited" | "extend" => {
                modify = true;
            }
            "delete" | "deleted" | "remove" | "removed" | "deletion" => delete = true,
            "change" | "changed" | "changes" | "changing" | "touch" | "touched" | "affected" | "implement"
            | "implemented" | "inventory" | "involved" | "impacted" | "list" | "manifest" | "generate" | "rename"
            | "renamed" | "move" | "moved" | "write" | "written" | "deliverables" | "modifications" | "operations"
            | "implementation" => {
                other = true;
            }
            "file" | "files" | "to" | "be" | "and" | "or" | "of" | "the" | "source" | "code" | "all" | "in"
            | "this" | "pr" | "existing" | "for" | "critical" | "key" | "primary" | "main" | "core" | "with"
            | "summary" | "table" | "must" | "will" | "by" | "per" | "that" | "we" | "need" | "needed" | "overview"
            | "planned" | "plan" | "test" | "tests" | "required" | "production" | "complete" | "full" | "target" => {}
            _ => return None,
        }
    }
    let change = match (add, modify, delete, other) {
        (true, false, false, false) => Some(Change::Add),
        (false, true, false, false) => Some(Change::Modify),
        (false, false, true, false) => Some(Change::Delete),
        _ => None,
    };
    (files && (add || modify || delete || other)).then_some(FileList { rank: Rank::Words, change })
}

/// What a caption or heading inside a file list says about the rows under it: "New files", "**Modified:**".
pub(super) fn implied(title: &str) -> Option<Change> {
    if is_about_others(title) {
        return Some(Change::None);
    }
    if let Some(list) = file_list(title) {
        return list.change;
    }
    let wording = super::wording::read(&normal(title));
    wording.change.filter(|change| wording.exact && !matches!(change, Change::Rename | Change::AddOrModify))
}

/// "Files not changed", "For reference", "Existing files (read only)": files that the design leaves alone.
fn is_about_others(title: &str) -> bool {
    let text = plain(title).to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let changing = |word: &str| file_list(&format!("files {word}")).is_some();
    words.windows(2).any(|pair| match pair {
        ["not", word] => changing(word) || matches!(*word, "be" | "to" | "in" | "included"),
        ["no", "change" | "changes"] | ["read", "only"] | ["for", "reference" | "context"] | ["out", "of"] => true,
        _ => false,
    }) || words.iter().any(|word| {
        matches!(
            *word,
            "unchanged" | "unaffected" | "untouched" | "unmodified" | "deferred" | "reference" | "references"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_read_without_numbers_tags_and_marks() {
        for title in [
            "2.1 Files Changed",
            "[UNCHANGED] 2.1 Files Changed",
            "6. **Files Changed**",
            "📁 Files Changed:",
            "2.1. Files Changed (all)",
            "Section 2: Files Changed",
        ] {
            assert_eq!(normal(title), "files changed", "{title}");
            assert_eq!(file_list(title).map(|list| list.rank), Some(Rank::Template), "{title}");
        }
    }

    #[test]
    fn file_lists_are_told_from_other_titles_about_files() {
        for title in [
            "Files to Modify",
            "Files to Create/Modify",
            "File Inventory",
            "4. Files Modified",
            "New Files",
            "Files to be created or modified",
            "Summary of File Changes",
            "Files Affected",
        ] {
            assert!(file_list(title).is_some(), "{title}");
        }
        for title in [
            "Files to Investigate",
            "Safe File Write Gate",
            "10.7 Atomic File Writes",
            "State File Locations",
            "3. Current State (for Modify/Delete files)",
            "Requirements",
            "Output Format (for Modify - Large Files)",
            "Files not to change",
            "Changes",
        ] {
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
}
