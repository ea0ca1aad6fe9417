//! One file: ask, extract, judge; as often as the policy allows.

use super::run::Run;
use super::{ImplementError, Wanted};
use crate::attempt::{self, Failure, Next};
use crate::check::{self, Accepted, Candidate, Mask};
use crate::edit::{self, Edit, Format};
use crate::event::{Event, Progress};
use crate::finding::Finding;
use crate::model::{Completion, Request, StopReason, Usage};
use crate::plan::Step;
use crate::prompt::{self, Prompt, Task};
use crate::provider::recording::Recording;
use crate::provider::trace::{Span, SpanId};
use crate::provider::{Call, ErrorKind, ProviderError};
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
}

/// Asks the model for one step's file until its reply is accepted, or the policy gives up. One span of the trace.
pub(super) fn ask(run: &mut Run, step: &Step, base: Option<&str>) -> Result<Made, ImplementError> {
    let (id, start) = (SpanId::random(), SystemTime::now());
    let made = tries(run, step, base, id);
    let error = made.as_ref().err().map(ToString::to_string);
    run.spans.push(Span::file(id, run.root, step.path.as_str(), (start, SystemTime::now()), error));
    made
}

fn tries(run: &mut Run, step: &Step, base: Option<&str>, file: SpanId) -> Result<Made, ImplementError> {
    let path = step.path.as_str();
    let edits = run.edits;
    let mut task = Task::of(step, base, edits);
    for attempt in 1.. {
        let prompt = build(run, &task, attempt)?;
        run.spending.affords(path, &expected(&prompt))?;
        let completion = request(run, path, attempt, &prompt, file)?;
        let (failure, error) = match &completion.stop {
            StopReason::EndTurn => match judge(run, step, base, task.format, &completion) {
                Ok(made) => return Ok(made),
                Err(findings) => {
                    let path = path.to_owned();
                    if let Err(error) = note_refusal(run, &prompt.request) {
                        return Err(ImplementError::Provider { path, error });
                    }
                    (Failure::Refused, ImplementError::Refused { path, findings, reply: completion.text })
                }
            },
            stop if stop.is_truncation() => {
                let (path, stop, wanted) = (path.to_owned(), stop.clone(), Wanted::of(&task));
                let failure = Failure::Truncated { edits_would_do: wanted == Wanted::Whole };
                (failure, ImplementError::Truncated { path, tries: attempt, stop, wanted, reply: completion.text })
            }
            stop => {
                let (path, stop) = (path.to_owned(), stop.clone());
                return Err(ImplementError::Declined { path, stop, reply: completion.text });
            }
        };
        match attempt::next(run.policy, failure, attempt) {
            Next::GiveUp => return Err(error),
            Next::Shorter => {}
            Next::Edits => task.format = edits,
        }
        task.cut_off += 1;
    }
    unreachable!("the policy gives up before attempts run out")
}

