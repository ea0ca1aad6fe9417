//! [`Scratch`]: a run's place on disk, `<common dir>/implement/<run>/`, from the first staged file to the last ref.
//!
//! ```text
//! lock          held (flock) while the run lives, so that the left-overs of a killed run are known without guessing at
//!               process ids; says who holds it, for people. Made first, removed last
//! journal/      the run's, to write what it likes; moved to `failed/<run>/` unless the run is published
//! worktree/     registered with git and locked there, so that gc and prune spare it; empty until a command needs files
//! spare/        what an earlier run has left of its worktree, taken to be this one's
//! outside       where the worktree is instead, if it is looked at
//! registration/ what git knows of the worktree, while it is not registered
//! objects/      what the run has written into the object database, by second names
//! publishing    the refs that are about to move
//! ```
//! Everything but the journal, and a worktree that is left for the next run, goes when the value is dropped. A linked
//! worktree's HEAD keeps what has been committed from `git gc`, the second names what has not.

use super::filled::Filled;
use super::kept::Kept;
use super::stage::Staged;
use super::{Base, GitError, Oid, Repository, registration, sweep};
use crate::path::RepoPath;
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

pub struct Scratch<'r> {
    pub(super) repository: &'r Repository,
    run: String,
    directory: PathBuf,
    worktree: PathBuf,
    /// `<common dir>/worktrees/<name>`
    admin: PathBuf,
    /// What the next commit goes on, and its tree.
    pub(super) tip: Oid,
    pub(super) tip_tree: Oid,
    pub(super) staged: BTreeMap<RepoPath, Staged>,
    /// What the worktree is filled with, if that is known.
    pub(super) filled: Option<Filled>,
    /// What the files depend on beside the tree, if they are to be left for the next run.
    pub(super) made_with: Option<Oid>,
    /// Something has run there, and may have left files.
    pub(super) littered: bool,
    pub(super) kept: Kept,
    /// How many of them belong to commits that are made.
    pub(super) committed: usize,
    /// The refs have moved: the journal is not needed any more.
    pub(super) published: bool,
    /// Where the records of killed runs lie now that were found and hold replies.
    swept: Vec<PathBuf>,
    /// Held until the end.
    lock: File,
}

impl<'r> Scratch<'r> {
    /// Makes the place for `run` (letters, digits, `-`, `_` and `.`), after sweeping what killed runs left behind.
    pub fn create(repository: &'r Repository, run: &str, base: &Base) -> Result<Scratch<'r>, GitError> {
        let ours = repository.place("")?;
        // Where the record goes if the run fails: by then it would be too late to find out.
        repository.place("failed")?;
        let swept = sweep::sweep(repository);
        let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if run.is_empty() || run.starts_with('.') || sweep::NO_RUNS.contains(&run) || !run.bytes().all(safe) {
            let doing = format!("use '{}' as the name of a run", run.escape_debug());
            return Err(GitError::Libgit2 { doing, message: "it has other characters than names of runs".to_owned() });
        }
        let directory = ours.join(run);
        let lock = claim(&directory)?;
        let mut scratch = Scratch {
            repository,
            run: run.to_owned(),
            kept: Kept::new(directory.join("objects"), repository.store(), repository.settled()?),
            worktree: directory.join("worktree"),
            directory,
            admin: PathBuf::new(),
            tip: base.commit,
            tip_tree: base.tree,
            staged: BTreeMap::new(),
            filled: None,
            made_with: None,
            littered: false,
            committed: 0,
            published: false,
            swept,
            lock,
        };
        // From here on, whatever fails, dropping `scratch` cleans up.
        repository.share(&repository.place("")?)?;
        let journal = scratch.journal_dir();
        fs::create_dir(&journal).map_err(|error| GitError::io("create", &journal, &error))?;
        scratch.admin = registration::add(repository, run, &scratch.directory, base.commit)?;
        Ok(scratch)
    }

    pub fn run(&self) -> &str {
        &self.run
    }
    /// For the run's journal; exists.
    pub fn journal_dir(&self) -> PathBuf {
        self.directory.join("journal")
    }
    /// The root of the scratch worktree. Files are there only after [`Scratch::checkout`].
    pub fn worktree(&self) -> PathBuf {
        self.worktree.clone()
    }
    pub(super) fn moved_to(&mut self, worktree: &Path) {
        self.worktree = worktree.to_owned();
    }
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }
    /// Where the records lie of runs that were killed, which this one found at its start: those with replies in them.
    pub fn swept(&self) -> &[PathBuf] {
        &self.swept
    }
    /// The run's lock, for a child to inherit: while it works, the run is alive, whatever becomes of this process.
    pub(super) fn alive(&self) -> Result<OwnedFd, GitError> {
        rustix::io::dup(&self.lock).map_err(|error| GitError::io("share", &self.directory.join("lock"), &error.into()))
    }
    pub(super) fn admin_dir(&self) -> &Path {
        &self.admin
    }
    /// The last commit made here, or the base.
    pub fn tip(&self) -> Oid {
        self.tip
    }

