//! The reviewer of the change: a verdict on all of it, and where something must be mended one fix, made as edits.
//!
//! The review overrides no gate, and no gate needs it: a fix goes through all of them and is kept only if whatever passed
//! before still passes; a verdict that cannot be read, a reviewer who does not answer and a lack of money change nothing.

mod elsewhere;
mod fix;
mod mark;

pub(super) use elsewhere::Elsewhere;
pub use mark::{Mark, recorded as recorded_mark};

use super::look::Look;
use super::make::Finished;
use super::question::whole;
use super::run::Run;
use super::{ImplementError, Wanted};
use crate::check::Mask;
use crate::config::ReviewShows;
use crate::event::{Event, Outcome};
use crate::finding::Finding;
use crate::git::Scratch;
use crate::model::Speaker;
use crate::prompt::reviewer::{self as asking, Ground};
use crate::prompt::{Prompt, TooLong};
use crate::reviewer::{self, Changed, Remark, Remarks, Verdict};
use elsewhere::elsewhere;

/// Has the reviewer look at what is finished, and has mended what must be.
///
/// # Errors
/// Only what ends a run whoever is asked: an interruption, a record that cannot be written, a git that fails.
pub(super) fn review<'a>(
    run: &mut Run,
    scratch: &mut Scratch,
    finished: &mut [Finished<'a>],
    mut look: Option<&mut Look<'a>>,
) -> Result<(), ImplementError> {
    let verdicts = run.rounds.verdicts();
    for number in 1..=verdicts {
        let round = run.rounds.of_verdict(number);
        let Heard { verdict, why, remarks } = match heard(run, finished, round) {
            Ok(Some(heard)) => heard,
            Ok(None) => return Ok(()),
            Err(error) if is_only_missed(&error) => {
                let message = format!("the review has not come to its end: {error}");
                run.say(Event::Finding(missing(message, &error)));
                Heard::inconclusive("it has not come to its end")
            }
            Err(error) => return Err(error),
        };
        run.verdict = Some(verdict);
        let Remarks { counted, void, outside, unquoted } = remarks;
        let findings = counted.iter().map(finding).collect();
        let why = why.map(Into::into);
        run.say(Event::Reviewed { round, verdict, findings, void, outside, unquoted, why });
        // What was mended once is not mended again.
        if verdict != Verdict::Fix || number > 1 || !fix::fix(run, scratch, finished, look.as_deref_mut(), &counted)? {
            break;
        }
    }
    Ok(())
}

/// What is said of a reviewer who has no say.
pub(super) fn missing(message: String, error: &ImplementError) -> Finding {
    let words = match error {
        ImplementError::Provider { error, .. } => error.hints().join("\n"),
        _ => String::new(),
    };
    let finding = Finding::warning("review-missing", message);
    if words.is_empty() { finding } else { finding.hint(words) }
}

fn finding(remark: &Remark) -> Finding {
    let message = match remark.said == remark.quote {
        true => remark.said.clone(),
        false => format!("{} ({})", remark.said, remark.quote),
    };
    Finding::warning("review", message).path(remark.path.as_str()).line(remark.line)
}

/// What the reviewer says of a change.
struct Heard {
    verdict: Verdict,
    /// Why it is inconclusive.
    why: Option<&'static str>,
    remarks: Remarks,
}

impl Heard {
    fn inconclusive(why: &'static str) -> Heard {
        Heard { verdict: Verdict::Inconclusive, why: Some(why), remarks: Remarks::default() }
    }
}

