//! What there is to say of a reply that was applied to working tree or index: what became of each file, and what language
//! servers find in those that were written.

use super::Judge;
use crate::diagnostic::{Operation, written};
use crate::edit::Edit;
use crate::finding::Finding;
use crate::git::{AtPath, FileUpdate};
use crate::path::RepoPath;
use crate::ui;
use serde::Serialize;
use std::collections::BTreeMap;

/// What became of a reply.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub outcome: &'static str,
    pub files: Vec<File>,
    pub findings: Vec<Finding>,
}

/// What became of one of its files.
#[derive(Debug, Serialize)]
pub(super) struct File {
    pub path: String,
    /// `add`, `modify`, `delete`, `rename`
    pub change: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    pub format: &'static str,
    pub edits: Vec<Edit>,
    /// `applied`, `unchanged`, `refused`; `withheld`: it would apply, but another one is refused.
    pub outcome: &'static str,
    /// The new errors that a language server finds in it, as a model is shown them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lsp: Option<String>,
}

/// What was at the paths of the reply, and what was written there.
#[derive(Default)]
pub(super) struct Exchanged {
    pub found: BTreeMap<RepoPath, AtPath>,
    pub steps: Vec<FileUpdate>,
}

/// The line that tells of a file that is as the reply wants it, in the words of `git status`.
pub(super) fn success(file: &File) -> Option<String> {
    let path = ui::plain::neutralise(&file.path);
    let from = file.from.as_deref().map(ui::plain::neutralise).unwrap_or_default();
    match (file.outcome, file.change) {
        ("applied", "add") => Some(format!("new file:   {path}")),
        ("applied", "modify") => Some(format!("modified:   {path}")),
        ("applied", "delete") => Some(format!("deleted:    {path}")),
        ("applied", "rename") => Some(format!("renamed:    {from} -> {path}")),
        ("unchanged", _) => Some(format!("unchanged:  {path}")),
        _ => None,
    }
}

/// Asks about each file into which text was written.
pub(super) fn ask_servers(mut judge: Judge, files: &mut [File], exchanged: &Exchanged) {
    let Exchanged { found, steps } = exchanged;
    let bytes = |path: &str| match found.get(&RepoPath::new(path).ok()?) {
        Some(AtPath::File(blob)) => Some(blob.bytes.as_slice()),
        _ => None,
    };
    let becomes: BTreeMap<&str, &[u8]> =
        steps.iter().filter_map(|step| Some((step.path.as_str(), step.becomes.as_ref()?.0.as_slice()))).collect();
    let operations = files.iter().filter(|file| file.outcome == "applied").map(|file| Operation {
        path: &file.path,
        from: file.from.as_deref(),
        was: bytes(file.from.as_deref().unwrap_or(&file.path)),
        becomes: becomes.get(file.path.as_str()).copied(),
    });
    let written = written(operations);
    let found: BTreeMap<String, Option<String>> =
        written.iter().map(|it| it.path.to_owned()).zip(judge.blocks(&written)).collect();
    files.iter_mut().for_each(|file| file.lsp = found.get(&file.path).cloned().flatten());
}
