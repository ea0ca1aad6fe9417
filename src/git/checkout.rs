//! The scratch worktree's files on disk: checked out when something needs them, and kept in step from then on.

use super::child::Git;
use super::filled::Filled;
use super::{GitError, Oid, Scratch};
use crate::environment::Environment;
use crate::process::Interrupt;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// A checkout, to be carried out here or beside the run.
pub struct Checkout {
    environment: Environment,
    tree: Oid,
    root: PathBuf,
    admin: PathBuf,
    /// With files, or the index alone.
    files: bool,
    /// While it works, the run is alive.
    _alive: OwnedFd,
}

/// What has been checked out; for [`Scratch::is_checked_out`].
pub struct CheckedOut(Filled);

impl Checkout {
    /// Writes the files, whatever the index and the folder are like.
    pub fn carry_out(&self, interrupt: &Interrupt) -> Result<CheckedOut, GitError> {
        // The form that is kept in step.
        let git = self.git().option("core.splitIndex=false").option("index.version=2");
        // Whatever is there is compared as closely as can be.
        let git = git.option("core.trustCtime=true").option("core.checkStat=default").option("core.ignoreStat=false");
        let git = git.args(["read-tree", "--reset"]).args(self.files.then_some("-u")).args([&self.tree.to_string()]);
        git.run_until(interrupt)?;
        Ok(CheckedOut(Filled::now(self.tree, &self.root, &self.admin.join("index"), self.files)))
    }

    /// The same once more, when something has run there: what it has changed is put back, and what it has left is removed.
    pub fn again(&self, interrupt: &Interrupt) -> Result<CheckedOut, GitError> {
        self.git().args(CLEAN).run_until(interrupt)?;
        self.carry_out(interrupt)
    }

    fn git(&self) -> Git {
        plain_git(&self.environment, &self.root, &self.admin)
    }
}

/// Removes what git does not know.
const CLEAN: [&str; 2] = ["clean", "-ffdxq"];

/// git in the scratch worktree `root`, for ourselves rather than for a hook.
///
/// It is told where the repository is (`admin`): a command that ran in the worktree may have put something of its own in the
/// place of the link that says so.
pub(super) fn plain_git(environment: &Environment, root: &Path, admin: &Path) -> Git {
    let git = Git::within(environment, root).env("GIT_DIR", admin).env("GIT_WORK_TREE", root);
    let git = git.option("core.sparseCheckout=false").option("core.fsmonitor=false").option("core.hooksPath=/dev/null");
    git.option("core.untrackedCache=false").env("LC_ALL", "C")
}

impl Scratch<'_> {
    /// Fills the scratch worktree's index with `tree` and, with `files`, its directory too (with git's own checkout,
    /// filters included). Repeated calls cost what changed.
    pub fn checkout(&mut self, tree: Oid, files: bool, interrupt: &Interrupt) -> Result<(), GitError> {
        let _alive = self.alive()?;
        // Should it fail, nothing is known.
        if let Some(filled) = self.filled.take() {
            self.filled = self.bring(filled, tree, files, interrupt)?;
        }
        if self.filled.is_none() {
            let is_new = files && self.made_with.is_none();
            let is_spare = is_new && self.take_spare()?;
            let mut done = self.checkout_of(tree, files)?.carry_out(interrupt);
            if is_spare && !matches!(done, Err(GitError::Interrupted)) {
                let index = done.as_ref().ok().and_then(|done| done.0.index.as_ref());
                if !self.tidy(index)? {
                    done = self.checkout_of(tree, files)?.carry_out(interrupt);
                }
            }
            self.is_checked_out(done?);
            if is_new {
                self.may_be_left();
            }
        }
        if files && std::mem::take(&mut self.littered) {
            // What one leaves that git does not know, the next would find: another command, or a hook, which nothing holds.
            self.plain_git().args(CLEAN).run_until(interrupt)?;
        }
        Ok(())
    }

    /// A checkout of the tip, for somebody else to carry out.
    pub fn checkout_beside(&self) -> Result<Checkout, GitError> {
        self.checkout_of(self.tip_tree, true)
    }

    /// Takes note of what somebody else has checked out.
    pub fn is_checked_out(&mut self, done: CheckedOut) {
        self.filled = Some(done.0);
    }

    /// The tree of the last commit made here, or of the base.
    pub fn tip_tree(&self) -> Oid {
        self.tip_tree
    }

    /// Something may have changed files: where nobody tells which, the next checkout looks at all of them.
    /// What is new there is removed before.
    pub fn may_have_changed(&mut self) {
        self.littered = true;
        self.filled.take_if(|filled| !filled.is_told());
    }

    /// Puts the tip with what is staged on disk, to be looked at; nothing is staged any more then. Returns the tree.
    pub fn show_staged(&mut self, interrupt: &Interrupt) -> Result<Oid, GitError> {
        let tree = self.write_tree()?.id();
        self.checkout(tree, true, interrupt)?;
        Ok(tree)
    }

    fn checkout_of(&self, tree: Oid, files: bool) -> Result<Checkout, GitError> {
        let environment = self.repository.environment().clone();
        let (root, admin) = (self.worktree(), self.admin_dir().to_owned());
        Ok(Checkout { environment, tree, root, admin, files, _alive: self.alive()? })
    }
}
