//! Which tasks of a list are made, and in which order.
//!
//! Open ones, narrowed by what the command line says. The order is the list's, but for what a task says that it depends
//! on. The work is linear in what the list says.

use super::{Options, Plan};
use crate::finding::Finding;
use crate::lld::{Change, FileSpec, Lld, Task};
use crate::path::RepoPath;
use std::collections::{BTreeSet, HashMap, HashSet};

/// `--tasks`, `--phase` and `--story`: the tasks that all of them name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// Ids, and ranges of them in the list's order (`T001-T020`). Whoever names a task names its sub-tasks.
    pub ids: Vec<String>,
    pub phase: Option<String>,
    pub story: Option<String>,
}

impl Choice {
    fn is_empty(&self) -> bool {
        *self == Choice::default()
    }
}

/// The tasks that are made, in the order in which they are.
#[derive(Debug, Default)]
pub(super) struct Chosen<'a> {
    tasks: Vec<&'a Task>,
    /// The places among them of those that touch each path.
    touching: HashMap<&'a RepoPath, Vec<usize>>,
    /// Is the design a list of tasks?
    list: bool,
}

impl<'a> Chosen<'a> {
    /// What is wrong with the choice, or with the list as it is chosen, is among `findings`.
    pub fn of(lld: &'a Lld, options: &Options, findings: &mut Vec<Finding>) -> Chosen<'a> {
        let choice = &options.tasks;
        if lld.tasks.is_empty() {
            if !choice.is_empty() {
                findings.push(
                    Finding::error("task-choice", "the design is no list of tasks, of which some could be chosen")
                        .hint("--tasks, --phase and --story are for lists of tasks; paths after '--' choose files"),
                );
            }
            return Chosen::default();
        }
        let named = named(&lld.tasks, choice, findings);
        let open: Vec<bool> = (lld.tasks.iter().zip(&named))
            .map(|(task, named)| *named && !task.done && task.withdrawn.is_none())
            .collect();
        if !choice.is_empty() && !open.contains(&true) && !findings.iter().any(|it| it.id == "task-choice") {
            let nothing = Finding::note("task-choice", "all of the chosen tasks are done");
            findings.push(nothing);
        }
        let tasks = ordered(&lld.tasks, &open, findings);
        let mut touching: HashMap<&RepoPath, Vec<usize>> = HashMap::new();
        for (at, task) in tasks.iter().enumerate() {
            for path in &task.files {
                touching.entry(path).or_default().push(at);
            }
        }
        Chosen { tasks, touching, list: true }
    }

    /// The tasks that are made and touch this file, in order.
    pub fn of_file(&self, spec: &FileSpec) -> impl Iterator<Item = &'a Task> {
        self.places(spec).filter_map(|at| self.tasks.get(at).copied())
    }

    /// The places of the tasks that touch a file or, where it is renamed, what it was.
    fn places(&self, spec: &FileSpec) -> impl Iterator<Item = usize> {
        let of = |path: &RepoPath| self.touching.get(path).map(Vec::as_slice).unwrap_or_default();
        let (mut own, mut from) = (of(&spec.path), spec.from.as_ref().map(of).unwrap_or_default());
        std::iter::from_fn(move || {
            let next = own.first().into_iter().chain(from.first()).min().copied()?;
            for places in [&mut own, &mut from] {
                let passed = places.iter().take_while(|place| **place == next).count();
                *places = &places[passed..];
            }
            Some(next)
        })
    }

