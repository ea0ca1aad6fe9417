//! Reading designs: text in, [`Lld`] out.
//!
//! `lines` says what each line is, `document` which section it stands in, `dialect` finds the file list, `rows` makes
//! files of it. Nothing here knows a repository: whether a path exists is the plan's to say. Reading never fails and
//! never panics; what cannot be carried out is a finding with its line. The work is linear in the text.

mod allow;
mod approval;
mod bullets;
mod columns;
mod dialect;
mod document;
mod head;
mod inline;
mod json;
mod lines;
mod machine;
mod names;
mod parts;
mod problem;
mod rows;
mod sections;
mod sentence;
mod table;
mod target;
mod task;
#[cfg(test)]
mod tests;
mod title;
pub mod typed;
mod verbs;
mod vocabulary;
mod wording;

use crate::finding::Finding;
use crate::path::RepoPath;
use crate::taskmaster;
pub use approval::Approval;
use dialect::{DIALECTS, Dialect, ParsedList};
use document::Document;
pub(crate) use inline::bullet;
pub(crate) use lines::{Fences, Line, LineKind, scan};
pub use parts::parse_all;
pub(crate) use problem::{of_shape, shown};
pub(crate) use rows::{Files, Row};
pub(crate) use sentence::kinds::is_test;
pub(crate) use sentence::said_by_title;
use serde::{Deserialize, Serialize};
pub(crate) use target::Target;
pub use task::Task;

/// What a row of the file list asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    Add,
    Modify,
    Delete,
    Rename,
    /// The row does not say, or says both: the repository decides.
    AddOrModify,
    /// Informational: the row asks for nothing ("Exists", "Verify", "Existing Directory").
    None,
}

/// A file that the design asks for: one per path, rows for one path merged in order.
///
/// Serialised it is the fixed form of `plan --json`, less the strategy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileSpec {
    pub path: RepoPath,
    pub change: Change,
    /// The change is what the words around suggest, and not what the row says: where the tree says otherwise, it decides.
    #[serde(skip)]
    pub inferred: bool,
    /// The path that a rename starts from.
    pub from: Option<RepoPath>,
    pub directory: bool,
    /// What the rows say, one line a row.
    pub description: String,
    /// The line of the first row, counted from 1.
    pub line: usize,
    /// Ids that the row allows in words (`allow: size`, "overwrite").
    pub allow: Vec<String>,
    /// Ids of the tasks that write the file, for task lists.
    pub tasks: Vec<String>,
    /// False when all tasks of the file are done.
    pub selected: bool,
}

/// A numbered or listed piece of the document, with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The item's own id (`REQ-3`, `T010`, `3`), where it has one.
    pub id: Option<String>,
    pub text: String,
    pub line: usize,
    /// For a row of a table: its cells, each with its column's title in lower case.
    pub cells: Vec<(String, String)>,
}

/// A heading of the document, and how far what stands under it reaches. Headings in fences are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The title by its words, in lower case: without numbers, marks, tags and what stands in parentheses.
    pub title: String,
    /// 1 for `#`.
    pub level: usize,
    /// The line of the heading, counted from 1.
    pub line: usize,
    /// The last line of the section, deeper headings included.
    pub end: usize,
}

/// A design as it was read. Findings of severity error mean that it cannot be carried out as it stands.
#[derive(Debug, Clone, Default)]
pub struct Lld {
    /// The name of the dialect that read the file list (`lld`, `spec`, `plan`, `components`, `bullets`, `tasks`);
    /// `None` if no dialect found one.
    pub dialect: Option<&'static str>,
    pub title: Option<String>,
    /// The `Issue:` field, as written less `#`.
    pub issue: Option<String>,
    /// The `Status:` field.
    pub status: Option<String>,
    /// The `Final Status:` field, which disagrees with `Status:` in a third of real documents.
    pub final_status: Option<String>,
    pub files: Vec<FileSpec>,
    /// It has links to files on somebody's machine, cut at the folder that is taken for the project's.
    pub localised: bool,
    /// The tasks of a task list, in the order of the document; empty for other dialects.
    pub tasks: Vec<Task>,
    /// All headings, in the order of the document.
    pub sections: Vec<Section>,
    pub requirements: Vec<Item>,
    /// Test ids of section 10.0 (`T010`).
    pub test_plan: Vec<Item>,
    /// Test ids of section 10.1 (`010`).
    pub test_scenarios: Vec<Item>,
    /// Signatures of section 2.4.
    pub signatures: Vec<Item>,
    /// Commands of section 10.2. Data: never run.
    pub commands: Vec<Item>,
    /// Rows of section 11.
    pub risks: Vec<Item>,
    pub findings: Vec<Finding>,
}

impl Lld {
    /// The first section whose title (see [`Section::title`]) satisfies `is`.
    pub fn section(&self, is: impl Fn(&str) -> bool) -> Option<&Section> {
        self.sections.iter().find(|section| is(&section.title))
    }
}

