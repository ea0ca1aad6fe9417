//! The tasks of a list as they stand in the document: boxes (or headings) with their ids, their text and their place.
//!
//! Knows the forms of spec-kit, Kiro and OpenSpec. Does not know what a path is, nor what a task does.

use super::identity::{identify, is_legend, withdrawn};
use super::section::{Sections, TaskHeadings};
use crate::lld::document::Document;
use crate::lld::inline::{Bullet, bullet};
use crate::lld::lines::LineKind;
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
    pub place: TaskHeadings<'a>,
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
            LineKind::Heading(level, title) => {
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
            LineKind::Text if under_heading.is_some() => {
                if let Some(item) = items.last_mut() {
                    item.under.push((line.number, bullet(line.text).map_or(line.text, |bullet| bullet.text)));
                    item.end = line.number;
                }
            }
            LineKind::Text => match bullet(line.text) {
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
                    // As wide as boxes are counted.
                    let blank = line.text.chars().take_while(|c| c.is_whitespace());
                    let indent: usize = blank.map(|c| if c == '\t' { 4 } else { 1 }).sum();
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
            LineKind::Open | LineKind::Code | LineKind::Close => {
                let indented =
                    line.kind != LineKind::Open || line.text.starts_with([' ', '\t']) || under_heading.is_some();
                if !indented {
                    open.clear();
                }
                let last = open.last().map(|&(at, _)| at).or(under_heading.and(items.len().checked_sub(1)));
                if let Some(item) = last.and_then(|at| items.get_mut(at)) {
                    item.end = line.number;
                }
            }
            LineKind::Blank => {}
            LineKind::Front | LineKind::Comment => open.clear(),
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
        let names_file = lines.iter().any(|line| line.kind == LineKind::Text && is_file_label(line.text));
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
    // `[checkpoint: 5203a17]` at the end of a phase says that it is done.
    let text = title::normal(text.split(" [").next().unwrap_or_default());
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
}
