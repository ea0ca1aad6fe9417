//! The user's hooks, run by git (`git hook run`) in the scratch worktree.
//!
//! A relative `core.hooksPath` means the user's own working tree here, never the scratch: a hook that a model wrote must
//! not run.

use super::{GitError, Oid, Repository, Scratch};
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

impl Scratch<'_> {
    /// pre-commit, with the index and the files of `tree` on top of the tip.
    pub(super) fn pre_commit(&mut self, tree: Oid, interrupt: &Interrupt) -> Result<(), GitError> {
        if !self.repository.has_hook("pre-commit")? {
            return Ok(());
        }
        self.checkout(tree, true)?;
        // A hook may have touched files of an earlier commit.
        self.index = None;
        self.run_hook("pre-commit", None, interrupt)?;
        let written = self.git().args(["write-tree"]).run()?;
        if String::from_utf8_lossy(&written).trim() == tree.to_string() {
            self.index = Some((tree, true));
            return Ok(());
        }
        let changed = self.git().args(["diff-index", "--cached", "-z", "--name-only", &tree.to_string()]).run()?;
        let paths = super::snapshot::split(&changed).map(|path| super::message::plain(&String::from_utf8_lossy(path)));
        Err(GitError::HookChanged { name: "pre-commit".to_owned(), paths: paths.collect() })
    }

    /// commit-msg, which may edit the message.
    pub(super) fn commit_msg(&mut self, tree: Oid, message: &str, interrupt: &Interrupt) -> Result<String, GitError> {
        if !self.repository.has_hook("commit-msg")? {
            return Ok(message.to_owned());
        }
        self.checkout(tree, false)?;
        let file = self.message_file();
        std::fs::write(&file, message).map_err(|error| GitError::io("write", &file, &error))?;
        self.run_hook("commit-msg", Some(&file), interrupt)?;
        let edited = std::fs::read(&file).map_err(|error| GitError::io("read", &file, &error))?;
        let edited = String::from_utf8_lossy(&edited);
        if edited.trim().is_empty() {
            return Err(GitError::Hook { name: "commit-msg".to_owned(), output: "it emptied the message".to_owned() });
        }
        Ok(edited.trim_end().to_owned() + "\n")
    }

    fn run_hook(&self, event: &str, argument: Option<&Path>, interrupt: &Interrupt) -> Result<(), GitError> {
        let mut git = self.git();
        if let Some(setting) = self.repository.hooks_option()? {
            git = git.option(setting);
        }
        // git commit tells hooks so that no editor will open.
        git = git.env("GIT_EDITOR", ":").args(["hook", "run", "--ignore-missing", event]);
        if let Some(argument) = argument {
            git = git.args(["--"]).args([argument]);
        }
        let output = git.output_until(interrupt)?;
        if output.ok() {
            return Ok(());
        }
        let mut bytes = output.stdout;
        bytes.extend(output.stderr);
        Err(GitError::Hook { name: event.to_owned(), output: shown(&bytes) })
    }
}

/// The end of what a hook printed, safe to print.
fn shown(bytes: &[u8]) -> String {
    let text = super::message::plain(&String::from_utf8_lossy(bytes));
    let text = text.trim();
    let from = text.len().saturating_sub(SHOWN);
    let from = (from..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let cut = if from > 0 { "…" } else { "" };
    format!("{cut}{}", &text[from..])
}

#[cfg(unix)]
pub(super) fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
#[cfg(not(unix))]
pub(super) fn is_executable(path: &Path) -> bool {
    path.is_file()
}
