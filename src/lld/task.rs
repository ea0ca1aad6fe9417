//! [`Task`]: one step of a task list, as other stages see it.

use crate::path::RepoPath;

/// A task of a task list (spec-kit, Kiro, OpenSpec), in the order of the document. Sub-tasks are tasks of their own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Task {
    /// Its own id (`T012`, `1.1`), else `L` and its line (`L42`). Careless lists use an id twice.
    pub id: String,
    /// The line of its box or heading, counted from 1.
    pub line: usize,
    /// The last line of its text, fences under it included, sub-tasks not.
    pub end: usize,
    pub done: bool,
    /// Less box, id and labels; with the lines that it is wrapped to, on one line.
    pub title: String,
    /// The title less box, id and labels; then the lines under it, less fences and sub-tasks.
    pub text: String,
    /// The number of the phase or group that it stands in (`3` of "Phase 3: …" or "3. …"), else Kiro's top-level
    /// number (`2` for `2.1`).
    pub phase: Option<String>,
    /// The title of that phase, less its number; or of the section, where sections have no numbers.
    pub phase_title: Option<String>,
    /// `US1`, by the task's label, else by the heading ("User Story 1 - …").
    pub story: Option<String>,
    /// Ids of tasks of this list that must come before, as the list says in words ("depends on T012"), ranges expanded.
    pub depends: Vec<String>,
    /// The id of the task that this one is a part of.
    pub parent: Option<String>,
    /// The files that it writes, deletes or renames (under the new name), in the order of its text.
    pub files: Vec<RepoPath>,
    /// Those of `files` that it deletes.
    pub deletes: Vec<RepoPath>,
    /// Why it writes nothing: the word that takes it out of the list (`skipped`, `deferred`, …).
    pub withdrawn: Option<&'static str>,
    /// Its files are not the list's own: somebody has proposed them (see `plan::proposal`).
    pub proposed: bool,
}

/// How much of a task becomes the description of each of its files, in characters.
const MAX_DESCRIPTION: usize = 500;

impl Task {
    /// What the rows of its files say of them.
    pub(crate) fn description(&self) -> String {
        let title: String = self.title.chars().take(MAX_DESCRIPTION).collect();
        format!("{}: {title}", self.id)
    }
}
