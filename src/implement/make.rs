//! Carrying out a plan: every step asked for, staged and committed, in the design's order.

use super::ImplementError;
use super::ask::{Made, ask};
use super::hooked::ask_hook;
use super::run::Run;
use super::ticking::Ticking;
use crate::check::{self, Candidate};
use crate::edit::{Edit, Format};
use crate::event::{Event, Outcome};
use crate::git::message::{self, Trailers};
use crate::git::{self, CommitOptions, Mode, Scratch, Unpublished};
use crate::lld::{Change, Task};
use crate::passage::Passage;
use crate::patch::{self, Stat};
use crate::plan::{Step, Strategy};
use crate::prompt::Completed;
use std::borrow::Cow;
use std::collections::HashMap;

/// How commits are made of what is staged.
pub(super) struct Committing<'a> {
    pub options: CommitOptions<'a>,
    pub trailers: Trailers<'a>,
    pub style: Style<'a>,
    /// All that the run makes.
    pub steps: &'a [Step],
    /// What the last commit does besides.
    pub ticking: Option<&'a Ticking>,
}

/// What goes into one commit.
#[derive(Clone, Copy)]
pub(super) enum Style<'a> {
    PerFile,
    /// The files of one of these tasks, or of one part of a plan that has no list of tasks; a file of neither has a commit to
    /// itself.
    PerTask(&'a [Task], &'a HashMap<(String, usize), Passage>),
    /// Everything, with this subject.
    Single(&'a str),
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
    steps: &[Step],
    scratch: &mut Scratch,
    committing: &Committing,
) -> Result<Tally, ImplementError> {
    let mut tally = Tally::default();
    // What is staged and in no commit yet.
    let mut staged: Vec<&Step> = Vec::new();
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
        let done = carry_out(run, step, scratch)?;
        tally.stat += done.stat;
        run.say(Event::FileFinished {
            path: step.path.to_string(),
            outcome: done.outcome,
            stat: done.stat,
            edits: done.edits,
            format: done.format.map(|format| format.name().to_owned()),
            key: done.key,
            base: step.base.as_ref().map(|blob| git::blob_id(&blob.bytes)),
            result: done.result,
        });
        match done.outcome {
            Outcome::Unchanged => tally.unchanged += 1,
            _ => staged.push(step),
        }
        let next = steps.get(index + 1);
        let ticking = committing.ticking.filter(|_| next.is_none() && (tally.commits > 0 || !staged.is_empty()));
        if let Some(ticking) = ticking {
            tally.stat += tick(run, ticking, scratch)?;
        }
        if committing.style.ends(step, next) && (ticking.is_some() || !staged.is_empty()) {
            let message = committing.message(&staged, ticking);
            tally.commit(run, scratch, &message, committing)?;
            staged.clear();
        }
    }
    Ok(tally)
}

/// Stages the list with its finished tasks ticked.
fn tick(run: &mut Run, ticking: &Ticking, scratch: &mut Scratch) -> Result<Stat, ImplementError> {
    let base = String::from_utf8_lossy(&ticking.base.bytes);
    let path = ticking.path.as_str();
    let candidate = Candidate { path, base: Some(&base), text: &ticking.text, ..Candidate::default() };
    let (accepted, _) = check::accept(&ticking.path, &candidate, &run.settings)
        .map_err(|findings| ImplementError::Refused { path: path.to_owned(), findings, reply: String::new() })?;
    scratch.stage(&accepted, Mode::of(ticking.base.executable))?;
    Ok(patch::stat(Some(&base), Some(&ticking.text)))
}

impl Style<'_> {
    /// Is it time to commit when `step` is done, and `next` follows?
    fn ends(&self, step: &Step, next: Option<&Step>) -> bool {
        match self {
            Style::PerFile => true,
            Style::PerTask(_, passages) if step.tasks.is_empty() => {
                let part = |step: &Step| of_step(passages, step).map(|passage| passage.line);
                part(step).is_none() || next.is_none_or(|next| !next.tasks.is_empty() || part(next) != part(step))
            }
            Style::PerTask(..) => next.is_none_or(|next| (next.line, &next.tasks) != (step.line, &step.tasks)),
            Style::Single(_) => next.is_none(),
        }
    }
}

