//! What becomes of a finished change: a branch, a patch, or both; and the files that a task leaves, however it ends.

mod summary;
mod transcript;

pub(super) use transcript::{Transcript, Turn, Who, masked};

use super::run::Run;
use super::{ImplementError, Job, Prepared};
use crate::event::Event;
use crate::finding::Finding;
use crate::git::{GitError, PATCH, Repository};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What becomes of what is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Delivery {
    #[default]
    Branch,
    Patch,
    Both,
}

impl Delivery {
    pub const WORDS: [&'static str; 3] = ["branch", "patch", "both"];

    pub fn from_word(word: &str) -> Option<Delivery> {
        [Delivery::Branch, Delivery::Patch, Delivery::Both].into_iter().find(|delivery| delivery.word() == word)
    }

    pub fn word(self) -> &'static str {
        match self {
            Delivery::Branch => "branch",
            Delivery::Patch => "patch",
            Delivery::Both => "both",
        }
    }

    pub fn has_branch(self) -> bool {
        self != Delivery::Patch
    }

    pub fn has_patch(self) -> bool {
        self != Delivery::Branch
    }
}

/// Where a task leaves its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Leaves {
    /// In a folder of the run's beside the repository.
    Own,
    In(PathBuf),
}

impl Leaves {
    pub(super) fn folder(&self, repository: &Repository, run: &str) -> Result<PathBuf, GitError> {
        match self {
            Leaves::Own => repository.task_dir(run),
            Leaves::In(folder) => Ok(folder.clone()),
        }
    }
}

const TRANSCRIPT: &str = "transcript.json";
const SUMMARY: &str = "summary.txt";

/// The files that a task leaves.
pub const NAMES: [&str; 3] = [PATCH, TRANSCRIPT, SUMMARY];

/// Writes the patch of the run `id` into `folder`, which is made. Returns where it lies.
pub(super) fn write_patch(
    repository: &Repository,
    id: &str,
    folder: &Path,
    patch: &[u8],
) -> Result<PathBuf, ImplementError> {
    let file = folder.join(PATCH);
    write(&file, patch).map_err(|error| GitError::io("write", &file, &error))?;
    if folder != repository.task_dir(id)? {
        repository.leave_elsewhere(id, folder)?;
    }
    Ok(file)
}

/// Writes what was said, and what came of it: for programs, and for people. The event that tells of it, if there is a patch.
/// A run that went well is no failure because of this; one that failed says why all the same.
pub(super) fn leave(run: &mut Run, folder: &Path, prepared: &Prepared, job: &Job, last: &Event) -> Option<Event> {
    let Event::RunFinished { status, .. } = last else { return None };
    if *status != crate::exit::ExitCode::Done
        && let Some(patch) = run.delivered.take()
    {
        // The refs have not moved: nothing has come of it.
        let _ = fs::remove_file(patch);
    }
    let transcript = Transcript::of(run, prepared, job, last);
    match (tell(folder, &transcript), &run.delivered) {
        (Err(message), _) => {
            run.face.event(&Event::Finding(Finding::warning("task-not-told", message)));
            None
        }
        (Ok([transcript, summary]), Some(patch)) => {
            Some(Event::Delivered { patch: patch.display().to_string(), transcript, summary })
        }
        (Ok([_, summary]), None) => {
            run.face.event(&Event::Finding(told(&summary)));
            None
        }
    }
}

/// Writes transcript and summary into `folder`. Returns where they lie, or why they do not.
pub(super) fn tell(folder: &Path, transcript: &Transcript) -> Result<[String; 2], String> {
    let json = serde_json::to_string_pretty(transcript).unwrap_or_default() + "\n";
    for (name, text) in [(TRANSCRIPT, json), (SUMMARY, summary::text(transcript))] {
        let file = folder.join(name);
        write(&file, text.as_bytes()).map_err(|error| format!("cannot write '{}': {error}", file.display()))?;
    }
    Ok([TRANSCRIPT, SUMMARY].map(|name| folder.join(name).display().to_string()))
}

/// What is said of a task that has left no patch.
pub(super) fn told(summary: &str) -> Finding {
    Finding::note("task-told", format!("what was said is in '{summary}'"))
}

/// A new file: what is there already is somebody's.
fn write(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(file.parent().unwrap_or(file))?;
    fs::File::create_new(file)?.write_all(bytes)
}
