//! The tasks of a list as they stand in the document: boxes (or headings) with their ids, their text and their place.
//!
//! Knows the forms of spec-kit, Kiro and OpenSpec. Does not know what a path is, nor what a task does.

use super::section::{Place, Sections};
use crate::lld::document::Document;
use crate::lld::inline::{Bullet, bullet};
use crate::lld::lines::Kind;
use crate::lld::title;

/// A task as it is written.
#[derive(Debug, Clone, Default)]
pub(super) struct Item<'a> {
    pub line: usize,
    pub end: usize,
    pub id: Option<&'a str>,
    pub labels: Vec<&'a str>,
    pub done: bool,
    /// It stands under "Acceptance criteria" or the like: a condition, not a step.
    pub criterion: bool,
    /// It is a heading, and what stands under it are lines of their own.
    pub titled: bool,
    /// The title less box, id and labels.
    pub title: &'a str,
    /// The lines under it that are no tasks, with their numbers.
    pub under: Vec<(usize, &'a str)>,
    /// The index of the task that it stands under.
    pub parent: Option<usize>,
    /// The word that takes it out of the list.
    pub withdrawn: Option<&'static str>,
    pub place: Place<'a>,
}

/// Every task of the document, at any depth. Boxes in examples of the format are none.
pub(super) fn items<'a>(document: &Document<'a>) -> Vec<Item<'a>> {
    let titled = titled_tasks(document);
    let mut items: Vec<Item> = Vec::new();
    let mut sections = Sections::default();
    // Tasks that the next line may belong to, the outermost first, with their indentation.
    let mut open: Vec<(usize, usize)> = Vec::new();
    // The task whose heading was last, with the level of that heading.
    let mut under_heading: Option<usize> = None;
    let mut joined = false;
    for (at, line) in document.lines.iter().enumerate() {
        let directly_after = std::mem::take(&mut joined);
        match line.kind {
            Kind::Heading(level, title) => {
                open.clear();
                under_heading = under_heading.filter(|&outer| level > outer);
                if titled.binary_search(&at).is_ok() {
                    let mut item = item(title.trim_start_matches("[ ]").trim_start_matches("[x]"), line.number);
                    item.titled = true;
                    item.done = title.contains(['✅', '✓', '☑']) || title.starts_with("[x]");
                    item.place = sections.place();
                    items.push(item);
                    under_heading = Some(level);
                } else {
                    sections.enter(level, title);
                }
            }
            Kind::Text if under_heading.is_some() => {
                if let Some(item) = items.last_mut() {
                    item.under.push((line.number, bullet(line.text).map_or(line.text, |bullet| bullet.text)));
                    item.end = line.number;
                }
            }
            Kind::Text => match bullet(line.text) {
                Some(found) if found.ticked.is_some() => {
                    if is_legend(found.text) {
                        continue;
                    }
                    while open.last().is_some_and(|&(_, indent)| indent >= found.indent) {
                        open.pop();
                    }
                    let mut item = boxed(&found, line.number);
                    item.criterion = sections.is_about_criteria();
                    item.place = sections.place();
                    item.parent = open.last().map(|&(parent, _)| parent);
                    open.push((items.len(), found.indent));
                    items.push(item);
                    joined = true;
                }
                found => {
                    let indent = line.text.len() - line.text.trim_start().len();
                    // A wrapped line need not be indented.
                    let start = line.text.trim_start();
                    let structure = STRUCTURE.iter().any(|mark| start.starts_with(mark));
                    let wrapped = directly_after && found.is_none() && !structure;
                    while !wrapped && open.last().is_some_and(|&(_, outer)| indent <= outer) {
                        open.pop();
                    }
                    if let Some(item) = open.last().and_then(|&(at, _)| items.get_mut(at)) {
                        item.under.push((line.number, line.text.trim()));
                        item.end = line.number;
                        joined = true;
                    }
                }
            },
            Kind::Open | Kind::Code | Kind::Close => {
                let indented = line.kind != Kind::Open || line.text.starts_with([' ', '\t']) || under_heading.is_some();
                if !indented {
                    open.clear();
                }
                let last = open.last().map(|&(at, _)| at).or(under_heading.and(items.len().checked_sub(1)));
                if let Some(item) = last.and_then(|at| items.get_mut(at)) {
                    item.end = line.number;
                }
            }
            Kind::Blank => {}
            Kind::Front | Kind::Comment => open.clear(),
        }
    }
    items
}

/// What a line begins with that is no continuation of the line before.
const STRUCTURE: [&str; 5] = ["**", "|", ">", "---", "<"];

fn boxed<'a>(found: &Bullet<'a>, line: usize) -> Item<'a> {
    Item { done: found.ticked == Some(true), ..item(found.text, line) }
}

fn item(text: &str, line: usize) -> Item<'_> {
    let (id, labels, title) = identify(text);
    Item { line, end: line, id, labels, title, withdrawn: withdrawn(text), ..Item::default() }
}