/// The part of a design's text in which it names what the project will depend on: the section of that, else all of it.
pub fn dependencies(lld: &Lld, text: &str) -> String {
    let Some(section) = lld.section(|title| title.contains("dependencies")) else { return text.to_owned() };
    let lines: Vec<&str> = text.lines().skip(section.line).take(section.end.saturating_sub(section.line)).collect();
    lines.join("\n")
}

/// Reads a design. `name` is the document's path, for the dialects that go by it (`tasks.md`) and for findings.
pub fn parse(name: &str, text: &str) -> Lld {
    if taskmaster::is_json(name, text) {
        return json::read(name, text);
    }
    let unwrapped = lines::unwrap(text);
    let text = unwrapped.as_deref().unwrap_or(text);
    let local = machine::localised(text);
    let text = local.as_deref().unwrap_or(text);
    let plain = Document::new(name, text, Fences::First);
    let nested = Document::new(name, text, Fences::Nested);
    let (document, mut found) = match plain.lines == nested.lines {
        true => {
            let found = find(&plain);
            (plain, found)
        }
        false => surer(plain, nested),
    };
    let head = head::read(&document);
    let draft = head.still_draft();
    let mut lld = Lld {
        title: head.title,
        issue: head.issue,
        status: head.status,
        final_status: head.final_status,
        localised: local.is_some(),
        ..Lld::default()
    };
    sections::read(&document, &mut lld);
    let mut files = Files::new(name);
    match &found {
        Some((_, dialect, list)) if !list.rows.is_empty() || !list.ignored.is_empty() => {
            lld.dialect = Some(dialect.name);
            for row in &list.rows {
                files.push(row);
            }
            for (line, reason) in &list.ignored {
                files.find(Finding::note("lld-row-informational", reason.clone()), *line);
            }
            for (line, note) in &list.notes {
                files.note(note, *line);
            }
        }
        _ => {}
    }
    if let Some((_, _, list)) = &mut found {
        lld.tasks = std::mem::take(&mut list.tasks);
        for finding in std::mem::take(&mut list.findings) {
            let line = finding.line.unwrap_or(list.line);
            files.find(finding, line);
        }
    }
    let (specs, mut findings) = files.finish();
    if !lld.tasks.is_empty() {
        findings.sort_by_key(|finding| finding.line);
    }
    lld.files = specs;
    lld.findings = findings;
    lld.findings.extend(draft.map(|draft| draft.path(name)));
    if lld.files.is_empty() && !lld.tasks.is_empty() {
        // Most lists of Kiro and OpenSpec: what they mean can be found out, and is not the list's mistake.
        let message = "no task of the list names a file to write";
        let hint = "name them in the tasks, or have a model propose them: git implement plan --propose <design>";
        lld.findings.push(Finding::warning("lld-no-file-list", message).path(name).hint(hint));
    } else if lld.files.is_empty() && !lld.findings.iter().any(Finding::is_error) {
        lld.findings.push(no_file_list(&document, found.as_ref().map(|(_, _, list)| list)));
    }
    lld
}

/// A file list, with the place of its dialect in the registry.
type Choice = (usize, &'static Dialect, ParsedList);

/// The file list of the surest dialect that has one.
fn find(document: &Document) -> Option<Choice> {
    DIALECTS.iter().enumerate().find_map(|(rank, dialect)| Some((rank, dialect, (dialect.read)(document)?)))
}

/// Of two readings of the same text the one whose file list is surer: that of the surer dialect, then the one that has
/// rows, then the one that stands first, then the longer one. Fences that nest can hide the list in one of them, or show
/// a fixture's.
fn surer<'a>(plain: Document<'a>, nested: Document<'a>) -> (Document<'a>, Option<Choice>) {
    let (first, second) = (find(&plain), find(&nested));
    let key = |choice: &Option<Choice>| match choice {
        Some((rank, _, list)) => (list.rows.is_empty(), *rank, list.line, usize::MAX - list.rows.len()),
        None => (true, usize::MAX, usize::MAX, usize::MAX),
    };
    if key(&second) < key(&first) { (nested, second) } else { (plain, first) }
}

/// What was looked for and not found.
fn no_file_list(document: &Document, found: Option<&ParsedList>) -> Finding {
    let wanted: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.looks_for).collect();
    let finding = match found {
        Some(list) if !list.title.is_empty() => {
            let title = problem::shown(list.title.as_str());
            Finding::error("lld-no-file-list", format!("no file is listed under the heading '{title}'")).line(list.line)
        }
        Some(list) => Finding::error("lld-no-file-list", "the list names no file to write").line(list.line),
        None => match dialect::nearest(document) {
            Some((line, path)) => {
                let path = problem::shown(&path);
                let message = format!("the design has no list of files, and does not say that '{path}' is written");
                Finding::error("lld-no-file-list", message).line(line)
            }
            None => Finding::error("lld-no-file-list", "the design has no list of files"),
        },
    };
    let ways = "two ways on: 'git implement plan --propose <design>' has a model propose the files; \
                'git implement new' makes a design with a list to fill in";
    finding.path(document.name).hint(format!("looked for {}\n{ways}", wanted.join("; or ")))
}
