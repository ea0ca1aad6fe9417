//! Runs that are not published: those that failed, those that were killed, and those that are under way. What is in their
//! records is for others to read.

use super::{GitError, Repository, sweep};
use crate::path::RepoPath;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::PathBuf;

/// A run without a result, and where its record lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    pub run: String,
    pub folder: PathBuf,
    /// Its process is there still, or another goes on from it.
    pub is_running: bool,
}

impl Unfinished {
    /// Keeps others from going on from it, or taking it away, until the file is closed. `None` if somebody else does.
    pub fn hold(&self) -> Option<File> {
        File::open(&self.folder).ok().filter(|folder| folder.try_lock().is_ok())
    }
}

impl Repository {
    /// All of them, the oldest first. Changes nothing.
    ///
    /// # Errors
    /// If our places are links, or cannot be read.
    pub fn unfinished(&self) -> Result<Vec<Unfinished>, GitError> {
        let names = |folder: PathBuf| -> Result<Vec<String>, GitError> {
            match fs::read_dir(&folder) {
                Ok(entries) => Ok(entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect()),
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
                Err(error) => Err(GitError::io("read", &folder, &error)),
            }
        };
        let mut found = Vec::new();
        for run in names(self.place("failed")?)?.into_iter().filter(|name| !name.starts_with('.')) {
            let mut failed = Unfinished { folder: self.place(format!("failed/{run}"))?, run, is_running: false };
            failed.is_running = failed.folder.is_dir() && failed.hold().is_none();
            found.push(failed);
        }
        for run in names(self.place("")?)?.into_iter().filter(|name| !sweep::NO_RUNS.contains(&name.as_str())) {
            let directory = self.place(&run)?;
            let Ok(lock) = File::open(directory.join("lock")) else { continue };
            let is_running = lock.try_lock().is_err();
            found.push(Unfinished { run, folder: directory.join("journal"), is_running });
        }
        found.sort_by(|one, other| one.run.cmp(&other.run));
        Ok(found)
    }

    /// Clears away what killed runs have left; their records are then those of failed runs.
    pub fn clear_killed(&self) {
        sweep::sweep(self);
    }

    /// Takes away the record of a failed run. Nothing to do if there is none.
    pub fn forget(&self, run: &str) -> Result<(), GitError> {
        let folder = self.failed(run)?;
        // Whole at once: who is killed in the middle leaves nothing that looks like a record.
        let gone = self.place(format!("failed/{}{run}", sweep::GONE))?;
        let removed = fs::rename(&folder, &gone).and_then(|()| fs::remove_dir_all(&gone));
        match removed {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(GitError::io("remove", &folder, &error)),
            _ => Ok(()),
        }
    }

    /// What a file of their records says for each published run that began when `run` did or later.
    pub fn published_since(&self, run: &str, file: &str) -> Result<Vec<Vec<u8>>, GitError> {
        let listing = self.git().args(["for-each-ref", "--format=%(refname)", "refs/implement/runs/"]).run()?;
        let listing = String::from_utf8_lossy(&listing);
        // A name begins with the second in which its run began.
        let second = |run: &str| run.split('-').next().unwrap_or_default().to_owned();
        let later = |name: &&str| name.rsplit('/').next().is_some_and(|other| second(other) >= second(run));
        let later = listing.lines().filter(later);
        let read = |name| self.git().args(["cat-file", "blob", &format!("{name}:{file}")]).output();
        // A record that has no such file says nothing.
        later.map(read).filter_map(|output| output.map(|it| it.ok().then_some(it.stdout)).transpose()).collect()
    }

    /// Gives the failed run `into` the replies that only the failed run `from` has, and takes `from` away.
    pub fn fold(&self, from: &str, into: &str) -> Result<(), GitError> {
        let (old, new) = (self.failed(from)?.join("replies"), self.failed(into)?.join("replies"));
        for entry in fs::read_dir(&old).into_iter().flatten().flatten() {
            let there = new.join(entry.file_name());
            if !there.exists() {
                fs::rename(entry.path(), &there).map_err(|error| GitError::io("move", &entry.path(), &error))?;
            }
        }
        self.forget(from)
    }

    /// Is there a record of the run under its ref?
    pub fn has_record(&self, run: &str) -> Result<bool, GitError> {
        let name = format!("refs/implement/runs/{run}");
        Ok(self.libgit2()?.find_reference(&name).is_ok())
    }

    /// Where the record of the failed run lies. A run's name is one part of a path and nothing else.
    fn failed(&self, run: &str) -> Result<PathBuf, GitError> {
        let plain = !run.is_empty() && !run.contains('/') && RepoPath::new(run).is_ok();
        match plain {
            true => self.place(format!("failed/{run}")),
            false => Err(GitError::Io {
                doing: "use".to_owned(),
                path: PathBuf::from(run.escape_debug().to_string()),
                message: "it is no name of a run".to_owned(),
            }),
        }
    }
}
