//! One file: asked for, as often as the policy allows, until there is a whole reply; `judge` says what it is worth, and
//! `repair` gives a refused one back.

use super::continued::notice;
use super::delivery::Turn;
use super::judge::{Source, judge};
use super::plan_code::from_plan;
use super::repair::repair;
use super::run::Run;
use super::{ImplementError, Wanted};
use crate::attempt::{self, Failure, Next, Tried};
use crate::check::Accepted;
use crate::edit::{Edit, Format};
use crate::event::{Event, Progress};
use crate::finding::Finding;
use crate::ledger::Reservation;
use crate::model::{Completion, Request, Speaker, StopReason, Usage};
use crate::plan::Step;
use crate::prompt::{self, Prompt, Task};
use crate::provider::Call;
use crate::provider::trace::{Span, SpanId};
use std::cell::Cell;
use std::time::{Instant, SystemTime};

/// About as many bytes of a reply are a token.
const BYTES_OF_A_TOKEN: u64 = 4;

/// A file's new text, accepted by every gate.
pub(super) struct Made {
    pub accepted: Accepted,
    /// Where edits went; empty for a whole file.
    pub edits: Vec<Edit>,
    /// The form that the reply was in, which may be another one than was asked for.
    pub format: Format,
    /// The key of the request that it answers; `None`: nobody was asked.
    pub key: Option<String>,
    /// Requests that were made for it.
    pub attempts: u32,
}

/// Asks the model for one step's file until its reply is accepted, or the policy gives up. One span of the trace.
pub(super) fn ask(run: &mut Run, step: &Step, base: Option<&str>) -> Result<Made, ImplementError> {
    let (id, start) = (SpanId::random(), SystemTime::now());
    let made = tries(run, step, base, id);
    let error = made.as_ref().err().map(ToString::to_string);
    run.spans.push(Span::file(id, run.root, step.path.as_str(), (start, SystemTime::now()), error));
    made
}

/// What is asked of the model for one step.
pub(super) struct Asking<'a> {
    pub step: &'a Step,
    /// What edits change.
    pub base: Option<&'a str>,
    /// What gates compare the new text with: what the step began with.
    pub original: Option<&'a str>,
    pub task: Task<'a>,
    /// Its span of the trace.
    pub file: SpanId,
    /// Requests that were made.
    pub attempt: u32,
}

fn tries(run: &mut Run, step: &Step, base: Option<&str>, file: SpanId) -> Result<Made, ImplementError> {
    let task = Task::of(step, base, run.edits);
    let mut asking = Asking { step, base, original: base, task, file, attempt: 0 };
    if let Some(made) = from_plan(run, &asking) {
        return Ok(made);
    }
    let (prompt, completion) = answered(run, &mut asking)?;
    match judge(run, &asking, None, (Source::Reply(&prompt.request), &completion.text)) {
        Ok(made) => Ok(made),
        Err(rejected) => repair(run, &mut asking, prompt, rejected),
    }
}

/// The first reply that no limit cut off, with what it answers.
pub(super) fn answered(run: &mut Run, asking: &mut Asking) -> Result<(Prompt, Completion), ImplementError> {
    let edits = run.edits;
    loop {
        let path = asking.step.path.as_str();
        let prompt = build(run, &asking.task, asking.attempt == 0)?;
        let reserved = run.account.reserve(&prompt.expected());
        let reserved = reserved.map_err(|over| ImplementError::Budget { path: path.to_owned(), over })?;
        let completion = request(run, asking, &prompt, reserved)?;
        let stop = completion.stop.clone();
        if stop == StopReason::EndTurn {
            return Ok((prompt, completion));
        }
        let (path, reply) = (path.to_owned(), completion.text);
        if !stop.is_truncation() {
            return Err(ImplementError::Declined { path, stop, reply });
        }
        let wanted = Wanted::of(&asking.task);
        let failure = Failure::Truncated { edits_would_do: wanted == Wanted::Whole };
        match attempt::next(run.policy, failure, Tried { truncated: asking.task.cut_off + 1, repairs: 0 }) {
            Next::Shorter => {}
            Next::Edits => asking.task.format = edits,
            Next::Repair | Next::GiveUp => {
                let tries = asking.task.cut_off + 1;
                return Err(ImplementError::Truncated { path, tries, stop, wanted, reply });
            }
        }
        asking.task.cut_off += 1;
    }
}

impl Wanted {
    fn of(task: &Task) -> Wanted {
        match (task.format, task.base) {
            (Format::Whole, Some(base)) if !base.trim().is_empty() => Wanted::Whole,
            (Format::Whole, _) => Wanted::New,
            _ => Wanted::Edits,
        }
    }
}

