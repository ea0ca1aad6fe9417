//! The whole examination of a design: rows selected, decided, judged and, if nothing is wrong, made into steps.

use super::decide::{Case, Ground};
use super::{Options, Plan, Row, Size, Snapshot, Step, Strategy, allow, decide, rules, select, strategy};
use crate::finding::Finding;
use crate::lld::{Change, Lld};

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

/// [`super::plan`], with the rows for people to look at.
pub fn examine(lld: &Lld, snapshot: &Snapshot, options: &Options) -> Examined {
    let mut findings = lld.findings.clone();
    let selected = select::select(&lld.files, options, &mut findings);
    select::listed(lld, &mut findings);
    // Paths on the command line name files: directory rows are then not what was asked for.
    if options.only.is_empty() {
        select::directories(&lld.files, &selected, &mut findings);
    }
    select::cap(selected.iter().filter(|&&s| s).count(), options.max_files, &mut findings);
    let cases = decide::cases(&lld.files, &selected, snapshot, options);
    let ground = Ground::new(&cases, &lld.files, snapshot, options);
    rules::judge(&ground, &mut findings);

    let rows = lld
        .files
        .iter()
        .zip(&selected)
        .map(|(spec, &selected)| {
            let case = Case::decide(spec, snapshot, options);
            let base = case.base.filter(|_| case.asks());
            Row {
                change: case.change,
                strategy: strategy::strategy(&case, options),
                allow: allow::permitted(spec, options),
                // An informational row is not left out: it asks for nothing.
                selected: selected || (spec.selected && !decide::asks(spec)),
                size: base.map(Size::of),
                ..Row::of(spec)
            }
        })
        .collect();
    let plan = (!findings.iter().any(Finding::is_error))
        .then(|| Plan { steps: cases.iter().map(|case| step(case, snapshot, options)).collect() });
    Examined { rows, plan, findings }
}

fn step(case: &Case, snapshot: &Snapshot, options: &Options) -> Step {
    let spec = case.spec;
    Step {
        path: spec.path.clone(),
        change: case.change,
        from: spec.from.clone().filter(|_| case.change == Change::Rename),
        strategy: strategy::strategy(case, options),
        description: spec.description.clone(),
        line: spec.line,
        base: case.base.cloned(),
        executable: strategy::executable(case, snapshot),
        allow: allow::permitted(spec, options),
        tasks: spec.tasks.clone(),
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