/// The id that a task begins with (`T012`, `1.1`, `**T001**`, `Task 1.2:`), its labels (`P`, `US1`), and the text after.
fn identify(whole: &str) -> (Option<&str>, Vec<&str>, &str) {
    let marks = ['*', '`', ' ', '~', ':', '–', '—', '✅'];
    let text = whole.trim_start_matches(marks);
    let text = ["Task ", "TASK ", "task "].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))).unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let id = word.trim_end_matches(['.', '-']);
    let closed = id.len() < word.len() || rest.starts_with([':', ')', '*', '`', '~']) || text.len() < whole.len();
    if !is_id(id, closed) {
        return (None, Vec::new(), whole);
    }
    let mut labels = Vec::new();
    let mut rest = rest.trim_start_matches(marks).trim_start_matches([')', '.', '-']).trim_start();
    while let Some((label, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        if label.len() > 16 || after.starts_with('(') || after.starts_with(['/', '.']) {
            break;
        }
        labels.push(label);
        rest = after.trim_start();
    }
    (Some(id), labels, rest)
}

/// `T012`, `T002a`, `1.1`, `ttd-3`, `T027-FIX`; a plain number only if it is `closed` by a mark. `US1` is a story.
fn is_id(id: &str, closed: bool) -> bool {
    let letters = id.len() - id.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
    let (prefix, number) = id.split_at_checked(letters).unwrap_or((id, ""));
    let number = number.trim_start_matches('-');
    let (number, suffix) = match number.split_once('-') {
        Some((number, suffix)) => (number, suffix),
        None => (number, ""),
    };
    let digits = number.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let upper = |text: &str| text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    let numbered = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
        && number.len() - digits.len() <= 1;
    let plain = prefix.is_empty() && !digits.contains('.');
    numbered
        && prefix.len() <= 6
        && prefix != "US"
        && (upper(prefix) || (closed && id.contains('-')))
        && upper(suffix)
        && (!plain || (closed && digits.len() <= 3))
}

/// `- [ ] [ID] [P?] Description` and `- [ ] [P] = may run in parallel`: how tasks are written, not a task.
fn is_legend(text: &str) -> bool {
    let text = text.trim_start_matches(['`', '*']);
    let Some((label, rest)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) else { return false };
    let template = matches!(label, "ID" | "TaskID" | "Task ID" | "P?" | "Story" | "Story?" | "TXXX" | "T###");
    let means = rest.trim_start_matches(['`', '*', ' ']);
    template || (label.len() <= 4 && means.starts_with(['=', ':', '–', '—', '→', '-']))
}

/// What takes a task out of the list: struck through, or a word in capitals or in parentheses.
fn withdrawn(text: &str) -> Option<&'static str> {
    let start = text.trim_start_matches(['*', ' ']);
    if start.starts_with("~~") {
        return Some("struck out");
    }
    const WORDS: [(&str, &str); 7] = [
        ("SKIPPED", "skipped"),
        ("DEFERRED", "deferred"),
        ("CANCELLED", "cancelled"),
        ("CANCELED", "canceled"),
        ("OBSOLETE", "obsolete"),
        ("DROPPED", "dropped"),
        ("POSTPONED", "postponed"),
    ];
    let word = |(capital, small): (&str, &'static str)| {
        let whole = |at: usize, length: usize| {
            let edge = |c: Option<char>| c.is_none_or(|c| !(c.is_alphanumeric() || c == '_'));
            let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + length..).unwrap_or_default());
            edge(before.chars().next_back()) && edge(after.chars().next())
        };
        let loud = text.match_indices(capital).any(|(at, word)| whole(at, word.len()));
        let noted = || {
            text.match_indices(small).any(|(at, word)| {
                let before = text.get(..at).unwrap_or_default().trim_end_matches(['*', '_', ' ']);
                whole(at, word.len()) && before.ends_with(['(', '['])
            })
        };
        (loud || noted()).then_some(small)
    };
    WORDS.into_iter().find_map(word)
}

/// The indices of the headings that are tasks: `### Task 1.1: …` with `- **File**: x` under it instead of boxes.
fn titled_tasks(document: &Document) -> Vec<usize> {
    let mut found = Vec::new();
    let mut labelled = 0;
    for heading in document.headings.iter().filter(|heading| heading.level > 1) {
        let title =
            heading.title.trim_start_matches("[ ]").trim_start_matches("[x]").trim_start_matches(['*', ' ', '✅']);
        let called = title.starts_with("Task ") || title.starts_with('T');
        if !called || identify(title).0.is_none() {
            continue;
        }
        let lines = document.own(heading);
        let names_file = lines.iter().any(|line| line.kind == Kind::Text && is_file_label(line.text));
        let boxes = lines.iter().any(|line| bullet(line.text).is_some_and(|bullet| bullet.ticked.is_some()));
        if names_file || (!boxes && document.inside(heading).next().is_none()) {
            found.push(heading.at);
            labelled += usize::from(names_file);
        }
    }
    // Headings in other documents have numbers, too.
    if labelled >= 2 { found } else { Vec::new() }
}

