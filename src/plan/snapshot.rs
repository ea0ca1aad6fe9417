//! Questions that the rules ask a snapshot.

use super::{Kind, Snapshot};
use crate::path::RepoPath;

impl Snapshot {
    /// What the tree has at a path whose parent directories are in the snapshot.
    pub fn kind(&self, path: &str) -> Option<Kind> {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let listed = self.directories.get(parent).and_then(|entries| entries.get(name)).copied();
        listed.or_else(|| {
            let blob = self.files.get(path)?;
            Some(if blob.executable { Kind::Executable } else { Kind::File })
        })
    }

    /// The nearest thing on the way to `path` that is no directory: nothing can lie under it.
    pub(super) fn blocked<'p>(&self, path: &'p RepoPath) -> Option<(&'p str, Kind)> {
        path.directories().find_map(|directory| match self.kind(directory) {
            None | Some(Kind::Directory) => None,
            Some(kind) => Some((directory, kind)),
        })
    }

    /// The topmost directory on the way to `path` that the tree does not have.
    pub(super) fn first_missing<'p>(&self, path: &'p RepoPath) -> Option<&'p str> {
        path.directories().find(|directory| self.kind(directory).is_none())
    }
}