/// The request, with a word for what there was no room for.
fn build(run: &mut Run, task: &Task, first: bool) -> Result<Prompt, ImplementError> {
    let path = task.path;
    let prompt = prompt::build(&run.material, &run.completed, task, run.limits)
        .map_err(|long| ImplementError::TooLong { path: path.to_owned(), tokens: long.tokens, room: long.room })?;
    if prompt.near_limit && first {
        let message = format!("the prompt for '{path}' has about {} tokens, close to the model's limit", prompt.tokens);
        run.say(Event::Finding(Finding::warning("prompt-near-limit", message)));
    }
    // Every prompt leaves out the same.
    if run.completed.is_empty() && first {
        for left_out in &prompt.left_out {
            let message = format!("'{left_out}' is not shown to the model: the design is too long for it");
            run.say(Event::Finding(Finding::warning("prompt-left-out", message).path(left_out.as_str())));
        }
    }
    Ok(prompt)
}

/// Asks once more for a file, with what is reserved for it.
pub(super) fn request(
    run: &mut Run,
    asking: &mut Asking,
    prompt: &Prompt,
    reserved: Reservation,
) -> Result<Completion, ImplementError> {
    asking.attempt += 1;
    let question = Question {
        path: asking.step.path.as_str(),
        attempt: asking.attempt,
        speaker: Speaker::Implementer,
        round: run.rounds.files(),
        aloud: false,
        file: Some(asking.file),
    };
    send(run, &question, prompt, reserved)
}

/// What is asked, and of whom.
pub(super) struct Question<'a> {
    /// The file that it is about, or the design.
    pub path: &'a str,
    /// From 1, for that path.
    pub attempt: u32,
    pub speaker: Speaker,
    pub round: u32,
    /// People are shown the answer as it comes.
    pub aloud: bool,
    /// The span of the trace that it belongs to; none: the run's.
    pub file: Option<SpanId>,
}

/// Sends one request with what is reserved for it: a file's, a turn of the talk's, or the reviewer's.
pub(super) fn send(
    run: &mut Run,
    question: &Question,
    prompt: &Prompt,
    reserved: Reservation,
) -> Result<Completion, ImplementError> {
    let Question { path, attempt, speaker, round, aloud, file } = *question;
    let request: &Request = &prompt.request;
    let key = request.key();
    run.transcript
        .request(path, attempt, &key, request)
        .map_err(|error| ImplementError::Record { message: error.to_string() })?;
    notice(run, path, attempt, &key);
    run.say(Event::Asked {
        path: path.to_owned(),
        attempt,
        format: request.format.clone(),
        key: key.clone(),
        prompt_tokens: prompt.tokens,
        outlined: prompt.outlined.clone(),
    });
    let (began, start, span) = (Instant::now(), SystemTime::now(), SpanId::random());
    let traceparent = run.trace.parent(span);
    let (provider, interrupt) = (run.provider_of(speaker), run.interrupt.clone());
    // Shared by the two that are told of the tries: what the last one has used.
    let last = Cell::new((Usage::default(), None));
    let mut bytes = 0;
    let mut progress = |progress: Progress| match progress {
        Progress::Text(text) => {
            bytes += text.len();
            if aloud {
                run.face.said(speaker, round, text);
            }
            let so_far = Usage { output: bytes as u64 / BYTES_OF_A_TOKEN, ..prompt.expected() };
            let cost = reserved.cost_with(&so_far);
            run.say(Event::Streaming { path: path.to_owned(), bytes, cost });
        }
        Progress::Retry { seconds, reason, .. } => {
            bytes = 0;
            let (usage, cost) = last.take();
            run.say(Event::Retrying { path: path.to_owned(), seconds, reason: reason.to_owned(), usage, cost });
        }
    };
    let mut failed = |usage: Usage| {
        last.set((usage, reserved.lost(&usage)));
        reserved.stands().is_ok()
    };
    let mut call = Call {
        path,
        attempt,
        speaker,
        round,
        traceparent: &traceparent,
        interrupt: &interrupt,
        progress: &mut progress,
        failed: &mut failed,
    };
    let answer = provider.complete(request, &mut call);
    let (name, model, times) = (provider.name(), provider.model(), (start, SystemTime::now()));
    run.spans.push(Span::chat(span, file.or(Some(run.root)), name, model, request.max_tokens, times, &answer));
    let completion = match answer {
        Ok(completion) => completion,
        Err(error) => {
            let (instead_of, path, reason) = ("replied".into(), Some(path.to_owned()), error.to_string());
            run.say(Event::Aborted { instead_of, path, command: None, reason });
            return Err(ImplementError::unanswered(question.path, error, &reserved));
        }
    };
    let cost = reserved.settle(&completion.usage);
    run.making.answered(&key);
    run.turns_said.push(Turn {
        by: speaker,
        round,
        path: path.to_owned(),
        form: request.format.clone(),
        key,
        usage: completion.usage,
        text: completion.text.clone(),
    });
    run.say(Event::Replied {
        path: path.to_owned(),
        attempt,
        stop: completion.stop.clone(),
        usage: completion.usage,
        cost,
        request_id: completion.request_id.clone(),
        seconds: began.elapsed().as_secs_f64(),
    });
    Ok(completion)
}
