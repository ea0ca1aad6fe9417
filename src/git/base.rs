//! The commit that a run starts from, and reading from its tree.

use super::objects::Entry;
use super::{GitError, Oid, Repository};
use crate::path::RepoPath;
use crate::plan::{Blob, EntryKind};

/// The base: a commit and its tree, by their real names (`refs/replace` is not followed).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    pub commit: Oid,
    pub tree: Oid,
    /// As the person named it: `HEAD`, or the argument of `--base`.
    pub label: String,
}

impl Repository {
    /// `--base`, by git's own reading of it; HEAD when not given.
    pub fn base(&self, spec: Option<&str>) -> Result<Base, GitError> {
        let label = spec.unwrap_or("HEAD").to_owned();
        let commit = match spec {
            None => self.head()?,
            Some(spec) => self.resolve(spec, "commit")?,
        };
        let bytes = self.read(commit, "commit", &label)?;
        let text = String::from_utf8_lossy(&bytes);
        let tree = text.strip_prefix("tree ").and_then(|rest| rest.get(..40)).and_then(|id| Oid::from_str(id).ok());
        let tree = tree.ok_or_else(|| GitError::BadObject {
            id: commit.to_string(),
            path: label.clone(),
            message: "it names no tree".to_owned(),
        })?;
        Ok(Base { commit, tree, label })
    }

    /// What the base has at `path`, if that is a regular file: for context that is not planned.
    pub fn blob(&self, base: &Base, path: &RepoPath) -> Result<Option<Blob>, GitError> {
        self.blob_in(base.tree, path)
    }

    pub(super) fn blob_in(&self, tree: Oid, path: &RepoPath) -> Result<Option<Blob>, GitError> {
        match self.entry(tree, path)? {
            Some(Entry { id, kind: kind @ (EntryKind::File | EntryKind::Executable) }) => {
                let bytes = self.read(id, "blob", path.as_str())?;
                Ok(Some(Blob { executable: kind == EntryKind::Executable, bytes }))
            }
            _ => Ok(None),
        }
    }

    /// The entry of a tree at `path`, whatever it is; nothing is below a file.
    pub(super) fn entry(&self, tree: Oid, path: &RepoPath) -> Result<Option<Entry>, GitError> {
        let mut place = Entry { id: tree, kind: EntryKind::Directory };
        for name in path.as_str().split('/') {
            if place.kind != EntryKind::Directory {
                return Ok(None);
            }
            match self.read_tree(place.id, path.as_str())?.into_iter().find(|(entry, _)| entry == name) {
                Some((_, entry)) => place = entry,
                None => return Ok(None),
            }
        }
        Ok(Some(place))
    }

    /// What `spec` names, as git reads it, peeled to a `what` (`commit`, `tree`).
    pub(super) fn resolve(&self, spec: &str, what: &str) -> Result<Oid, GitError> {
        let verify = |name: &str| {
            let output = self.git().args(["rev-parse", "--verify", "--end-of-options", name]).output()?;
            let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            match Oid::from_str(&printed) {
                Ok(id) if output.ok() => Ok(id),
                _ => Err(GitError::BadRevision { spec: spec.to_owned(), message: output.message() }),
            }
        };
        // In two steps: `:/text^{commit}` would look for another text.
        verify(&format!("{}^{{{what}}}", verify(spec)?))
    }

    fn head(&self) -> Result<Oid, GitError> {
        let target = self.libgit2()?.head().map(|head| head.target());
        let target = target.map_err(|error| match error.code() {
            git2::ErrorCode::UnbornBranch => {
                let head = std::fs::read_to_string(self.git_dir().join("HEAD")).unwrap_or_default();
                let branch = head.trim().trim_start_matches("ref: refs/heads/");
                GitError::UnbornHead { branch: super::message::plain(branch) }
            }
            _ => GitError::BadRevision { spec: "HEAD".to_owned(), message: error.message().to_owned() },
        })?;
        target.ok_or_else(|| GitError::BadRevision { spec: "HEAD".to_owned(), message: "it names nothing".to_owned() })
    }
}

pub(super) fn bad_object(id: Oid, path: &str, error: &git2::Error) -> GitError {
    let message = match error.code() {
        git2::ErrorCode::NotFound => "it is missing".to_owned(),
        _ => error.message().to_owned(),
    };
    GitError::BadObject { id: id.to_string(), path: path.to_owned(), message }
}
