//! [`Kept`]: the objects that a run has written, each by a second name (a hard link) in the run's own directory.
//!
//! Until the refs move, nothing but the scratch worktree's HEAD refers to any of them, and to what is staged nothing at
//! all: `git gc --prune=now` deletes what it finds unreferenced as it begins. What it deleted of ours is put back by its other
//! name.

use super::settle::Settled;
use super::{GitError, Oid, loose};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a gc that runs beside the run is waited for, once the refs have moved.
const GC_PATIENCE: Duration = Duration::from_secs(10);
/// gc may remove the directory of an object between its making and the object's; each time it takes another gc.
pub(super) const TRIES: usize = 20;
/// How often an object that is not where it was written is written again. After that it is in a pack, where it was
/// before.
pub(super) const MORE: usize = 3;

pub(super) struct Kept {
    /// Where the second names are.
    directory: PathBuf,
    /// Where objects are.
    store: PathBuf,
    settled: Settled,
    ids: Vec<Oid>,
}

impl Kept {
    /// In `directory`, which is made when it is needed.
    pub fn new(directory: PathBuf, store: &Path, settled: Settled) -> Kept {
        Kept { directory, store: store.to_owned(), settled, ids: Vec::new() }
    }

    /// Has `write` write an object, again if gc comes between, and keeps it.
    pub fn written(&mut self, doing: &str, write: impl Fn() -> Result<Oid, git2::Error>) -> Result<Oid, GitError> {
        let mut id = again(&write).map_err(GitError::libgit2(doing))?;
        for _ in 0..MORE {
            if self.keep(id)? {
                break;
            }
            id = again(&write).map_err(GitError::libgit2(doing))?;
        }
        Ok(id)
    }

    /// Keeps an object. False if it is not loose: it is gone, or in a pack, which gc removes only with what is in it.
    pub fn keep(&mut self, id: Oid) -> Result<bool, GitError> {
        let name = self.directory.join(id.to_string());
        let object = loose::path(&self.store, id);
        fs::create_dir_all(&self.directory).map_err(|error| GitError::io("create", &self.directory, &error))?;
        // Some file systems have no second names.
        let kept = match fs::hard_link(&object, &name) {
            Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) => {
                fs::copy(&object, &name).map(|_| ())
            }
            linked => linked,
        };
        match kept {
            Ok(()) => {
                self.settled.settle(&self.store, id)?;
                self.ids.push(id);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(GitError::io("keep", &object, &error)),
        }
        Ok(true)
    }

    /// How many there are: what comes later is [`Kept::restore`]d from here on.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Puts back what gc has deleted, of all but the first `from`. Says whether there was anything.
    pub fn restore(&self, from: usize) -> Result<bool, GitError> {
        self.ids.iter().skip(from).try_fold(false, |any, &id| Ok(self.restore_one(id)? || any))
    }

    fn restore_one(&self, id: Oid) -> Result<bool, GitError> {
        let (name, object) = (self.directory.join(id.to_string()), loose::path(&self.store, id));
        let folder = object.parent().unwrap_or(&self.store);
        let mut result = Ok(());
        for _ in 0..TRIES {
            if object.exists() {
                return Ok(false);
            }
            let linked = fs::create_dir_all(folder).and_then(|()| fs::hard_link(&name, &object));
            result = match linked {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(true),
                Err(error) if error.kind() == ErrorKind::NotFound => Err(error),
                Err(_) => fs::copy(&name, &object).map(|_| ()),
                Ok(()) => Ok(()),
            };
            if result.is_ok() {
                self.settled.settle(&self.store, id)?;
                return Ok(true);
            }
        }
        result.map_err(|error| GitError::io("put back", &object, &error)).map(|()| false)
    }

    /// Puts back everything, also what a gc deletes that began before the refs moved.
    pub fn restore_after_gc(&self, common_dir: &Path) -> Result<bool, GitError> {
        let deadline = Instant::now() + GC_PATIENCE;
        while gc_runs(common_dir) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
        }
        self.restore(0)
    }
}

/// The same again where a directory was removed before the file in it was made.
pub(super) fn again<T>(write: impl Fn() -> Result<T, git2::Error>) -> Result<T, git2::Error> {
    for _ in 1..TRIES {
        match write() {
            Err(error) if matches!(error.class(), git2::ErrorClass::Os | git2::ErrorClass::Filesystem) => {}
            result => return result,
        }
    }
    write()
}

/// `gc.pid` holds the id of the process and the name of its machine.
fn gc_runs(common_dir: &Path) -> bool {
    let text = fs::read_to_string(common_dir.join("gc.pid")).unwrap_or_default();
    let id = text.split_whitespace().next().and_then(|id| id.parse().ok()).and_then(rustix::process::Pid::from_raw);
    id.is_some_and(|id| rustix::process::test_kill_process(id) != Err(rustix::io::Errno::SRCH))
}
