//! Which files tasks mean that name none: what a model says, judged, and what a person has agreed to, counted.
//!
//! `survey` finds out what there is to be shown, `ask` gets the answers, `unnamed` keeps those of which no run comes.

mod ask;
mod survey;
mod unnamed;

pub use ask::{Answered, Asking, ask, estimate, shown};
pub use survey::{Surveyed, survey};
pub use unnamed::{OfTask, Unnamed};

use super::prepare::examined;
use super::{ImplementError, Prepared};
use crate::check::Mask;
use crate::finding::{Finding, Severity};
use crate::git::{AtPath, Design, FileUpdate, Files, Location, Repository};
use crate::lld::Lld;
use crate::path::RepoPath;
use crate::plan::proposal::{self, Proposal};
use crate::plan::propose::{self, Answer};
use crate::plan::{self, Options};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The form of what is kept.
const SCHEMA: u32 = 1;

/// What a person has agreed to, for one list.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    schema: u32,
    /// Where the list was, for people.
    list: String,
    tasks: Vec<Proposal>,
}

/// Adds to `lld` what was agreed to for this list. Returns what is to be said of it.
pub(super) fn count(
    repository: &Repository,
    design: &Design,
    lld: &mut Lld,
) -> Result<Option<Finding>, ImplementError> {
    proposal::as_one_task(lld, &design.text);
    if proposal::wanting(lld).is_empty() {
        return Ok(None);
    }
    let name = design.path.as_str();
    let kept = kept(repository, design)?;
    if let Ok(kept) = &kept {
        proposal::add(lld, name, kept);
    }
    let counted: Vec<&str> = lld.tasks.iter().filter(|task| task.proposed).map(|task| task.id.as_str()).collect();
    let counted = match counted.as_slice() {
        [] => None,
        [proposal::WHOLE] => Some("the files of the design are proposals that were agreed to".to_owned()),
        counted => Some(format!("the files of {} are proposals that were agreed to", named(counted))),
    };
    proposal::as_document(lld);
    Ok(match kept {
        Ok(_) => counted.map(|message| Finding::note("proposal", message).path(name)),
        Err(finding) => Some(finding.path(name)),
    })
}

/// The proposals that are kept for this list; a finding if they cannot be read.
fn kept(repository: &Repository, design: &Design) -> Result<Result<Vec<Proposal>, Finding>, ImplementError> {
    let Some(bytes) = repository.proposed(&proposal::untouched(&design.text))? else { return Ok(Ok(Vec::new())) };
    Ok(match serde_json::from_slice::<Kept>(&bytes) {
        Ok(Kept { schema: SCHEMA, tasks, .. }) => Ok(tasks),
        Ok(_) | Err(_) => {
            let message = "what was agreed to for the tasks of this list cannot be read, and does not count";
            Err(Finding::warning("proposal", message).hint("ask again: git implement plan --propose"))
        }
    })
}

/// `task T001`, `tasks T001, T002 and 4 more`.
fn named(ids: &[&str]) -> String {
    const NAMED: usize = 6;
    let more = ids.len().saturating_sub(NAMED);
    let shown = ids.get(..NAMED.min(ids.len())).unwrap_or_default().join(", ");
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("task{} {shown}{rest}", if ids.len() == 1 { "" } else { "s" })
}

/// What an answer comes to.
pub struct Proposed {
    /// The plan, with the proposals in it as if the list had them. Its findings end with those about the proposals.
    pub prepared: Prepared,
    /// For the tasks that were asked about, as far as the answers will do.
    pub proposals: Vec<Proposal>,
    /// About the answers and their files.
    pub findings: Vec<Finding>,
    /// What is to be kept: these proposals, and those for other tasks that were kept before.
    all: Vec<Proposal>,
}

/// Judges the answers.
pub fn judge(
    repository: &Repository,
    surveyed: &Surveyed,
    answers: &[Answer],
    options: &Options,
) -> Result<Proposed, ImplementError> {
    let Surveyed { base, design, lld, asked, .. } = surveyed;
    let (mut proposals, mut findings) = propose::proposals(lld, asked, answers);
    proposals.retain(|proposal| {
        let paths: Vec<RepoPath> = proposal.files.iter().map(|file| file.path.clone()).collect();
        let refused = repository.unsupported(base, &paths).err();
        findings.extend(refused.as_ref().map(|error| {
            let line = surveyed.asked().find(|(name, _)| *name == proposal.task).map_or(0, |(_, task)| task.line);
            let message = format!("what is proposed{} is refused: {error}", propose::for_task(&proposal.task));
            Finding::warning("proposal-unsupported", message).line(line)
        }));
        refused.is_none()
    });
    let rows = propose::rows(lld, &proposals);
    let planned: Vec<RepoPath> = plan::planned_paths(&rows).cloned().collect();
    let must_exist: Vec<RepoPath> = plan::must_exist(&rows).cloned().collect();
    let snapshot = repository.snapshot(base, &planned, &must_exist)?;
    let (proposals, more) = propose::judge(lld, proposals, &snapshot, options);
    findings.extend(more);
    findings.sort_by_key(|finding| finding.line);
    let asked: BTreeSet<&str> = surveyed.asked().map(|(name, _)| name).collect();
    let mut all = kept(repository, design)?.unwrap_or_default();
    all.retain(|proposal| !asked.contains(proposal.task.as_str()));
    all.extend(proposals.iter().cloned());
    let mut with = lld.clone();
    proposal::add(&mut with, design.path.as_str(), &all);
    proposal::as_document(&mut with);
    let mut prepared = examined(repository, base.clone(), design.clone(), with, options)?;
    prepared.examined.findings.extend(findings.iter().cloned());
    Ok(Proposed { prepared, proposals, findings, all })
}

