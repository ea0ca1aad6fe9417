//! Carrying out a plan: every step asked for, staged and committed, in the design's order.

use super::ask::{Made, ask};
use super::run::Run;
use super::{ImplementError, Job};
use crate::check::Accepted;
use crate::edit::{Edit, Format};
use crate::event::{Event, Outcome};
use crate::git::message::{self, Trailers};
use crate::git::{CommitOptions, Mode, Scratch, Unpublished};
use crate::lld::Change;
use crate::patch::{self, Stat};
use crate::plan::{Step, Strategy};
use crate::prompt::Completed;

/// How commits are made of what is staged.
pub(super) struct Committing<'a> {
    pub options: CommitOptions<'a>,
    pub trailers: Trailers<'a>,
    /// One commit for everything, with this subject.
    pub single: Option<&'a str>,
}

/// What came of the steps.
#[derive(Default)]
pub(super) struct Tally {
    pub commits: usize,
    pub unchanged: usize,
    pub stat: Stat,
    /// The last commit; `None` if nothing changed.
    pub tip: Option<Unpublished>,
}

pub(super) fn make(
    run: &mut Run,
    job: &Job,
    steps: &[Step],
    scratch: &mut Scratch,
    committing: &Committing,
) -> Result<Tally, ImplementError> {
    let mut tally = Tally::default();
    let mut descriptions = String::new();
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
        let done = carry_out(run, job, step, scratch)?;
        tally.stat += done.stat;
        run.say(Event::FileFinished {
            path: step.path.to_string(),
            outcome: done.outcome,
            stat: done.stat,
            edits: done.edits,
        });
        if done.outcome == Outcome::Unchanged {
            tally.unchanged += 1;
        } else if committing.single.is_some() {
            descriptions.push_str(&format!("{}: {}\n", step.path, step.description.replace('\n', " ")));
        } else {
            let trailers = Trailers { tasks: &step.tasks, ..committing.trailers };
            let message = message::for_file(step.change, &step.path, step.from.as_ref(), &step.description, &trailers);
            tally.commit(run, scratch, &message, committing)?;
        }
    }
    if let Some(title) = committing.single
        && tally.unchanged < steps.len()
    {
        let message = message::for_all(title, descriptions.trim_end(), &committing.trailers);
        tally.commit(run, scratch, &message, committing)?;
    }
    Ok(tally)
}

impl Tally {
    fn commit(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        message: &str,
        committing: &Committing,
    ) -> Result<(), ImplementError> {
        let tree = scratch.write_tree()?;
        if tree.is_unchanged(scratch) {
            return Ok(());
        }
        let verified = scratch.verify(tree)?;
        let commit = scratch.commit(verified, message, &committing.options)?;
        let subject = commit.message().lines().next().unwrap_or_default().to_owned();
        run.say(Event::Committed { commit: commit.commit().to_string(), subject });
        self.commits += 1;
        self.tip = Some(commit);
        Ok(())
    }
}

/// A step that is staged, or found to change nothing.
struct Done {
    outcome: Outcome,
    stat: Stat,
    edits: Vec<Edit>,
}

fn carry_out(run: &mut Run, job: &Job, step: &Step, scratch: &mut Scratch) -> Result<Done, ImplementError> {
    // The plan refuses bases that are not UTF-8 wherever a text is asked for.
    let base = step.base.as_ref().map(|blob| String::from_utf8_lossy(&blob.bytes));
    let base = base.as_deref();
    let bare = |outcome, stat| Ok(Done { outcome, stat, edits: Vec::new() });
    if let (Change::Rename, Some(from)) = (step.change, &step.from) {
        scratch.stage_rename(from, &step.path)?;
        run.completed.push(Completed { path: from.to_string(), text: None });
    }
    match (step.change, step.strategy) {
        (Change::Delete, _) => {
            scratch.stage_delete(&step.path);
            run.completed.push(Completed { path: step.path.to_string(), text: None });
            bare(Outcome::Deleted, patch::stat(base, None))
        }
        (Change::Rename, Strategy::None) => {
            run.completed.push(Completed { path: step.path.to_string(), text: base.map(str::to_owned) });
            bare(Outcome::Renamed, Stat::default())
        }
        _ => {
            let Made { accepted, edits } = ask(run, step, base, format(job, step))?;
            let stat = patch::stat(base, Some(accepted.text()));
            run.completed.push(Completed { path: step.path.to_string(), text: Some(accepted.text().to_owned()) });
            let outcome = match (step.change, base) {
                (Change::Rename, _) => Outcome::Renamed,
                (_, Some(base)) if base == accepted.text() => return bare(Outcome::Unchanged, stat),
                (_, Some(_)) => Outcome::Modified,
                (_, None) => Outcome::Added,
            };
            run.patch(|| patch::unified(step.path.as_str(), base, Some(accepted.text())));
            scratch.stage(&accepted, mode(step, &accepted))?;
            Ok(Done { outcome, stat, edits })
        }
    }
}

/// The form in which a step's file is asked for.
fn format(job: &Job, step: &Step) -> Format {
    match step.strategy {
        Strategy::Edits => job.edit_format,
        Strategy::Whole | Strategy::None | Strategy::Unknown => Format::Whole,
    }
}

/// A file keeps its mode; a new one is executable if it is a program by its text, or if its neighbours are.
fn mode(step: &Step, accepted: &Accepted) -> Mode {
    if step.executable { Mode::Executable } else { Mode::of(&step.path, step.base.as_ref(), accepted.text()) }
}
