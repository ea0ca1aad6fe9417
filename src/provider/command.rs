//! Any program as a model: the prompt on its standard input, the reply on its standard output.
//!
//! It runs in an empty folder, because many such programs are agents that would edit what they find; and with
//! nothing in its environment that says which repository this is about.

use std::path::Path;
use std::process::ExitStatus;

use super::clean::{self, Secrets};
use super::{Call, Entry, Provider, ProviderError, Settings};
use crate::environment::{Environment, holds_secret};
use crate::event::Progress;
use crate::model::{Block, Completion, Request, Role, StopReason, Usage};
use crate::plan::estimate_tokens;
use crate::process::{ChildKind, Command, Limits, Stop, Temporary};

pub(super) const ENTRY: Entry = Entry {
    name: "command",
    base: "",
    summary: "a program that reads the prompt and writes the reply",
    open: |settings| Ok(Box::new(Program::new(settings)?)),
};

/// As many of the last lines of standard error as are shown.
const SHOWN_LINES: usize = 10;
/// As much of standard error as is looked at for them, from its end.
const SHOWN_BYTES: usize = 8 << 10;
/// As much as a reply may be.
const LONGEST_REPLY: usize = 64 << 20;

struct Program {
    argv: Vec<String>,
    environment: Environment,
    model: String,
    limits: Limits,
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
            environment: settings.environment.clone(),
            model,
            limits: Limits {
                silence: Some(settings.command_idle_timeout),
                total: Some(settings.reply_timeout),
                output: LONGEST_REPLY,
            },
            secrets,
        })
    }

    /// The program, ready to run in the empty folder `dir`.
    fn command(&self, dir: &Path, request: &Request, call: &Call) -> Command {
        let (program, arguments) =
            self.argv.split_first().map_or(("", [].as_slice()), |(program, rest)| (program, rest));
        let command = Command::new(ChildKind::Provider, &self.environment, program).args(arguments).alone_in(dir);
        let command = command.env("GIT_IMPLEMENT_PATH", call.path).env("GIT_IMPLEMENT_FORMAT", &request.format);
        let command = command.env("GIT_IMPLEMENT_ROLE", call.speaker.word());
        let command = command.env("GIT_IMPLEMENT_ROUND", call.round.to_string());
        command.env("GIT_IMPLEMENT_ATTEMPT", call.attempt.to_string()).stdin(prompt(request).into_bytes())
    }

    fn failed(&self, reason: impl Into<String>, stderr: &[u8]) -> ProviderError {
        let program = clean::line(self.argv.first().map_or("", String::as_str));
        let stderr = stderr.get(stderr.len().saturating_sub(SHOWN_BYTES)..).unwrap_or_default();
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
        let dir = Temporary::new().map_err(|error| self.failed(format!("has no folder to run in: {error}"), &[]))?;
        let mut used = Usage::default();
        let answer = self.answer(dir.path(), request, call, &mut used);
        if answer.is_err() {
            (call.failed)(used);
        }
        let text = answer?;
        Ok(Completion { text, stop: StopReason::EndTurn, usage: used, request_id: None, model: None })
    }
}

impl Program {
    /// Hears the program out. It says nothing of what it used, be there an answer or not: `used` is an estimate.
    fn answer(
        &self,
        dir: &Path,
        request: &Request,
        call: &mut Call,
        used: &mut Usage,
    ) -> Result<String, ProviderError> {
        used.input = estimate_tokens(&prompt(request));
        let command = self.command(dir, request, call).limits(self.limits);
        let (interrupt, mut told) = (call.interrupt, String::new());
        let ended = command.run_heard(interrupt, &mut |said| {
            told.push_str(tell(said.get(told.len()..), call.progress));
        });
        // Of the whole: an estimate of each piece would be rounded up as often as there are pieces.
        used.output = estimate_tokens(&told);
        let ended = ended.map_err(|failure| {
            let reason = match failure.why {
                Stop::Interrupted => return ProviderError::Interrupted,
                Stop::Silent(limit) => format!("said nothing for {} s", limit.as_secs()),
                Stop::Late(limit) => format!("has not ended within {} s", limit.as_secs()),
                Stop::TooMuch => "said more than any reply is".to_owned(),
                Stop::OpenEnd => "has ended, but something that it started keeps its output open".to_owned(),
                Stop::WantsTerminal => "waits for the terminal, which it cannot have here".to_owned(),
                Stop::NotStarted(error) => {
                    *used = Usage::default();
                    format!("cannot be started: {error}")
                }
                Stop::Lost(error) => format!("cannot be waited for: {error}"),
            };
            self.failed(reason, &failure.stderr)
        })?;
        if !ended.status.success() {
            return Err(self.failed(ending(ended.status), &ended.stderr));
        }
        String::from_utf8(ended.stdout).map_err(|_| self.failed("gave a reply that is not UTF-8", &ended.stderr))
    }
}

/// Tells what has come since, up to the last whole character. Returns it.
fn tell<'a>(fresh: Option<&'a [u8]>, progress: &mut dyn FnMut(Progress)) -> &'a str {
    let fresh = fresh.unwrap_or_default();
    let whole = std::str::from_utf8(fresh).map_or_else(|error| error.valid_up_to(), str::len);
    let whole = std::str::from_utf8(fresh.get(..whole).unwrap_or_default()).unwrap_or_default();
    if !whole.is_empty() {
        progress(Progress::Text(whole));
    }
    whole
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