    pub fn iter(&self) -> impl Iterator<Item = &'a Task> {
        self.tasks.iter().copied()
    }

    /// Where the first task of a file stands.
    pub fn rank(&self, spec: &FileSpec) -> usize {
        self.places(spec).next().unwrap_or_default()
    }

    /// The files of a task list as these tasks want them: what others say of a file is left out. Files of no chosen
    /// task, and of designs that are no task lists, are as they were.
    pub fn narrow(&self, files: &[FileSpec]) -> Vec<FileSpec> {
        files.iter().map(|spec| self.narrowed(spec)).collect()
    }

    fn narrowed(&self, spec: &FileSpec) -> FileSpec {
        if !self.list || spec.tasks.is_empty() {
            return spec.clone();
        }
        let of_file: Vec<&Task> = self.of_file(spec).collect();
        let Some(last) = of_file.last() else { return FileSpec { selected: false, ..spec.clone() } };
        let change = match (last.deletes.contains(&spec.path), spec.change) {
            (true, _) => Change::Delete,
            (false, Change::Delete) => Change::AddOrModify,
            (false, change) => change,
        };
        let ids: HashSet<&str> = of_file.iter().map(|task| task.id.as_str()).collect();
        let description = describe(spec, |id| ids.contains(id));
        FileSpec { change, description, selected: true, ..spec.clone() }
    }
}

/// What the tasks with these ids say of a file: it has a line for each.
fn describe(spec: &FileSpec, is_said: impl Fn(&str) -> bool) -> String {
    let known: HashSet<&str> = spec.tasks.iter().map(String::as_str).collect();
    let of_task = |line: &&str| line.split_once(": ").is_none_or(|(id, _)| !known.contains(id) || is_said(id));
    spec.description.lines().filter(of_task).collect::<Vec<_>>().join("\n")
}

/// What is said of a file, to be asked for task by task.
pub(super) struct Said<'s> {
    lines: Vec<&'s str>,
    /// The lines of no task in particular, by their places; and those of each task.
    common: Vec<usize>,
    own: HashMap<&'s str, Vec<usize>>,
}

