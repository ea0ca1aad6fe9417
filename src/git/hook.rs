//! The user's hooks, run by git (`git hook run`) in the scratch worktree.
//!
//! A relative `core.hooksPath` means the user's own working tree here, never the scratch: a hook that a model wrote must
//! not run.

use super::checkout::plain_git;
use super::child::{Git, Output};
use super::{CommitOptions, GitError, Oid, Repository, Reworked, Scratch, Verified};
use crate::path::RepoPath;
use crate::process::Interrupt;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The events whose hooks a run starts.
const EVENTS: [&str; 2] = ["pre-commit", "commit-msg"];

/// As much of a hook as is read.
const LONGEST_HOOK: u64 = 1 << 20;

/// The most that is shown of what a hook printed: its end.
const SHOWN: usize = 4000;

impl Repository {
    /// Is there a hook for `event`?
    pub(super) fn has_hook(&self, event: &str) -> Result<bool, GitError> {
        if self.config()?.has_hook(event) {
            return Ok(true);
        }
        let Some(directory) = self.hooks_dir()? else { return Ok(false) };
        Ok(is_executable(&directory.join(event)))
    }

    /// What the hooks that a run would start say, by their events. One that is no text says nothing.
    pub fn hook_texts(&self) -> Result<Vec<(String, String)>, GitError> {
        let mut texts = Vec::new();
        let directory = self.hooks_dir()?;
        for event in EVENTS {
            texts.extend(self.config()?.hooks(event).map(|command| (event.to_owned(), command.to_owned())));
            let Some(file) = directory.as_ref().map(|directory| directory.join(event)) else { continue };
            let mut bytes = Vec::new();
            if is_executable(&file)
                && let Ok(file) = File::open(&file)
                && file.take(LONGEST_HOOK).read_to_end(&mut bytes).is_ok()
            {
                texts.push((event.to_owned(), String::from_utf8_lossy(&bytes).into_owned()));
            }
        }
        Ok(texts)
    }

    /// Where hooks are; `None` if `core.hooksPath` is empty, which is how people turn them off.
    pub(super) fn hooks_dir(&self) -> Result<Option<PathBuf>, GitError> {
        match self.config_str("core.hooksPath")? {
            None => Ok(Some(self.common_dir().join("hooks"))),
            Some("") => Ok(None),
            // git expands `~`.
            Some(_) => {
                let printed = self.git().args(["config", "-z", "--type=path", "--get", "core.hooksPath"]).run()?;
                let path = String::from_utf8_lossy(&printed).trim_end_matches('\0').to_owned();
                Ok(Some(self.workdir().unwrap_or(self.git_dir()).join(path)))
            }
        }
    }

    /// The setting that makes a relative `core.hooksPath` absolute.
    pub(super) fn hooks_option(&self) -> Result<Option<OsString>, GitError> {
        if self.config_str("core.hooksPath")?.is_none_or(str::is_empty) {
            return Ok(None);
        }
        let mut setting = OsString::from("core.hooksPath=");
        setting.push(self.hooks_dir()?.unwrap_or_default());
        Ok(Some(setting))
    }
}

/// A tree that the user's pre-commit hook has nothing against, if there is one and it was to be asked.
#[derive(Debug, PartialEq, Eq)]
pub struct Passed(pub(super) Verified);

impl Passed {
    /// The tree.
    pub fn id(&self) -> Oid {
        self.0.id()
    }
}

/// What has passed may have to wait all the same.
impl From<Passed> for Verified {
    fn from(passed: Passed) -> Verified {
        passed.0
    }
}

/// What the pre-commit hook said.
#[derive(Debug)]
pub enum PreCommit {
    Passed(Passed),
    /// It made something else of these files, whether it called that a failure (black) or not (prettier).
    Reworked(Vec<Reworked>),
}

/// The name of the hook.
pub(super) const PRE_COMMIT: &str = "pre-commit";

impl Scratch<'_> {
    /// Asks the pre-commit hook about `tree`: it sees the index and the files of it on top of the tip. Only what it makes
    /// of `planned` files is of any use; a change elsewhere is a refusal. What is reworked is for the gates to judge: what
    /// was staged for `tree` is staged again, so that it can be put over it.
    pub fn pre_commit(
        &mut self,
        tree: Verified,
        planned: &[&RepoPath],
        options: &CommitOptions,
    ) -> Result<PreCommit, GitError> {
        let interrupt = options.interrupt;
        if options.no_verify || !self.repository.has_hook(PRE_COMMIT)? {
            return Ok(PreCommit::Passed(Passed(tree)));
        }
        self.checkout(tree.tree, true, interrupt)?;
        let output = self.run_hook(PRE_COMMIT, None, interrupt)?;
        // It may touch files of an earlier commit.
        let (reworked, paths) = self.reworked(tree.tree, planned, interrupt)?;
        if !paths.is_empty() {
            return Err(GitError::HookChanged { name: PRE_COMMIT.to_owned(), paths, output: shown(&output) });
        }
        if !reworked.is_empty() {
            self.staged = tree.staged;
            return Ok(PreCommit::Reworked(reworked));
        }
        if !output.ok() {
            return Err(GitError::Hook { name: PRE_COMMIT.to_owned(), output: shown(&output) });
        }
        Ok(PreCommit::Passed(Passed(tree)))
    }

    /// See [`plain_git`].
    pub(super) fn plain_git(&self) -> Git {
        plain_git(self.repository.environment(), &self.worktree(), self.admin_dir())
    }

    /// commit-msg, which may edit the message.
    pub(super) fn commit_msg(&mut self, tree: Oid, message: &str, interrupt: &Interrupt) -> Result<String, GitError> {
        if !self.repository.has_hook("commit-msg")? {
            return Ok(message.to_owned());
        }
        self.checkout(tree, false, interrupt)?;
        let file = self.message_file();
        std::fs::write(&file, message).map_err(|error| GitError::io("write", &file, &error))?;
        let output = self.run_hook("commit-msg", Some(&file), interrupt)?;
        if !output.ok() {
            return Err(GitError::Hook { name: "commit-msg".to_owned(), output: shown(&output) });
        }
        let edited = std::fs::read(&file).map_err(|error| GitError::io("read", &file, &error))?;
        let edited = String::from_utf8_lossy(&edited);
        if edited.trim().is_empty() {
            return Err(GitError::Hook { name: "commit-msg".to_owned(), output: "it emptied the message".to_owned() });
        }
        Ok(edited.trim_end().to_owned() + "\n")
    }

    fn run_hook(&self, event: &str, argument: Option<&Path>, interrupt: &Interrupt) -> Result<Output, GitError> {
        self.put_link()?;
        let mut git = self.git();
        if let Some(setting) = self.repository.hooks_option()? {
            git = git.option(setting);
        }
        // git commit tells hooks so that no editor will open.
        git = git.env("GIT_EDITOR", ":").args(["hook", "run", "--ignore-missing", event]);
        if let Some(argument) = argument {
            git = git.args(["--"]).args([argument]);
        }
        git.output_until(interrupt)
    }
}

/// The end of what a hook printed, safe to print.
fn shown(output: &Output) -> String {
    let text = [output.stdout.as_slice(), &output.stderr].concat();
    let text = super::message::plain(&String::from_utf8_lossy(&text));
    let text = text.trim();
    let from = text.len().saturating_sub(SHOWN);
    let from = (from..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let cut = if from > 0 { "…" } else { "" };
    format!("{cut}{}", &text[from..])
}

pub(super) fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
