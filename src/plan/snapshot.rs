//! What a snapshot must hold for a design, and questions that the rules ask of it.

use super::{EntryKind, Snapshot, decide};
use crate::lld::{Change, Lld};
use crate::path::RepoPath;

/// The paths whose entries and contents a snapshot for this design must hold: those of files, and the sources of
/// renames.
pub fn planned_paths(lld: &Lld) -> impl Iterator<Item = &RepoPath> {
    lld.files.iter().filter(|spec| decide::asks(spec)).flat_map(|spec| spec.from.iter().chain([&spec.path]))
}

/// Those of them that the design says are there. Only when one is not must [`Snapshot::names`] be filled, because paths
/// that may be meant will be looked for.
pub fn must_exist(lld: &Lld) -> impl Iterator<Item = &RepoPath> {
    lld.files.iter().filter(|spec| decide::asks(spec) && spec.selected).filter_map(|spec| match spec.change {
        Change::Modify | Change::Delete => Some(&spec.path),
        Change::Rename => spec.from.as_ref(),
        Change::Add | Change::AddOrModify | Change::None => None,
    })
}

impl Snapshot {
    /// What the tree has at a path whose parent directories are in the snapshot.
    pub fn kind(&self, path: &str) -> Option<EntryKind> {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let listed = self.directories.get(parent).and_then(|entries| entries.get(name)).copied();
        listed.or_else(|| {
            let blob = self.files.get(path)?;
            Some(if blob.executable { EntryKind::Executable } else { EntryKind::File })
        })
    }

    /// The nearest thing on the way to `path` that is no directory: nothing can lie under it.
    pub(super) fn blocked<'p>(&self, path: &'p RepoPath) -> Option<(&'p str, EntryKind)> {
        path.directories().find_map(|directory| match self.kind(directory) {
            None | Some(EntryKind::Directory) => None,
            Some(kind) => Some((directory, kind)),
        })
    }

    /// The topmost directory on the way to `path` that the tree does not have.
    pub(super) fn first_missing<'p>(&self, path: &'p RepoPath) -> Option<&'p str> {
        path.directories().find(|directory| self.kind(directory).is_none())
    }
}