/// So that whoever replays a record beside a provider asks for the file again.
fn note_refusal(run: &Run, request: &Request) -> Result<(), ProviderError> {
    let key = request.key();
    run.recordings.iter().try_for_each(|dir| Recording::refuse(dir, &key))
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
fn build(run: &mut Run, task: &Task, attempt: u32) -> Result<Prompt, ImplementError> {
    let path = task.path;
    let prompt = prompt::build(&run.material, &run.completed, task, run.limits)
        .map_err(|long| ImplementError::TooLong { path: path.to_owned(), tokens: long.tokens, room: long.room })?;
    if prompt.near_limit && attempt == 1 {
        let message = format!("the prompt for '{path}' has about {} tokens, close to the model's limit", prompt.tokens);
        run.say(Event::Finding(Finding::warning("prompt-near-limit", message)));
    }
    // Every prompt leaves out the same.
    if run.completed.is_empty() && attempt == 1 {
        for left_out in &prompt.left_out {
            let message = format!("'{left_out}' is not shown to the model: the design is too long for it");
            run.say(Event::Finding(Finding::warning("prompt-left-out", message).path(left_out.as_str())));
        }
    }
    Ok(prompt)
}

/// What a request is expected to use: its prompt, and a reply of the usual size.
fn expected(prompt: &Prompt) -> Usage {
    Usage { input: prompt.tokens, output: prompt.reply_tokens, ..Usage::default() }
}

/// Sends one request, and tells everybody who watches.
fn request(
    run: &mut Run,
    path: &str,
    attempt: u32,
    prompt: &Prompt,
    file: SpanId,
) -> Result<Completion, ImplementError> {
    let request: &Request = &prompt.request;
    let key = request.key();
    run.transcript
        .request(path, attempt, &key, request)
        .map_err(|error| ImplementError::Record { message: error.to_string() })?;
    run.say(Event::Asked {
        path: path.to_owned(),
        attempt,
        format: request.format.clone(),
        key,
        prompt_tokens: prompt.tokens,
        outlined: prompt.outlined.clone(),
    });
    let (began, start, span) = (Instant::now(), SystemTime::now(), SpanId::random());
    let traceparent = run.trace.parent(span);
    let (provider, interrupt) = (run.provider, run.interrupt.clone());
    // Shared by the two that are told of the tries: what all have used, and what the last one has.
    let (spending, last) = (Cell::new(run.spending), Cell::new((Usage::default(), None)));
    let mut bytes = 0;
    let mut progress = |progress: Progress| match progress {
        Progress::Text(text) => {
            bytes += text.len();
            let so_far = Usage { output: bytes as u64 / BYTES_OF_A_TOKEN, ..expected(prompt) };
            let cost = spending.get().cost_with(&so_far);
            run.say(Event::Streaming { path: path.to_owned(), bytes, cost });
        }
        Progress::Retry { seconds, reason, .. } => {
            bytes = 0;
            let (usage, cost) = last.take();
            run.say(Event::Retrying { path: path.to_owned(), seconds, reason: reason.to_owned(), usage, cost });
        }
    };
    let over = Cell::new(None);
    let mut failed = |usage: Usage| {
        let mut used = spending.get();
        last.set((usage, used.add(&usage)));
        spending.set(used);
        let affords = used.affords(path, &expected(prompt));
        let again = affords.is_ok();
        over.set(affords.err());
        again
    };
    let mut call = Call {
        path,
        attempt,
        traceparent: &traceparent,
        interrupt: &interrupt,
        progress: &mut progress,
        failed: &mut failed,
    };
    let answer = provider.complete(request, &mut call);
    run.spending = spending.get();
    let (name, model, times) = (provider.name(), provider.model(), (start, SystemTime::now()));
    run.spans.push(Span::chat(span, Some(file), name, model, request.max_tokens, times, &answer));
    let completion = answer.map_err(|error| match (error, over.take()) {
        (ProviderError::Interrupted, _) => ImplementError::Interrupted,
        // Another try might have brought the answer.
        (error, Some(over)) if error.kind() == ErrorKind::Transport => over,
        (error, _) => ImplementError::Provider { path: path.to_owned(), error },
    })?;
    let cost = run.spending.add(&completion.usage);
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

/// What is not to be shown of a reply and the text that it is for, which messages quote.
fn quoting(reply: &str, base: Option<&str>) -> Mask {
    Mask::of([reply].into_iter().chain(base))
}

/// A complete reply: extracted, matched and judged by every gate.
fn judge(
    run: &mut Run,
    step: &Step,
    base: Option<&str>,
    format: Format,
    completion: &Completion,
) -> Result<Made, Vec<Finding>> {
    let path = step.path.as_str();
    let applied = edit::answer(format, path, base, &completion.text)
        .map_err(|refusal| vec![quoting(&completion.text, base).finding(Finding::from(refusal).path(path))])?;
    let candidate = Candidate {
        path,
        from_root: None,
        base,
        base_later: false,
        text: &applied.text,
        whole: applied.format == Format::Whole,
        description: &step.description,
        row_allow: &step.allow,
        dependencies_named: Some(&run.dependencies),
        parsed: None,
    };
    let (accepted, notes) = check::accept(&step.path, &candidate, &run.settings)?;
    for note in notes {
        match note.id == check::LOST_TESTS {
            // Another file may get them yet.
            true => run.lost_tests.push(note),
            false => run.say(Event::Finding(note)),
        }
    }
    Ok(Made { accepted, edits: applied.edits, format: applied.format })
}
