//! All runs that there are records of, each in few words, and what became of it. Of a published one only its summary is
//! read, so that a thousand are listed at once.

use super::about::{About, Event};
use crate::exit::ExitCode;
use crate::git::{GitError, Oid, Repository, RunRef, Unfinished};
use crate::transcript::{EVENTS, HEADER, RunRecord, SUMMARY, Spent, Summary};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A summary is never longer.
const MOST: u64 = 4 << 20;
/// Of records that have no summary as much of the events is read.
const MOST_EVENTS: u64 = 32 << 20;

/// A run that left something.
#[derive(Debug, Clone)]
pub struct Ran {
    pub run: String,
    /// As far as its record goes.
    pub summary: Summary,
    pub became: Became,
    /// The record, of a run that is published.
    pub published: Option<RunRef>,
    /// The folder of the record, of one that is not.
    pub unfinished: Option<Unfinished>,
    /// The patch that it has left on this machine, if it is still there.
    pub patch: Option<PathBuf>,
}

/// What became of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Became {
    /// Its branch is as the run left it.
    Branch,
    /// The branch has gone on, or was rewritten.
    Moved,
    /// There is no such branch any more, here.
    BranchGone,
    /// It made no branch: what it left is a patch, which is here.
    Patch,
    /// The same, and the patch is not here, or not any more.
    PatchGone,
    /// It changed nothing.
    Unchanged,
    /// It ended so, and was not published.
    Ended(ExitCode),
    Killed,
    Running,
    /// Why its record cannot be read.
    Unreadable(String),
}

impl Became {
    /// The word for it, which programs go by.
    pub fn word(&self) -> &'static str {
        match self {
            Became::Branch => "published",
            Became::Moved => "moved-on",
            Became::BranchGone => "branch-gone",
            Became::Patch => "patch",
            Became::PatchGone => "patch-gone",
            Became::Unchanged => "unchanged",
            Became::Ended(ExitCode::Refused) => "refused",
            Became::Ended(ExitCode::NoAnswer) => "no-answer",
            Became::Ended(ExitCode::Moved) => "moved",
            Became::Ended(ExitCode::OverBudget) => "over-budget",
            Became::Ended(ExitCode::Interrupted) => "interrupted",
            Became::Ended(_) => "failed",
            Became::Killed => "killed",
            Became::Running => "running",
            Became::Unreadable(_) => "unreadable",
        }
    }
}

/// All of them, the newest first.
pub fn runs(repository: &Repository) -> Result<Vec<Ran>, GitError> {
    let refs = repository.run_refs()?;
    let tips = repository.branch_tips()?;
    let mut runs = published(repository, &refs, &tips)?;
    runs.extend(repository.unfinished()?.into_iter().map(unfinished));
    runs.sort_by(|one, other| other.run.cmp(&one.run));
    Ok(runs)
}

/// The published ones, in the order of `refs`.
pub fn published(repository: &Repository, refs: &[RunRef], tips: &BTreeMap<String, Oid>) -> Result<Vec<Ran>, GitError> {
    let summaries = repository.in_each_record(refs, SUMMARY, MOST)?;
    let read = |bytes: &Option<Vec<u8>>| serde_json::from_slice::<Summary>(bytes.as_deref()?).ok();
    let summaries: Vec<Option<Summary>> = summaries.iter().map(read).collect();
    let without = refs.iter().zip(&summaries).filter(|(_, summary)| summary.is_none());
    let without: Vec<RunRef> = without.map(|(found, _)| found.clone()).collect();
    let mut older = older(repository, &without)?.into_iter();
    // Asked for only where a branch is not here: a clone has it as a remote's.
    let is_here = |summary: &Summary| summary.branch.is_empty() || tips.contains_key(&summary.branch);
    let remote = if summaries.iter().flatten().all(is_here) { BTreeMap::new() } else { repository.remote_tips()? };
    let mut found = Vec::with_capacity(refs.len());
    for (record, summary) in refs.iter().zip(summaries) {
        let patch = repository.task_patch(&record.run);
        let (summary, became) = match summary.map(Ok).or_else(|| older.next()) {
            Some(Ok(summary)) => {
                let became = became(&summary, (tips, &remote), patch.is_some());
                (summary, became)
            }
            Some(Err(why)) => (Summary::default(), Became::Unreadable(why)),
            None => (Summary::default(), Became::Unreadable("it says nothing".to_owned())),
        };
        let run = record.run.clone();
        found.push(Ran { run, summary, became, published: Some(record.clone()), unfinished: None, patch });
    }
    Ok(found)
}