    /// Moves the tip, and the worktree's HEAD with it.
    pub(super) fn advance(&mut self, commit: Oid, tree: Oid) -> Result<(), GitError> {
        // In place: as many bytes as before, so that a reader sees one or the other, and no rename for each commit.
        let head = self.admin.join("HEAD");
        let written = fs::OpenOptions::new().write(true).open(&head);
        written
            .and_then(|mut file| file.write_all(format!("{commit}\n").as_bytes()))
            .map_err(|error| GitError::io("write", &head, &error))?;
        (self.tip, self.tip_tree) = (commit, tree);
        Ok(())
    }

    /// A git child in the scratch worktree, without any variable of the user's.
    pub(super) fn git(&self) -> super::child::Git {
        super::child::Git::within(self.repository.environment(), &self.worktree())
    }

    /// Keeps the journal of a run that failed, by moving it to where those of failed runs lie. Where that is not possible
    /// (a full disk), it stays where it is, for the next run to move. Returns where it lies.
    pub fn keep_journal(&mut self) -> Result<PathBuf, GitError> {
        sweep::keep_journal(self.repository, &self.directory)
    }

    /// Clears away what runs whose process is gone have left behind; [`Scratch::create`] begins with it.
    pub fn sweep(repository: &Repository) {
        sweep::sweep(repository);
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        self.leave_spare();
        sweep::clear(self.repository, &self.directory, self.published);
    }
}

/// Makes `directory` and takes its lock.
fn claim(directory: &Path) -> Result<File, GitError> {
    let parent = directory.parent().unwrap_or(directory);
    let path = directory.join("lock");
    for _ in 0..100 {
        fs::create_dir_all(parent).map_err(|error| GitError::io("create", parent, &error))?;
        if let Err(error) = fs::create_dir(directory) {
            if error.kind() == std::io::ErrorKind::NotFound {
                continue;
            }
            return Err(GitError::io("create", directory, &error));
        }
        // A sweep of another process may take the empty directory, or the lock for a moment; then it is made again.
        let Ok(mut lock) = File::create_new(&path) else { continue };
        match lock.try_lock() {
            Ok(()) if path.exists() => {
                let text = format!("git implement, process {}\n", std::process::id());
                lock.write_all(text.as_bytes()).map_err(|error| GitError::io("write", &path, &error))?;
                return Ok(lock);
            }
            Ok(()) | Err(TryLockError::WouldBlock) => {
                std::thread::sleep(std::time::Duration::from_millis(10));
                let _ = fs::remove_dir_all(directory);
            }
            Err(TryLockError::Error(error)) => {
                let _ = fs::remove_dir_all(directory);
                return Err(GitError::io("lock", &path, &error));
            }
        }
    }
    Err(GitError::Io { doing: "lock".to_owned(), path, message: "another process keeps removing it".to_owned() })
}
