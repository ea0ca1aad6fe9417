//! One question and its answer: every file, repair, turn of a talk, review and proposal goes through here, so that all of
//! them are paid, recorded, shown, interrupted and asked again in one way.

use super::ImplementError;
use super::continued::{Continued, notice};
use crate::attempt::{self, Failure, Next, Policy, Tried};
use crate::event::{Event, Progress, Sink};
use crate::implement::Wanted;
use crate::ledger::{Account, Reservation};
use crate::model::{Completion, Request, Speaker, StopReason, Usage};
use crate::process::Interrupt;
use crate::prompt::Prompt;
use crate::provider::trace::{Span, SpanId, TraceId};
use crate::provider::{Call, Provider};
use crate::transcript::Transcript;
use std::cell::Cell;
use std::time::{Instant, SystemTime};

/// About as many bytes of a reply are a token.
const BYTES_OF_A_TOKEN: u64 = 4;

/// What is asked, and of whom.
pub(super) struct Question<'a> {
    /// The file that it is about, or the design.
    pub path: &'a str,
    /// Requests that were made for that path before.
    pub asked: u32,
    /// Of these, those that were other questions, as the turns of a talk are: this one has tries of its own.
    pub others: u32,
    pub speaker: Speaker,
    pub round: u32,
    /// People are shown the answer as it comes.
    pub aloud: bool,
    /// The span of the trace that it belongs to; none: the run's.
    pub file: Option<SpanId>,
}

/// Who is asked, what pays for it, and who is told.
pub(super) struct Asker<'r> {
    pub provider: &'r dyn Provider,
    pub account: Account,
    pub interrupt: &'r Interrupt,
    /// None where there is no run yet: its record takes up later what was asked.
    pub transcript: Option<&'r mut Transcript>,
    pub face: &'r mut dyn Sink,
    pub continued: Option<&'r Continued>,
    pub trace: TraceId,
    /// The span of all that is asked.
    pub root: SpanId,
    pub spans: &'r mut Vec<Span>,
}

/// An answer that has come.
pub(super) struct Answer<'a> {
    pub completion: &'a Completion,
    /// US dollars, where prices are known.
    pub cost: Option<f64>,
    pub seconds: f64,
}

/// Whoever has questions: a run, or what is found out before there is one.
pub(super) trait Asks {
    fn asker(&mut self, speaker: Speaker) -> Asker<'_>;

    /// An answer has come, whatever it is worth.
    fn heard(&mut self, question: &Question, prompt: &Prompt, answer: &Answer);
}

impl Asker<'_> {
    /// Tells everybody who watches.
    pub fn say(&mut self, event: Event) {
        if let Some(transcript) = &mut self.transcript {
            transcript.event(&event);
        }
        self.face.event(&event);
    }
}

/// Asks until an answer comes that no limit has cut off, as often as the policy allows. `prompt` makes each question: the first,
/// and those that follow one that was cut off, with how it is to be asked for now.
pub(super) fn whole<R: Asks>(
    run: &mut R,
    question: &mut Question,
    policy: Policy,
    mut prompt: impl FnMut(&mut R, Option<Next>) -> Result<(Prompt, Wanted), ImplementError>,
) -> Result<(Prompt, Completion), ImplementError> {
    let (mut truncated, mut next) = (0, None);
    loop {
        let (prompt, wanted) = prompt(run, next)?;
        let completion = once(run, question, &prompt)?;
        if completion.stop == StopReason::EndTurn {
            return Ok((prompt, completion));
        }
        let (path, stop, reply) = (question.path.to_owned(), completion.stop, completion.text);
        if !stop.is_truncation() {
            return Err(ImplementError::Declined { path, stop, reply });
        }
        truncated += 1;
        let failure = Failure::Truncated { edits_would_do: wanted == Wanted::Whole };
        next = match attempt::next(policy, failure, Tried { truncated, repairs: 0 }) {
            Next::Repair | Next::GiveUp => {
                return Err(ImplementError::Truncated { path, tries: truncated, stop, wanted, reply });
            }
            again => Some(again),
        };
    }
}

