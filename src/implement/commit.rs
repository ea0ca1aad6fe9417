//! From made files to commits: what goes into one, what it is called, and who is asked about it.

use super::ImplementError;
use super::hooked::ask_hook;
use super::look::Look;
use super::make::Finished;
use super::run::Run;
use super::ticking::Ticking;
use crate::check::{self, Candidate};
use crate::event::{Event, Outcome};
use crate::git::message::{self, Trailers};
use crate::git::{CommitOptions, Mode, Scratch, Unpublished};
use crate::lld::{Change, Task, typed};
use crate::passage::Passage;
use crate::patch::{self, Stat};
use crate::plan::Step;
use std::collections::HashMap;

/// How commits are made of what is staged.
pub(super) struct Committing<'a> {
    pub options: CommitOptions<'a>,
    pub trailers: Trailers<'a>,
    pub style: Style<'a>,
    /// All that the run makes.
    pub steps: &'a [Step],
    /// What a task was told in, and has no other description.
    pub task: Option<&'a str>,
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

/// Stages the list with its finished tasks ticked.
fn tick(run: &mut Run, ticking: &Ticking, scratch: &mut Scratch) -> Result<Stat, ImplementError> {
    let base = String::from_utf8_lossy(&ticking.base.bytes);
    let path = ticking.path.as_str();
    let candidate = Candidate { path, base: Some(&base), text: &ticking.text, ..Candidate::default() };
    let (accepted, _) = check::accept(&ticking.path, &candidate, &run.settings)
        .map_err(|findings| ImplementError::Refused { path: path.to_owned(), findings, reply: String::new() })?;
    scratch.stage(&accepted, Mode::of(ticking.base.executable))?;
    run.making.accepted(&accepted, Some(&base), ticking.by(), false);
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
        if let Some(words) = self.task {
            let (title, all) = typed::message(words);
            return match (self.style, steps) {
                (Style::PerFile, [step]) => {
                    let subject = message::summary(step.change, &step.path);
                    message::for_task(&subject, step.from.as_ref(), words, &trailers)
                }
                _ => message::for_task(&title, None, all.unwrap_or_default(), &trailers),
            };
        }
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
            // Files that only pass together.
            (_, [first, others @ ..]) if !others.is_empty() => {
                let title = format!("{} and {} more", message::summary(first.change, &first.path), others.len());
                let said = all(|step| format!("{}: {}", step.path, step.description.replace('\n', " ")));
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

/// Makes the commits, in the design's order.
pub(super) struct Committer<'a> {
    committing: &'a Committing<'a>,
    /// Files that are in a commit, or wait for the rest of theirs.
    taken: usize,
    /// Of these, those that wait: they are staged.
    waiting: Vec<&'a Step>,
    tally: Tally,
}

impl<'a> Committer<'a> {
    pub fn new(committing: &'a Committing<'a>) -> Committer<'a> {
        Committer { committing, taken: 0, waiting: Vec::new(), tally: Tally::default() }
    }

    /// Commits what of `finished`, the first of the run's files, is in no commit yet, as far as it makes whole ones.
    /// `look`: whoever has a say about each commit.
    pub fn commit(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &[Finished<'a>],
        mut look: Option<&mut Look>,
    ) -> Result<(), ImplementError> {
        for (index, file) in finished.iter().enumerate().skip(self.taken) {
            self.taken = index + 1;
            file.stage(scratch)?;
            self.tally.stat += file.stat;
            match file.outcome {
                Outcome::Unchanged => self.tally.unchanged += 1,
                _ => self.waiting.push(file.step),
            }
            let next = self.committing.steps.get(index + 1);
            let is_last = next.is_none() && (self.tally.commits > 0 || !self.waiting.is_empty());
            let ticking = self.committing.ticking.filter(|_| is_last);
            if let Some(ticking) = ticking {
                self.tally.stat += tick(run, ticking, scratch)?;
            }
            if self.committing.style.ends(file.step, next) && (ticking.is_some() || !self.waiting.is_empty()) {
                self.one(run, scratch, (ticking, next.is_none()), look.as_deref_mut())?;
            }
        }
        Ok(())
    }

    /// What came of it.
    pub fn done(self) -> Tally {
        self.tally
    }

    /// Commits what waits, unless that does not pass alone: then it waits on, for what comes with it. The last is
    /// committed as it is: it was looked at.
    fn one(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        (ticking, is_last): (Option<&Ticking>, bool),
        look: Option<&mut Look>,
    ) -> Result<(), ImplementError> {
        let tree = scratch.write_tree()?;
        if tree.is_unchanged(scratch) {
            self.waiting.clear();
            return Ok(());
        }
        let verified = scratch.verify(tree)?;
        let looked_at = verified.id();
        let mut look = look.filter(|look| look.judges_commits());
        if let Some(look) = &mut look
            && !look.at_commit(run, scratch, looked_at, is_last)?
        {
            scratch.stage_again(verified);
            return Ok(());
        }
        let Some(passed) = ask_hook(run, scratch, verified, self.committing, &mut self.tally.stat)? else {
            self.waiting.clear();
            return Ok(());
        };
        // What is committed is what was looked at.
        if let Some(look) = look.filter(|_| passed.id() != looked_at)
            && !look.at_commit(run, scratch, passed.id(), is_last)?
        {
            scratch.stage_again(passed);
            return Ok(());
        }
        let message = self.committing.message(&self.waiting, ticking);
        self.waiting.clear();
        let commit = scratch.commit(passed, &message, &self.committing.options)?;
        let subject = commit.message().lines().next().unwrap_or_default().to_owned();
        let steps = self.committing.steps;
        run.making.committed(&commit, |path| {
            let step = steps.iter().find(|step| step.path.as_str() == path && step.change == Change::Rename);
            step?.from.as_ref().map(ToString::to_string)
        });
        run.say(Event::Committed { commit: commit.commit().to_string(), subject });
        self.tally.commits += 1;
        self.tally.tip = Some(commit);
        Ok(())
    }
}
