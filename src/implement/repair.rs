//! One more try, with what was found: a refused reply goes back as the next turn of its conversation.

use super::ImplementError;
use super::ask::{Asking, Made, request};
use super::judge::{Rejected, Source, judge};
use super::run::Run;
use crate::attempt::{self, Failure, Next, Trend, Tried};
use crate::event::Event;
use crate::ledger::{Over, Reservation};
use crate::model::{Request, StopReason};
use crate::prompt::{self, Prompt};
use crate::provider::recording::Recording;
use crate::provider::{ErrorKind, ProviderError};

/// Asks for a mended reply as often as the policy allows and it gets no worse. `prompt` is what the `rejected` reply answers.
///
/// # Errors
/// [`ImplementError::Refused`] with what was found last, or before a reply that made it worse; [`ImplementError::Unmended`]
/// where the money was short of asking; what else ends a request.
pub(super) fn repair(
    run: &mut Run,
    asking: &mut Asking,
    prompt: Prompt,
    rejected: Box<Rejected>,
) -> Result<Made, ImplementError> {
    let path = asking.step.path.as_str();
    let (mut conversation, mut rejected, mut failure) = (prompt, rejected, Failure::Refused(Trend::First));
    hide(run, &conversation.request, &rejected)?;
    // The request whose reply was the last word.
    let mut last = conversation.request.clone();
    let mut repairs = 0;
    while attempt::next(run.policy, failure, Tried { truncated: 0, repairs }) == Next::Repair {
        let Some((next, reserved)) = ready(run, asking, &conversation, &rejected) else { break };
        let reserved = match reserved {
            Ok(reserved) => reserved,
            Err(over) => {
                let Rejected { findings, reply, .. } = *rejected;
                let error = Box::new(ImplementError::Refused { path: path.to_owned(), findings, reply });
                return Err(ImplementError::Unmended { path: path.to_owned(), over, error });
            }
        };
        run.say(Event::Refused { path: path.to_owned(), attempt: asking.attempt, findings: rejected.findings.clone() });
        repairs += 1;
        let completion = match request(run, asking, &next, reserved) {
            // Who replays one shot gets what became of it.
            Err(ImplementError::Provider { error, .. }) if error.kind() == ErrorKind::NotRecorded => break,
            completion => completion?,
        };
        last = next.request.clone();
        if completion.stop.is_truncation() {
            failure = Failure::Truncated { edits_would_do: false };
            continue;
        } else if completion.stop != StopReason::EndTurn {
            break;
        }
        match judge(run, asking, Some(&rejected), (Source::Reply(&next.request), &completion.text)) {
            Ok(made) => return Ok(made),
            Err(again) => {
                hide(run, &last, &again)?;
                let trend = again.beside(&rejected);
                failure = Failure::Refused(trend);
                if trend == Trend::Other {
                    (conversation, rejected) = (next, again);
                }
            }
        }
    }
    in_recordings(run, |dir| Recording::refuse(dir, &last.key()), path)?;
    let Rejected { findings, reply, .. } = *rejected;
    Err(ImplementError::Refused { path: path.to_owned(), findings, reply })
}

/// The next turn, if there is room for it in the model's window, and money for it, which is reserved.
fn ready(
    run: &Run,
    asking: &Asking,
    conversation: &Prompt,
    rejected: &Rejected,
) -> Option<(Prompt, Result<Reservation, Over>)> {
    let refused = prompt::GivenBack {
        reply: &rejected.reply,
        findings: &rejected.findings,
        made: rejected.made.as_deref(),
        standing: rejected.standing.as_ref(),
    };
    let next = prompt::repair(conversation, &asking.task, &refused, run.limits).ok()?;
    let reserved = run.account.reserve(&next.expected());
    Some((next, reserved))
}

/// Takes the secrets out of the recorded reply that was refused for them.
fn hide(run: &Run, request: &Request, rejected: &Rejected) -> Result<(), ImplementError> {
    let hide = |dir: &std::path::Path| Recording::mask(dir, &request.key(), &rejected.reply);
    if rejected.masked { in_recordings(run, hide, "") } else { Ok(()) }
}

fn in_recordings(
    run: &Run,
    change: impl Fn(&std::path::Path) -> Result<(), ProviderError>,
    path: &str,
) -> Result<(), ImplementError> {
    let path = path.to_owned();
    run.recordings.iter().try_for_each(|dir| change(dir)).map_err(|error| ImplementError::Provider { path, error })
}
