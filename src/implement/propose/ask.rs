//! Asking: one answer to each request, or none at all.

use super::Surveyed;
use super::unnamed::{By, Heard, OfTask, Unnamed, keep};
use crate::attempt::Policy;
use crate::check::Mask;
use crate::event::{Event, Sink};
use crate::git::Repository;
use crate::implement::question::{self, Asker, Asks, Question, whole};
use crate::implement::{Chosen, Earlier, ImplementError, Wanted};
use crate::ledger::{Account, Ledger, Reservation};
use crate::model::{Completion, Speaker, Usage};
use crate::plan::Estimate;
use crate::plan::propose::{self, Answer};
use crate::process::Interrupt;
use crate::prompt::Prompt;
use crate::provider::Provider;
use crate::provider::recording::{Recorder, Recording};
use crate::provider::trace::{Span, SpanId, TraceId};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

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
    /// Is told of everything.
    pub face: &'a mut dyn Sink,
    /// The task that it is asked for, if it is for one.
    pub task: Option<&'a OfTask>,
}

/// The answers, and the questions that they came to, those among them whose reply was cut off.
pub struct Answered {
    pub answers: Vec<Answer>,
    pub earlier: Vec<Earlier>,
    pub by: By,
}

impl By {
    fn of(chosen: &Chosen) -> By {
        let (provider, model) = (chosen.provider.name(), chosen.provider.model().to_owned());
        By { provider, model, chosen: chosen.why.clone() }
    }
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
) -> Result<Answered, Unnamed> {
    let list = surveyed.list();
    let folder = repository.shown_dir(&list).map_err(ImplementError::from)?;
    let by = By::of(&chosen);
    repository.forget_shown(&list);
    let mut provider: Box<dyn Provider> = Box::new(Recorder::new(chosen.provider, &folder));
    if let Some(dir) = &asking.record {
        provider = Box::new(Recorder::new(provider, dir));
    }
    let Asking { policy, ledger, interrupt, face, task, .. } = asking;
    let mut face = Kept { face, events: Vec::new() };
    let mut survey = Survey {
        provider: provider.as_ref(),
        account: ledger.account(chosen.prices),
        interrupt,
        face: &mut face,
        trace: TraceId::random(),
        root: SpanId::random(),
        spans: Vec::new(),
        earlier: Vec::new(),
    };
    let answers = answers(&mut survey, prompts, surveyed.design.path.as_str(), policy);
    let earlier = survey.earlier;
    match answers {
        Ok(answers) => Ok(Answered { answers, earlier, by }),
        Err(error) => {
            let heard = Heard { surveyed, by: &by, earlier: &earlier, events: face.events };
            let unnamed = keep(repository, &heard, task, error);
            repository.forget_shown(&list);
            Err(unnamed)
        }
    }
}

/// Keeps what somebody else is told, for a record.
struct Kept<'a> {
    face: &'a mut dyn Sink,
    events: Vec<Event>,
}

impl Sink for Kept<'_> {
    fn event(&mut self, event: &Event) {
        if !matches!(event, Event::Streaming { .. }) {
            self.events.push(event.clone());
        }
        self.face.event(event);
    }
}

/// The answers that were shown last, if they are to these requests: whoever agrees to what they have seen agrees to that, and
/// what they have cost is paid.
pub fn shown(
    repository: &Repository,
    surveyed: &Surveyed,
    prompts: &[Prompt],
    chosen: &Chosen,
) -> Result<Option<Answered>, ImplementError> {
    let folder = repository.shown_dir(&surveyed.list())?;
    let mut found = Answered { answers: Vec::new(), earlier: Vec::new(), by: By::of(chosen) };
    for (prompt, attempt) in prompts.iter().zip(1..) {
        let recording = Recording::read(&folder, &prompt.request.key()).ok().flatten();
        let Some(reply) = recording.and_then(|mut recording| recording.replies.pop()) else { return Ok(None) };
        let Ok(answer) = propose::read(&reply.text) else { return Ok(None) };
        found.answers.push(answer);
        let completion = Completion::from(&reply);
        let cost = chosen.prices.map(|prices| prices.cost(&completion.usage));
        let by = (chosen.provider.name(), chosen.provider.model().to_owned());
        let (path, start, seconds) = (surveyed.design.path.to_string(), SystemTime::now(), 0.0);
        found.earlier.push(Earlier { path, attempt, prompt: prompt.clone(), completion, cost, start, seconds, by });
    }
    Ok(Some(found))
}

/// Whoever asks which files are meant.
struct Survey<'a> {
    provider: &'a dyn Provider,
    account: Account,
    interrupt: &'a Interrupt,
    face: &'a mut dyn Sink,
    trace: TraceId,
    root: SpanId,
    spans: Vec<Span>,
    earlier: Vec<Earlier>,
}

impl Asks for Survey<'_> {
    fn asker(&mut self, _: Speaker) -> Asker<'_> {
        Asker {
            provider: self.provider,
            account: self.account.clone(),
            interrupt: self.interrupt,
            transcript: None,
            face: self.face,
            continued: None,
            trace: self.trace,
            root: self.root,
            spans: &mut self.spans,
        }
    }

    fn heard(&mut self, question: &Question, prompt: &Prompt, answer: &question::Answer) {
        let seconds = answer.seconds;
        let start = SystemTime::now().checked_sub(Duration::from_secs_f64(seconds)).unwrap_or_else(SystemTime::now);
        self.earlier.push(Earlier {
            path: question.path.to_owned(),
            attempt: question.asked,
            prompt: prompt.clone(),
            completion: answer.completion.clone(),
            cost: answer.cost,
            start,
            seconds,
            by: (self.provider.name(), self.provider.model().to_owned()),
        });
    }
}

fn answers(survey: &mut Survey, prompts: &[Prompt], path: &str, policy: Policy) -> Result<Vec<Answer>, ImplementError> {
    let (speaker, round, aloud, file) = (Speaker::Implementer, 1, false, None);
    let mut question = Question { path, asked: 0, others: 0, speaker, round, aloud, file };
    let mut answers = Vec::new();
    for prompt in prompts {
        let mut cut_off = 0;
        let (_, completion) = whole(survey, &mut question, policy, |_, next| {
            cut_off += u32::from(next.is_some());
            Ok((prompt.shorter(cut_off), Wanted::Proposal))
        })?;
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
