//! The plan as its callers see it: a design and a tree in, a plan or findings out.

mod choice;
mod content;
mod existence;
mod listing;
mod places;

use super::*;
use crate::finding::Severity;
use crate::lld::FileSpec;

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

fn row(change: Change, text: &str) -> FileSpec {
    FileSpec {
        path: path(text),
        change,
        inferred: false,
        from: None,
        directory: false,
        description: String::new(),
        line: 10,
        allow: vec![],
        tasks: vec![],
        selected: true,
    }
}

fn add(text: &str) -> FileSpec {
    row(Change::Add, text)
}

fn modify(text: &str) -> FileSpec {
    row(Change::Modify, text)
}

fn delete(text: &str) -> FileSpec {
    row(Change::Delete, text)
}

fn rename(from: &str, to: &str) -> FileSpec {
    FileSpec { from: Some(path(from)), ..row(Change::Rename, to) }
}

fn directory(change: Change, text: &str) -> FileSpec {
    FileSpec { directory: true, ..row(change, text) }
}

fn allowing(id: &str, spec: FileSpec) -> FileSpec {
    FileSpec { allow: vec![id.into()], ..spec }
}

/// A design of these rows, on lines 10, 11, …
fn design(rows: Vec<FileSpec>) -> Lld {
    let files = rows.into_iter().enumerate().map(|(at, spec)| FileSpec { line: 10 + at, ..spec }).collect();
    Lld { dialect: Some("lld"), files, ..Lld::default() }
}

/// A tree of regular files with these contents, whole as git would list it.
fn tree(files: &[(&str, &str)]) -> Snapshot {
    let mut snapshot = Snapshot::default();
    snapshot.directories.entry(String::new()).or_default();
    for (name, text) in files {
        entry(&mut snapshot, name, EntryKind::File);
        snapshot.files.insert(path(name), Blob { executable: false, bytes: text.as_bytes().to_vec() });
        snapshot.names.push((*name).to_owned());
    }
    snapshot
}

fn entry(snapshot: &mut Snapshot, name: &str, kind: EntryKind) {
    let (mut child, mut kind) = (name, kind);
    loop {
        let (parent, last) = child.rsplit_once('/').unwrap_or(("", child));
        snapshot.directories.entry(parent.to_owned()).or_default().insert(last.to_owned(), kind);
        if parent.is_empty() {
            return;
        }
        (child, kind) = (parent, EntryKind::Directory);
    }
}

fn judged(rows: Vec<FileSpec>, snapshot: &Snapshot) -> (Option<Plan>, Vec<Finding>) {
    plan(&design(rows), snapshot, &Options::default())
}

/// The steps of a design that must be fine.
#[track_caller]
fn steps(rows: Vec<FileSpec>, snapshot: &Snapshot) -> Vec<Step> {
    let (plan, findings) = judged(rows, snapshot);
    plan.unwrap_or_else(|| panic!("{findings:#?}")).steps().to_vec()
}

/// The one error of a design that must be refused: id, line, message, hint.
#[track_caller]
fn error(rows: Vec<FileSpec>, snapshot: &Snapshot) -> (String, Option<usize>, String, String) {
    let (plan, findings) = judged(rows, snapshot);
    assert!(plan.is_none(), "there is a plan: {findings:#?}");
    let mut errors: Vec<Finding> = findings.into_iter().filter(Finding::is_error).collect();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    let error = errors.remove(0);
    (error.id.into_owned(), error.line, error.message, error.hint.unwrap_or_default())
}

/// Ids of what is no error.
fn remarks(rows: Vec<FileSpec>, snapshot: &Snapshot) -> Vec<(Severity, String)> {
    let (plan, findings) = judged(rows, snapshot);
    assert!(plan.is_some(), "{findings:#?}");
    findings.into_iter().map(|f| (f.severity, f.id.into_owned())).collect()
}

fn warning(id: &str) -> (Severity, String) {
    (Severity::Warning, id.to_owned())
}

fn note(id: &str) -> (Severity, String) {
    (Severity::Note, id.to_owned())
}
