//! Any program as a model: the prompt on its standard input, the reply on its standard output.
//!
//! It runs in an empty folder, because many such programs are agents that would edit what they find; and with
//! nothing in its environment that says which repository this is about.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::clean::{self, Secrets};
use super::group::Group;
use super::{Call, Entry, Provider, ProviderError, Settings};
use crate::event::Progress;
use crate::model::{Block, Completion, Request, Role, StopReason, Usage};

pub(super) const ENTRY: Entry = Entry {
    name: "command",
    summary: "a program that reads the prompt and writes the reply",
    open: |settings| Ok(Box::new(Program::new(settings)?)),
};

/// As much as a reply may be.
const LONGEST_REPLY: usize = 64 << 20;
/// As much of standard error as is kept, from its end.
const KEPT_STDERR: usize = 8 << 10;
/// As many of its lines as are shown.
const SHOWN_LINES: usize = 10;
/// How long the pipes of a program that has ended are read on: something that it started may hold them open.
const LAST_WORDS: Duration = Duration::from_secs(1);

struct Program {
    argv: Vec<String>,
    environment: Vec<(OsString, OsString)>,
    model: String,
    idle: Duration,
    secrets: Secrets,
}

impl Program {
    fn new(settings: &Settings) -> Result<Self, ProviderError> {
        let wrong = |message: &str| ProviderError::configuration(message, "it looks like --command 'claude -p'");
        let line = settings.command.as_deref().ok_or_else(|| wrong("no command to ask"))?;
        let mut argv =
            shell_words::split(line).map_err(|_| wrong("command line of the provider has an unclosed quote"))?;
        let program = argv.first_mut().filter(|program| !program.is_empty());
        let program = program.ok_or_else(|| wrong("command line of the provider is empty"))?;
        let name = Path::new(&*program).file_name().unwrap_or_default().to_string_lossy().into_owned();
        // The program does not run where the person is: what is relative must be so to here.
        if program.contains('/')
            && let Ok(absolute) = std::path::absolute(&*program)
            && let Some(absolute) = absolute.to_str()
        {
            *program = absolute.to_owned();
        }
        let (kept, removed): (Vec<_>, Vec<_>) =
            settings.environment.iter().cloned().partition(|(name, _)| !is_ours(name));
        let mut secrets = Secrets::default();
        for (_, value) in kept.iter().chain(&removed).filter(|(name, _)| is_secret(name)) {
            secrets.add(&value.to_string_lossy());
        }
        let model = settings.model.clone().unwrap_or_else(|| clean::line(&name));
        Ok(Program { argv, environment: kept, model, idle: settings.command_idle_timeout, secrets })
    }

    fn start(&self, dir: &Path, request: &Request, call: &Call) -> io::Result<Group> {
        let mut argv = self.argv.iter();
        let mut command = Command::new(argv.next().map_or("", String::as_str));
        command.args(argv).current_dir(dir);
        command.env_clear().envs(self.environment.iter().map(|(name, value)| (name, value))).env("PWD", dir);
        command.env("GIT_IMPLEMENT_PATH", call.path);
        command.env("GIT_IMPLEMENT_FORMAT", &request.format);
        command.env("GIT_IMPLEMENT_ATTEMPT", call.attempt.to_string());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Group::spawn(&mut command)
    }

    fn failed(&self, reason: impl Into<String>, stderr: &Tail) -> ProviderError {
        let program = clean::line(self.argv.first().map_or("", String::as_str));
        let text = self.secrets.scrub(&String::from_utf8_lossy(&stderr.0));
        let mut lines: Vec<_> = text.lines().rev().map(clean::line).filter(|line| !line.is_empty()).collect();
        lines.truncate(SHOWN_LINES);
        lines.reverse();
        ProviderError::Command { program, reason: clean::line(&reason.into()), stderr: lines }
    }
}

