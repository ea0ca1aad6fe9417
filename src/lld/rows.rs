//! Rows of a file list become files: one per path, in order, and nothing falls under the table.
//!
//! Every row ends as a file to write, a file of which nothing is asked (`Change::None`), or a finding with its line.

use super::problem;
use super::target::{self, Cell, Target};
use super::wording::{self, Wording};
use super::{Change, FileSpec, allow};
use crate::finding::Finding;
use crate::path::RepoPath;
use std::collections::HashMap;

/// One row (or bullet, or entry of a tree) of a file list, as it stands in the document.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    /// Counted from 1.
    pub line: usize,
    /// The text that names the file; empty with a target.
    pub cell: String,
    /// The file itself, where the dialect knows it better than the text says.
    pub target: Option<Target>,
    /// The text of the change type, where the list has such a column.
    pub kind: Option<String>,
    /// What the row says about the file in words.
    pub description: String,
    /// What a title or caption above says about all its rows.
    pub implied: Option<Change>,
    /// `implied` is only what the words around suggest.
    pub inferred: bool,
    /// The task that writes the file, and whether it is done.
    pub task: Option<(String, bool)>,
}

/// How many files are looked for in a note.
const MAX_NOTED: usize = 100;

/// The files of a document, as they grow row by row.
#[derive(Debug, Default)]
pub(crate) struct Files {
    specs: Vec<FileSpec>,
    at: HashMap<RepoPath, usize>,
    pub findings: Vec<Finding>,
    name: String,
}

impl Files {
    /// `name`: the document, for findings.
    pub fn new(name: &str) -> Files {
        Files { name: name.to_owned(), ..Files::default() }
    }

    /// With these files, one a path, in the list already.
    pub fn of(name: &str, specs: Vec<FileSpec>) -> Files {
        let at = specs.iter().enumerate().map(|(at, spec)| (spec.path.clone(), at)).collect();
        Files { specs, at, ..Files::new(name) }
    }

    pub fn push(&mut self, row: &Row) {
        if let Some(target) = &row.target {
            return self.place(row, target, "", false);
        }
        match target::read(&row.cell) {
            Cell::Paths { targets, note, withdrawn } => {
                for target in targets {
                    self.place(row, &target, &note, withdrawn);
                }
            }
            Cell::Nothing => {
                let said = if row.cell.is_empty() { &row.description } else { &row.cell };
                let message = format!("nothing is asked by the row '{}'", problem::shown(said));
                self.find(Finding::note("lld-row-informational", message), row.line);
            }
            Cell::Bad(problem) => self.find(problem, row.line),
        }
    }

    /// A paragraph after the list: it may change what the rows mean ("if a similar file exists, modify it instead"), so
    /// it is said aloud, and goes into the description of every file that it names.
    pub fn note(&mut self, text: &str, line: usize) {
        let lower = text.trim_start_matches(['*', '_', '>', ' ']).to_lowercase();
        if lower.starts_with("implementation order") || lower.starts_with("order rationale") {
            return;
        }
        let quoted = problem::shown(text);
        let message = format!("a note under the file list may change what it means: '{quoted}'");
        self.find(Finding::note("lld-note", message), line);
        for spec in self.specs.iter_mut().take(MAX_NOTED) {
            if spec.change != Change::None && !spec.directory && text.contains(spec.path.as_str()) {
                spec.description = format!("{}\n{text}", spec.description).trim().to_owned();
            }
        }
    }

    /// The files, and what is to be said about the rows.
    pub fn finish(self) -> (Vec<FileSpec>, Vec<Finding>) {
        (self.specs, self.findings)
    }

    pub fn find(&mut self, finding: Finding, line: usize) {
        self.findings.push(finding.path(self.name.clone()).line(line));
    }

    fn repo_path(&mut self, path: &str, line: usize) -> Option<RepoPath> {
        match RepoPath::new(path) {
            Ok(path) => Some(path),
            Err(error) => {
                let message = format!("invalid path '{}': {error}", problem::shown(path));
                self.find(Finding::error("lld-path-invalid", message), line);
                None
            }
        }
    }

