//! One file: asked for, as often as the policy allows, until there is a whole reply; `judge` says what it is worth, and
//! `repair` gives a refused one back.

use super::judge::{Source, judge};
use super::plan_code::from_plan;
use super::question::{Question, send, whole};
use super::repair::repair;
use super::run::Run;
use super::{ImplementError, Wanted};
use crate::attempt::Next;
use crate::check::Accepted;
use crate::edit::{Edit, Format};
use crate::event::Event;
use crate::finding::Finding;
use crate::ledger::Reservation;
use crate::model::{Completion, Speaker};
use crate::plan::Step;
use crate::prompt::{self, Prompt, Task};
use crate::provider::trace::{Span, SpanId};
use std::time::SystemTime;

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
    let (mut question, policy) = (question(run, asking), run.policy);
    let (asked, edits, task) = (asking.attempt, run.edits, &mut asking.task);
    let answered = whole(run, &mut question, policy, |run, next| {
        task.cut_off += u32::from(next.is_some());
        if next == Some(Next::Edits) {
            task.format = edits;
        }
        Ok((build(run, task, asked == 0 && next.is_none())?, Wanted::of(task)))
    });
    asking.attempt = question.asked;
    answered
}

fn question<'a>(run: &Run, asking: &Asking<'a>) -> Question<'a> {
    Question {
        path: asking.step.path.as_str(),
        asked: asking.attempt,
        others: 0,
        speaker: Speaker::Implementer,
        round: run.rounds.files(),
        aloud: false,
        file: Some(asking.file),
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
    let mut question = question(run, asking);
    let completion = send(run, &mut question, prompt, reserved);
    asking.attempt = question.asked;
    completion
}
