//! Files that somebody else than the list proposes for tasks that name none: which tasks these are, the list as if it had
//! named them, and the text of the list with them written into it.
//!
//! Knows neither who proposes nor whether the proposal is any good: that is the plan's to judge.

mod whole;
mod write;

pub use whole::{PROPOSED, WHOLE, as_document, as_one_task};
pub use write::write;

use crate::finding::{Finding, Severity};
use crate::lld::{Change, Files, Lld, Row, Target, Task, bullet, of_shape, said_by_title, shown};
use crate::path::RepoPath;
use crate::shape::{Shape, shape};
use crate::taskmaster::{self, is_json};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

/// A file that a task is proposed to write or delete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedFile {
    pub path: RepoPath,
    /// `Add`, `Modify` or `Delete`. Whether the file is there is judged before anybody agrees; from then on the repository
    /// decides between the first two, as it does for what the list itself names.
    pub change: Change,
}

/// The files proposed for one task; none: it needs none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The task, by its name among [`names`].
    pub task: String,
    pub files: Vec<ProposedFile>,
}

/// A name for each task of the list: its id, or for an id that a careless list uses twice `L` and its line.
pub fn names(lld: &Lld) -> Vec<String> {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    lld.tasks.iter().for_each(|task| *uses.entry(&task.id).or_default() += 1);
    let name = |task: &Task| match uses.get(task.id.as_str()) {
        Some(1) => task.id.clone(),
        _ => format!("L{}", task.line),
    };
    lld.tasks.iter().map(name).collect()
}

/// The open tasks that name no file, by their places in the list. A task that is there for its sub-tasks is none.
pub fn wanting(lld: &Lld) -> Vec<usize> {
    let mut latest: HashMap<&str, usize> = HashMap::new();
    let mut first: HashMap<&str, usize> = HashMap::new();
    for (at, task) in lld.tasks.iter().enumerate().rev() {
        first.insert(&task.id, at);
    }
    let mut parted: BTreeSet<usize> = BTreeSet::new();
    for (at, task) in lld.tasks.iter().enumerate() {
        // Of several tasks of the parent's id the nearest one above is meant.
        let parent = task.parent.as_deref();
        parted.extend(parent.and_then(|id| latest.get(id).or_else(|| first.get(id)).copied()));
        latest.insert(&task.id, at);
    }
    let wants = |task: &Task| !task.done && task.withdrawn.is_none() && task.files.is_empty();
    let tasks = lld.tasks.iter().enumerate().filter(|(at, task)| wants(task) && !parted.contains(at));
    tasks.map(|(at, _)| at).collect()
}

/// The text of a list as it was before any of its boxes was ticked, with plain line ends: what proposals are for. A list
/// of which some tasks are done is still the same list.
pub fn untouched(text: &str) -> String {
    if is_json("", text) {
        return taskmaster::untouched(text);
    }
    let open = |line: &str| match bullet(line).and_then(|found| found.ticked) {
        // The box is the first of its kind in the line.
        Some(true) if line.find("[x]").unwrap_or(usize::MAX) < line.find("[X]").unwrap_or(usize::MAX) => {
            line.replacen("[x]", "[ ]", 1)
        }
        Some(true) => line.replacen("[X]", "[ ]", 1),
        _ => line.to_owned(),
    };
    let lines: Vec<String> = text.split('\n').map(|line| open(line.strip_suffix('\r').unwrap_or(line))).collect();
    lines.join("\n")
}

/// The path that somebody has written, if it has the looks of one file's.
///
/// # Errors
/// An id, what is wrong in words that follow the path's, and a hint.
pub fn path(written: &str) -> Result<RepoPath, Finding> {
    match shape(written) {
        Shape::Path { directory: true, .. } => Err(Finding::warning(
            "lld-directory-row",
            format!("'{}' is a directory, and no file is written unless it is named", shown(written)),
        )),
        // Whoever proposes a place in a file means the file.
        Shape::Path { path, .. } => RepoPath::new(&path).map_err(|error| {
            Finding::warning("lld-path-invalid", format!("invalid path '{}': {error}", shown(written)))
        }),
        shape => Err(Finding { severity: Severity::Warning, ..of_shape(&shape, written) }),
    }
}