/// The person agrees: from now on the proposals count for this list.
pub fn agree(repository: &Repository, surveyed: &Surveyed, proposed: &Proposed) -> Result<(), ImplementError> {
    let list = surveyed.design.path.to_string();
    let kept = Kept { schema: SCHEMA, list, tasks: proposed.all.clone() };
    let mut bytes =
        serde_json::to_vec_pretty(&kept).map_err(|error| ImplementError::Record { message: error.to_string() })?;
    bytes.push(b'\n');
    repository.keep_proposed(&surveyed.list(), &bytes)?;
    forget(repository, surveyed);
    Ok(())
}

/// The person agrees, and wants the files in the list itself: it is written on disk, if it still is what was read there.
/// The words, if there are any, say what a process that was killed had left there, and was put right first.
pub fn write(
    repository: &Repository,
    surveyed: &Surveyed,
    proposed: &Proposed,
) -> Result<Option<String>, ImplementError> {
    let path = &surveyed.design.path;
    let unwritten = |reason: &str, findings| ImplementError::Unwritten {
        path: path.to_string(),
        reason: reason.to_owned(),
        findings,
    };
    let Some(root) = repository.workdir() else { return Err(unwritten("there is no working tree", Vec::new())) };
    let mut files = Files::open(root, repository.environment(), Location::Worktree)?;
    let recovered = files.recovered().map(str::to_owned);
    let found = files.look(std::slice::from_ref(path))?.remove(path);
    let blob = match found {
        Some(AtPath::File(blob)) => blob,
        Some(AtPath::Unfit(why)) => return Err(unwritten(&why, Vec::new())),
        _ => return Err(unwritten("it is not there any more", Vec::new())),
    };
    let plain = |text: &str| text.replace("\r\n", "\n");
    let text = String::from_utf8(blob.bytes).ok().filter(|text| plain(text) == plain(&surveyed.design.text));
    let Some(text) = text else { return Err(unwritten("it is not what was read", Vec::new())) };
    let new = proposal::write(path.as_str(), &text, &proposed.proposals)
        .map_err(|findings| unwritten("it would not be read as it is meant", findings))?;
    if new != text {
        files.write(&[FileUpdate { path: path.clone(), becomes: Some((new.into_bytes(), blob.executable)) }])?;
    }
    forget(repository, surveyed);
    Ok(recovered)
}

/// What a model proposes for a task cannot be planned: it fails as a run does whose reply is refused.
pub fn refuse(
    repository: &Repository,
    surveyed: &Surveyed,
    answered: &Answered,
    proposed: &Proposed,
    task: &OfTask,
) -> Unnamed {
    let (path, earlier) = (surveyed.design.path.to_string(), &answered.earlier);
    let reply = earlier.last().map(|earlier| earlier.completion.text.clone()).unwrap_or_default();
    let findings = against(proposed, &reply);
    let heard = unnamed::Heard { surveyed, by: &answered.by, earlier, events: unnamed::Heard::of_answers(earlier) };
    let error = ImplementError::Refused { path, findings, reply };
    let unnamed = unnamed::keep(repository, &heard, Some(task), error);
    forget(repository, surveyed);
    unnamed
}

/// What is against a proposal, for somebody who has written no design.
fn against(proposed: &Proposed, reply: &str) -> Vec<Finding> {
    let mask = Mask::of([reply]);
    let is_against = |finding: &&Finding| finding.is_error() && finding.id != "lld-no-file-list";
    let errors = proposed.prepared.examined.findings.iter().filter(is_against).chain(&proposed.findings);
    let refused = |finding: &Finding| {
        // What else they say helps whoever writes a row.
        let hint = finding.hint.clone().filter(|hint| hint.contains("--allow"));
        mask.finding(Finding { severity: Severity::Error, line: None, hint, ..finding.clone() })
    };
    let mut findings: Vec<Finding> = errors.map(refused).collect();
    if findings.is_empty() {
        findings.push(Finding::error("proposal-empty", "the model names no file that the task would change"));
    }
    findings
}

/// The person does not agree, or wants to be shown something else.
pub fn forget(repository: &Repository, surveyed: &Surveyed) {
    repository.forget_shown(&surveyed.list());
}
