//! Making commits that no ref names yet: hooks, identity, signature.

use super::child::Git;
use super::stage::Staged;
use super::{GitError, Identity, Mode, Oid, Passed, Scratch};
use crate::path::RepoPath;
use crate::process::Interrupt;
use std::collections::BTreeMap;

/// Whether commits are signed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Signing {
    /// As `commit.gpgSign` says.
    #[default]
    Configured,
    /// `-S[<key>]`
    Yes(Option<String>),
    /// `--no-gpg-sign`
    No,
}

/// What a commit needs beside its tree and its message.
#[derive(Debug, Clone)]
pub struct CommitOptions<'a> {
    pub identity: &'a Identity,
    pub signing: &'a Signing,
    /// `--no-verify`: skip the user's pre-commit and commit-msg hooks.
    pub no_verify: bool,
    pub interrupt: &'a Interrupt,
}

/// A commit that no ref names. Only [`Scratch::commit`] makes one, from a tree that has [`Passed`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpublished {
    commit: Oid,
    message: String,
    parent_tree: Oid,
    tree: Oid,
    /// In what the two trees differ.
    changed: BTreeMap<RepoPath, Staged>,
}

impl Unpublished {
    pub fn commit(&self) -> Oid {
        self.commit
    }
    /// As committed: a commit-msg hook may have edited it.
    pub fn message(&self) -> &str {
        &self.message
    }
    pub fn parent_tree(&self) -> Oid {
        self.parent_tree
    }
    pub fn tree(&self) -> Oid {
        self.tree
    }
    /// The paths at which it differs from its parent; of each its blob and whether it is executable, unless it is gone.
    pub fn changed(&self) -> impl Iterator<Item = (&str, Option<(String, bool)>)> {
        self.changed.iter().map(|(path, staged)| match staged {
            Staged::File(id, mode) => (path.as_str(), Some((id.to_string(), *mode == Mode::Executable))),
            Staged::Gone => (path.as_str(), None),
        })
    }
}

impl Scratch<'_> {
    /// Commits `tree` on the tip, in the order of git's own commit: after pre-commit ([`Scratch::pre_commit`]) commit-msg and
    /// the signature.
    pub fn commit(&mut self, tree: Passed, message: &str, options: &CommitOptions) -> Result<Unpublished, GitError> {
        let CommitOptions { identity, signing, no_verify, interrupt } = *options;
        let Passed(tree) = tree;
        if tree.parent != self.tip {
            let doing = "commit a tree".to_owned();
            return Err(GitError::Libgit2 { doing, message: "it was not written over the last commit".to_owned() });
        }
        let mut message = message.to_owned();
        if !no_verify {
            message = self.commit_msg(tree.tree, &message, interrupt)?;
        }
        if interrupt.is_set() {
            return Err(GitError::Interrupted);
        }
        self.keep_new(tree.tree);
        self.kept.restore(self.committed)?;
        let commit = match self.key(signing)? {
            Some(key) => self.signed(tree.tree, &message, identity, &key, interrupt)?,
            None => self.unsigned(tree.tree, &message, identity)?,
        };
        let parent_tree = self.tip_tree;
        let changed = self.really_changed(tree.staged)?;
        self.advance(commit, tree.tree)?;
        // From here on HEAD keeps them; until here, a signature may have waited long for its pass-phrase.
        self.kept.restore(self.committed)?;
        self.committed = self.kept.len();
        Ok(Unpublished { commit, message, parent_tree, tree: tree.tree, changed })
    }

    /// The argument that asks git for a signature, if there is to be one.
    pub(super) fn key(&self, signing: &Signing) -> Result<Option<String>, GitError> {
        Ok(match signing {
            Signing::No => None,
            Signing::Yes(Some(key)) => Some(format!("-S{key}")),
            Signing::Yes(None) => Some("-S".to_owned()),
            Signing::Configured => {
                self.repository.config_bool("commit.gpgSign")?.unwrap_or(false).then(|| "-S".to_owned())
            }
        })
    }

    fn unsigned(&mut self, tree: Oid, message: &str, identity: &Identity) -> Result<Oid, GitError> {
        let repository = self.repository.libgit2()?;
        let doing = || GitError::libgit2("write the commit");
        let parent = repository.find_commit(self.tip).map_err(doing())?;
        let tree = repository.find_tree(tree).map_err(doing())?;
        let (author, committer) = (identity.author.signature()?, identity.committer.signature()?);
        let write = || repository.commit(None, &author, &committer, message, &tree, &[&parent]);
        self.kept.written("write the commit", write)
    }

    /// By git, which knows every format and program.
    fn signed(
        &mut self,
        tree: Oid,
        message: &str,
        identity: &Identity,
        key: &str,
        interrupt: &Interrupt,
    ) -> Result<Oid, GitError> {
        let commit = self.signed_by(|| self.repository.git(), tree, message, identity, key, interrupt)?;
        self.kept.keep(commit)?;
        Ok(commit)
    }

    /// The same by the git that `git` makes, in the foreground, for the pass-phrase.
    pub(super) fn signed_by(
        &self,
        git: impl Fn() -> Git,
        tree: Oid,
        message: &str,
        identity: &Identity,
        key: &str,
        interrupt: &Interrupt,
    ) -> Result<Oid, GitError> {
        let output = git()
            .option("i18n.commitEncoding=UTF-8")
            .env("GIT_AUTHOR_NAME", &identity.author.name)
            .env("GIT_AUTHOR_EMAIL", &identity.author.email)
            .env("GIT_AUTHOR_DATE", identity.author.date())
            .env("GIT_COMMITTER_NAME", &identity.committer.name)
            .env("GIT_COMMITTER_EMAIL", &identity.committer.email)
            .env("GIT_COMMITTER_DATE", identity.committer.date())
            .args(["commit-tree", key, "-p", &self.tip.to_string(), "-F", "-", &tree.to_string()])
            .stdin(message.as_bytes().to_vec())
            .foreground()
            .output_until(interrupt)?;
        let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let failed = || GitError::Signing { message: output.message() };
        let commit = Oid::from_str(&printed).ok().filter(|_| output.ok()).ok_or_else(failed)?;
        // Never silently unsigned, whatever a configured program does.
        let written = git().args(["cat-file", "commit", &printed]).run()?;
        let header = written.split(|&byte| byte == b'\n').take_while(|line| !line.is_empty());
        if !header.into_iter().any(|line| line.starts_with(b"gpgsig")) {
            return Err(GitError::Signing { message: "the program made no signature".to_owned() });
        }
        Ok(commit)
    }

    pub(super) fn message_file(&self) -> std::path::PathBuf {
        self.admin_dir().join("COMMIT_EDITMSG")
    }
}
