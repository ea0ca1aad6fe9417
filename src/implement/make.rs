//! Carrying out a plan: every step asked for, in the design's order, and kept as a value until it is committed.

use super::ImplementError;
use super::ask::{Made, ask};
use super::commit::{Committer, Committing, Tally};
use super::look::Look;
use super::reviewer::review;
use super::run::Run;
use crate::check::Accepted;
use crate::edit::{Edit, Format};
use crate::event::{Event, Outcome};
use crate::git::{self, GitError, Mode, Scratch};
use crate::lld::Change;
use crate::patch::{self, Stat};
use crate::plan::{Step, Strategy};
use crate::prompt::Completed;
use std::borrow::Cow;

/// What a step came to.
pub(super) struct Finished<'a> {
    pub step: &'a Step,
    /// What the step began with.
    pub base: Option<String>,
    pub outcome: Outcome,
    pub stat: Stat,
    /// The file's text; none where it goes, or only moves.
    pub text: Option<Accepted>,
    /// Requests that were made for it.
    pub attempts: u32,
    /// When it was changed last: of two files, the later one has more.
    pub changed: u32,
}

impl Finished<'_> {
    /// Has it new content?
    pub fn is_written(&self) -> bool {
        self.outcome != Outcome::Unchanged && self.text.is_some()
    }

    /// Takes another text. Returns the one that it had.
    pub fn takes(&mut self, text: Accepted) -> Option<Accepted> {
        self.outcome = Outcome::of(self.step.change, self.base.as_deref(), text.text());
        self.stat = patch::stat(self.base.as_deref(), Some(text.text()));
        self.text.replace(text)
    }

    /// Stages it, as far as anything changes.
    pub fn stage(&self, scratch: &mut Scratch) -> Result<(), GitError> {
        let step = self.step;
        if let (Change::Rename, Some(from)) = (step.change, &step.from) {
            scratch.stage_rename(from, &step.path)?;
        }
        match (self.outcome, &self.text) {
            (Outcome::Deleted, _) => scratch.stage_delete(&step.path),
            (Outcome::Unchanged, _) | (_, None) => {}
            (_, Some(text)) => scratch.stage(text, Mode::of(step.is_executable(text.text())))?,
        }
        Ok(())
    }
}

/// Makes the files of `steps` and commits them: each as soon as it may be, which is when all that looks at them has.
pub(super) fn make<'a>(
    run: &mut Run,
    steps: &'a [Step],
    scratch: &mut Scratch,
    committing: &'a Committing<'a>,
    mut look: Option<Look<'a>>,
) -> Result<Tally, ImplementError> {
    let mut committer = Committer::new(committing);
    let mut finished = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        if run.interrupt.is_set() {
            return Err(ImplementError::Interrupted);
        }
        run.say(Event::FileStarted {
            path: step.path.to_string(),
            index: index + 1,
            of: steps.len(),
            change: step.change,
            strategy: step.strategy,
        });
        finished.push(carry_out(run, step)?);
        match &mut look {
            // A reviewer sees all of it first.
            None if run.rounds.verdicts() > 0 => {}
            None => committer.commit(run, scratch, &finished, None)?,
            Some(look) => look.after_file(run, scratch, &mut finished, steps.get(index + 1..).unwrap_or_default())?,
        }
    }
    if let Some(look) = &mut look {
        look.at_end(run, scratch, &mut finished)?;
    }
    review(run, scratch, &mut finished, look.as_mut())?;
    committer.commit(run, scratch, &finished, look.as_mut())?;
    if let Some(look) = &mut look {
        look.at_last(run, scratch, &finished)?;
    }
    Ok(committer.done())
}

/// How a step's text came about.
#[derive(Default)]
struct Reply {
    edits: Vec<Edit>,
    /// The form of the reply, if somebody was asked.
    format: Option<Format>,
    /// The key of the request.
    key: Option<String>,
}

/// Makes a step's file, and tells of it.
fn carry_out<'a>(run: &mut Run, step: &'a Step) -> Result<Finished<'a>, ImplementError> {
    let (finished, reply) = result_of(run, step)?;
    run.say(Event::FileFinished {
        path: step.path.to_string(),
        outcome: finished.outcome,
        stat: finished.stat,
        edits: reply.edits,
        format: reply.format.map(|format| format.name().to_owned()),
        key: reply.key,
        base: step.base.as_ref().map(|blob| git::blob_id(&blob.bytes)),
        result: finished.text.as_ref().map(|text| git::blob_id(text.text().as_bytes())),
    });
    Ok(finished)
}

fn result_of<'a>(run: &mut Run, step: &'a Step) -> Result<(Finished<'a>, Reply), ImplementError> {
    // The plan refuses bases that are not UTF-8 wherever a text is asked for.
    let base = match step.again {
        true => run.take_completed(step.path.as_str()).map(Cow::Owned),
        false => step.base.as_ref().map(|blob| String::from_utf8_lossy(&blob.bytes)),
    };
    let base = base.as_deref();
    let changed = run.turn();
    let finished = |outcome, stat, text, attempts| {
        let base = base.map(str::to_owned);
        Finished { step, base, outcome, stat, text, attempts, changed }
    };
    let bare = |outcome, stat| Ok((finished(outcome, stat, None, 0), Reply::default()));
    if let (Change::Rename, Some(from)) = (step.change, &step.from) {
        run.completed.push(Completed::new(from.to_string(), None));
    }
    match (step.change, step.strategy) {
        (Change::Delete, _) => {
            run.completed.push(Completed::new(step.path.to_string(), None));
            bare(Outcome::Deleted, patch::stat(base, None))
        }
        (Change::Rename, Strategy::None) => {
            run.completed.push(Completed::new(step.path.to_string(), base.map(str::to_owned)));
            bare(Outcome::Renamed, Stat::default())
        }
        _ => {
            let Made { accepted, mut edits, format, key, attempts } = ask(run, step, base)?;
            let stat = patch::stat(base, Some(accepted.text()));
            run.completed.push(Completed::new(step.path.to_string(), Some(accepted.text().to_owned())));
            let outcome = Outcome::of(step.change, base, accepted.text());
            match outcome {
                Outcome::Unchanged => edits.clear(),
                _ => run.patch(|| patch::unified(step.path.as_str(), base, Some(accepted.text()))),
            }
            Ok((finished(outcome, stat, Some(accepted), attempts), Reply { edits, format: Some(format), key }))
        }
    }
}

impl Outcome {
    /// What has become of a file that was asked for.
    fn of(change: Change, base: Option<&str>, text: &str) -> Outcome {
        match (change, base) {
            (Change::Rename, _) => Outcome::Renamed,
            (_, Some(base)) if base == text => Outcome::Unchanged,
            (_, Some(_)) => Outcome::Modified,
            (_, None) => Outcome::Added,
        }
    }
}
