//! Every git child process is built here: which directory, which environment, which process group.
//!
//! A child works for the user's repository ([`Git::at`]) or in the scratch worktree ([`Git::within`]); the first gets
//! the repository's variables explicitly, the second gets none, so that a leaked `GIT_DIR` or `GIT_INDEX_FILE` cannot
//! make it write into the user's index.

use super::GitError;
use crate::environment::{Environment, GIT_LOCAL};
use crate::event::Interrupt;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Local variables that a child in the scratch worktree keeps: where objects are, and what the user configured.
const KEPT_IN_SCRATCH: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_QUARANTINE_PATH",
];

/// Variables that change what paths on a command line mean; ours are always literal.
const PATHSPEC_VARS: &[&str] = &["GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"];

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
    let is_program = |path: &PathBuf| {
        let metadata = path.metadata();
        #[cfg(unix)]
        let executable = |metadata: &std::fs::Metadata| {
            std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
        };
        #[cfg(not(unix))]
        let executable = |_: &std::fs::Metadata| true;
        path.is_absolute() && metadata.is_ok_and(|metadata| metadata.is_file() && executable(&metadata))
    };
    let path = environment.get("PATH").unwrap_or_default();
    let found = std::env::split_paths(path).map(|folder| folder.join("git")).find(is_program);
    found.unwrap_or_else(|| PathBuf::from("git"))
}

/// One git command line.
pub(super) struct Git {
    command: Command,
    verb: String,
    stdin: Vec<u8>,
    foreground: bool,
}

impl Git {
    /// As the user would run it in `directory`, with `environment` as it is.
    pub fn new(environment: &Environment, directory: &Path) -> Git {
        let mut git = Git::bare(environment, directory, |_| true);
        git.command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        git
    }

    /// For a repository whose variables are set explicitly.
    pub fn at(environment: &Environment, directory: &Path, variables: &[(&str, &OsStr)]) -> Git {
        let mut git = Git::bare(environment, directory, |name| {
            !["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"].iter().any(|v| name == *v)
        });
        git.command.envs(variables.iter().copied());
        git.command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C").env("GIT_NO_REPLACE_OBJECTS", "1");
        git.command.env("GIT_LITERAL_PATHSPECS", "1");
        for name in PATHSPEC_VARS {
            git.command.env_remove(name);
        }
        // Programs that a repository's configuration names and that none of our reads needs.
        git.option("core.fsmonitor=false").option("diff.external=")
    }

    /// In the scratch worktree, which git finds from `directory`. Locale, configuration and optional locks are the
    /// user's, for hooks inherit them.
    pub fn within(environment: &Environment, directory: &Path) -> Git {
        Git::bare(environment, directory, |name| {
            KEPT_IN_SCRATCH.iter().any(|kept| name == *kept) || !GIT_LOCAL.iter().any(|local| name == *local)
        })
    }

    fn bare(environment: &Environment, directory: &Path, keep: impl Fn(&OsStr) -> bool) -> Git {
        let mut command = Command::new(program(environment));
        command.env_clear().envs(environment.iter().filter(|(name, _)| keep(name)));
        command.env("GIT_TERMINAL_PROMPT", "0").current_dir(directory);
        Git { command, verb: String::new(), stdin: Vec::new(), foreground: false }
    }

    /// `-c <setting>`: before any argument.
    pub fn option(mut self, setting: impl AsRef<OsStr>) -> Git {
        self.command.arg("-c").arg(setting);
        self
    }
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Git {
        self.command.env(name, value);
        self
    }
    pub fn without_env(mut self, name: &str) -> Git {
        self.command.env_remove(name);
        self
    }
    /// The first is the verb that errors name.
    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Git {
        for argument in arguments {
            if self.verb.is_empty() {
                self.verb = argument.as_ref().to_string_lossy().into_owned();
            }
            self.command.arg(argument);
        }
        self
    }
    pub fn stdin(mut self, bytes: Vec<u8>) -> Git {
        self.stdin = bytes;
        self
    }
    /// Stays in our process group, so that a pass-phrase can be asked for on the terminal.
    pub fn foreground(mut self) -> Git {
        self.foreground = true;
        self
    }

    /// Runs to the end, whatever the status. Ctrl-C on the terminal does not reach the child: a transaction that has
    /// begun is finished.
    pub fn output(mut self) -> Result<Output, GitError> {
        self.prepare()?;
        let output = self.command.output().map_err(|error| self.failed(&error))?;
        Ok(Output { code: output.status.code(), stdout: output.stdout, stderr: output.stderr })
    }

