//! What was asked before there was a run, as which files a task means: the record of the run takes it up, so that it tells of
//! all that the task has cost, and replays all of it.

use super::ImplementError;
use super::question::{Answer, Asks, Question, asked, replied};
use super::run::Run;
use crate::model::{Completion, Speaker};
use crate::prompt::Prompt;
use crate::provider::recording::{RecordedReply, Recording};
use crate::provider::trace::{Span, SpanId};
use std::time::{Duration, SystemTime};

/// A question that is answered.
#[derive(Debug, Clone)]
pub struct Earlier {
    /// The design.
    pub path: String,
    /// Of the requests for it, from 1.
    pub attempt: u32,
    pub prompt: Prompt,
    pub completion: Completion,
    /// US dollars, where prices are known.
    pub cost: Option<f64>,
    pub start: SystemTime,
    pub seconds: f64,
    /// Who was asked: provider and model.
    pub by: (&'static str, String),
}

/// Takes it up into the run, which has just begun.
///
/// # Errors
/// Only if the record cannot be written. Nobody is asked, and a run that fails here fails as one that could not begin.
pub(super) fn take_up(run: &mut Run, earlier: &[Earlier]) -> Result<(), ImplementError> {
    for Earlier { path, attempt, prompt, completion, cost, start, seconds, by } in earlier {
        let request = &prompt.request;
        let key = request.key();
        let filed = run.transcript.request(path, *attempt, &key, request);
        filed.map_err(|error| ImplementError::Record { message: error.to_string() })?;
        for folder in &run.recordings {
            let kept = keep(folder, &key, path, &request.format, completion);
            kept.map_err(|error| ImplementError::Record { message: error.to_string() })?;
        }
        let answer = Answer { completion, cost: *cost, seconds: *seconds };
        run.say(asked(path, (*attempt, 0), &key, prompt));
        run.say(replied(path, *attempt, &answer));
        run.before.add(completion.usage, *cost);
        let times = (*start, *start + Duration::from_secs_f64(seconds.max(0.0)));
        let (name, model) = by;
        let (id, answered) = (SpanId::random(), Ok(completion.clone()));
        run.spans.push(Span::chat(id, Some(run.root), name, model, request.max_tokens, times, &answered));
        run.asked_about_design = *attempt;
        let (speaker, round) = (Speaker::Implementer, 1);
        run.heard(
            &Question { path, asked: *attempt, others: 0, speaker, round, aloud: false, file: None },
            prompt,
            &answer,
        );
    }
    Ok(())
}

/// Records a reply in `folder`, unless it was recorded there when it came.
fn keep(
    folder: &std::path::Path,
    key: &str,
    path: &str,
    format: &str,
    completion: &Completion,
) -> Result<(), crate::provider::ProviderError> {
    if Recording::read(folder, key)?.is_some() {
        return Ok(());
    }
    let (key, path, format) = (key.to_owned(), path.to_owned(), format.to_owned());
    Recording { key, path, format, replies: vec![RecordedReply::from(completion)] }.write(folder)
}
