//! Any program as a model: the prompt on its standard input, the reply on its standard output.
//!
//! It runs in an empty folder, because many such programs are agents that would edit what they find; and with
//! nothing in its environment that says which repository this is about.

use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use super::clean::{self, Secrets};
use super::group::Group;
use super::pipes::{Heard, Stop, listen};
use super::{Call, Entry, Provider, ProviderError, Settings};
use crate::environment::{Environment, holds_secret};
use crate::model::{Block, Completion, Request, Role, StopReason, Usage};
use crate::plan::estimate_tokens;

pub(super) const ENTRY: Entry = Entry {
    name: "command",
    base: "",
    summary: "a program that reads the prompt and writes the reply",
    open: |settings| Ok(Box::new(Program::new(settings)?)),
};

/// As many of the last lines of standard error as are shown.
const SHOWN_LINES: usize = 10;

struct Program {
    argv: Vec<String>,
    environment: Environment,
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
        let mut secrets = Secrets::default();
        for (_, value) in settings.environment.iter().filter(|(name, _)| holds_secret(name)) {
            secrets.add(&value.to_string_lossy());
        }
        let model = settings.model.clone().unwrap_or_else(|| clean::line(&name));
        Ok(Program {
            argv,
            environment: settings.environment.for_provider_command(),
            model,
            idle: settings.command_idle_timeout,
            secrets,
        })
    }

    fn start(&self, dir: &Path, request: &Request, call: &Call) -> io::Result<Group> {
        let mut argv = self.argv.iter();
        let mut command = Command::new(argv.next().map_or("", String::as_str));
        command.args(argv).current_dir(dir);
        command.env_clear().envs(self.environment.iter()).env("PWD", dir);
        command.env("GIT_IMPLEMENT_PATH", call.path);
        command.env("GIT_IMPLEMENT_FORMAT", &request.format);
        command.env("GIT_IMPLEMENT_ATTEMPT", call.attempt.to_string());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Group::spawn(&mut command)
    }

    fn failed(&self, reason: impl Into<String>, stderr: &[u8]) -> ProviderError {
        let program = clean::line(self.argv.first().map_or("", String::as_str));
        let text = self.secrets.scrub(&String::from_utf8_lossy(stderr));
        let mut lines: Vec<_> = text.lines().rev().map(clean::line).filter(|line| !line.is_empty()).collect();
        lines.truncate(SHOWN_LINES);
        lines.reverse();
        ProviderError::Command { program, reason: clean::line(&reason.into()), stderr: lines }
    }
}

impl Provider for Program {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn complete(&self, request: &Request, call: &mut Call) -> Result<Completion, ProviderError> {
        if call.interrupt.is_set() {
            return Err(ProviderError::Interrupted);
        }
        let dir = tempfile::Builder::new().prefix("git-implement-").tempdir();
        let dir = dir.map_err(|error| self.failed(format!("has no folder to run in: {error}"), &[]))?;
        let started = self.start(dir.path(), request, call);
        let group = started.map_err(|error| self.failed(format!("cannot be started: {error}"), &[]))?;
        let prompt = prompt(request);
        // A program says nothing of what it used.
        let input = estimate_tokens(&prompt);
        let mut heard = Heard::default();
        let answer = self.answer(group, prompt, call, &mut heard);
        let output = estimate_tokens(&String::from_utf8_lossy(&heard.stdout));
        let usage = Usage { input, output, ..Usage::default() };
        if answer.is_err() {
            (call.failed)(usage);
        }
        answer?;
        let text = String::from_utf8(heard.stdout)
            .map_err(|_| self.failed("gave a reply that is not UTF-8", &heard.stderr))?;
        Ok(Completion { text, stop: StopReason::EndTurn, usage, request_id: None, model: None })
    }
}

impl Program {
    /// Hears the program out.
    fn answer(
        &self,
        mut group: Group,
        prompt: String,
        call: &mut Call,
        heard: &mut Heard,
    ) -> Result<(), ProviderError> {
        let result = listen(&mut group, prompt, self.idle, call, heard);
        if result.is_err() {
            group.stop();
        }
        let status = group.reap();
        result.map_err(|stop| match stop {
            Stop::Interrupted => ProviderError::Interrupted,
            Stop::Idle => self.failed(format!("said nothing for {} s", self.idle.as_secs()), &heard.stderr),
            Stop::OpenEnd => {
                self.failed("has ended, but something that it started keeps its output open", &heard.stderr)
            }
            Stop::TooMuch => self.failed("said more than any reply is", &heard.stderr),
        })?;
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(self.failed(ending(status), &heard.stderr)),
            Err(error) => Err(self.failed(format!("cannot be waited for: {error}"), &heard.stderr)),
        }
    }
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
    fn a_conversation_is_told_apart_in_the_prompt() {
        let message = |role, text: &str| crate::model::Message { role, content: vec![Block::new(text)] };
        let mut request = Request {
            system: vec![Block::new("rules")],
            messages: vec![message(Role::User, "task")],
            format: "whole".into(),
            max_tokens: 1,
            asked_tokens: None,
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