/// What the reviewer says of the change; `None`: nothing has changed. An objection without a remark that counts is none.
fn heard(run: &mut Run, finished: &[Finished], round: u32) -> Result<Option<Heard>, ImplementError> {
    let changed = changes(finished);
    if changed.is_empty() {
        return Ok(None);
    }
    let limits = run.limits_of(Speaker::Reviewer);
    let long =
        |long: TooLong| ImplementError::TooLong { path: "the change".to_owned(), tokens: long.tokens, room: long.room };
    let ground = match run.rounds.shows {
        ReviewShows::Diff => Ground::default(),
        ReviewShows::Callers => {
            let ground = Ground::of(&changed);
            let (callers, called) = elsewhere(run, &ground, &changed)?;
            ground.with_others(&callers, &called)
        }
    };
    let task = run.material.design.text.clone();
    let prompt = asking::verdict(&task, &changed, &ground, run.mark.text(), limits).map_err(long)?;
    let said = say(run, &prompt, round)?;
    let verdict = reviewer::verdict(run.mark.text(), &said);
    if verdict == Verdict::Inconclusive {
        let is_said = reviewer::says_inconclusive(run.mark.text(), &said);
        return Ok(Some(Heard::inconclusive(if is_said {
            "the reviewer says so"
        } else {
            "its verdict cannot be read"
        })));
    }
    if verdict != Verdict::Fix {
        return Ok(Some(Heard { verdict, why: None, remarks: Remarks::default() }));
    }
    let next = asking::remarks(&prompt, &said, limits).map_err(long)?;
    let said = say(run, &next, round)?;
    let remarks = reviewer::remarks(&said, &changed);
    let (verdict, why) = match (remarks.counted.is_empty(), remarks.void) {
        (false, _) => (verdict, None),
        (true, 0) => (Verdict::Inconclusive, Some("it wants a fix, and no remark says of what")),
        (true, _) => (Verdict::Inconclusive, Some("none of its remarks counts")),
    };
    Ok(Some(Heard { verdict, why, remarks }))
}

/// What has become of each file: of one that was made in several steps, from the first to the last of them.
fn changes<'f>(finished: &'f [Finished]) -> Vec<Changed<'f>> {
    let mut changes: Vec<Changed> = Vec::new();
    for change in finished.iter().filter_map(changed) {
        match changes.iter_mut().find(|known| known.path == change.path) {
            Some(known) => *known = Changed { from: known.from, base: known.base, ..change },
            None => changes.push(change),
        }
    }
    changes.retain(|change| change.from.is_some() || change.base != change.text);
    changes
}

/// A finished file as it is shown, if anything has become of it.
fn changed<'f>(file: &'f Finished) -> Option<Changed<'f>> {
    let (path, from) = (file.step.path.as_str(), file.step.from.as_ref().map(|from| from.as_str()));
    let text = file.text.as_ref().map(|text| text.text());
    let base = file.base.as_deref();
    match file.outcome {
        Outcome::Unchanged => None,
        Outcome::Deleted => Some(Changed { path, from: None, base, text: None }),
        Outcome::Renamed => Some(Changed { path, from, base, text: text.or(base) }),
        Outcome::Added | Outcome::Modified => Some(Changed { path, from: None, base, text }),
    }
}

/// Asks the reviewer. What they say holds no secret: what they are shown has passed the gate.
fn say(run: &mut Run, prompt: &Prompt, round: u32) -> Result<String, ImplementError> {
    let path = run.transcript.header().lld.clone();
    let (mut question, policy) = (run.about_design(&path, Speaker::Reviewer, round), run.policy);
    let mut cut_off = 0;
    let asked = whole(run, &mut question, policy, |_, next| {
        cut_off += u32::from(next.is_some());
        Ok((prompt.shorter(cut_off), Wanted::Review))
    });
    run.asked_about_design = question.asked;
    let (prompt, completion) = asked?;
    let text = Mask::of([completion.text.as_str()]).apply(&completion.text).into_owned();
    run.say(Event::Said { by: Speaker::Reviewer, round, key: prompt.request.key(), text: text.clone() });
    Ok(text)
}

/// Does the run go on as if nobody had been asked?
fn is_only_missed(error: &ImplementError) -> bool {
    match error {
        ImplementError::Provider { error, .. } => !matches!(error, crate::provider::ProviderError::Interrupted),
        ImplementError::Declined { .. }
        | ImplementError::Truncated { .. }
        | ImplementError::TooLong { .. }
        | ImplementError::Budget { .. } => true,
        _ => false,
    }
}
