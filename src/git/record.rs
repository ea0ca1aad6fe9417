//! What a run leaves: on success a tree of files under `refs/implement/runs/<id>`, on refusal the same files under
//! `<common dir>/implement/failed/<id>/`.
//!
//! Knows nothing of what is in the files.

use super::{GitError, Identity, Oid, Repository};
use git2::build::TreeUpdateBuilder;
use std::fs;
use std::path::{Path, PathBuf};

/// How many refused runs are kept.
pub const FAILED_KEPT: usize = 20;

/// A file of the record; `name` is relative, with `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// A run record as a commit without parents that no ref names yet. Only [`Repository::record`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub(super) run: String,
    pub(super) commit: Oid,
}

impl Record {
    /// `refs/implement/runs/<id>`
    pub fn ref_name(&self) -> String {
        format!("refs/implement/runs/{}", self.run)
    }
    pub fn commit(&self) -> Oid {
        self.commit
    }
}

impl Repository {
    pub fn record(&self, run: &str, files: &[RecordFile], identity: &Identity) -> Result<Record, GitError> {
        let doing = || GitError::libgit2("write the run's record");
        let empty = self.git2.treebuilder(None).and_then(|builder| builder.write()).map_err(doing())?;
        let mut builder = TreeUpdateBuilder::new();
        for file in files {
            checked(&file.name)?;
            let id = self.git2.blob(&file.bytes).map_err(doing())?;
            builder.upsert(file.name.as_str(), id, git2::FileMode::Blob);
        }
        let empty = self.git2.find_tree(empty).map_err(doing())?;
        let tree = builder.create_updated(&self.git2, &empty).map_err(doing())?;
        let tree = self.git2.find_tree(tree).map_err(doing())?;
        let committer = identity.committer.signature()?;
        let message = format!("implement: record of run {run}\n");
        let commit = self.git2.commit(None, &committer, &committer, &message, &tree, &[]).map_err(doing())?;
        Ok(Record { run: run.to_owned(), commit })
    }

    /// Where the record of a refused run is kept.
    pub fn failed_dir(&self, run: &str) -> PathBuf {
        self.common_dir().join("implement/failed").join(run)
    }

    /// Keeps the record of a refused run, and of the others the newest. Returns the directory, which exists whole or
    /// not at all.
    pub fn keep_failed(&self, run: &str, files: &[RecordFile]) -> Result<PathBuf, GitError> {
        let parent = self.place("failed")?;
        let place = parent.join(run);
        fs::create_dir_all(&parent).map_err(|error| GitError::io("create", &parent, &error))?;
        let draft = tempfile::Builder::new()
            .prefix(".draft-")
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
        prune(&parent, &place);
        Ok(place)
    }
}

/// Keeps what a killed run had written, unless it was kept before; `run` is its scratch. Best effort.
pub(super) fn keep_journal(repository: &Repository, run: &Path, journal: &Path) {
    let Ok(parent) = repository.place("failed") else { return };
    let place = parent.join(run.file_name().unwrap_or_default());
    if fs::create_dir_all(&parent).and_then(|()| fs::rename(journal, &place)).is_ok() {
        prune(&parent, &place);
    }
}

/// Removes all but the newest [`FAILED_KEPT`], never `newest`.
pub(super) fn prune(parent: &Path, newest: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    let mut others: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.path() != newest && !entry.file_name().to_string_lossy().starts_with(".draft-"))
        .map(|entry| (entry.metadata().and_then(|data| data.modified()).ok(), entry.file_name(), entry.path()))
        .collect();
    others.sort();
    let surplus = (others.len() + 1).saturating_sub(FAILED_KEPT);
    for (_, _, path) in others.into_iter().take(surplus) {
        let _ = fs::remove_dir_all(path);
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
