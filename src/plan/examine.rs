//! The whole examination of a design: rows selected, decided, judged and, if nothing is wrong, made into steps.

use super::decide::{Case, Ground};
use super::neighbours::Neighbours;
use super::tasks::{self, Chosen, Said};
use super::{Options, Plan, Row, Size, Snapshot, Step, Strategy, allow, decide, executable, rules, select, strategy};
use crate::finding::Finding;
use crate::lld::{Change, Lld, Task};
use std::collections::{BTreeSet, HashMap, HashSet};

/// What there is to say of a design in a tree.
#[derive(Debug, Clone, Default)]
pub struct Examined {
    /// Every row of the file list, the informational and the unselected ones too; there whatever the findings are.
    pub rows: Vec<Row>,
    /// `None` if one of `findings` is an error.
    pub plan: Option<Plan>,
    /// The design's own first. Lines are lines of the design.
    pub findings: Vec<Finding>,
}

impl Examined {
    /// The steps of the plan; none if there is no plan.
    pub fn steps(&self) -> &[Step] {
        self.plan.as_ref().map_or(&[], Plan::steps)
    }
}

/// [`super::plan`], with the rows for people to look at.
pub fn examine(lld: &Lld, snapshot: &Snapshot, options: &Options) -> Examined {
    let mut findings = lld.findings.clone();
    let chosen = Chosen::of(lld, options, &mut findings);
    let files = chosen.narrow(&lld.files);
    let selected = select::select(&files, options, &mut findings);
    select::listed(lld, &mut findings);
    // Paths on the command line name files: directory rows are then not what was asked for.
    if options.only.is_empty() {
        select::directories(&files, &selected, &mut findings);
    }
    let parts = || tasks::parts(&chosen, &files, options.max_files);
    select::cap(selected.iter().filter(|&&s| s).count(), options.max_files, parts, &mut findings);
    let mut cases = decide::cases(&files, &selected, snapshot, options);
    cases.sort_by_cached_key(|case| chosen.rank(case.spec));
    let neighbours = Neighbours::new(snapshot);
    let ground = Ground::new(&cases, &files, snapshot, &neighbours, options);
    rules::judge(&ground, &mut findings);

    let rows = files
        .iter()
        .zip(&lld.files)
        .zip(&selected)
        .map(|((spec, whole), &selected)| {
            let case = Case::decide(spec, snapshot, options);
            let base = case.base.filter(|_| case.asks());
            Row {
                change: case.change,
                strategy: strategy::strategy(&case, options),
                allow: allow::permitted(spec, options),
                // An informational row is not left out: it asks for nothing.
                selected: selected || (spec.selected && !decide::asks(spec)),
                size: base.map(Size::of),
                ..Row::of(whole)
            }
        })
        .collect();
    let plan = (!findings.iter().any(Finding::is_error)).then(|| {
        let step = |case: &Case| step(case, &chosen, &neighbours, options);
        Plan {
            steps: match options.per_task {
                true => by_task(&cases, &chosen, step),
                false => cases.iter().map(step).collect(),
            },
        }
    });
    Examined { rows, plan, findings }
}

fn step(case: &Case, chosen: &Chosen, neighbours: &Neighbours, options: &Options) -> Step {
    let spec = case.spec;
    let mut seen = HashSet::new();
    let tasks = chosen.of_file(spec).filter(|task| seen.insert(task.id.as_str())).map(|task| task.id.clone()).collect();
    Step {
        path: spec.path.clone(),
        change: case.change,
        from: spec.from.clone().filter(|_| case.change == Change::Rename),
        strategy: strategy::strategy(case, options),
        description: spec.description.clone(),
        line: spec.line,
        base: case.base.cloned(),
        again: false,
        executable: executable::planned(case, neighbours),
        allow: allow::permitted(spec, options),
        tasks,
    }
}

/// A step for each file of each task. What another task has made of a file before is what a step then starts from.
fn by_task(cases: &[Case], chosen: &Chosen, step: impl Fn(&Case) -> Step) -> Vec<Step> {
    let (mut steps, mut made) = (Vec::new(), HashSet::new());
    // The cases of each path, and of each that one is renamed from.
    let mut touched: HashMap<&str, BTreeSet<usize>> = HashMap::new();
    for (at, case) in cases.iter().enumerate() {
        for path in case.spec.from.iter().chain([&case.spec.path]) {
            touched.entry(path.as_str()).or_default().insert(at);
        }
    }
    let whole: Vec<(Step, Said)> =
        cases.iter().map(|case| (Step { tasks: Vec::new(), ..step(case) }, Said::of(case.spec))).collect();
    for task in chosen.iter() {
        let places: BTreeSet<usize> =
            task.files.iter().filter_map(|path| touched.get(path.as_str())).flatten().copied().collect();
        for (step, said) in places.into_iter().filter_map(|at| whole.get(at)) {
            let again = !made.insert(step.path.clone());
            steps.push(of_task(step.clone(), task, said, again));
        }
    }
    let rest = cases.iter().filter(|case| chosen.of_file(case.spec).next().is_none());
    steps.extend(rest.map(step));
    steps
}

/// What one of its tasks asks for in the step of a file.
fn of_task(step: Step, task: &Task, said: &Said, again: bool) -> Step {
    let deletes = task.deletes.contains(&step.path);
    let change = match step.change {
        _ if deletes => Change::Delete,
        // Another task deletes it.
        Change::Delete if step.base.is_none() && !again => Change::Add,
        Change::Delete => Change::Modify,
        _ if again => Change::Modify,
        change => change,
    };
    let description = said.by(&task.id);
    let strategy = match change {
        Change::Delete => Strategy::None,
        // The changes are another task's.
        Change::Rename if !strategy::asks_changes(&description) => Strategy::None,
        // Whatever its size, it is not written anew for each of its tasks.
        _ if again => Strategy::Edits,
        Change::Add => Strategy::Whole,
        _ => step.strategy,
    };
    Step {
        change,
        strategy,
        from: step.from.filter(|_| change == Change::Rename),
        description,
        line: task.line,
        again,
        tasks: vec![task.id.clone()],
        ..step
    }
}

impl Case<'_> {
    /// Is a model asked for anything?
    fn asks(&self) -> bool {
        !matches!(self.change, Change::Delete | Change::None) && !self.spec.directory
    }
}

impl Row {
    /// Is a model asked for this row's file?
    pub fn is_asked(&self) -> bool {
        self.selected && matches!(self.strategy, Strategy::Whole | Strategy::Edits | Strategy::Unknown)
    }
}