    fn place(&mut self, row: &Row, target: &Target, note: &str, withdrawn: bool) {
        let Some(path) = self.repo_path(&target.path, row.line) else { return };
        let kind = row.kind.as_deref().unwrap_or_default();
        let typed = wording::read(kind);
        let noted = wording::read(note.trim_matches(['(', ')', '[', ']', '*', ' ']));
        let directory = target.directory || (typed.directory && typed.exact) || (noted.directory && noted.exact);
        let mut change = match withdrawn {
            true => Change::None,
            false => self.change(row, &typed, &noted),
        };
        let mut from = match &target.from {
            Some(from) => self.repo_path(from, row.line),
            None => None,
        };
        if from.is_some() && change != Change::None {
            change = Change::Rename;
        }
        let mut path = path;
        if change == Change::Rename && from.is_none() {
            from = beside(row, note, "from ").filter(|from| *from != path);
            if let (None, Some(to)) = (&from, beside(row, note, "to ").filter(|to| *to != path)) {
                from = Some(std::mem::replace(&mut path, to));
            }
            if from.is_none() {
                let message = format!("the rename of '{path}' names one path only");
                let hint = "write both paths in the row: `old` -> `new`";
                self.find(Finding::error("lld-rename-from", message).hint(hint), row.line);
                return;
            }
        }
        if directory && matches!(change, Change::Modify | Change::AddOrModify | Change::Rename) {
            let message =
                format!("'{path}/' is a directory: no file of it is written unless a row of its own names it");
            self.find(Finding::warning("lld-directory-row", message), row.line);
            change = Change::None;
        }
        let description = describe(row, note, typed.exact);
        let allow = allow::read(&[kind, note, &row.description], path.as_str(), change);
        let (tasks, done) = match &row.task {
            Some((id, done)) => (vec![id.clone()], *done),
            None => (Vec::new(), false),
        };
        let stated = typed.change.or(noted.change.filter(|_| noted.exact)).is_some();
        self.merge(FileSpec {
            path,
            change,
            inferred: row.inferred && !stated,
            from,
            directory,
            description,
            line: row.line,
            allow,
            tasks,
            selected: !done,
        });
    }

    /// The row's change: its type, else the note beside the path, else what the titles above say.
    fn change(&mut self, row: &Row, typed: &Wording, noted: &Wording) -> Change {
        if typed.torn {
            let kind = problem::shown(row.kind.as_deref().unwrap_or_default());
            let message = format!("change type '{kind}' leaves open what shall happen to the file");
            self.find(Finding::error("lld-change-type", message).hint("decide for Add, Modify or Delete"), row.line);
            return Change::None;
        }
        let note = noted.change.filter(|_| noted.exact);
        let said = typed.change.or(note);
        let kind = row.kind.as_deref().unwrap_or_default();
        if said.is_none() && kind.contains(char::is_alphabetic) && kind.split_whitespace().count() <= 2 {
            let message = format!("change type '{}' is not known: the repository decides", problem::shown(kind));
            let hint = "write Add, Modify, Delete or Rename";
            self.find(Finding::warning("lld-change-type", message).hint(hint), row.line);
        }
        said.or(row.implied).unwrap_or(Change::AddOrModify)
    }

