//! A finished file, asked for once more with what a second look has found in it.

use super::ImplementError;
use super::ask::{Asking, Made, answered};
use super::judge::{Source, judge};
use super::make::Finished;
use super::repair::repair;
use super::run::Run;
use crate::edit::Format;
use crate::event::Event;
use crate::finding::Finding;
use crate::lld::Change;
use crate::prompt::{Found, Task, disagreement};
use crate::provider::ErrorKind;
use crate::provider::trace::{Span, SpanId};
use std::time::SystemTime;

/// What came of asking for it.
pub(super) enum Mended {
    /// Another text, which every gate has accepted.
    Made(Made),
    /// The model says that it cannot be done: the design and a test disagree.
    Disagree(String),
    /// None, though it was asked for as often as that makes sense: whoever is asked is not there any more.
    Unanswered,
    /// None that could be taken, or there was nothing to pay it with: then [`Run::short`] says of what.
    Nothing,
}

/// Asks for the text of `finished` again. The run's finished files, as the prompt shows them, are without it meanwhile.
pub(super) fn mend(run: &mut Run, finished: &mut Finished, found: Found) -> Result<Mended, ImplementError> {
    let step = finished.step;
    let path = step.path.as_str();
    let Some(current) = finished.text.as_ref().map(|text| text.text().to_owned()) else { return Ok(Mended::Nothing) };
    let (id, start) = (SpanId::random(), SystemTime::now());
    let by_reviewer = found.by_reviewer;
    let place = run.take_completed_at(path);
    let original = finished.base.clone();
    let edits =
        Task { change: Change::Modify, from: None, format: run.edits, ..Task::of(step, Some(&current), run.edits) };
    let task = match found.fresh {
        // As it was asked for at first.
        true => Task::of(step, original.as_deref(), run.edits),
        false if current.trim().is_empty() => Task { format: Format::Whole, ..edits },
        false => edits,
    };
    let task = Task { found: Some(found), ..task };
    let base = task.base;
    let mut asking = Asking { step, base, original: original.as_deref(), task, file: id, attempt: finished.attempts };
    let mended = tries(run, &mut asking);
    finished.attempts = asking.attempt;
    run.put_back(place);
    let error = mended.as_ref().err().map(ToString::to_string);
    run.spans.push(Span::file(id, run.root, path, (start, SystemTime::now()), error));
    match mended {
        Err(error) if is_only_lost(&error, by_reviewer) => {
            let message = format!("what was found in '{path}' is not mended: {error}");
            run.say(Event::Finding(lost(message, &error).path(path)));
            run.short = match &error {
                ImplementError::Budget { over, .. } | ImplementError::Unmended { over, .. } => Some(over.clone()),
                _ => None,
            };
            Ok(if is_gone(&error) { Mended::Unanswered } else { Mended::Nothing })
        }
        mended => mended,
    }
}

fn tries(run: &mut Run, asking: &mut Asking) -> Result<Mended, ImplementError> {
    let (prompt, completion) = answered(run, asking)?;
    if let Some(sentence) = disagreement(&completion.text) {
        return Ok(Mended::Disagree(sentence.to_owned()));
    }
    let made = match judge(run, asking, None, (Source::Reply(&prompt.request), &completion.text)) {
        Ok(made) => made,
        Err(rejected) => repair(run, asking, prompt, rejected)?,
    };
    Ok(Mended::Made(made))
}

fn is_gone(error: &ImplementError) -> bool {
    matches!(error, ImplementError::Provider { error, .. } if error.kind() == ErrorKind::Transport)
}

/// What is said of a file that is not mended.
fn lost(message: String, error: &ImplementError) -> Finding {
    let ImplementError::Provider { error, .. } = error else { return Finding::note("not-mended", message) };
    let (finding, words) = (Finding::warning("not-mended", message), error.hints().join("\n"));
    if words.is_empty() { finding } else { finding.hint(words) }
}

/// Does the run stand as it did before? What ends a request ends the run where the next one would end so, too; but what a
/// reviewer wants has passed everything without it.
fn is_only_lost(error: &ImplementError, by_reviewer: bool) -> bool {
    match error {
        ImplementError::Refused { .. }
        | ImplementError::Truncated { .. }
        | ImplementError::Declined { .. }
        | ImplementError::TooLong { .. }
        | ImplementError::Budget { .. }
        | ImplementError::Unmended { .. } => true,
        // Who replays one shot gets what became of it.
        ImplementError::Provider { error, .. } => match error.kind() {
            ErrorKind::NotRecorded => true,
            ErrorKind::Transport | ErrorKind::Refused | ErrorKind::CommandFailed => by_reviewer,
            ErrorKind::Interrupted | ErrorKind::Configuration => false,
        },
        _ => false,
    }
}

/// What is said of an answer that leaves a file as it was.
pub(super) fn not_mended(path: &str) -> Finding {
    Finding::note("not-mended", format!("what came back for '{path}' changes nothing")).path(path)
}
