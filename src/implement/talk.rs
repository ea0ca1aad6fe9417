//! The talk before the files are written: in each round but the last the implementer proposes, and the reviewer objects.
//! What was said is shown to whoever writes.

use super::ImplementError;
use super::question::once;
use super::reviewer::missing;
use super::run::Run;
use crate::check::Mask;
use crate::event::Event;
use crate::finding::Finding;
use crate::model::{Said, Speaker, StopReason};
use crate::prompt::talk::{self, Turn};

/// Holds the talk about the design at `path`, if there is to be one. A reviewer who does not answer is not waited for: the
/// files are what was asked for.
pub(super) fn hold(run: &mut Run, path: &str, planned: &[String]) -> Result<(), ImplementError> {
    let rounds = run.rounds.files();
    for round in 1..rounds {
        for by in [Speaker::Implementer, Speaker::Reviewer] {
            if run.interrupt.is_set() {
                return Err(ImplementError::Interrupted);
            }
            match turn(run, path, Turn { by, round, rounds, planned }) {
                Ok(()) => {}
                Err(error) if by == Speaker::Reviewer && !matches!(error, ImplementError::Interrupted) => {
                    let message = format!("the reviewer has no say in round {round}: {error}");
                    run.say(Event::Finding(missing(message, &error)));
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

fn turn(run: &mut Run, path: &str, turn: Turn) -> Result<(), ImplementError> {
    let Turn { by, round, .. } = turn;
    let limits = run.limits_of(by);
    let prompt = talk::request(&run.material, turn, limits).map_err(|long| ImplementError::TooLong {
        path: path.to_owned(),
        tokens: long.tokens,
        room: long.room,
    })?;
    let dropped = talk::dropped(&run.material.said, limits);
    if dropped > 0 {
        let message =
            format!("the first {dropped} turns of the talk are not shown any more: there is no room for them");
        run.say(Event::Finding(Finding::warning("talk-left-out", message)));
    }
    let mut question = run.about_design(path, by, round);
    let completion = once(run, &mut question, &prompt);
    run.asked_about_design = question.asked;
    let completion = completion?;
    // A provider on this machine may have been shown what nobody else may see.
    let text = Mask::of([completion.text.as_str()]).apply(&completion.text).into_owned();
    let stop = completion.stop;
    // Half a turn of a talk is a turn, too; what was declined is none.
    if stop != StopReason::EndTurn && !stop.is_truncation() {
        return Err(ImplementError::Declined { path: path.to_owned(), stop, reply: text });
    }
    let key = prompt.request.key();
    run.say(Event::Said { by, round, key, text: text.clone() });
    run.material.said.push(Said { by, round, text });
    Ok(())
}
