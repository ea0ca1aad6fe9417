//! The scratch worktree's files on disk: checked out when something needs them, and kept in step from then on.

use super::child::Git;
use super::hook::Reworked;
use super::objects::Entry;
use super::stage::Differences;
use super::{GitError, Oid, Repository, Scratch};
use crate::path::RepoPath;
use crate::plan::EntryKind;
use crate::process::Interrupt;
use std::os::fd::OwnedFd;

/// Of more files than this each is looked for by itself no more.
const MOST_CHANGES: usize = 500;

/// A checkout of the base, to be carried out beside the run.
pub struct Checkout {
    git: Git,
    tree: Oid,
    /// While it works, the run is alive.
    _alive: OwnedFd,
}

/// What has been checked out; for [`Scratch::is_checked_out`].
pub struct CheckedOut(Oid);

impl Checkout {
    /// Writes the files.
    pub fn carry_out(self, interrupt: &Interrupt) -> Result<CheckedOut, GitError> {
        self.git.run_until(interrupt)?;
        Ok(CheckedOut(self.tree))
    }
}

impl Scratch<'_> {
    /// Fills the scratch worktree's index with `tree` and, with `files`, its directory too (with git's own checkout,
    /// filters included). Repeated calls cost what changed.
    pub fn checkout(&mut self, tree: Oid, files: bool, interrupt: &Interrupt) -> Result<(), GitError> {
        if self.index.is_some_and(|(filled, on_disk)| filled == tree && (on_disk || !files)) {
            return Ok(());
        }
        let _alive = self.alive()?;
        let written = match self.index {
            Some((filled, true)) if files => self.write_changes(filled, tree, interrupt)?,
            _ => false,
        };
        if !written {
            self.read_tree(tree, files).run_until(interrupt)?;
        }
        self.index = Some((tree, files));
        Ok(())
    }

    /// Writes the files of `to` that `from`, which is checked out, has otherwise. That is far less than to go through all that
    /// there are. False where it is more than that: files that go, links, very many.
    fn write_changes(&self, from: Oid, to: Oid, interrupt: &Interrupt) -> Result<bool, GitError> {
        let Some(changed) = changed_files(self.repository, from, to)? else { return Ok(false) };
        let (mut index, mut names) = (Vec::new(), Vec::new());
        for (path, Entry { id, kind }) in &changed {
            let mode = if *kind == EntryKind::Executable { "100755" } else { "100644" };
            index.extend_from_slice(format!("{mode} {id} 0\t{path}\0").as_bytes());
            names.extend_from_slice(format!("{path}\0").as_bytes());
        }
        self.plain_git().args(["update-index", "-z", "--index-info"]).stdin(index).run_until(interrupt)?;
        let write = ["checkout-index", "-f", "-u", "-q", "-z", "--stdin"];
        self.plain_git().args(write).stdin(names).run_until(interrupt)?;
        Ok(true)
    }

    /// The same for the tip, for somebody else to carry out.
    pub fn checkout_beside(&self) -> Result<Checkout, GitError> {
        Ok(Checkout { git: self.read_tree(self.tip_tree, true), tree: self.tip_tree, _alive: self.alive()? })
    }

    /// The tree of the last commit made here, or of the base.
    pub fn tip_tree(&self) -> Oid {
        self.tip_tree
    }

    /// Takes note of what somebody else has checked out.
    pub fn is_checked_out(&mut self, done: CheckedOut) {
        self.index = Some((done.0, true));
    }

    /// Something may have changed files: the next checkout looks at all of them.
    pub fn may_have_changed(&mut self) {
        self.index = None;
    }

    fn read_tree(&self, tree: Oid, files: bool) -> Git {
        let mut arguments = vec!["read-tree", "--reset"];
        if files {
            arguments.push("-u");
        }
        // A sparse checkout of the user's is not one of ours: a command must see every file.
        let git = self.git().option("core.sparseCheckout=false").option("core.fsmonitor=false");
        git.env("LC_ALL", "C").args(arguments).args([&tree.to_string()])
    }

    /// Puts the tip with what is staged on disk, to be looked at; nothing is staged any more then. Returns the tree.
    pub fn show_staged(&mut self, interrupt: &Interrupt) -> Result<Oid, GitError> {
        let tree = self.write_tree()?.id();
        self.checkout(tree, true, interrupt)?;
        Ok(tree)
    }

    /// What a program has made of `planned` files, of those that `tree` has and that were on disk; and what else it has
    /// changed of what git knows.
    pub fn reworked(
        &mut self,
        tree: Oid,
        planned: &[&RepoPath],
        interrupt: &Interrupt,
    ) -> Result<(Vec<Reworked>, Vec<String>), GitError> {
        self.index = None;
        let changed = self.changed(tree, interrupt)?;
        let path_of = |name: &str| planned.iter().find(|path| path.as_str() == name).copied();
        let (ours, others): (Vec<_>, Vec<_>) =
            changed.iter().partition(|(status, name)| *status == 'M' && path_of(name).is_some());
        let others = others.into_iter().map(|(_, name)| super::message::plain(name)).collect();
        let ours: Vec<&RepoPath> = ours.into_iter().filter_map(|(_, name)| path_of(name)).collect();
        Ok((self.read_back(tree, &ours, interrupt)?, others))
    }
}

/// The files that `to` has otherwise than `from`. `None` where something goes, or is no file, or there are very many.
fn changed_files(repository: &Repository, from: Oid, to: Oid) -> Result<Option<Vec<(RepoPath, Entry)>>, GitError> {
    let mut differences = Differences::new(repository.libgit2()?);
    let changed = differences.between(Some(from), Some(to), "").map(|()| differences.changed);
    let Some(changed) = changed.ok().filter(|changed| changed.len() <= MOST_CHANGES) else { return Ok(None) };
    let mut files = Vec::new();
    for path in changed {
        let Ok(path) = RepoPath::new(&path) else { return Ok(None) };
        match repository.entry(to, &path)? {
            Some(entry) if matches!(entry.kind, EntryKind::File | EntryKind::Executable) => files.push((path, entry)),
            _ => return Ok(None),
        }
    }
    Ok(Some(files))
}
