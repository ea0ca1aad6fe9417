//! Proposals: which files tasks mean that name none. What somebody answers is judged as rows of the list would be; a task
//! of which one file does not pass is left for a person whole, since with the others alone it would not be done.

mod answer;

pub use answer::{Answer, EXAMPLE, INSTRUCTIONS, read};

use super::proposal::{self, Proposal, ProposedFile};
use super::tasks::{Choice, Chosen};
use super::{MAX_FILES, Options, Row, Snapshot, examine};
use crate::finding::Finding;
use crate::lld::{Change, FileSpec, Lld, Task};
use crate::path::RepoPath;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most files that one task may be proposed to have.
pub const MOST_FILES: usize = 12;

/// The open tasks that name no file, of those that are chosen; by their places in the list.
pub fn wanting(lld: &Lld, options: &Options) -> Vec<usize> {
    // What is wrong with the choice the plan says.
    let chosen = Chosen::of(lld, options, &mut Vec::new());
    let is_chosen =
        |at: &usize| lld.tasks.get(*at).is_some_and(|task| chosen.iter().any(|other| std::ptr::eq(other, task)));
    proposal::wanting(lld).into_iter().filter(is_chosen).collect()
}

/// Takes from `answers` what they say of the tasks `asked`, which are places in the list; in its order. The paths are as
/// paths must be, and no more is known of them. The findings are about tasks, at their lines.
pub fn proposals(lld: &Lld, asked: &[usize], answers: &[Answer]) -> (Vec<Proposal>, Vec<Finding>) {
    let names = proposal::names(lld);
    let mut said: HashMap<&str, Vec<&Value>> = HashMap::new();
    let mut findings = Vec::new();
    let known: BTreeSet<&str> = asked.iter().filter_map(|at| names.get(*at)).map(String::as_str).collect();
    let mut unknown: Vec<&str> = Vec::new();
    for (name, value) in answers.iter().flat_map(|Answer(tasks)| tasks) {
        match known.contains(name.as_str()) {
            true => said.entry(name).or_default().push(value),
            false => unknown.push(name),
        }
    }
    if let Some(first) = unknown.first() {
        let first: String = first.chars().take(40).collect();
        let message = match unknown.len() - 1 {
            0 => format!("the answer speaks of a task '{first}', which was not asked about"),
            more => format!("the answer speaks of a task '{first}' and {more} more, which were not asked about"),
        };
        findings.push(Finding::warning("proposal-unknown", message));
    }
    let (mut proposals, mut missing) = (Vec::new(), Vec::new());
    for (task, name) in asked.iter().filter_map(|&at| lld.tasks.get(at).zip(names.get(at))) {
        let about = |finding: Finding| finding.line(task.line);
        match said.get(name.as_str()).map(Vec::as_slice) {
            None => missing.push((name.as_str(), task.line)),
            Some([value]) => match files(name, value) {
                Ok(files) => proposals.push(Proposal { task: name.clone(), files }),
                Err(finding) => findings.push(about(finding)),
            },
            Some(_) => {
                let message = format!("the answer speaks of task {name} more than once");
                findings.push(about(Finding::warning("proposal-repeated", message)));
            }
        }
    }
    if let Some((first, line)) = missing.first() {
        let message = match missing.len() - 1 {
            0 if *first == proposal::WHOLE => {
                format!("the answer does not have the name '{first}' that was asked about")
            }
            0 => format!("the answer says nothing of task {first}"),
            more => format!("the answer says nothing of task {first} and {more} more"),
        };
        findings.push(Finding::note("proposal-missing", message).line(*line));
    }
    (proposals, findings)
}

/// The files that an answer says a task has.
fn files(name: &str, value: &Value) -> Result<Vec<ProposedFile>, Finding> {
    let form = |what: &str| Finding::warning("proposal-form", format!("the answer{} {what}", for_task(name)));
    let Value::Array(entries) = value else { return Err(form("is no list of files")) };
    let most = if name == proposal::WHOLE { MAX_FILES } else { MOST_FILES };
    if entries.len() > most {
        return Err(form(&format!("names {} files, more than {most}", entries.len())));
    }
    let mut files: Vec<ProposedFile> = Vec::new();
    for entry in entries {
        let word = |key: &str| entry.get(key).and_then(Value::as_str);
        let Some(written) = word("path") else { return Err(form("has a file without a path")) };
        let change = match word("change") {
            Some("add") => Change::Add,
            Some("modify") => Change::Modify,
            Some("delete") => Change::Delete,
            _ => {
                return Err(form(&format!(
                    "does not say of '{}' whether it is to be added, modified or deleted",
                    shown(written)
                )));
            }
        };
        let path = proposal::path(written).map_err(|finding| of_task(name, finding))?;
        match files.iter().find(|file| file.path == path) {
            Some(file) if file.change == change => {}
            Some(_) => return Err(form(&format!("names '{path}' twice, with different changes"))),
            None => files.push(ProposedFile { path, change }),
        }
    }
    Ok(files)
}

