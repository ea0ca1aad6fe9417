//! One command line, and running it to its end.

use super::group::Group;
use super::listen::{Pipes, listen};
use super::sandbox::Private;
use super::{ChildKind, Conversation, Dialogue, Interrupt, strays};
use crate::environment::Environment;
use std::ffi::OsStr;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// What a child may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The longest silence.
    pub silence: Option<Duration>,
    /// The longest time in all.
    pub total: Option<Duration>,
    /// The most bytes on standard output. (Of standard error the end is kept.)
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { silence: None, total: None, output: usize::MAX }
    }
}

/// A child that has ended by itself, and whose output is whole.
#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    /// Its end.
    pub stderr: Vec<u8>,
}

/// A child that was not started, or stopped before its time.
#[derive(Debug)]
pub struct Failure {
    pub why: Stop,
    /// What it said until then: the end of standard error.
    pub stderr: Vec<u8>,
}

/// Why a child was stopped.
#[derive(Debug)]
pub enum Stop {
    Interrupted,
    /// It said nothing for so long.
    Silent(Duration),
    /// It took longer than this in all.
    Late(Duration),
    /// Its output is over the limit.
    TooMuch,
    /// It has ended, but something that it started keeps its output open: more may come, or nothing.
    OpenEnd,
    /// It waits for the terminal, which it cannot have.
    WantsTerminal,
    /// It never began.
    NotStarted(io::Error),
    /// The system does not let us wait for it.
    Lost(io::Error),
}

/// A program with its arguments, its folder, its variables and its limits. Its standard input is empty and its output is
/// kept unless it says otherwise.
pub struct Command {
    inner: std::process::Command,
    stdin: Vec<u8>,
    foreground: bool,
    stderr_is_ours: bool,
    alone: Option<PathBuf>,
    private: Option<Arc<Private>>,
    limits: Limits,
}

impl Command {
    /// Its variables are those of `environment` that a child of this kind gets.
    pub fn new(kind: ChildKind, environment: &Environment, program: impl AsRef<OsStr>) -> Command {
        let mut inner = std::process::Command::new(program);
        inner.env_clear().envs(kind.variables(environment).iter());
        Command {
            inner,
            stdin: Vec::new(),
            foreground: false,
            stderr_is_ours: false,
            alone: None,
            private: None,
            limits: Limits::default(),
        }
    }

    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Command {
        self.inner.args(arguments);
        self
    }
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Command {
        self.inner.env(name, value);
        self
    }
    pub fn without_env(mut self, name: &str) -> Command {
        self.inner.env_remove(name);
        self
    }
    pub fn folder(mut self, folder: &Path) -> Command {
        self.inner.current_dir(folder);
        self
    }
    pub fn stdin(mut self, bytes: Vec<u8>) -> Command {
        self.stdin = bytes;
        self
    }
    /// Its complaints are seen as they come, and not kept.
    pub fn stderr_is_seen(mut self) -> Command {
        self.stderr_is_ours = true;
        self
    }
    /// It stays in our process group, so that it can ask for a pass-phrase on the terminal. Ctrl-C reaches it there.
    pub fn foreground(mut self) -> Command {
        self.foreground = true;
        self
    }
    /// It runs in this folder, which is nobody else's. Nothing of it outlives it: what it leaves behind is killed, and
    /// its output is whole only when that has ended, too.
    pub fn alone_in(mut self, folder: &Path) -> Command {
        self.alone = Some(folder.to_owned());
        self.folder(folder).env("PWD", folder)
    }
    /// It has this folder for itself, which goes when it has ended, with all that it started.
    pub(super) fn in_private(mut self, folder: Arc<Private>) -> Command {
        self.private = Some(folder);
        self
    }
    pub fn limits(mut self, limits: Limits) -> Command {
        self.limits = limits;
        self
    }

    /// Runs to the end, whatever the status.
    ///
    /// # Errors
    /// If it was stopped before that. Then it, and all that it started in its group, is gone.
    pub fn run(self, interrupt: &Interrupt) -> Result<Ended, Failure> {
        self.run_heard(interrupt, &mut |_| {})
    }

    /// The same; `hear` is called with all of the output until then whenever there is more.
    pub fn run_heard(mut self, interrupt: &Interrupt, hear: &mut dyn FnMut(&[u8])) -> Result<Ended, Failure> {
        let failure = |why, stderr| Failure { why, stderr };
        if interrupt.is_set() {
            return Err(failure(Stop::Interrupted, Vec::new()));
        }
        let stdin = std::mem::take(&mut self.stdin);
        self.inner.stdin(if stdin.is_empty() { Stdio::null() } else { Stdio::piped() }).stdout(Stdio::piped());
        self.inner.stderr(if self.stderr_is_ours { Stdio::inherit() } else { Stdio::piped() });
        let started = Group::start(&mut self.inner, !self.foreground);
        let mut group = started.map_err(|error| failure(Stop::NotStarted(error), Vec::new()))?;
        let whole = self.alone.is_some();
        let mut pipes = Pipes::of(group.child(), stdin);
        let result = listen(&mut group, &mut pipes, &self.limits, whole, interrupt, hear);
        if result.is_err() {
            group.stop();
        }
        if result.is_err() || whole || self.private.is_some() {
            group.kill();
        }
        let status = group.reap();
        if let Some(folder) = &self.alone {
            strays::kill(folder);
        }
        let (stdout, stderr) = pipes.said();
        // In the foreground the terminal's Ctrl-C reaches it as soon as us.
        let by_hand = |status: &ExitStatus| self.foreground && status.signal() == Some(signal_hook::consts::SIGINT);
        match (result, status) {
            (Err(why), _) => Err(failure(why, stderr)),
            (Ok(()), Ok(status)) if by_hand(&status) => Err(failure(Stop::Interrupted, stderr)),
            (Ok(()), Ok(status)) => Ok(Ended { status, stdout, stderr }),
            (Ok(()), Err(error)) => Err(failure(Stop::Lost(error), stderr)),
        }
    }

    /// Starts it to be talked with over its pipes; again, if that has ended.
    pub fn converse(&mut self) -> io::Result<Conversation> {
        let stderr = tempfile::tempfile()?;
        self.inner.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr.try_clone()?);
        let group = Group::start(&mut self.inner, !self.foreground)?;
        Ok(Conversation::new(group, stderr, self.private.clone()))
    }

    /// Starts it to be talked with over its pipes, where either side speaks when it likes.
    pub fn dialogue(mut self) -> io::Result<Dialogue> {
        self.inner.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let group = Group::start(&mut self.inner, true)?;
        Ok(Dialogue::new(group, self.alone, self.private))
    }
}
