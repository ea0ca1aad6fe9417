//! One file: ask, extract, judge; as often as the policy allows.

use super::ImplementError;
use super::run::Run;
use crate::attempt::{self, Failure, Next};
use crate::check::{self, Accepted, Candidate, Mask};
use crate::edit::{self, Edit, Format};
use crate::event::{Event, Progress};
use crate::finding::Finding;
use crate::model::{Completion, Request, StopReason};
use crate::plan::Step;
use crate::prompt::{self, Prompt, Task};
use crate::provider::trace::{Span, SpanId};
use crate::provider::{Call, ProviderError};
use std::time::{Instant, SystemTime};

/// A file's new text, accepted by every gate.
pub(super) struct Made {
    pub accepted: Accepted,
    /// Where edits went; empty for a whole file.
    pub edits: Vec<Edit>,
    /// The form that the reply was in, which may be another one than was asked for.
    pub format: Format,
}

/// Asks the model for one step's file until its reply is accepted, or the policy gives up. One span of the trace.
pub(super) fn ask(run: &mut Run, step: &Step, base: Option<&str>, format: Format) -> Result<Made, ImplementError> {
    let (id, start) = (SpanId::random(), SystemTime::now());
    let made = tries(run, step, base, format, id);
    let error = made.as_ref().err().map(ToString::to_string);
    run.spans.push(Span::file(id, run.root, step.path.as_str(), (start, SystemTime::now()), error));
    made
}

fn tries(run: &mut Run, step: &Step, base: Option<&str>, format: Format, file: SpanId) -> Result<Made, ImplementError> {
    let path = step.path.as_str();
    let task = Task {
        path,
        change: step.change,
        from: step.from.as_ref().map(|from| from.as_str()),
        description: &step.description,
        tasks: &step.tasks,
        base,
        format,
    };
    let prompt = prompt::build(&run.material, &run.completed, &task, run.limits)
        .map_err(|long| ImplementError::TooLong { path: path.to_owned(), tokens: long.tokens, room: long.room })?;
    if prompt.near_limit {
        let message = format!("the prompt for '{path}' has about {} tokens, close to the model's limit", prompt.tokens);
        run.say(Event::Finding(Finding::warning("prompt-near-limit", message)));
    }
    // Every prompt leaves out the same.
    if run.completed.is_empty() {
        for left_out in &prompt.left_out {
            let message = format!("'{left_out}' is not shown to the model: the design is too long for it");
            run.say(Event::Finding(Finding::warning("prompt-left-out", message).path(left_out.as_str())));
        }
    }
    for attempt in 1.. {
        run.afford(path, &prompt)?;
        let completion = request(run, path, attempt, &prompt, file)?;
        let failure = match &completion.stop {
            StopReason::EndTurn => match judge(run, step, base, format, &completion) {
                Ok(made) => return Ok(made),
                Err(findings) => {
                    let path = path.to_owned();
                    (Failure::Refused, ImplementError::Refused { path, findings, reply: completion.text })
                }
            },
            stop if stop.is_truncation() => {
                let (path, stop) = (path.to_owned(), stop.clone());
                (Failure::Truncated, ImplementError::Truncated { path, tries: attempt, stop, reply: completion.text })
            }
            stop => {
                let (path, stop) = (path.to_owned(), stop.clone());
                return Err(ImplementError::Declined { path, stop, reply: completion.text });
            }
        };
        if attempt::next(run.policy, failure.0, attempt) == Next::GiveUp {
            return Err(failure.1);
        }
    }
    unreachable!("the policy gives up before attempts run out")
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
    let mut bytes = 0;
    let mut progress = |progress: Progress| match progress {
        Progress::Text(text) => {
            bytes += text.len();
            run.say(Event::Streaming { path: path.to_owned(), bytes });
        }
        Progress::Retry { seconds, reason, .. } => {
            bytes = 0;
            run.say(Event::Retrying { path: path.to_owned(), seconds, reason: reason.to_owned() });
        }
    };
    let mut call = Call { path, attempt, traceparent: &traceparent, interrupt: &interrupt, progress: &mut progress };
    let answer = provider.complete(request, &mut call);
    let (name, model, times) = (provider.name(), provider.model(), (start, SystemTime::now()));
    run.spans.push(Span::chat(span, Some(file), name, model, request.max_tokens, times, &answer));
    let completion = answer.map_err(|error| match error {
        ProviderError::Interrupted => ImplementError::Interrupted,
        error => ImplementError::Provider { path: path.to_owned(), error },
    })?;
    let cost = run.prices.map(|price| price.cost(&completion.usage));
    run.spend(&completion.usage, cost);
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
        base,
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