/// Variables that are git's own for one repository (`git rev-parse --local-env-vars`), or ours.
fn is_ours(name: &OsStr) -> bool {
    const LOCAL: &[&str] = &[
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NAMESPACE",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_QUARANTINE_PATH",
        "GIT_REFERENCE_BACKEND",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    ];
    const BEGINNINGS: &[&str] = &["GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_", "GIT_IMPLEMENT_"];
    let name = name.to_string_lossy();
    LOCAL.contains(&&*name) || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

/// Does a variable of this name hold something that no message should repeat?
fn is_secret(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_uppercase();
    ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSPHRASE"].iter().any(|word| name.ends_with(word))
}

impl Provider for Program {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn complete(&self, request: &Request, call: &mut Call) -> Result<Completion, ProviderError> {
        let nothing = Tail::default();
        if call.interrupt.is_set() {
            return Err(ProviderError::Interrupted);
        }
        let dir = tempfile::Builder::new().prefix("git-implement-").tempdir();
        let dir = dir.map_err(|error| self.failed(format!("has no folder to run in: {error}"), &nothing))?;
        let started = self.start(dir.path(), request, call);
        let mut group = started.map_err(|error| self.failed(format!("cannot be started: {error}"), &nothing))?;
        let mut heard = Heard::default();
        let result = self.listen(&mut group, prompt(request), call, &mut heard);
        if result.is_err() {
            group.stop();
        }
        let status = group.reap();
        result.map_err(|stop| match stop {
            Stop::Interrupted => ProviderError::Interrupted,
            Stop::Idle => self.failed(format!("said nothing for {} s", self.idle.as_secs()), &heard.stderr),
            Stop::TooMuch => self.failed("said more than any reply is", &heard.stderr),
        })?;
        match status {
            Ok(status) if status.success() => {}
            Ok(status) => return Err(self.failed(ending(status), &heard.stderr)),
            Err(error) => return Err(self.failed(format!("cannot be waited for: {error}"), &heard.stderr)),
        }
        let text = String::from_utf8(heard.stdout)
            .map_err(|_| self.failed("gave a reply that is not UTF-8", &heard.stderr))?;
        Ok(Completion { text, stop: StopReason::EndTurn, usage: Usage::default(), request_id: None, model: None })
    }
}

/// Why a program is stopped.
enum Stop {
    Interrupted,
    Idle,
    TooMuch,
}

#[derive(Default)]
struct Heard {
    stdout: Vec<u8>,
    /// How much of it was told as text.
    told: usize,
    stderr: Tail,
}

impl Heard {
    /// Tells what has come since, up to the last whole character.
    fn tell(&mut self, progress: &mut dyn FnMut(Progress)) {
        let fresh = self.stdout.get(self.told..).unwrap_or_default();
        let whole = match std::str::from_utf8(fresh) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(fresh.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default(),
        };
        if !whole.is_empty() {
            progress(Progress::Text(whole));
            self.told += whole.len();
        }
    }
}

/// The end of a stream.
#[derive(Default)]
struct Tail(Vec<u8>);

impl Tail {
    fn add(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
        self.0.drain(..self.0.len().saturating_sub(KEPT_STDERR));
    }
}

enum Word {
    Out(Vec<u8>),
    Err(Vec<u8>),
}

impl Program {
    /// Hands the prompt over and takes down what is said, until the program has ended. Each pipe has a thread of its
    /// own, so that neither side waits for the other with a full one.
    fn listen(&self, group: &mut Group, prompt: String, call: &mut Call, heard: &mut Heard) -> Result<(), Stop> {
        let (sender, words) = mpsc::channel();
        let child = group.child();
        if let Some(mut stdin) = child.stdin.take() {
            // A program that does not read its input, and so breaks the pipe, does nothing wrong.
            thread::spawn(move || stdin.write_all(prompt.as_bytes()));
        }
        if let Some(stdout) = child.stdout.take() {
            forward(stdout, sender.clone(), Word::Out);
        }
        if let Some(stderr) = child.stderr.take() {
            forward(stderr, sender, Word::Err);
        }
        let mut last_word = Instant::now();
        let mut ended_at = None;
        loop {
            if call.interrupt.is_set() {
                return Err(Stop::Interrupted);
            }
            match words.recv_timeout(Duration::from_millis(50)) {
                Ok(word) => {
                    last_word = Instant::now();
                    match word {
                        Word::Out(bytes) => {
                            heard.stdout.extend_from_slice(&bytes);
                            heard.tell(call.progress);
                        }
                        Word::Err(bytes) => heard.stderr.add(&bytes),
                    }
                    if heard.stdout.len() > LONGEST_REPLY {
                        return Err(Stop::TooMuch);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                // Both pipes are closed, but it may go on without them.
                Err(RecvTimeoutError::Disconnected) if group.has_ended() => return Ok(()),
                Err(RecvTimeoutError::Disconnected) => thread::sleep(Duration::from_millis(20)),
            }
            if last_word.elapsed() > self.idle {
                return Err(Stop::Idle);
            }
            if ended_at.is_none() && group.has_ended() {
                ended_at = Some(Instant::now());
            }
            // Counted from the later of its end and its last word.
            if ended_at.is_some_and(|at| at.elapsed() > LAST_WORDS && last_word.elapsed() > LAST_WORDS) {
                return Ok(());
            }
        }
    }
}

fn forward(mut pipe: impl Read + Send + 'static, words: Sender<Word>, word: fn(Vec<u8>) -> Word) {
    thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        loop {
            match pipe.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => {
                    let bytes = buffer.get(..count).unwrap_or_default().to_vec();
                    if words.send(word(bytes)).is_err() {
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    });
}

fn ending(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("failed with status {code}"),
        (None, Some(signal)) => format!("was killed by signal {signal}"),
        (None, None) => "failed".to_owned(),
    }
}

/// The whole request as one text.
fn prompt(request: &Request) -> String {
    let text = |blocks: &[Block]| blocks.iter().map(|block| block.text.as_str()).collect::<String>();
    let mut parts = vec![text(&request.system)];
    for (number, message) in request.messages.iter().enumerate() {
        match message.role {
            Role::Assistant => parts.push(format!("--- Your earlier reply was: ---\n\n{}", text(&message.content))),
            Role::User if number > 0 => parts.push(format!("--- The answer to it: ---\n\n{}", text(&message.content))),
            Role::User => parts.push(text(&message.content)),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_that_git_calls_local_is_kept_from_the_program() {
        let output = Command::new("git").args(["rev-parse", "--local-env-vars"]).output().unwrap();
        let names = String::from_utf8(output.stdout).unwrap();
        assert!(names.lines().count() > 10, "{names}");
        for name in names.lines() {
            assert!(is_ours(OsStr::new(name)), "{name}");
        }
        for name in ["GIT_IMPLEMENT_MODEL", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_12"] {
            assert!(is_ours(OsStr::new(name)), "{name}");
        }
        for name in ["PATH", "GIT_AUTHOR_NAME", "ANTHROPIC_API_KEY", "GITHUB_TOKEN"] {
            assert!(!is_ours(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn a_conversation_is_told_apart_in_the_prompt() {
        let message = |role, text: &str| crate::model::Message { role, content: vec![Block::new(text)] };
        let mut request = Request {
            system: vec![Block::new("rules")],
            messages: vec![message(Role::User, "task")],
            format: "whole".into(),
            max_tokens: 1,
        };
        assert_eq!(prompt(&request), "rules\n\ntask");
        request.messages.extend([message(Role::Assistant, "reply"), message(Role::User, "wrong")]);
        let expected =
            "rules\n\ntask\n\n--- Your earlier reply was: ---\n\nreply\n\n--- The answer to it: ---\n\nwrong";
        assert_eq!(prompt(&request), expected);
    }

    #[test]
    fn an_unclosed_quote_and_an_empty_line_are_configuration_errors() {
        for (line, message) in [
            ("claude 'x", "command line of the provider has an unclosed quote"),
            ("  ", "command line of the provider is empty"),
            ("'' x", "command line of the provider is empty"),
        ] {
            let settings = Settings { command: Some(line.into()), ..Settings::new("command") };
            assert_eq!(Program::new(&settings).err().unwrap().to_string(), message);
        }
    }
}
