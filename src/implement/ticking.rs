//! Ticking the task list: the one change of a run outside the files that its tasks write. It is a row of the plan, and
//! goes through the gates as any other file.

use super::ImplementError;
use crate::finding::Finding;
use crate::git::{Base, Design, Repository};
use crate::lld::{Change, Lld, Task};
use crate::path::RepoPath;
use crate::plan::{self, Blob, Examined, Row, Strategy};
use crate::taskmaster;
use crate::transcript::recipe::By;
use std::collections::BTreeSet;

/// The task list as it is when its finished tasks are ticked.
pub struct Ticking {
    pub path: RepoPath,
    /// What the base has there.
    pub base: Blob,
    pub text: String,
    /// The ids of the tasks.
    pub tasks: Vec<String>,
    /// The lines of their boxes, where they have such.
    lines: BTreeSet<usize>,
    json: bool,
}

impl Ticking {
    /// How the text is made.
    pub(super) fn by(&self) -> By {
        By::Tick { lines: self.lines.iter().copied().collect(), tasks: self.tasks.clone(), json: self.json }
    }
}

/// Adds the row of the list itself to the plan, if any of its tasks is finished by it.
pub(super) fn ticking(
    repository: &Repository,
    base: &Base,
    design: &Design,
    lld: &Lld,
    examined: &mut Examined,
) -> Result<Option<Ticking>, ImplementError> {
    let Some(plan) = &examined.plan else { return Ok(None) };
    let path = &design.path;
    let written: Vec<&str> = design.text.lines().collect();
    let json = taskmaster::is_json(path.as_str(), &design.text);
    let open = if json { taskmaster::open_in_json(&design.text) } else { BTreeSet::new() };
    let has_box = |task: &&Task| {
        if json {
            return open.contains(&task.id);
        }
        let line = written.get(task.line.saturating_sub(1)).copied().unwrap_or_default();
        plan::tick(line, &BTreeSet::from([1])) != line
    };
    let (finished, without): (Vec<&Task>, Vec<&Task>) = plan::finished(lld, plan).into_iter().partition(has_box);
    if !without.is_empty() {
        let ids: Vec<&str> = without.iter().map(|task| task.id.as_str()).collect();
        let message = format!("'{path}' has no box to tick for {}: the next run would make them again", ids.join(", "));
        examined.findings.push(Finding::warning("tick", message).path(path.as_str()).hint(match json {
            true => "give each task an id of its own and a status: '\"status\": \"pending\"'",
            false => "give each task a box: '- [ ]'",
        }));
    }
    let lines: BTreeSet<usize> = finished.iter().map(|task| task.line).collect();
    let text = match json {
        true => taskmaster::tick_json(&design.text, &finished.iter().map(|task| task.id.as_str()).collect()),
        false => plan::tick(&design.text, &lines),
    };
    if text == design.text {
        return Ok(None);
    }
    let blob = repository.blob(base, path)?.filter(|_| design.committed && !design.differs_from_base);
    let Some(blob) = blob.filter(|_| !plan.covers(path.as_str())) else {
        let why = match (plan.covers(path.as_str()), design.committed) {
            _ if !design.parts.is_empty() => "they stand in several documents",
            (true, _) => "one of its tasks writes it",
            (false, true) => "the base has another text of it",
            (false, false) => "it is not in the base",
        };
        let finding = Finding::warning("tick", format!("the tasks of '{path}' are not ticked: {why}"));
        examined.findings.push(finding.path(path.as_str()).hint("commit it first; or give --no-tick"));
        return Ok(None);
    };
    let tasks: Vec<String> = finished.iter().map(|task| task.id.clone()).collect();
    examined.rows.push(Row {
        path: path.to_string(),
        change: Change::Modify,
        from: None,
        directory: false,
        description: format!("Tick {}", tasks.join(", ")),
        line: lines.first().copied().unwrap_or(1),
        strategy: Strategy::None,
        allow: Vec::new(),
        tasks: tasks.clone(),
        selected: true,
        proposed: false,
        size: None,
    });
    Ok(Some(Ticking { path: path.clone(), base: blob, text, tasks, lines, json }))
}