    /// Starts a child to talk with over its pipes; standard error goes to the file. Another may be started after it.
    pub fn converse(&mut self) -> Result<(Child, File), GitError> {
        self.prepare()?;
        let fail = |error: std::io::Error| GitError::io("make a temporary file", Path::new(""), &error);
        let stderr = tempfile::tempfile().map_err(fail)?;
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr.try_clone().map_err(fail)?);
        let child = self.command.spawn().map_err(|error| self.failed(&error))?;
        Ok((child, stderr))
    }

    /// Runs to the end; a status other than 0 is an error that carries git's words.
    pub fn run(self) -> Result<Vec<u8>, GitError> {
        let verb = self.verb.clone();
        let output = self.output()?;
        if output.ok() { Ok(output.stdout) } else { Err(GitError::Git { verb, message: output.message() }) }
    }

    /// Runs a child that may run the user's programs (hooks, signing): it and all it started die when the run is
    /// interrupted. Output goes through files, so that a daemon which keeps them open is not waited for.
    pub fn watched(mut self, interrupt: &Interrupt) -> Result<Output, GitError> {
        self.prepare()?;
        let fail =
            |error: std::io::Error| GitError::io("keep the output of git in a temporary file", Path::new(""), &error);
        let (mut stdout, mut stderr) = (tempfile::tempfile().map_err(fail)?, tempfile::tempfile().map_err(fail)?);
        self.command.stdout(stdout.try_clone().map_err(fail)?).stderr(stderr.try_clone().map_err(fail)?);
        let mut child = self.command.spawn().map_err(|error| self.failed(&error))?;
        let mut pause = Duration::from_millis(1);
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if !self.foreground && stopped(&child) => {
                    stop(&mut child, self.foreground);
                    let message = "it waits for the terminal, which it cannot have here".to_owned();
                    return Err(GitError::Git { verb: self.verb.clone(), message });
                }
                Ok(None) if !interrupt.is_set() => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(20));
                }
                outcome => {
                    stop(&mut child, self.foreground);
                    return Err(match outcome {
                        Err(error) => self.failed(&error),
                        _ => GitError::Interrupted,
                    });
                }
            }
        };
        if interrupt.is_set() {
            return Err(GitError::Interrupted);
        }
        Ok(Output {
            code: status.code(),
            stdout: contents(&mut stdout).map_err(fail)?,
            stderr: contents(&mut stderr).map_err(fail)?,
        })
    }

    fn prepare(&mut self) -> Result<(), GitError> {
        if self.stdin.is_empty() {
            self.command.stdin(Stdio::null());
        } else {
            // A file cannot deadlock against a child that writes before it has read everything.
            let filled = tempfile::tempfile().and_then(|mut file| {
                file.write_all(&self.stdin)?;
                file.rewind()?;
                Ok(file)
            });
            let file = filled
                .map_err(|error| GitError::io("write the input of git to a temporary file", Path::new(""), &error))?;
            self.command.stdin(file);
        }
        #[cfg(unix)]
        if !self.foreground {
            std::os::unix::process::CommandExt::process_group(&mut self.command, 0);
        }
        Ok(())
    }

    fn failed(&self, error: &std::io::Error) -> GitError {
        let message = match error.kind() {
            std::io::ErrorKind::NotFound => "cannot find the program 'git' in PATH".to_owned(),
            _ => format!("cannot run it: {error}"),
        };
        GitError::Git { verb: self.verb.clone(), message }
    }
}

/// Was the child stopped, as the terminal does to a group in the background that reads from it? It would stay so for
/// ever.
fn stopped(child: &Child) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        pid.is_some_and(|pid| waitid(WaitId::Pid(pid), options).is_ok_and(|status| status.is_some_and(|s| s.stopped())))
    }
    #[cfg(not(unix))]
    {
        let _ = child;
        false
    }
}

/// Asks the child and everything it started to stop, then makes them.
fn stop(child: &mut Child, foreground: bool) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process, kill_process_group};
        if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            let kill = if foreground { kill_process } else { kill_process_group };
            let _ = kill(pid, Signal::TERM);
            for _ in 0..40 {
                if let Ok(Some(_)) = child.try_wait() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            let _ = kill(pid, Signal::KILL);
        }
    }
    #[cfg(not(unix))]
    let _ = foreground;
    let _ = child.kill();
    let _ = child.wait();
}

fn contents(file: &mut File) -> std::io::Result<Vec<u8>> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment() -> Environment {
        std::env::vars_os().filter(|(name, _)| name == "PATH").collect()
    }

    #[test]
    fn a_watched_child_dies_with_all_it_started_when_the_run_is_interrupted() {
        let interrupt = Interrupt::default();
        let flag = interrupt.flag();
        let folder = tempfile::tempdir().unwrap();
        let alias = "alias.slow=!echo $$ >pid; sleep 60 & wait";
        std::thread::scope(|scope| {
            let child = scope.spawn(|| {
                Git::new(&environment(), folder.path()).option(alias).args(["slow"]).watched(&interrupt).map(|_| ())
            });
            while !std::fs::read_to_string(folder.path().join("pid")).is_ok_and(|text| text.ends_with('\n')) {
                std::thread::sleep(Duration::from_millis(5));
            }
            flag.store(true, std::sync::atomic::Ordering::Relaxed);
            assert_eq!(child.join().unwrap(), Err(GitError::Interrupted));
        });
        let pid: i32 = std::fs::read_to_string(folder.path().join("pid")).unwrap().trim().parse().unwrap();
        let alive = || rustix::process::test_kill_process(rustix::process::Pid::from_raw(pid).unwrap()).is_ok();
        // Its reaper may need a moment.
        for _ in 0..200 {
            if !alive() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the hook still runs");
    }
}
