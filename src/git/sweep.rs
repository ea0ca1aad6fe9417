//! Clearing runs away: one's own at its end, and those that were killed at the start of the next.
//!
//! The journal is moved, never copied and never deleted unless its run is published. What git looks at goes by a rename,
//! whole. The lock goes last: what could not be removed is found again.

use super::registration::{self, gone};
use super::spare::{self, SPARE};
use super::{GitError, Repository, outside, publish};
use crate::process::sweep_temporary;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How the name of a record begins that is being written.
pub(super) const DRAFT: &str = ".draft-";
/// How the name of a record begins that is being taken away.
pub(super) const GONE: &str = ".gone-";
/// Writing a draft takes no longer than this.
const DRAFT_AGE: Duration = Duration::from_secs(60);

/// What else there is where runs have their directories.
pub(super) const NO_RUNS: [&str; 5] = ["apply", "failed", "proposed", SPARE, "tasks"];

/// Clears away every run whose process is gone. Best effort: what cannot be removed stays for the next time. Returns
/// where the records lie now that hold replies.
pub(super) fn sweep(repository: &Repository) -> Vec<PathBuf> {
    sweep_temporary();
    let mut kept = Vec::new();
    let Ok(entries) = repository.place("").map(fs::read_dir) else { return kept };
    for directory in entries.into_iter().flatten().flatten().map(|entry| entry.path()) {
        let is_run = directory.file_name().is_some_and(|name| NO_RUNS.iter().all(|other| name != *other));
        if directory.is_symlink() || !is_run {
            continue;
        }
        let Ok(lock) = File::open(directory.join("lock")) else {
            // Another process is between making it and locking it, and will make it again; or it is not ours, and then
            // not empty.
            let _ = fs::remove_dir(&directory);
            continue;
        };
        if lock.try_lock().is_ok() {
            let published = publish::settle(repository, &directory);
            let answered = has_any(&directory.join("journal/replies"));
            clear(repository, &directory, published);
            let failed =
                repository.place("failed").map(|failed| failed.join(directory.file_name().unwrap_or_default()));
            kept.extend(failed.ok().filter(|place| answered && !published && place.is_dir()));
        }
    }
    for entry in registration::orphans(repository) {
        remove_aside(repository, |aside| _ = registration::remove(repository, &entry, aside));
    }
    if let Some(old) = repository.place(SPARE).ok().filter(|spare| spare::is_old(spare)) {
        remove_aside(repository, |aside| _ = fs::rename(&old, aside.join(SPARE)));
    }
    // Somebody may have been killed just before.
    registration::remove_folder(repository);
    for folder in [repository.place("failed"), repository.place("proposed")].into_iter().flatten() {
        remove_drafts(&folder);
    }
    kept
}

/// Removes what `take` puts into a folder of its own.
fn remove_aside(repository: &Repository, take: impl FnOnce(&Path)) {
    let Ok(aside) = repository.place(format!("orphan-{}", std::process::id())) else { return };
    // A run's directory in all but the run: if this is cut short, the next sweep goes on with it.
    if fs::create_dir_all(&aside).and_then(|()| File::create(aside.join("lock"))).is_ok() {
        take(&aside);
        clear(repository, &aside, true);
    }
}

fn has_any(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some())
}

/// Removes what was to be taken away, and drafts that nobody can be writing any more.
fn remove_drafts(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let begins = |prefix: &str| entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes());
        let age = || entry.metadata().and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
        if begins(GONE) || begins(DRAFT) && age().is_some_and(|age| age > DRAFT_AGE) {
            let path = entry.path();
            let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
        }
    }
}

/// Clears away the run of `directory`, whose lock the caller holds.
pub(super) fn clear(repository: &Repository, directory: &Path, published: bool) {
    let settled = published || keep_journal(repository, directory).is_ok();
    let outside = outside::of(repository, directory);
    let worktrees = outside.iter().cloned().chain([directory.join("worktree")]);
    let entry = worktrees.filter_map(|worktree| registration::of(repository, &worktree)).next();
    let mut cleared = entry.is_none_or(|entry| registration::remove(repository, &entry, directory)) && settled;
    cleared &= outside.is_none_or(|folder| outside::remove(&folder));
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let stays = entry.file_name() == "lock"
            || entry.file_name() == outside::RECORD && !cleared
            || entry.file_name() == "journal" && !settled;
        if !stays {
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let removed = if is_directory { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
            cleared &= gone(removed);
        }
    }
    if cleared && gone(fs::remove_file(directory.join("lock"))) {
        let _ = fs::remove_dir(directory);
    }
    if let Some(runs) = directory.parent() {
        let _ = fs::remove_dir(runs);
    }
}

/// Moves the journal of the run to where those of failed runs are, if there is anything in it. Returns where it lies.
pub(super) fn keep_journal(repository: &Repository, directory: &Path) -> Result<PathBuf, GitError> {
    let journal = directory.join("journal");
    let failed = repository.place("failed")?;
    let place = failed.join(directory.file_name().unwrap_or_default());
    if !has_any(&journal) {
        return Ok(place);
    }
    for folder in [&journal, &journal.join("requests"), &journal.join("blocks"), &journal.join("replies")] {
        remove_unfinished(folder);
    }
    let moved = fs::create_dir_all(&failed).and_then(|()| fs::rename(&journal, &place));
    match moved {
        // Another process took the directory away while it was empty.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fs::create_dir_all(&failed).and_then(|()| fs::rename(&journal, &place))
        }
        moved => moved,
    }
    .map_err(|error| GitError::io("keep", &journal, &error))?;
    repository.share(&failed)?;
    Ok(place)
}

/// A name that begins with a dot is that of a file whose writing was not finished.
fn remove_unfinished(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b".")) {
        let _ = fs::remove_file(entry.path());
    }
}
