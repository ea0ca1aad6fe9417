//! Asking: one answer to each request, or none at all.

use super::Surveyed;
use crate::attempt::{self, Failure, Next, Policy, Tried};
use crate::check::Mask;
use crate::event::Progress;
use crate::git::{RecordFile, Repository};
use crate::implement::{Chosen, ImplementError, Wanted, record};
use crate::ledger::{Account, Ledger, Reservation};
use crate::model::{Completion, Speaker, StopReason, Usage};
use crate::plan::Estimate;
use crate::plan::propose::{self, Answer};
use crate::process::Interrupt;
use crate::prompt::Prompt;
use crate::provider::recording::{Recorder, Recording};
use crate::provider::trace::{SpanId, TraceId};
use crate::provider::{Call, Provider};
use std::path::PathBuf;

/// What the requests come to, if what they draw on allows it.
pub fn estimate(prompts: &[Prompt], chosen: &Chosen, ledger: &Ledger, path: &str) -> Result<Estimate, ImplementError> {
    let account = ledger.account(chosen.prices);
    let mut total = Estimate::default();
    let mut reserved: Vec<Reservation> = Vec::new();
    for prompt in prompts {
        let usage = prompt.expected();
        reserved.push(reserve(&account, &usage, path)?);
        let cost = chosen.prices.map(|prices| prices.cost(&usage));
        total += Estimate { prompt: prompt.tokens, cached: 0, reply: prompt.reply_tokens, cost };
    }
    Ok(total)
}

fn reserve(account: &Account, usage: &Usage, path: &str) -> Result<Reservation, ImplementError> {
    account.reserve(usage).map_err(|over| ImplementError::Budget { path: path.to_owned(), over })
}

/// How to ask.
pub struct Asking<'a> {
    /// Record replies here, too.
    pub record: Option<PathBuf>,
    pub policy: Policy,
    /// What it draws on.
    pub ledger: Ledger,
    pub interrupt: &'a Interrupt,
    /// Is told of everything that a provider tells.
    pub progress: &'a mut dyn FnMut(Progress),
}

/// Gets an answer to each request. The replies are kept as shown until [`super::agree`] or [`super::forget`] is called.
///
/// # Errors
/// What a provider can fail with, and a reply that is no answer. What was answered until then is kept as the replies of a
/// failed run are.
pub fn ask(
    repository: &Repository,
    surveyed: &Surveyed,
    prompts: &[Prompt],
    chosen: Chosen,
    asking: Asking,
) -> Result<Vec<Answer>, ImplementError> {
    let list = surveyed.list();
    let folder = repository.shown_dir(&list)?;
    repository.forget_shown(&list);
    let mut provider: Box<dyn Provider> = Box::new(Recorder::new(chosen.provider, &folder));
    if let Some(dir) = &asking.record {
        provider = Box::new(Recorder::new(provider, dir));
    }
    let path = surveyed.design.path.as_str();
    let account = asking.ledger.account(chosen.prices);
    let answers = answers(provider.as_ref(), prompts, path, &account, asking);
    answers.map_err(|error| {
        let error = keep(repository, &list, error);
        repository.forget_shown(&list);
        error
    })
}

/// The answers that were shown last, if they are to these requests: whoever agrees to what they have seen agrees to that.
pub fn shown(
    repository: &Repository,
    surveyed: &Surveyed,
    prompts: &[Prompt],
) -> Result<Option<Vec<Answer>>, ImplementError> {
    let folder = repository.shown_dir(&surveyed.list())?;
    let answer = |prompt: &Prompt| {
        let recording = Recording::read(&folder, &prompt.request.key()).ok()??;
        propose::read(&recording.replies.last()?.text).ok()
    };
    Ok(prompts.iter().map(answer).collect())
}

fn answers(
    provider: &dyn Provider,
    prompts: &[Prompt],
    path: &str,
    account: &Account,
    asking: Asking,
) -> Result<Vec<Answer>, ImplementError> {
    let Asking { policy, interrupt, progress, .. } = asking;
    let trace = TraceId::random();
    let mut answers = Vec::new();
    for prompt in prompts {
        let mut attempt = 1;
        let completion: Completion = loop {
            let traceparent = trace.parent(SpanId::random());
            let reserved = reserve(account, &prompt.expected(), path)?;
            let mut call = Call {
                path,
                attempt,
                speaker: Speaker::Implementer,
                round: 1,
                traceparent: &traceparent,
                interrupt,
                progress: &mut *progress,
                failed: &mut |usage| {
                    reserved.lost(&usage);
                    reserved.stands().is_ok()
                },
            };
            let answer = provider.complete(&prompt.request, &mut call);
            let completion = answer.map_err(|error| ImplementError::unanswered(path, error, &reserved))?;
            reserved.settle(&completion.usage);
            match &completion.stop {
                StopReason::EndTurn => break completion,
                stop if stop.is_truncation() => {
                    let failure = Failure::Truncated { edits_would_do: false };
                    if attempt::next(policy, failure, Tried { truncated: attempt, repairs: 0 }) == Next::GiveUp {
                        let (path, stop, wanted) = (path.to_owned(), stop.clone(), Wanted::Proposal);
                        let reply = completion.text;
                        return Err(ImplementError::Truncated { path, tries: attempt, stop, wanted, reply });
                    }
                    attempt += 1;
                }
                stop => {
                    let (path, stop) = (path.to_owned(), stop.clone());
                    return Err(ImplementError::Declined { path, stop, reply: completion.text });
                }
            }
        };
        match propose::read(&completion.text) {
            Ok(answer) => answers.push(answer),
            Err(finding) => {
                let findings = vec![Mask::of([completion.text.as_str()]).finding(finding.path(path))];
                return Err(ImplementError::Refused { path: path.to_owned(), findings, reply: completion.text });
            }
        }
    }
    Ok(answers)
}

/// Keeps the replies there are as those of a failed run; with `error` what is to be said.
fn keep(repository: &Repository, list: &str, error: ImplementError) -> ImplementError {
    let replies = repository.shown(list).unwrap_or_default();
    if replies.is_empty() {
        return error;
    }
    let file = |(name, bytes): (String, Vec<u8>)| RecordFile { name: format!("replies/{name}"), bytes };
    let files: Vec<RecordFile> = replies.into_iter().map(file).collect();
    match repository.keep_failed(&record::run_id(), &files) {
        Ok(place) => {
            let record = place.display().to_string();
            ImplementError::Kept { error: Box::new(error), record, answered: true, run: None }
        }
        Err(_) => error,
    }
}
