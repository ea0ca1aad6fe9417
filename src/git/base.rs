//! The commit that a run starts from, and reading from its tree.

use super::{GitError, Oid, Repository};
use crate::path::RepoPath;
use crate::plan::{Blob, Kind};

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
        let tree = self
            .git2
            .find_commit(commit)
            .map(|commit| commit.tree_id())
            .map_err(|error| bad_object(commit, &label, &error))?;
        self.git2.find_tree(tree).map_err(|error| bad_object(tree, &label, &error))?;
        Ok(Base { commit, tree, label })
    }

    /// What the base has at `path`, if that is a regular file: for context that is not planned.
    pub fn blob(&self, base: &Base, path: &RepoPath) -> Result<Option<Blob>, GitError> {
        self.blob_in(base.tree, path)
    }

    pub(super) fn blob_in(&self, tree: Oid, path: &RepoPath) -> Result<Option<Blob>, GitError> {
        let Some((id, kind)) = self.entry(tree, path)? else { return Ok(None) };
        if !matches!(kind, Kind::File | Kind::Executable) {
            return Ok(None);
        }
        let blob = self.git2.find_blob(id).map_err(|error| bad_object(id, path.as_str(), &error))?;
        Ok(Some(Blob { executable: kind == Kind::Executable, bytes: blob.content().to_vec() }))
    }

    /// The entry of a tree at `path`, whatever it is.
    pub(super) fn entry(&self, tree: Oid, path: &RepoPath) -> Result<Option<(Oid, Kind)>, GitError> {
        let root = self.git2.find_tree(tree).map_err(|error| bad_object(tree, "", &error))?;
        match root.get_path(std::path::Path::new(path.as_str())) {
            Ok(entry) => Ok(Some((entry.id(), kind(entry.filemode())))),
            // Also below a file: there is nothing there.
            Err(error) if error.code() == git2::ErrorCode::NotFound && error.class() == git2::ErrorClass::Tree => {
                Ok(None)
            }
            Err(error) => Err(bad_object(tree, path.as_str(), &error)),
        }
    }

    /// `<spec>^{<what>}`, as git reads it.
    pub(super) fn resolve(&self, spec: &str, what: &str) -> Result<Oid, GitError> {
        let peeled = format!("{spec}^{{{what}}}");
        let output = self.git().args(["rev-parse", "--verify", "--end-of-options", &peeled]).output()?;
        let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        match Oid::from_str(&printed) {
            Ok(id) if output.ok() => Ok(id),
            _ => Err(GitError::BadRevision { spec: spec.to_owned(), message: output.message() }),
        }
    }

    fn head(&self) -> Result<Oid, GitError> {
        let target = self.git2.head().and_then(|head| head.peel_to_commit()).map(|commit| commit.id());
        target.map_err(|error| match error.code() {
            git2::ErrorCode::UnbornBranch => {
                let head = std::fs::read_to_string(self.git_dir().join("HEAD")).unwrap_or_default();
                let branch = head.trim().trim_start_matches("ref: refs/heads/");
                GitError::UnbornHead { branch: super::message::plain(branch) }
            }
            _ => GitError::BadRevision { spec: "HEAD".to_owned(), message: error.message().to_owned() },
        })
    }
}

pub(super) fn kind(mode: i32) -> Kind {
    match mode {
        0o120000 => Kind::Symlink,
        0o160000 => Kind::Submodule,
        0o040000 => Kind::Directory,
        mode if mode & 0o111 != 0 => Kind::Executable,
        _ => Kind::File,
    }
}

pub(super) fn bad_object(id: Oid, path: &str, error: &git2::Error) -> GitError {
    let message = match error.code() {
        git2::ErrorCode::NotFound => "it is missing".to_owned(),
        _ => error.message().to_owned(),
    };
    GitError::BadObject { id: id.to_string(), path: path.to_owned(), message }
}
