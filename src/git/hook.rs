//! The user's hooks, run by git (`git hook run`) in the scratch worktree.
//!
//! A relative `core.hooksPath` means the user's own working tree here, never the scratch: a hook that a model wrote must
//! not run.

use super::child::{Git, Output};
use super::snapshot::split;
use super::{CommitOptions, GitError, Mode, Oid, Repository, Scratch, Verified};
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

/// What the pre-commit hook said.
#[derive(Debug)]
pub enum PreCommit {
    Passed(Passed),
    /// It made something else of these files, whether it called that a failure (black) or not (prettier).
    Reworked(Vec<Reworked>),
}

/// A file of the commit as the hook wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reworked {
    pub path: RepoPath,
    pub blob: Oid,
    pub text: String,
    pub mode: Mode,
}

/// The name of the hook.
const PRE_COMMIT: &str = "pre-commit";

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
        self.index = Some((tree.tree, true));
        Ok(PreCommit::Passed(Passed(tree)))
    }

    /// Where the index or a file that it knows differs from `tree`, with git's letter for how.
    pub(super) fn changed(&self, tree: Oid, interrupt: &Interrupt) -> Result<Vec<(char, String)>, GitError> {
        let listing = || {
            let git = self.plain_git();
            let git = git.args(["diff-index", "-z", "--name-status", "--no-renames", "--ignore-submodules=all"]);
            git.args([&tree.to_string()]).run_until(interrupt)
        };
        let mut found = listing()?;
        if !found.is_empty() {
            // Files that were only touched are found to be the same.
            let _ = self.plain_git().args(["update-index", "-q", "--refresh"]).output_until(interrupt)?;
            found = listing()?;
        }
        let listing = found;
        let words: Vec<String> = split(&listing).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        let pairs = words.chunks_exact(2).filter_map(|pair| match pair {
            [letter, name] => Some((letter.chars().next()?, name.clone())),
            _ => None,
        });
        Ok(pairs.collect())
    }

    /// Takes these files into the index, as `git add` does, and reads what they are there.
    pub(super) fn read_back(
        &self,
        tree: Oid,
        paths: &[&RepoPath],
        interrupt: &Interrupt,
    ) -> Result<Vec<Reworked>, GitError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<u8> = paths.iter().flat_map(|path| [path.as_str().as_bytes(), b"\0"].concat()).collect();
        self.plain_git().args(["update-index", "-z", "--stdin"]).stdin(names).run_until(interrupt)?;
        let git = self.plain_git().args(["diff-index", "--cached", "-z", "--raw", "--no-renames", "--no-abbrev"]);
        let listing = git.args([&tree.to_string()]).run_until(interrupt)?;
        let mut reworked = Vec::new();
        let words: Vec<String> = split(&listing).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        for pair in words.chunks_exact(2) {
            // `:<mode> <mode> <id> <id> M`, then the path.
            let [facts, name] = pair else { continue };
            let facts: Vec<&str> = facts.split(' ').collect();
            let Some(path) = paths.iter().find(|path| path.as_str() == name) else { continue };
            let (Some(mode), Some(blob)) = (facts.get(1), facts.get(3).and_then(|id| Oid::from_str(id).ok())) else {
                continue;
            };
            let text = String::from_utf8(self.repository.read(blob, "blob", name)?).map_err(|_| GitError::Hook {
                name: PRE_COMMIT.to_owned(),
                output: format!("it made '{path}' something else than text"),
            })?;
            let mode = if *mode == "100755" { Mode::Executable } else { Mode::Regular };
            reworked.push(Reworked { path: (*path).clone(), blob, text, mode });
        }
        Ok(reworked)
    }

    /// git in the scratch worktree, for ourselves rather than for the hook.
    ///
    /// It is told where the repository is: a command that ran in the worktree may have put something of its own in the place of
    /// the link that says so.
    pub(super) fn plain_git(&self) -> Git {
        let git = self.git().env("GIT_DIR", self.admin_dir()).env("GIT_WORK_TREE", self.worktree());
        let git =
            git.option("core.sparseCheckout=false").option("core.fsmonitor=false").option("core.hooksPath=/dev/null");
        git.option("core.untrackedCache=false").env("LC_ALL", "C")
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