/// What a snapshot must hold for [`judge`]: the files of the proposals as rows of a list.
pub fn rows(lld: &Lld, proposals: &[Proposal]) -> Lld {
    let names = proposal::names(lld);
    let lines: HashMap<&str, &Task> = names.iter().map(String::as_str).zip(&lld.tasks).collect();
    let mut changes: BTreeMap<&RepoPath, Vec<Change>> = BTreeMap::new();
    let mut order: Vec<(&RepoPath, usize)> = Vec::new();
    for proposal in proposals {
        let line = lines.get(proposal.task.as_str()).map_or(0, |task| task.line);
        for file in &proposal.files {
            let changes = changes.entry(&file.path).or_default();
            if changes.is_empty() {
                order.push((&file.path, line));
            }
            changes.push(file.change);
        }
    }
    let listed: BTreeSet<&RepoPath> = lld.files.iter().filter(|spec| !spec.directory).map(|spec| &spec.path).collect();
    let spec = |(path, line): (&RepoPath, usize)| FileSpec {
        path: path.clone(),
        change: combined(changes.get(path).map(Vec::as_slice).unwrap_or_default(), listed.contains(path)),
        inferred: false,
        from: None,
        directory: false,
        description: String::new(),
        line,
        allow: Vec::new(),
        tasks: Vec::new(),
        selected: true,
    };
    Lld { dialect: lld.dialect, files: order.into_iter().map(spec).collect(), ..Lld::default() }
}

/// What several tasks do with one file, one after the other; `listed`: tasks of the list itself write it, too.
fn combined(changes: &[Change], listed: bool) -> Change {
    match changes {
        [.., Change::Delete] if listed || changes.len() > 1 && changes.contains(&Change::Add) => Change::AddOrModify,
        [.., Change::Delete] => Change::Delete,
        _ if listed || changes.contains(&Change::Delete) => Change::AddOrModify,
        _ if changes.contains(&Change::Add) => Change::Add,
        _ => Change::Modify,
    }
}

/// Leaves those of `proposals` whose files may all be planned against `snapshot`, which holds [`rows`] of them.
pub fn judge(
    lld: &Lld,
    mut proposals: Vec<Proposal>,
    snapshot: &Snapshot,
    options: &Options,
) -> (Vec<Proposal>, Vec<Finding>) {
    let names = proposal::names(lld);
    let lines: HashMap<&str, usize> =
        names.iter().map(String::as_str).zip(lld.tasks.iter().map(|task| task.line)).collect();
    let options = Options {
        max_files: usize::MAX,
        only: Vec::new(),
        tasks: Choice::default(),
        per_task: false,
        ..options.clone()
    };
    let mut findings = Vec::new();
    // What one task loses may be what another builds on.
    loop {
        let rows = rows(lld, &proposals);
        let wrong = examine(&rows, snapshot, &options).findings;
        let wrong: Vec<&Finding> = wrong.iter().filter(|finding| finding.is_error()).collect();
        let mut refused: BTreeSet<String> = BTreeSet::new();
        for Proposal { task, files } in &proposals {
            let about = |file: &ProposedFile| {
                let change = rows.files.iter().find(|row| row.path == file.path).map(|row| row.change);
                let is_about = |finding: &&&Finding| finding.path.as_deref() == Some(file.path.as_str());
                // That the file is there is wrong only of those who say that it is not.
                let is_mine = |finding: &&&Finding| match (finding.id.as_ref(), change) {
                    ("overwrite" | "missing", Some(change)) => change == file.change,
                    _ => true,
                };
                wrong.iter().filter(is_about).find(is_mine).copied()
            };
            if let Some(finding) = files.iter().find_map(about) {
                refused.insert(task.clone());
                let line = lines.get(task.as_str()).copied().unwrap_or_default();
                let mut finding = of_task(task, finding.clone()).line(line);
                // Its hints are for the one who writes the row.
                if finding.id == "overwrite" {
                    finding.hint = None;
                }
                findings.push(finding);
            }
        }
        if refused.is_empty() {
            break;
        }
        proposals.retain(|proposal| !refused.contains(&proposal.task));
    }
    (proposals, findings)
}

/// Marks the rows in which a proposal has a part.
pub fn mark(rows: &mut [Row], lld: &Lld) {
    let proposed: BTreeSet<&str> =
        lld.tasks.iter().filter(|task| task.proposed).flat_map(|task| &task.files).map(RepoPath::as_str).collect();
    let all = lld.dialect == Some(proposal::PROPOSED);
    for row in rows {
        row.proposed = all || proposed.contains(row.path.as_str());
    }
}

/// ` for task T001`; a design as a whole has no name of its own.
pub fn for_task(name: &str) -> String {
    if name == proposal::WHOLE { String::new() } else { format!(" for task {name}") }
}

/// A refusal of what is proposed for a task: the list is as good as before.
fn of_task(name: &str, finding: Finding) -> Finding {
    let message = format!("what is proposed{} is refused: {}", for_task(name), finding.message);
    Finding { severity: crate::finding::Severity::Warning, message, ..finding }
}

fn shown(text: &str) -> String {
    text.chars().take(120).collect()
}

#[cfg(test)]
mod tests;