impl<'s> Said<'s> {
    pub fn of(spec: &'s FileSpec) -> Said<'s> {
        let known: HashSet<&str> = spec.tasks.iter().map(String::as_str).collect();
        let mut said = Said { lines: spec.description.lines().collect(), common: Vec::new(), own: HashMap::new() };
        for (at, line) in said.lines.iter().enumerate() {
            match line.split_once(": ").map(|(id, _)| id).filter(|id| known.contains(id)) {
                Some(id) => said.own.entry(id).or_default().push(at),
                None => said.common.push(at),
            }
        }
        said
    }

    /// What the task with this id says.
    pub fn by(&self, id: &str) -> String {
        let mut places: Vec<usize> = self.own.get(id).into_iter().flatten().chain(&self.common).copied().collect();
        places.sort_unstable();
        places.into_iter().filter_map(|at| self.lines.get(at).copied()).collect::<Vec<_>>().join("\n")
    }
}

/// For each task whether the choice names it.
fn named(tasks: &[Task], choice: &Choice, findings: &mut Vec<Finding>) -> Vec<bool> {
    let mut wrong = |what: &str, said: &str, known: String| {
        let finding = Finding::error("task-choice", format!("the list has no {what} '{said}'"));
        findings.push(if known.is_empty() { finding } else { finding.hint(format!("it has {known}")) });
    };
    let mut by_id = vec![choice.ids.is_empty(); tasks.len()];
    for said in choice.ids.iter().map(|said| said.trim()).filter(|said| !said.is_empty()) {
        let Some((first, last)) = range(tasks, said) else {
            let ids: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
            let known = match &ids[..] {
                [first, .., last] => format!("tasks {first} to {last}"),
                other => other.join(", "),
            };
            wrong("task", said, known);
            continue;
        };
        let ids: BTreeSet<&str> = tasks[first..=last].iter().map(|task| task.id.as_str()).collect();
        for (at, task) in tasks.iter().enumerate() {
            let part_of = task.parent.as_deref().is_some_and(|parent| ids.contains(parent));
            by_id[at] |= (first..=last).contains(&at) || part_of || first == last && ids.contains(task.id.as_str());
        }
    }
    let matches = |said: &Option<String>, of: fn(&Task) -> Option<&str>| -> Vec<bool> {
        let fits = |task: &Task| said.as_deref().is_none_or(|said| of(task).is_some_and(|is| is_same(is, said)));
        tasks.iter().map(fits).collect()
    };
    let (in_phase, in_story) =
        (matches(&choice.phase, |task| task.phase.as_deref()), matches(&choice.story, |task| task.story.as_deref()));
    for (what, said, fits, of) in [
        ("phase", &choice.phase, &in_phase, (|task: &Task| task.phase.clone()) as fn(&Task) -> Option<String>),
        ("story", &choice.story, &in_story, |task: &Task| task.story.clone()),
    ] {
        if let Some(said) = said
            && !fits.contains(&true)
        {
            let mut known: Vec<String> = tasks.iter().filter_map(of).collect();
            known.dedup();
            wrong(what, said, known.join(", "));
        }
    }
    (0..tasks.len()).map(|at| by_id[at] && in_phase[at] && in_story[at]).collect()
}

/// `US1` is what people write as `us1` and `1`, too.
fn is_same(is: &str, said: &str) -> bool {
    let said = said.trim();
    let number = is.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    is.eq_ignore_ascii_case(said) || !number.is_empty() && number == said
}

/// The places of the first and the last task that an id or a range of ids names.
fn range(tasks: &[Task], said: &str) -> Option<(usize, usize)> {
    let first = |id: &str| tasks.iter().position(|task| task.id.eq_ignore_ascii_case(id.trim()));
    let last = |id: &str| tasks.iter().rposition(|task| task.id.eq_ignore_ascii_case(id.trim()));
    if let Some(at) = first(said) {
        return Some((at, at));
    }
    said.match_indices('-').find_map(|(dash, _)| {
        let (from, to) = (first(&said[..dash])?, last(&said[dash + 1..])?);
        (from <= to).then_some((from, to))
    })
}

/// Tasks of one id that another waits for, if it depends on that id; people give two or three the same by mistake.
const MOST_TWINS: usize = 100;

/// The chosen tasks, each after those that it depends on; otherwise as the list has them.
fn ordered<'a>(tasks: &'a [Task], chosen: &[bool], findings: &mut Vec<Finding>) -> Vec<&'a Task> {
    let mut by_id: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, task) in tasks.iter().enumerate() {
        by_id.entry(task.id.as_str()).or_default().push(at);
    }
    // For each chosen task how many chosen ones it waits for, and for each who waits for it.
    let mut waits = vec![0usize; tasks.len()];
    let mut awaited: Vec<Vec<usize>> = vec![Vec::new(); tasks.len()];
    for (at, task) in tasks.iter().enumerate().filter(|(at, _)| chosen[*at]) {
        let needs = task.depends.iter().flat_map(|id| by_id.get(id.as_str()).into_iter().flatten().take(MOST_TWINS));
        let needs: BTreeSet<usize> = needs.copied().collect();
        for need in needs.into_iter().filter(|need| *need != at) {
            if chosen[need] {
                waits[at] += 1;
                awaited[need].push(at);
            } else if !tasks[need].done && tasks[need].withdrawn.is_none() {
                let message =
                    format!("task {} depends on {}, which is neither done nor chosen", task.id, tasks[need].id);
                findings.push(Finding::warning("task-depends", message).line(task.line));
            }
        }
    }
    let mut ready: BTreeSet<usize> = (0..tasks.len()).filter(|at| chosen[*at] && waits[*at] == 0).collect();
    let mut order = Vec::new();
    while let Some(at) = ready.pop_first() {
        order.push(&tasks[at]);
        for &waiting in &awaited[at] {
            waits[waiting] -= 1;
            if waits[waiting] == 0 {
                ready.insert(waiting);
            }
        }
    }
    let stuck: Vec<usize> = (0..tasks.len()).filter(|at| chosen[*at] && waits[*at] > 0).collect();
    if let Some(cycle) = cycle(tasks, &stuck, &by_id) {
        let ids: Vec<&str> = cycle.iter().map(|at| tasks[*at].id.as_str()).collect();
        let message = format!("tasks depend on each other: {}", ids.join(" -> "));
        let line = cycle.first().map_or(1, |at| tasks[*at].line);
        findings.push(
            Finding::error("task-cycle", message).line(line).hint("take one of these dependencies out of the list"),
        );
    }
    order
}

