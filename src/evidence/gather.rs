//! Where a review comes from: the commits of a branch, what `verify` says of them, and the records of their runs.

use super::hunks::hunks;
use super::{Commit, Design, Effect, Evidence, File, Risk, Row, Run, moved, tested};
use crate::finding::Finding;
use crate::git::{At, Difference, GitError, Oid, Past, Repository};
use crate::plan::EntryKind;
use crate::record::verify::{Judged, verify};
use crate::record::{self, Ran, Record, Story};
use std::collections::{BTreeMap, HashMap};

/// Longer texts are named, and not shown.
const MOST: u64 = 4 << 20;

/// Why there is nothing to review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotReviewed {
    /// Nobody has named a branch, and no run has left one.
    NoBranch,
    /// It has no commit that the base does not have.
    Empty { name: String },
}

/// Gathers the review of a branch, or of a range (`a..b`). `None`: of the branch that is checked out, if a run made it, else of
/// the newest that a run made.
pub fn gather(repository: &Repository, name: Option<&str>) -> Result<Result<Evidence, NotReviewed>, GitError> {
    let runs = record::runs(repository)?;
    let tips = repository.branch_tips()?;
    let Some(name) = name.map(str::to_owned).or_else(|| default_branch(repository, &runs, &tips)) else {
        return Ok(Err(NotReviewed::NoBranch));
    };
    let range = match name.contains("..") {
        true => name.clone(),
        false => format!("{}..{name}", base_of(repository, &name, &runs)?),
    };
    let past = repository.past(&[range])?;
    let Some(first) = past.first() else { return Ok(Err(NotReviewed::Empty { name })) };
    let base = first.parents.first().map(ToString::to_string).unwrap_or_default();
    let judged = verify(repository, &past, false)?;
    let mut review = Evidence { name, base, runs: Vec::new(), commits: Vec::new() };
    let mut places: HashMap<String, Option<usize>> = HashMap::new();
    for (past, judged) in past.iter().zip(judged) {
        let run = match &judged.run {
            Some(run) => match places.get(run) {
                Some(place) => *place,
                None => {
                    let place = open(repository, &runs, run)?.map(|run| {
                        review.runs.push(run);
                        review.runs.len() - 1
                    });
                    places.insert(run.clone(), place);
                    place
                }
            },
            None => None,
        };
        let of_run = run.and_then(|run| review.runs.get(run));
        review.commits.push(commit(repository, past, judged, (run, of_run))?);
    }
    finish(repository, &mut review, &past)?;
    Ok(Ok(review))
}

/// The branch that is checked out, if a run made it; else that of the newest run.
fn default_branch(repository: &Repository, runs: &[Ran], tips: &BTreeMap<String, Oid>) -> Option<String> {
    let made = |branch: &str| runs.iter().any(|ran| ran.published.is_some() && ran.summary.branch == branch);
    let here = repository.head_branch().filter(|branch| made(branch));
    let newest = || {
        let mut published = runs.iter().filter(|ran| ran.published.is_some() && !ran.summary.commits.is_empty());
        published.find(|ran| tips.contains_key(&ran.summary.branch)).map(|ran| ran.summary.branch.clone())
    };
    here.or_else(newest)
}

/// The commit that a branch was made on: where its oldest run began, if that is still below it, else where it leaves HEAD.
fn base_of(repository: &Repository, name: &str, runs: &[Ran]) -> Result<String, GitError> {
    let of_branch = runs.iter().filter(|ran| ran.published.is_some() && ran.summary.branch == name);
    let mut oldest = None;
    // The newest come first.
    for ran in of_branch {
        let Some(found) = &ran.published else { continue };
        if let Ok(record) = Record::open(repository, found)?
            && repository.is_below(&record.about.base, name)?
        {
            oldest = Some(record.about.base.clone());
        }
    }
    match oldest {
        Some(base) => Ok(base),
        None => repository.fork_point("HEAD", name),
    }
}

fn open(repository: &Repository, runs: &[Ran], id: &str) -> Result<Option<Run>, GitError> {
    let Some(ran) = runs.iter().find(|ran| ran.run == id) else { return Ok(None) };
    let Some(found) = &ran.published else { return Ok(None) };
    let Ok(record) = Record::open(repository, found)? else { return Ok(None) };
    let recipe = record.recipe().ok().flatten();
    let story = Story::of(&record, recipe.as_ref()).unwrap_or_default();
    let rows = record.plan().map(|plan| rows(&plan)).unwrap_or_default();
    let text = record.text(crate::transcript::DESIGN).ok();
    let design = Design { path: record.about.lld.clone(), text, rows };
    let usage = ran.summary.spent.usage;
    Ok(Some(Run {
        id: id.to_owned(),
        about: record.about.clone(),
        design,
        story,
        tokens: (usage.input, usage.output),
        cost: ran.summary.spent.cost,
        seconds: ran.summary.seconds,
    }))
}