/// Makes the files of `proposals` files of the list, as if their tasks had named them. What is proposed for tasks that
/// are not [`wanting`] is passed over. `name`: the document, for findings.
pub fn add(lld: &mut Lld, name: &str, proposals: &[Proposal]) {
    let names = names(lld);
    let by_name: HashMap<&str, &Proposal> =
        proposals.iter().map(|proposal| (proposal.task.as_str(), proposal)).collect();
    let mut files = Files::of(name, std::mem::take(&mut lld.files));
    // The first task that each file is proposed for, and where it stands among its files.
    let mut first: HashMap<RepoPath, (usize, usize)> = HashMap::new();
    for at in wanting(lld) {
        let proposal = names.get(at).and_then(|name| by_name.get(name.as_str()));
        let Some((task, proposal)) = lld.tasks.get_mut(at).zip(proposal) else { continue };
        for file in &proposal.files {
            if task.files.contains(&file.path) {
                continue;
            }
            task.files.push(file.path.clone());
            task.proposed = true;
            let deletes = file.change == Change::Delete;
            if deletes {
                task.deletes.push(file.path.clone());
            }
            let path = file.path.to_string();
            files.push(&Row {
                line: task.line,
                target: Some(Target { path, directory: false, from: None }),
                kind: deletes.then(|| "Delete".to_owned()),
                implied: said_by_title(&task.title),
                inferred: true,
                description: task.description(),
                task: Some((task.id.clone(), task.done)),
                ..Row::default()
            });
            first.entry(file.path.clone()).or_insert((task.line, task.files.len()));
        }
        forget(&mut lld.findings, task);
    }
    let (mut specs, findings) = files.finish();
    lld.findings.extend(findings);
    lld.findings.sort_by_key(|finding| finding.line);
    if !specs.is_empty() {
        lld.findings.retain(|finding| finding.id != "lld-no-file-list");
    }
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (at, task) in lld.tasks.iter().enumerate() {
        places.entry(&task.id).or_insert(at);
    }
    let place = |id: &str| places.get(id).copied().unwrap_or(usize::MAX);
    for spec in &mut specs {
        let Some((line, _)) = first.get(&spec.path) else { continue };
        spec.line = spec.line.min(*line);
        spec.tasks.sort_by_key(|id| place(id));
        spec.description = in_order(&spec.description, place);
    }
    specs.sort_by_key(|spec| {
        let place = first.get(&spec.path).filter(|(line, _)| *line == spec.line);
        (spec.line, place.map_or(0, |(_, place)| *place))
    });
    lld.files = specs;
}

/// Takes back that the task names no file.
fn forget(findings: &mut Vec<Finding>, task: &Task) {
    if !task.files.is_empty() {
        let about = |finding: &Finding| finding.line.is_some_and(|line| (task.line..=task.end).contains(&line));
        let says = |finding: &Finding| match finding.id.as_ref() {
            "lld-row-informational" => {
                finding.line == Some(task.line) && finding.message.ends_with("names no file to write")
            }
            "lld-directory-row" => about(finding),
            _ => false,
        };
        findings.retain(|finding| !says(finding));
    }
}

/// Lines that begin with the ids of tasks, in the order of these; texts of another form as they are.
fn in_order(description: &str, place: impl Fn(&str) -> usize) -> String {
    let mut lines: Vec<(usize, &str)> = Vec::new();
    for line in description.lines() {
        match line.split_once(": ").map(|(id, _)| place(id)).filter(|at| *at != usize::MAX) {
            Some(at) => lines.push((at, line)),
            None => return description.to_owned(),
        }
    }
    lines.sort_by_key(|(at, _)| *at);
    lines.into_iter().map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