/// A way from a task back to itself; all of `stuck` wait for one of them.
fn cycle(tasks: &[Task], stuck: &[usize], by_id: &HashMap<&str, Vec<usize>>) -> Option<Vec<usize>> {
    let among: HashSet<usize> = stuck.iter().copied().collect();
    let mut way = vec![*stuck.first()?];
    // Where each task of the way stands in it.
    let mut seen = HashMap::from([(*stuck.first()?, 0)]);
    loop {
        let at = *way.last()?;
        let needs =
            tasks[at].depends.iter().flat_map(|id| by_id.get(id.as_str()).into_iter().flatten().take(MOST_TWINS));
        let next = *needs.into_iter().find(|need| among.contains(need) && **need != at)?;
        if let Some(from) = seen.insert(next, way.len()) {
            way.drain(..from);
            way.push(next);
            return Some(way);
        }
        way.push(next);
    }
}

/// The tasks that are done when the plan is carried out: those whose files it all makes, and those of which every part is
/// done then.
pub fn finished<'a>(lld: &'a Lld, plan: &Plan) -> Vec<&'a Task> {
    let mut made: HashMap<&str, HashSet<&str>> = HashMap::new();
    for step in plan.steps() {
        let paths = step.from.iter().chain([&step.path]).map(|path| path.as_str());
        for task in &step.tasks {
            made.entry(task.as_str()).or_default().extend(paths.clone());
        }
    }
    let by_files = |task: &Task| {
        let made = made.get(task.id.as_str());
        !task.done
            && !task.files.is_empty()
            && task.files.iter().all(|path| made.is_some_and(|made| made.contains(path.as_str())))
    };
    let mut finished: Vec<bool> = lld.tasks.iter().map(by_files).collect();
    // Parts stand below what they are parts of. For each id: is a part of it still open, and is one finished?
    let mut parts: HashMap<&str, (bool, bool)> = HashMap::new();
    for (task, finished) in lld.tasks.iter().zip(&mut finished).rev() {
        let open = !task.done && task.withdrawn.is_none();
        let own = parts.get(task.id.as_str()).copied().unwrap_or_default();
        if task.files.is_empty() && open && own == (false, true) {
            *finished = true;
        }
        if let Some(parent) = task.parent.as_deref() {
            let (any_open, any_finished) = parts.entry(parent).or_default();
            *any_open |= open && !*finished;
            *any_finished |= *finished;
        }
    }
    lld.tasks.iter().zip(finished).filter(|(_, finished)| *finished).map(|(task, _)| task).collect()
}

/// How a list with too many files for one run may be split: what to give, and how many files that makes.
pub(super) fn parts(chosen: &Chosen, files: &[FileSpec], most: usize) -> Vec<String> {
    let mut parts = Vec::new();
    type Part = fn(&Task) -> Option<&str>;
    let (story, phase): (Part, Part) = (|task| task.story.as_deref(), |task| task.phase.as_deref());
    for (option, of) in [("--story", story), ("--phase", phase)] {
        let mut names: Vec<&str> = Vec::new();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for name in chosen.iter().filter_map(of) {
            counts.entry(name).or_insert_with(|| {
                names.push(name);
                0
            });
        }
        for spec in files {
            let of_file: HashSet<&str> = chosen.of_file(spec).filter_map(of).collect();
            of_file.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
        }
        for name in names {
            let count = counts.get(name).copied().unwrap_or_default();
            if (1..=most).contains(&count) {
                parts.push(format!("{option} {name} ({count} {})", if count == 1 { "file" } else { "files" }));
            }
        }
    }
    parts.truncate(MOST_PARTS);
    parts
}

/// Parts that a hint names: whoever has more takes the first ones first.
const MOST_PARTS: usize = 20;