fn rows(plan: &serde_json::Value) -> Vec<Row> {
    let row = |row: &serde_json::Value| {
        Some(Row {
            line: usize::try_from(row["line"].as_u64()?).ok()?,
            path: row["path"].as_str()?.to_owned(),
            description: row["description"].as_str().unwrap_or_default().to_owned(),
        })
    };
    plan["files"].as_array().into_iter().flatten().filter_map(row).collect()
}

fn commit(
    repository: &Repository,
    past: &Past,
    judged: Judged,
    (place, run): (Option<usize>, Option<&Run>),
) -> Result<Commit, GitError> {
    let mut files = Vec::new();
    for difference in repository.differences(past.parent_tree, past.tree)? {
        files.push(file(repository, difference, &judged, run)?);
    }
    let mut commit = Commit { judged, message: past.message.clone(), run: place, files };
    moved::mark(&mut commit);
    Ok(commit)
}

fn file(
    repository: &Repository,
    Difference { path, before, after }: Difference,
    judged: &Judged,
    run: Option<&Run>,
) -> Result<File, GitError> {
    let text = |at: Option<At>| match at {
        None => Ok(Some(String::new())),
        Some(At { kind: EntryKind::File | EntryKind::Executable, id }) => repository.text_of(id, MOST),
        Some(_) => Ok(None),
    };
    let (old, new) = (text(before)?, text(after)?);
    let mut hunks = match (&old, &new) {
        (Some(old), Some(new)) => hunks(&path, old, new),
        _ => Vec::new(),
    };
    let change = match (before, after) {
        _ if hunks.is_empty() && before.is_some() && after.is_some() => Effect::Other,
        (None, _) => Effect::Added,
        (_, None) => Effect::Deleted,
        _ => Effect::Modified,
    };
    let story = run.and_then(|run| run.story.files.iter().find(|file| file.path == path));
    for mismatch in judged.mismatches.iter().filter(|mismatch| mismatch.path == path) {
        let person = |hunk: &super::Hunk| mismatch.lines.iter().any(|(from, to)| hunk.touches(*from, *to, false));
        hunks.iter_mut().for_each(|hunk| hunk.person |= person(hunk));
    }
    for edit in story.iter().flat_map(|story| &story.edits).filter(|edit| edit.tier.is_loose()) {
        let last = edit.line + edit.lines.saturating_sub(1);
        for hunk in hunks.iter_mut().filter(|hunk| hunk.touches(edit.line, last, true)) {
            hunk.loose = hunk.loose.max(Some(edit.tier));
        }
    }
    let row = run.and_then(|run| run.design.rows.iter().rposition(|row| row.path == path));
    let told = |finding: &&Finding| finding.path.as_deref() == Some(path.as_str());
    let mut findings: Vec<Finding> = story.map(|story| story.findings.clone()).unwrap_or_default();
    findings.extend(judged.findings.iter().filter(told).cloned());
    findings.extend(run.iter().flat_map(|run| &run.story.findings).filter(told).cloned());
    Ok(File {
        change,
        row,
        hunks,
        blob: after.map(|at| at.id.to_string()),
        findings,
        maker: story.and_then(|story| story.maker.clone()),
        tries: story.map(|story| story.tries.clone()).unwrap_or_default(),
        tests: Vec::new(),
        risk: Risk::default(),
        path,
    })
}

/// What is only known when all is there: which tests are about what, and what is risky.
fn finish(repository: &Repository, review: &mut Evidence, past: &[Past]) -> Result<(), GitError> {
    let mut texts = BTreeMap::new();
    if let Some(last) = past.last() {
        let paths = review.commits.iter().flat_map(|commit| &commit.files).map(|file| file.path.clone());
        for path in paths.filter(|path| crate::check::is_test(path)).collect::<Vec<_>>() {
            if let Some(at) = repository.at(last.tree, &path)?
                && let Some(text) = repository.text_of(at.id, MOST)?
            {
                texts.insert(path, text);
            }
        }
    }
    tested::tell(&mut review.commits, &texts);
    for commit in &mut review.commits {
        let generated = commit.run.is_some();
        commit.files.iter_mut().for_each(|file| file.risk = Risk::of(file, generated));
    }
    Ok(())
}