impl Committing<'_> {
    /// The message of the commit of these steps; without any, the list alone is ticked.
    fn message(&self, steps: &[&Step], ticking: Option<&Ticking>) -> String {
        let ticks = ticking.map(|ticking| format!("Ticks {}.", ticking.tasks.join(", "))).unwrap_or_default();
        let mut tasks: Vec<String> = Vec::new();
        for task in steps.iter().flat_map(|step| &step.tasks) {
            if !tasks.contains(task) {
                tasks.push(task.clone());
            }
        }
        let trailers = Trailers { tasks: &tasks, ..self.trailers };
        let all = |say: fn(&Step) -> String| {
            steps.iter().map(|step| say(step)).chain([ticks.clone()]).collect::<Vec<_>>().join("\n")
        };
        match (self.style, steps) {
            (Style::Single(title), _) => {
                let said = all(|step| format!("{}: {}", step.path, step.description.replace('\n', " ")));
                message::for_all(title, said.trim_end(), &trailers)
            }
            (Style::PerTask(tasks, passages), [first, ..]) if let Some(title) = title(tasks, passages, first) => {
                let said = all(|step| message::summary(step.change, &step.path));
                message::for_all(&title, said.trim_end(), &trailers)
            }
            (_, [step, ..]) => {
                let said = format!("{}\n{ticks}", step.description);
                message::for_file(step.change, &step.path, step.from.as_ref(), &said, &trailers)
            }
            (_, []) => ticking.map_or_else(String::new, |ticking| {
                message::for_file(Change::Modify, &ticking.path, None, &ticks, &trailers)
            }),
        }
    }
}

/// What the commit of a task is called: as the plan says, or after the task.
fn title(tasks: &[Task], passages: &HashMap<(String, usize), Passage>, first: &Step) -> Option<String> {
    let passage = of_step(passages, first);
    let given = passage.and_then(|passage| passage.message.clone());
    let task = tasks.iter().find(|task| !first.tasks.is_empty() && task.line == first.line);
    match (task, passage) {
        (Some(task), _) => Some(given.unwrap_or_else(|| format!("{}: {}", task.id, task.title))),
        (None, Some(passage)) if first.tasks.is_empty() => {
            given.or_else(|| Some(passage.title.clone()).filter(|title| !title.is_empty()))
        }
        _ => None,
    }
}

fn of_step<'p>(passages: &'p HashMap<(String, usize), Passage>, step: &Step) -> Option<&'p Passage> {
    passages.get(&(step.path.to_string(), step.line))
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
        let passed = ask_hook(run, scratch, verified, committing, &mut self.stat)?;
        let Some(passed) = passed else { return Ok(()) };
        let commit = scratch.commit(passed, message, &committing.options)?;
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
    /// The form of the reply, if somebody was asked.
    format: Option<Format>,
    /// The key of the request.
    key: Option<String>,
    /// The blob that came of the reply.
    result: Option<String>,
}

fn carry_out(run: &mut Run, step: &Step, scratch: &mut Scratch) -> Result<Done, ImplementError> {
    // The plan refuses bases that are not UTF-8 wherever a text is asked for.
    let base = match step.again {
        true => run.take_completed(step.path.as_str()).map(Cow::Owned),
        false => step.base.as_ref().map(|blob| String::from_utf8_lossy(&blob.bytes)),
    };
    let base = base.as_deref();
    let bare = |outcome, stat| Ok(Done { outcome, stat, edits: Vec::new(), format: None, key: None, result: None });
    if let (Change::Rename, Some(from)) = (step.change, &step.from) {
        scratch.stage_rename(from, &step.path)?;
        run.completed.push(Completed::new(from.to_string(), None));
    }
    match (step.change, step.strategy) {
        (Change::Delete, _) => {
            scratch.stage_delete(&step.path);
            run.completed.push(Completed::new(step.path.to_string(), None));
            bare(Outcome::Deleted, patch::stat(base, None))
        }
        (Change::Rename, Strategy::None) => {
            run.completed.push(Completed::new(step.path.to_string(), base.map(str::to_owned)));
            bare(Outcome::Renamed, Stat::default())
        }
        _ => {
            let Made { accepted, edits, format, key } = ask(run, step, base)?;
            let result = Some(git::blob_id(accepted.text().as_bytes()));
            let stat = patch::stat(base, Some(accepted.text()));
            run.completed.push(Completed::new(step.path.to_string(), Some(accepted.text().to_owned())));
            let outcome = match (step.change, base) {
                (Change::Rename, _) => Outcome::Renamed,
                (_, Some(base)) if base == accepted.text() => {
                    let (outcome, format) = (Outcome::Unchanged, Some(format));
                    return Ok(Done { outcome, stat, edits: Vec::new(), format, key, result });
                }
                (_, Some(_)) => Outcome::Modified,
                (_, None) => Outcome::Added,
            };
            run.patch(|| patch::unified(step.path.as_str(), base, Some(accepted.text())));
            scratch.stage(&accepted, Mode::of(step.is_executable(accepted.text())))?;
            Ok(Done { outcome, stat, edits, format: Some(format), key, result })
        }
    }
}
