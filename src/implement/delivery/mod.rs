//! What becomes of a finished change: a branch, a patch, or both; and the files that a task leaves, however it ends.

mod summary;
mod transcript;

pub(super) use transcript::{Transcript, Turn, Who, masked};

use super::run::Run;
use super::{ImplementError, Job, Prepared};
use crate::event::Event;
use crate::finding::Finding;
use crate::git::{GitError, PATCH, Repository, is_run};
use serde_json::Value;
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
    /// What is in the way of them, and what to do about it. What the run has left that is gone on from is not.
    pub fn in_the_way(&self, continued: Option<&str>) -> Option<(String, String)> {
        let Leaves::In(folder) = self else { return None };
        let above = folder.ancestors().find(|above| above.symlink_metadata().is_ok());
        if let Some(above) = above.filter(|above| !above.is_dir()) {
            let message = format!("'{}' is no folder", above.display());
            return Some((message, "name a folder with --output".to_owned()));
        }
        let there = NAMES.iter().map(|name| folder.join(name)).find(|file| file.symlink_metadata().is_ok())?;
        let message = format!("'{}' is there already", there.display());
        let other = "take it away, or name another folder with --output";
        match left_by(folder) {
            Some(Left { run, .. }) if continued == Some(&*run) => None,
            Some(Left { run, failed: true, files }) => {
                let go_on = format!("git implement --continue {run}: goes on with it, and leaves its files there");
                let begun = if files { format!("{go_on}\n") } else { String::new() };
                Some((format!("{message}, of the run {run}, which failed"), format!("{begun}to start again, {other}")))
            }
            _ => Some((message, other.to_owned())),
        }
    }

    /// Says before anybody is paid that nothing can be written there.
    pub(super) fn writable(&self) -> Result<(), GitError> {
        let Leaves::In(folder) = self else { return Ok(()) };
        let written = fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder).map(drop));
        written.map_err(|error| GitError::io("write into", folder, &error))
    }

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
const NAMES: [&str; 3] = [PATCH, TRANSCRIPT, SUMMARY];

/// Writes the patch into `folder`, which is made. Returns where it lies.
pub(super) fn write_patch(folder: &Path, patch: &[u8]) -> Result<PathBuf, ImplementError> {
    let file = folder.join(PATCH);
    write(&file, patch).map_err(|error| GitError::io("write", &file, &error))?;
    Ok(file)
}

/// What some run has left in a folder.
struct Left {
    run: String,
    failed: bool,
    /// It knew which files it was to make.
    files: bool,
}

/// By the transcript, if there is one that can be read: it may be anybody's.
fn left_by(folder: &Path) -> Option<Left> {
    let file = folder.join(TRANSCRIPT);
    let is_file = file.symlink_metadata().is_ok_and(|data| data.is_file());
    let told: Value = serde_json::from_slice(&fs::read(file).ok().filter(|_| is_file)?).ok()?;
    let run = told["run"].as_str().filter(|run| is_run(run))?.to_owned();
    let files = told["target_files"].as_array().is_some_and(|files| !files.is_empty());
    Some(Left { run, failed: told["status"].as_u64()? > 0, files })
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
    // What the run has left that this one goes on from is told once more, with all that came since.
    if job.continued.as_ref().is_some_and(|from| left_by(folder).is_some_and(|left| left.run == from.run)) {
        [TRANSCRIPT, SUMMARY].iter().for_each(|name| _ = fs::remove_file(folder.join(name)));
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
