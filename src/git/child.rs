//! Every git child process is built here: which directory, which repository, which options.
//!
//! A child works for the user's repository ([`Git::at`]) or in the scratch worktree ([`Git::within`]); the first gets
//! the repository's variables explicitly, the second gets none ([`ChildKind`]).

use super::GitError;
use crate::environment::Environment;
use crate::process::{ChildKind, Command, Conversation, Failure, Interrupt, Stop, find_program};
use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// What a child printed and how it ended.
#[derive(Debug)]
pub(super) struct Output {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Output {
    pub fn ok(&self) -> bool {
        self.code == Some(0)
    }
    /// What git said on standard error, less `fatal: ` and `error: `, without trailing white space.
    pub fn message(&self) -> String {
        let text = super::message::plain(&String::from_utf8_lossy(&self.stderr));
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.starts_with("hint:") && !is_trace(line))
            .map(|line| line.trim_start_matches("fatal: ").trim_start_matches("error: "))
            .collect();
        let text = lines.join("\n").trim().to_owned();
        match (text.is_empty(), self.code) {
            (false, _) => text,
            (true, Some(code)) => format!("exit status {code}"),
            (true, None) => "killed by a signal".to_owned(),
        }
    }
}

/// A line of GIT_TRACE output: `13:51:14.123456 git.c:476  trace: …`.
fn is_trace(line: &str) -> bool {
    line.as_bytes().get(8) == Some(&b'.') && line.as_bytes().get(2) == Some(&b':') && line.contains("trace")
}

/// The git that PATH finds. A program that is named by its path is started without a copy of this process.
fn program(environment: &Environment) -> PathBuf {
    find_program(environment, "git").unwrap_or_else(|| PathBuf::from("git"))
}

/// One git command line.
pub(super) struct Git {
    command: Command,
    verb: String,
}

impl Git {
    /// As the user would run it in `directory`.
    pub fn new(environment: &Environment, directory: &Path) -> Git {
        Git::of(ChildKind::Git, environment, directory)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("LC_ALL", "C")
            .without_network()
    }

    /// Reads objects as they are: no others in their place, and commits with the parents that they name.
    pub fn unreplaced(self) -> Git {
        // Where there can be no file, git says nothing; of an empty one it would say that grafts are out of date.
        self.env("GIT_NO_REPLACE_OBJECTS", "1").env("GIT_GRAFT_FILE", "/dev/null/none")
    }

    /// For no repository at all.
    pub fn outside(environment: &Environment, directory: &Path) -> Git {
        Git::of(ChildKind::Other, environment, directory).env("LC_ALL", "C")
    }

    /// For a repository whose variables are set explicitly.
    pub fn at(environment: &Environment, directory: &Path, variables: &[(&str, &OsStr)]) -> Git {
        let git = Git::of(ChildKind::Repository, environment, directory);
        let git = variables.iter().fold(git, |git, (name, value)| git.env(name, value));
        let git = git.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C").unreplaced();
        // Programs that a repository's configuration names and that none of our reads needs.
        let git = git.env("GIT_LITERAL_PATHSPECS", "1").option("core.fsmonitor=false").option("diff.external=");
        git.option("log.showSignature=false")
    }

    /// In the scratch worktree, which git finds from `directory`. Locale, configuration and optional locks are the
    /// user's, for hooks inherit them.
    pub fn within(environment: &Environment, directory: &Path) -> Git {
        Git::of(ChildKind::Scratch, environment, directory)
    }

    fn of(kind: ChildKind, environment: &Environment, directory: &Path) -> Git {
        let command = Command::new(kind, environment, program(environment)).env("GIT_TERMINAL_PROMPT", "0");
        Git { command: command.folder(directory), verb: String::new() }
    }

    /// It fetches nothing, not even what a partial clone lacks: whom a repository's configuration names as its remote, and
    /// which program it names for that, nobody has agreed to.
    pub fn without_network(self) -> Git {
        // gits that do not know the first one are kept by the second from every kind of remote.
        self.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "")
    }

    /// `-c <setting>`: before any argument.
    pub fn option(mut self, setting: impl AsRef<OsStr>) -> Git {
        self.command = self.command.args([OsStr::new("-c"), setting.as_ref()]);
        self
    }
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Git {
        self.command = self.command.env(name, value);
        self
    }
    pub fn without_env(mut self, name: &str) -> Git {
        self.command = self.command.without_env(name);
        self
    }
    /// The first is the verb that errors name.
    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Git {
        for argument in arguments {
            if self.verb.is_empty() {
                self.verb = argument.as_ref().to_string_lossy().into_owned();
            }
            self.command = self.command.args([argument]);
        }
        self
    }
    pub fn stdin(mut self, bytes: Vec<u8>) -> Git {
        self.command = self.command.stdin(bytes);
        self
    }
    /// Stays in our process group, so that a pass-phrase can be asked for on the terminal.
    pub fn foreground(mut self) -> Git {
        self.command = self.command.foreground();
        self
    }

    /// Runs to the end, whatever the status, and whatever the person wants meanwhile: a transaction that has begun is
    /// finished. What may take long, or may run the user's programs, is [`Git::output_until`].
    pub fn output(self) -> Result<Output, GitError> {
        self.output_until(&Interrupt::never())
    }

    /// The same, but it and all it started die when the run is interrupted.
    pub fn output_until(self, interrupt: &Interrupt) -> Result<Output, GitError> {
        let ended = self.command.run(interrupt).map_err(|failure| failed(&self.verb, failure))?;
        if by_hand(ended.status) {
            return Err(GitError::Interrupted);
        }
        Ok(Output { code: ended.status.code(), stdout: ended.stdout, stderr: ended.stderr })
    }

    /// Runs to the end; a status other than 0 is an error that carries git's words.
    pub fn run(self) -> Result<Vec<u8>, GitError> {
        self.run_until(&Interrupt::never())
    }

    /// The same, but it and all it started die when the run is interrupted.
    pub fn run_until(self, interrupt: &Interrupt) -> Result<Vec<u8>, GitError> {
        let verb = self.verb.clone();
        let output = self.output_until(interrupt)?;
        if output.ok() { Ok(output.stdout) } else { Err(GitError::Git { verb, message: output.message() }) }
    }

    /// Starts a child to talk with.
    pub fn converse(&mut self) -> Result<Conversation, GitError> {
        let failure = |error| Failure { why: Stop::NotStarted(error), stderr: Vec::new() };
        self.command.converse().map_err(|error| failed(&self.verb, failure(error)))
    }
}

/// Has Ctrl-C ended this git? It reaches those in our process group, and any other before that has a group of its own.
pub(super) fn by_hand(status: ExitStatus) -> bool {
    status.signal() == Some(signal_hook::consts::SIGINT)
}

fn failed(verb: &str, failure: Failure) -> GitError {
    let message = match failure.why {
        Stop::Interrupted => return GitError::Interrupted,
        Stop::NotStarted(error) if error.kind() == std::io::ErrorKind::NotFound => {
            "cannot find the program 'git' in PATH".to_owned()
        }
        Stop::NotStarted(error) => format!("cannot run it: {error}"),
        Stop::WantsTerminal => "it waits for the terminal, which it cannot have here".to_owned(),
        Stop::Lost(error) => format!("cannot wait for it: {error}"),
        Stop::Silent(limit) | Stop::Late(limit) => format!("it takes longer than {} s", limit.as_secs()),
        Stop::TooMuch | Stop::OpenEnd => "it says more than it should".to_owned(),
    };
    GitError::Git { verb: verb.to_owned(), message }
}
