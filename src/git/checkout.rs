//! The scratch worktree's files on disk: checked out when something needs them, and kept in step from then on.

use super::child::Git;
use super::hook::Reworked;
use super::{GitError, Oid, Scratch};
use crate::path::RepoPath;
use crate::process::Interrupt;
use std::os::fd::OwnedFd;

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
        self.read_tree(tree, files).run_until(interrupt)?;
        self.index = Some((tree, files));
        Ok(())
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
