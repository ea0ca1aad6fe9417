//! Where a finished run record is kept in the repository: on success as a tree of files under
//! `refs/implement/runs/<id>`, on refusal as the same files under `<common dir>/implement/failed/<id>/`.
//!
//! This part stores files and knows nothing of what is in them; `transcript` writes them while the run goes.

use super::kept::TRIES;
use super::runs::is_run;
use super::{GitError, Oid, Repository, Scratch, sweep};
use git2::build::TreeUpdateBuilder;
use std::cell::RefCell;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// A file of the record; `name` is relative, with `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// A run record as a tree that no ref names yet. Only [`Scratch::record`] makes one. A tree and no commit: nobody's
/// history is longer by it, and `git log --all` does not show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    run: String,
    tree: Oid,
}

impl Record {
    /// `refs/implement/runs/<id>`
    pub fn ref_name(&self) -> String {
        format!("refs/implement/runs/{}", self.run)
    }
    pub fn tree(&self) -> Oid {
        self.tree
    }
}

impl Scratch<'_> {
    /// Writes the run's record.
    pub fn record(&mut self, files: &[RecordFile]) -> Result<Record, GitError> {
        let repository = self.repository.libgit2()?;
        // gc may take what looked as if it were safe in a pack: what is not there any more is written again.
        let mut tries = 1..TRIES;
        let tree = loop {
            match self.record_tree(repository, files) {
                Err(GitError::Libgit2 { .. }) if tries.next().is_some() => {}
                done => break done?,
            }
        };
        let folders = repository.find_tree(tree).map_err(GitError::libgit2(DOING))?;
        for folder in folders.iter().filter(|entry| entry.kind() == Some(git2::ObjectType::Tree)) {
            self.kept.keep(folder.id())?;
        }
        Ok(Record { run: self.run().to_owned(), tree })
    }

    fn record_tree(&mut self, repository: &git2::Repository, files: &[RecordFile]) -> Result<Oid, GitError> {
        let empty = self.kept.written(DOING, || repository.treebuilder(None)?.write())?;
        let empty = repository.find_tree(empty).map_err(GitError::libgit2(DOING))?;
        let builder = RefCell::new(TreeUpdateBuilder::new());
        for file in files {
            checked(&file.name)?;
            let id = self.kept.written(DOING, || repository.blob(&file.bytes))?;
            builder.borrow_mut().upsert(file.name.as_str(), id, git2::FileMode::Blob);
        }
        self.kept.restore(self.committed)?;
        self.kept.written(DOING, || builder.borrow_mut().create_updated(repository, &empty))
    }
}

const DOING: &str = "write the run's record";

/// The name of the patch that a task leaves.
pub const PATCH: &str = "change.patch";
/// The file that says where a task has left its files, if that is elsewhere.
const ELSEWHERE: &str = "elsewhere";
/// No path is longer, in bytes.
const LONGEST_PATH: u64 = 4096;

impl Repository {
    /// Where the record of a refused run is kept.
    pub fn failed_dir(&self, run: &str) -> PathBuf {
        self.common_dir().join("implement/failed").join(run)
    }

    /// Where a task leaves its files.
    ///
    /// # Errors
    /// If a part of it is a link.
    pub fn task_dir(&self, run: &str) -> Result<PathBuf, GitError> {
        Ok(self.place("tasks")?.join(run))
    }

    /// Notes that a task leaves its files in `folder`, and not in a folder of ours: on this machine alone, since the record may
    /// be handed on.
    pub fn leave_elsewhere(&self, run: &str, folder: &Path) -> Result<(), GitError> {
        let place = self.task_dir(run)?;
        let write = || {
            fs::create_dir_all(&place)
                .and_then(|()| fs::write(place.join(ELSEWHERE), folder.as_os_str().as_encoded_bytes()))
        };
        write().map_err(|error| GitError::io("write", &place, &error))
    }

    /// The patch that a task has left, if it is still there.
    pub fn task_patch(&self, run: &str) -> Option<PathBuf> {
        let folder =
            self.task_elsewhere(run).or_else(|| self.task_dir(run).ok().filter(|place| !place.is_symlink()))?;
        Some(folder.join(PATCH)).filter(|patch| patch.is_file())
    }

    /// Where a task leaves its files, if that is no folder of ours.
    pub fn task_elsewhere(&self, run: &str) -> Option<PathBuf> {
        let place = self.task_dir(run).ok().filter(|place| is_run(run) && !place.is_symlink())?;
        let elsewhere = place.join(ELSEWHERE);
        let is_path = |data: fs::Metadata| data.is_file() && data.len() <= LONGEST_PATH;
        let bytes = elsewhere.symlink_metadata().is_ok_and(is_path).then(|| fs::read(&elsewhere).ok())??;
        Some(PathBuf::from(OsString::from_vec(bytes)))
    }

    /// How many records of refused runs are kept. One goes when a run that went on from it has succeeded, or when the person
    /// says so: each was paid for.
    pub fn failed_count(&self) -> usize {
        fs::read_dir(self.failed_dir("")).map_or(0, |entries| entries.flatten().count())
    }

    /// Keeps these files as the record of a refused run that has no journal. Returns the directory, which exists whole or
    /// not at all.
    pub fn keep_failed(&self, run: &str, files: &[RecordFile]) -> Result<PathBuf, GitError> {
        let parent = self.place("failed")?;
        let place = parent.join(run);
        fs::create_dir_all(&parent).map_err(|error| GitError::io("create", &parent, &error))?;
        self.share(&parent)?;
        let draft = tempfile::Builder::new()
            .prefix(sweep::DRAFT)
            .tempdir_in(&parent)
            .map_err(|error| GitError::io("create a directory in", &parent, &error))?;
        for file in files {
            checked(&file.name)?;
            let path = draft.path().join(&file.name);
            let directory = path.parent().unwrap_or(draft.path());
            fs::create_dir_all(directory)
                .and_then(|()| fs::write(&path, &file.bytes))
                .map_err(|error| GitError::io("write", &path, &error))?;
        }
        fs::rename(draft.path(), &place).map_err(|error| GitError::io("create", &place, &error))?;
        // It is not there any more under its old name.
        let _ = draft.keep();
        Ok(place)
    }
}

/// A name of a record is made by the program, of parts that may come from a design.
fn checked(name: &str) -> Result<(), GitError> {
    match crate::path::RepoPath::new(name) {
        Ok(path) if !path.as_str().split('/').any(|part| matches!(part, "" | "." | "..")) => Ok(()),
        _ => Err(GitError::Libgit2 {
            doing: format!("record the file '{}'", name.escape_debug()),
            message: "it is not a path".to_owned(),
        }),
    }
}
