//! The tasks of a list as they stand in the document: boxes (or headings) with their ids, their text and their place.
//!
//! Knows the forms of spec-kit, Kiro and OpenSpec. Does not know what a path is, nor what a task does.

use super::identity::{identify, is_legend, withdrawn};
use super::section::{TaskHeadings, place};
use crate::lld::document::Document;
use crate::lld::inline::{Bullet, bullet};
use crate::lld::lines::LineKind;
use crate::lld::title;
use crate::lld::vocabulary::has;

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
    let mut headings = TaskHeadings::default();
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
                headings = document.heading_at(at).map(|heading| place(document, heading, &titled)).unwrap_or_default();
                if titled.binary_search(&at).is_ok() {
                    let mut item = item(title.trim_start_matches("[ ]").trim_start_matches("[x]"), line.number);
                    item.titled = true;
                    item.done = title.contains(['✅', '✓', '☑']) || title.starts_with("[x]");
                    item.place = headings.clone();
                    items.push(item);
                    under_heading = Some(level);
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
                    item.criterion = headings.criteria;
                    item.place = headings.clone();
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
    has("task-file", &label)
}

/// Sections whose boxes say what must be true in the end.
pub(super) fn is_about_criteria(text: &str) -> bool {
    // `[checkpoint: 5203a17]` at the end of a phase says that it is done.
    let text = title::normal(text.split(" [").next().unwrap_or_default());
    ["criteria", "definition of done", "checklist", "verification", "open questions", "checkpoint", "quality gate"]
        .iter()
        .any(|word| text.contains(word))
}