/// `- **File**: src/a.py`.
pub(super) fn is_file_label(line: &str) -> bool {
    let text = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let Some((label, _)) = text.split_once([':', '：']) else { return false };
    let label = label.trim_end_matches(['*', ' ', ')']).to_lowercase();
    matches!(
        label.as_str(),
        "file"
            | "files"
            | "path"
            | "paths"
            | "file path"
            | "location"
            | "file(s"
            | "target"
            | "target file"
            | "new file"
            | "new files"
            | "modified files"
            | "files to create"
            | "files to modify"
            | "files modified"
            | "output"
            | "files created"
            | "ファイル"
            | "文件"
            | "파일"
            | "fichier"
            | "fichiers"
            | "archivo"
            | "archivos"
            | "datei"
    )
}

/// Sections whose boxes say what must be true in the end.
pub(super) fn is_about_criteria(text: &str) -> bool {
    let text = title::normal(text);
    ["criteria", "definition of done", "checklist", "verification", "open questions", "checkpoint", "quality gate"]
        .iter()
        .any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lld::lines::Fences;

    fn list(text: &str) -> Vec<(Option<String>, String)> {
        let document = Document::new("tasks.md", text, Fences::First);
        let all = items(&document);
        all.iter().map(|item| (item.id.map(str::to_owned), item.title.to_owned())).collect()
    }

    #[test]
    fn ids_and_labels_of_all_kinds_are_taken_off() {
        for (text, id, labels, rest) in [
            ("T012 [P] [US1] Create it", "T012", vec!["P", "US1"], "Create it"),
            ("**T001** Create it", "T001", vec![], "Create it"),
            ("`ttd-3.1` Create it", "ttd-3.1", vec![], "Create it"),
            ("1.2 Create it", "1.2", vec![], "Create it"),
            ("3. Create it", "3", vec![], "Create it"),
            ("Task 2.1: Create it", "2.1", vec![], "Create it"),
            ("T002a Create it", "T002a", vec![], "Create it"),
            ("T027-FIX [P] Create it", "T027-FIX", vec!["P"], "Create it"),
        ] {
            assert_eq!(identify(text), (Some(id), labels, rest), "{text}");
        }
        for text in ["404 pages are shown", "E2E tests", "US1: sign in", "2FA by mail", "Create it", "3D view"] {
            assert_eq!(identify(text).0, None, "{text}");
        }
    }

    #[test]
    fn wrapped_lines_and_lines_under_a_task_belong_to_it_and_fences_only_to_its_length() {
        let text =
            "- [ ] 1. One\n  that goes on\n- [ ]* 1.1 Two\nwraps at the margin\n\n  ```\n  code\n  ```\n\nText.\n";
        let document = Document::new("tasks.md", text, Fences::First);
        let all = items(&document);
        let under = |item: &Item| item.under.iter().map(|(_, text)| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!((under(&all[0]), all[0].end), (vec!["that goes on".to_owned()], 2));
        assert_eq!((under(&all[1]), all[1].end), (vec!["wraps at the margin".to_owned()], 8));
    }

    #[test]
    fn lines_after_a_sub_task_belong_to_the_task_as_deep_as_they_are() {
        let text = "- [ ] 1. One\n  - [ ] 1.1 Two\n    - deep\n  - shallow\n";
        let document = Document::new("tasks.md", text, Fences::First);
        let all = items(&document);
        assert_eq!((all[0].under[0].1, all[1].under[0].1, all[1].parent), ("- shallow", "- deep", Some(0)));
    }

    #[test]
    fn what_explains_the_format_is_no_task() {
        assert_eq!(list("- [ ] [ID] [P?] Description\n- [ ] [P] = parallel\n- [P] is parallel\n"), []);
    }

    #[test]
    fn headings_are_tasks_where_their_files_are_labelled() {
        let text =
            "## Phase 1\n### Task 1.1: One\n- **File**: a.py\n- [ ] it works\n### Task 1.2: Two\n**File**: b.py\n";
        let ids: Vec<_> = list(text).into_iter().filter_map(|(id, _)| id).collect();
        assert_eq!(ids, ["1.1", "1.2"]);
        assert_eq!(list("## Task 1: One\n- [ ] a\n").len(), 1);
    }

    #[test]
    fn a_task_is_withdrawn_by_a_loud_word_or_one_in_parentheses() {
        for text in ["~~T003~~ Gone", "T1 Do it (SKIPPED: no such file)", "T1 Do it (deferred)", "**DEFERRED** Do it"] {
            assert!(withdrawn(text).is_some(), "{text}");
        }
        for text in ["Add the SKIPPED_ROWS flag", "List what was skipped", "Skip hidden files"] {
            assert_eq!(withdrawn(text), None, "{text}");
        }
    }
}
