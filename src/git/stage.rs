//! Staging: accepted texts become blobs, blobs become a tree over the parent's, and the tree is verified.
//!
//! Only the paths that were staged are touched; everything else is the parent's tree, object for object.

use super::base::bad_object;
use super::kept::{MORE, again};
use super::objects::Entry;
use super::{GitError, Oid, Scratch};
use crate::check::Accepted;
use crate::path::RepoPath;
use crate::plan::EntryKind;
use git2::build::TreeUpdateBuilder;
use std::collections::{BTreeMap, BTreeSet};

/// A file's mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// 100644
    Regular,
    /// 100755
    Executable,
}

impl Mode {
    pub fn of(executable: bool) -> Mode {
        if executable { Mode::Executable } else { Mode::Regular }
    }

    fn git2(self) -> git2::FileMode {
        match self {
            Mode::Regular => git2::FileMode::Blob,
            Mode::Executable => git2::FileMode::BlobExecutable,
        }
    }
}

/// A tree that was written; nobody has judged it yet.
#[derive(Debug, PartialEq, Eq)]
pub struct TreeId {
    pub(super) tree: Oid,
    pub(super) parent: Oid,
    staged: BTreeMap<RepoPath, Staged>,
}

impl TreeId {
    pub fn id(&self) -> Oid {
        self.tree
    }
    /// Is it the parent's tree? Then there is nothing to commit.
    pub fn is_unchanged(&self, scratch: &Scratch) -> bool {
        self.tree == scratch.tip_tree
    }
}

/// A tree that differs from its parent exactly where something was staged. Only [`Scratch::verify`] makes one, and
/// only a verified tree can be committed.
#[derive(Debug, PartialEq, Eq)]
pub struct Verified {
    pub(super) tree: Oid,
    pub(super) parent: Oid,
    /// What was staged for it, to be staged again with something more.
    pub(super) staged: BTreeMap<RepoPath, Staged>,
}

impl Verified {
    pub fn id(&self) -> Oid {
        self.tree
    }
}

/// What is to become of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Staged {
    File(Oid, Mode),
    Gone,
}

impl Scratch<'_> {
    /// Stages a file. Nothing that no gate has accepted can be.
    pub fn stage(&mut self, accepted: &Accepted, mode: Mode) -> Result<(), GitError> {
        let bytes = accepted.text().as_bytes();
        let repository = self.repository.libgit2()?;
        let id = self.kept.written(&format!("stage '{}'", accepted.path()), || repository.blob(bytes))?;
        self.staged.insert(accepted.path().clone(), Staged::File(id, mode));
        Ok(())
    }

    pub fn stage_delete(&mut self, path: &RepoPath) {
        self.staged.insert(path.clone(), Staged::Gone);
    }

    /// Moves a file as it is, mode and bytes; stage the new text at `to` afterwards if it has one.
    pub fn stage_rename(&mut self, from: &RepoPath, to: &RepoPath) -> Result<(), GitError> {
        let (id, mode) = match (self.staged.get(from), self.repository.entry(self.tip_tree, from)?) {
            (Some(&Staged::File(id, mode)), _) => (id, mode),
            (None, Some(Entry { id, kind: EntryKind::File })) => (id, Mode::Regular),
            (None, Some(Entry { id, kind: EntryKind::Executable })) => (id, Mode::Executable),
            _ => {
                let doing = format!("rename '{from}'");
                return Err(GitError::Libgit2 { doing, message: "it is not a regular file".to_owned() });
            }
        };
        self.staged.insert(from.clone(), Staged::Gone);
        self.staged.insert(to.clone(), Staged::File(id, mode));
        Ok(())
    }

    /// What of this the tip has otherwise.
    pub(super) fn really_changed(
        &self,
        staged: BTreeMap<RepoPath, Staged>,
    ) -> Result<BTreeMap<RepoPath, Staged>, GitError> {
        let mut changed = BTreeMap::new();
        for (path, staged) in staged {
            let is = match self.repository.entry(self.tip_tree, &path)? {
                Some(Entry { id, kind: EntryKind::File }) => Staged::File(id, Mode::Regular),
                Some(Entry { id, kind: EntryKind::Executable }) => Staged::File(id, Mode::Executable),
                Some(_) | None => Staged::Gone,
            };
            if is != staged {
                changed.insert(path, staged);
            }
        }
        Ok(changed)
    }

    /// Stages anew what a tree was made of that is not to be committed alone.
    pub fn stage_again(&mut self, tree: impl Into<Verified>) {
        self.staged = tree.into().staged;
    }

    /// Writes the tree of the tip with what is staged.
    pub fn write_tree(&mut self) -> Result<TreeId, GitError> {
        let staged = std::mem::take(&mut self.staged);
        let mut tree = self.build(&staged)?;
        for _ in 0..MORE {
            if self.keep_new(tree) {
                break;
            }
            tree = self.build(&staged)?;
        }
        Ok(TreeId { tree, parent: self.tip, staged })
    }

    fn build(&self, staged: &BTreeMap<RepoPath, Staged>) -> Result<Oid, GitError> {
        self.kept.restore(self.committed)?;
        let repository = self.repository.libgit2()?;
        let mut tree = self.tip_tree;
        let mut removed = TreeUpdateBuilder::new();
        let (mut removes, mut writes) = (false, false);
        for (path, _) in staged.iter().filter(|(_, staged)| matches!(staged, Staged::Gone)) {
            if self.repository.entry(tree, path)?.is_some() {
                removed.remove(path.as_str());
                removes = true;
            }
        }
        let mut written = TreeUpdateBuilder::new();
        for (path, staged) in staged {
            if let Staged::File(id, mode) = staged {
                written.upsert(path.as_str(), *id, mode.git2());
                writes = true;
            }
        }
        // Removals first, so that a file may become a directory and the other way round.
        for (builder, any) in [(removed, removes), (written, writes)] {
            if any {
                let baseline = repository.find_tree(tree).map_err(|error| bad_object(tree, "", &error))?;
                let builder = std::cell::RefCell::new(builder);
                let update = || builder.borrow_mut().create_updated(repository, &baseline);
                tree = again(update).map_err(GitError::libgit2("write a tree"))?;
            }
        }
        Ok(tree)
    }

    /// Keeps what `tree` has otherwise than the tip. False if some of it is not where it was just written.
    pub(super) fn keep_new(&mut self, tree: Oid) -> bool {
        let Ok(repository) = self.repository.libgit2() else { return false };
        let mut differences = Differences::new(repository);
        // A tree that cannot be committed is for `verify` to refuse.
        let mut all = differences.between(Some(self.tip_tree), Some(tree), "").is_ok();
        for id in differences.written {
            all &= self.kept.keep(id).unwrap_or(false);
        }
        all
    }

    /// The last gate before a commit, over what was really written: the tree differs from its parent at staged paths
    /// and nowhere else, and no link or submodule has become a file.
    pub fn verify(&self, tree: TreeId) -> Result<Verified, GitError> {
        let mut differences = Differences::new(self.repository.libgit2()?);
        differences.between(Some(self.tip_tree), Some(tree.tree), "")?;
        let mut changed = differences.changed.into_iter();
        match changed.find(|path| !tree.staged.keys().any(|staged| staged.as_str() == path)) {
            Some(path) => Err(GitError::Scope { path: super::message::plain(&path) }),
            None => Ok(Verified { tree: tree.tree, parent: tree.parent, staged: tree.staged }),
        }
    }
}