    /// Adds `new`, or joins it to the row that named its path before.
    pub fn merge(&mut self, new: FileSpec) {
        let Some(old) = self.at.get(&new.path).and_then(|&at| self.specs.get_mut(at)) else {
            self.at.insert(new.path.clone(), self.specs.len());
            self.specs.push(new);
            return;
        };
        let line = new.line;
        let both = (old.change, new.change);
        // Tasks are carried out one after the other: the last one decides whether the file is there in the end.
        let change = match (old.inferred, new.inferred) {
            (true, false) if new.change != Change::AddOrModify => Some(new.change),
            (false, true) if old.change != Change::AddOrModify => Some(old.change),
            _ => joined(old.change, new.change),
        };
        let change = change.or((!new.tasks.is_empty()).then_some(new.change));
        let (path, first) = (old.path.clone(), old.line);
        if !new.description.is_empty() && old.description != new.description {
            if !old.description.is_empty() {
                old.description.push('\n');
            }
            old.description.push_str(&new.description);
        }
        old.change = change.unwrap_or(old.change);
        old.inferred &= new.inferred;
        old.from = old.from.take().or(new.from);
        old.directory &= new.directory;
        for id in new.allow {
            if !old.allow.contains(&id) {
                old.allow.push(id);
            }
        }
        // Rows come task by task: an id that is there already is the last one.
        for id in new.tasks {
            if old.tasks.last() != Some(&id) {
                old.tasks.push(id);
            }
        }
        old.selected |= new.selected;
        if both == (Change::Modify, Change::Add) {
            let message = format!("'{path}' is to be modified in line {first} and added here; it is modified");
            self.find(Finding::warning("lld-change-conflict", message), line);
        } else if change.is_none() {
            let message = format!(
                "'{path}' is listed with changes that exclude each other: {} in line {first}, {} here",
                word(both.0),
                word(both.1)
            );
            self.find(Finding::error("lld-change-conflict", message).hint("keep one of the rows"), line);
        }
    }
}

/// The path after `mark` ("from ", "to ") beside the path of a rename: in the note, the type or the description.
fn beside(row: &Row, note: &str, mark: &str) -> Option<RepoPath> {
    let texts = [note, row.kind.as_deref().unwrap_or_default(), &row.description];
    texts.into_iter().find_map(|text| {
        // Found in the text as it is: lower case may have another length.
        let at = text.find(mark).or_else(|| text.find(&capitalised(mark)))?;
        let rest = text.get(at + mark.len()..)?.trim();
        let word = match rest.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
            Some((code, _)) => code,
            None => rest.split_whitespace().next()?.trim_end_matches([',', '.', ')', ';']),
        };
        match target::read(word) {
            Cell::Paths { targets, .. } => RepoPath::new(&targets.first()?.path).ok(),
            _ => None,
        }
    })
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
    format!("{}{rest}", first.to_ascii_uppercase())
}

/// What two rows for one path ask for together; `None` if they exclude each other.
fn joined(first: Change, second: Change) -> Option<Change> {
    use Change::*;
    Some(match (first, second) {
        (a, b) if a == b => a,
        (None, other) | (other, None) => other,
        (AddOrModify, other @ (Add | Modify)) | (other @ (Add | Modify), AddOrModify) => other,
        // What is added in one row and changed in the next is added; it cannot be there before.
        (Add, Modify) => Add,
        (Modify, Add) => Modify,
        (Rename, Modify | AddOrModify | Add) | (Modify | AddOrModify | Add, Rename) => Rename,
        _ => return Option::None,
    })
}

fn word(change: Change) -> &'static str {
    match change {
        Change::Add => "add",
        Change::Modify => "modify",
        Change::Delete => "delete",
        Change::Rename => "rename",
        Change::AddOrModify => "add or modify",
        Change::None => "no change",
    }
}

/// What the row says in words: a change type that is prose, the note beside the path, the description.
fn describe(row: &Row, note: &str, exact: bool) -> String {
    let kind = row.kind.as_deref().unwrap_or_default().trim();
    // "Modify (if needed)" says more than its type.
    let lower = kind.to_lowercase();
    let conditional = ["optional", "if ", "possibl", "maybe", "likely", "conditional", "future", "deferred", "minor"];
    let said = exact && !conditional.iter().any(|word| lower.contains(word));
    let kind = if said || !kind.contains(char::is_alphanumeric) { "" } else { kind };
    let parts = [kind, note, row.description.trim()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