fn became(
    summary: &Summary,
    (tips, remote): (&BTreeMap<String, Oid>, &BTreeMap<String, Oid>),
    has_patch: bool,
) -> Became {
    let Some(last) = summary.commits.last() else { return Became::Unchanged };
    if summary.branch.is_empty() {
        return if has_patch { Became::Patch } else { Became::PatchGone };
    }
    match tips.get(&summary.branch).or_else(|| remote.get(&summary.branch)) {
        Some(tip) if tip.to_string() == last.commit => Became::Branch,
        Some(_) => Became::Moved,
        None => Became::BranchGone,
    }
}

/// Summaries of records that have none, from their headers and events.
fn older(repository: &Repository, refs: &[RunRef]) -> Result<Vec<Result<Summary, String>>, GitError> {
    let headers = repository.in_each_record(refs, HEADER, MOST)?;
    let events = repository.in_each_record(refs, EVENTS, MOST_EVENTS)?;
    let one = |(header, events): (Option<Vec<u8>>, Option<Vec<u8>>)| {
        let header = header.ok_or_else(|| format!("it has no '{HEADER}'"))?;
        let about = About::read(&header).map_err(|why| format!("'{HEADER}' is damaged: {why}"))?;
        Ok(of_events(about, &String::from_utf8_lossy(&events.unwrap_or_default())))
    };
    Ok(headers.into_iter().zip(events).map(one).collect())
}

fn of_events(about: About, text: &str) -> Summary {
    let About { run, lld, branch, provider, model, started, continues, .. } = about;
    let mut summary = Summary { run, started, design: lld, branch, provider, model, continues, ..Summary::default() };
    let (events, _) = Event::all(text);
    for event in &events {
        let number = |name: &str| event.rest.get(name).and_then(serde_json::Value::as_u64).unwrap_or_default();
        match event.event.as_str() {
            "committed" => {
                let commit = event.text("commit").unwrap_or_default().to_owned();
                summary.commits.push(crate::transcript::SummaryCommit {
                    commit,
                    parent: String::new(),
                    tree: String::new(),
                });
            }
            "file-finished" if event.text("outcome") != Some("unchanged") => {
                let path = event.path.clone().unwrap_or_default();
                let blob = event.text("result").map(str::to_owned);
                summary.files.push(crate::transcript::SummaryFile { path, blob });
            }
            "run-finished" => {
                summary.status = u8::try_from(number("status")).unwrap_or(ExitCode::Fatal.number());
                summary.unchanged = usize::try_from(number("unchanged")).unwrap_or_default();
                let spent = |name: &str| event.rest.get(name).cloned().unwrap_or_default();
                summary.spent = Spent {
                    usage: serde_json::from_value(spent("usage")).unwrap_or_default(),
                    cost: spent("cost").as_f64(),
                };
                summary.seconds = spent("seconds").as_f64().unwrap_or_default();
                summary.error = event.text("error").map(str::to_owned);
            }
            _ => {}
        }
    }
    summary
}

/// A run that is not published.
fn unfinished(found: Unfinished) -> Ran {
    let run = found.run.clone();
    let read = RunRecord::open(&found.folder);
    let (summary, became) = match &read {
        Ok(record) => {
            let mut summary = Summary::begun(&record.header);
            if let Some(last) = record.entries.last() {
                summary.end(&last.event);
            }
            let own = record.own_spent();
            summary.spent = own;
            (summary, record.ended().map_or(Became::Killed, Became::Ended))
        }
        Err(why) => (Summary::default(), Became::Unreadable(why.to_string())),
    };
    let became = if found.is_running { Became::Running } else { became };
    Ran { run, summary, became, published: None, unfinished: Some(found), patch: None }
}

/// The one run whose name is `name` or begins with it; `Err` within: those that do. Reads no other.
pub fn named(repository: &Repository, name: &str) -> Result<Result<Option<Ran>, Vec<String>>, GitError> {
    let mut refs = match repository.run_ref(name)? {
        Some(found) => vec![found],
        None => repository.run_refs()?,
    };
    refs.retain(|found| found.run.starts_with(name));
    let mut unfinished = repository.unfinished()?;
    unfinished.retain(|found| found.run.starts_with(name));
    if let Some(at) = unfinished.iter().position(|found| found.run == name) {
        return Ok(Ok(Some(self::unfinished(unfinished.swap_remove(at)))));
    }
    if refs.len() + unfinished.len() > 1 {
        let names = refs.into_iter().map(|found| found.run).chain(unfinished.into_iter().map(|found| found.run));
        return Ok(Err(names.collect()));
    }
    let published = published(repository, &refs, &repository.branch_tips()?)?;
    Ok(Ok(published.into_iter().next().or_else(|| unfinished.pop().map(self::unfinished))))
}