/// How two trees differ.
pub(super) struct Differences<'r> {
    repository: &'r git2::Repository,
    /// The paths of what is no directory.
    pub changed: Vec<String>,
    /// The trees and blobs that only the new one has.
    written: Vec<Oid>,
}

impl<'r> Differences<'r> {
    pub fn new(repository: &'r git2::Repository) -> Differences<'r> {
        Differences { repository, changed: Vec::new(), written: Vec::new() }
    }

    /// Finds them below `path`; a link or a submodule that became something else is an error. Goes only where they are:
    /// libgit2's own comparison reads both trees whole.
    pub fn between(&mut self, old: Option<Oid>, new: Option<Oid>, path: &str) -> Result<(), GitError> {
        self.written.extend(new.filter(|_| old != new));
        let (old, new) = (self.entries(old, path)?, self.entries(new, path)?);
        let names: BTreeSet<&Vec<u8>> = old.keys().chain(new.keys()).collect();
        for name in names {
            let (before, after) = (old.get(name).copied(), new.get(name).copied());
            if before == after {
                continue;
            }
            let name = String::from_utf8_lossy(name);
            let place = if path.is_empty() { name.into_owned() } else { format!("{path}/{name}") };
            let directory = |entry: Option<(Oid, i32)>| entry.filter(|&(_, mode)| mode == 0o040000).map(|(id, _)| id);
            let (from, to) = (directory(before), directory(after));
            if from.is_some() || to.is_some() {
                self.between(from, to, &place)?;
            }
            if before.is_some() && from.is_none() || after.is_some() && to.is_none() {
                if after.is_some() && before.is_some_and(|(_, mode)| matches!(mode, 0o120000 | 0o160000)) {
                    return Err(GitError::NotAFile { path: super::message::plain(&place) });
                }
                self.changed.push(place);
                self.written.extend(after.filter(|_| to.is_none()).map(|(id, _)| id));
            }
        }
        Ok(())
    }

    fn entries(&self, id: Option<Oid>, path: &str) -> Result<BTreeMap<Vec<u8>, (Oid, i32)>, GitError> {
        let Some(id) = id else { return Ok(BTreeMap::new()) };
        let tree = self.repository.find_tree(id).map_err(|error| bad_object(id, path, &error))?;
        Ok(tree.iter().map(|entry| (entry.name_bytes().to_vec(), (entry.id(), entry.filemode()))).collect())
    }
}