/// Asks once, if there is money for it.
pub(super) fn once<R: Asks>(
    run: &mut R,
    question: &mut Question,
    prompt: &Prompt,
) -> Result<Completion, ImplementError> {
    let reserved = run.asker(question.speaker).account.reserve(&prompt.expected());
    let reserved = reserved.map_err(|over| ImplementError::Budget { path: question.path.to_owned(), over })?;
    send(run, question, prompt, reserved)
}

/// Sends one request with what is reserved for it.
pub(super) fn send<R: Asks>(
    run: &mut R,
    question: &mut Question,
    prompt: &Prompt,
    reserved: Reservation,
) -> Result<Completion, ImplementError> {
    question.asked += 1;
    let Question { path, asked: attempt, others, speaker, round, aloud, file } = *question;
    let request: &Request = &prompt.request;
    let key = request.key();
    let mut asker = run.asker(speaker);
    if let Some(transcript) = &mut asker.transcript {
        let filed = transcript.request(path, attempt, &key, request);
        filed.map_err(|error| ImplementError::Record { message: error.to_string() })?;
    }
    if let Some(finding) = asker.continued.and_then(|continued| notice(continued, path, attempt, &key)) {
        asker.say(Event::Finding(finding));
    }
    asker.say(asked(path, (attempt, others), &key, prompt));
    let (began, start, span) = (Instant::now(), SystemTime::now(), SpanId::random());
    let traceparent = asker.trace.parent(span);
    let (provider, interrupt) = (asker.provider, asker.interrupt);
    // Shared by the two that are told of the tries: what the last one has used.
    let last = Cell::new((Usage::default(), None));
    let mut bytes = 0;
    let mut progress = |progress: Progress| match progress {
        Progress::Text(text) => {
            bytes += text.len();
            if aloud {
                asker.face.said(speaker, round, text);
            }
            let so_far = Usage { output: bytes as u64 / BYTES_OF_A_TOKEN, ..prompt.expected() };
            let cost = reserved.cost_with(&so_far);
            asker.say(Event::Streaming { path: path.to_owned(), bytes, cost });
        }
        Progress::Retry { seconds, reason, .. } => {
            bytes = 0;
            let (usage, cost) = last.take();
            asker.say(Event::Retrying { path: path.to_owned(), seconds, reason: reason.to_owned(), usage, cost });
        }
    };
    let mut failed = |usage: Usage| {
        last.set((usage, reserved.lost(&usage)));
        reserved.stands().is_ok()
    };
    let mut call = Call {
        path,
        attempt: attempt - others,
        speaker,
        round,
        traceparent: &traceparent,
        interrupt,
        progress: &mut progress,
        failed: &mut failed,
    };
    let answer = provider.complete(request, &mut call);
    let (name, model, times) = (provider.name(), provider.model(), (start, SystemTime::now()));
    asker.spans.push(Span::chat(span, file.or(Some(asker.root)), name, model, request.max_tokens, times, &answer));
    let completion = match answer {
        Ok(completion) => completion,
        Err(error) => {
            let (instead_of, reason) = ("replied".into(), error.to_string());
            asker.say(Event::Aborted { instead_of, path: Some(path.to_owned()), command: None, reason });
            return Err(ImplementError::unanswered(path, error, &reserved));
        }
    };
    let cost = reserved.settle(&completion.usage);
    let answer = Answer { completion: &completion, cost, seconds: began.elapsed().as_secs_f64() };
    asker.say(replied(path, attempt, &answer));
    run.heard(question, prompt, &answer);
    Ok(completion)
}

/// That it is asked.
pub(super) fn asked(path: &str, (attempt, turns): (u32, u32), key: &str, prompt: &Prompt) -> Event {
    Event::Asked {
        path: path.to_owned(),
        attempt,
        turns,
        format: prompt.request.format.clone(),
        key: key.to_owned(),
        prompt_tokens: prompt.tokens,
        outlined: prompt.outlined.clone(),
    }
}

/// That it is answered.
pub(super) fn replied(path: &str, attempt: u32, answer: &Answer) -> Event {
    Event::Replied {
        path: path.to_owned(),
        attempt,
        stop: answer.completion.stop.clone(),
        usage: answer.completion.usage,
        cost: answer.cost,
        request_id: answer.completion.request_id.clone(),
        seconds: answer.seconds,
    }
}
