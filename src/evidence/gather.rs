//! Where a review comes from: the commits of a branch, what `verify` says of them, and the records of their runs.

use super::{Commit, Design, Evidence, Risk, Run, base, file, moved, rows, tested};
use crate::git::{Difference, GitError, Oid, Past, Repository};
use crate::record::verify::{Judged, Verification, named_runs, verify};
use crate::record::{self, Ran, Record, Story};
use crate::transcript::recipe;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

/// Of tests that are longer nobody asks what they are about.
const MOST: u64 = 4 << 20;

/// Why there is nothing to review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotReviewed {
    /// Nobody has named a branch, and no run has left one; the newest has perhaps left a patch.
    NoBranch { patch: Option<PathBuf> },
    /// What was named is a run that has left a patch, and no branch.
    NoBranchOfRun { run: String, patch: Option<PathBuf> },
    /// It has no commit that the base does not have.
    Empty { name: String },
    /// Nothing tells where it began: no run of it is recorded, and there is nothing that it goes into.
    NoBase { name: String },
}

/// Gathers the review of a branch, of that of a run, or of a range (`a..b`). `None`: of the branch that is checked out, if a run
/// made it or its commits, else of the newest that a run made.
pub fn gather(repository: &Repository, name: Option<&str>) -> Result<Result<Evidence, NotReviewed>, GitError> {
    let runs = record::runs(repository)?;
    let tips = repository.branch_tips()?;
    let of_run = name.and_then(|name| runs.iter().find(|ran| ran.run == name));
    let named = match (of_run, name) {
        (Some(ran), _) if ran.summary.branch.is_empty() => {
            return Ok(Err(NotReviewed::NoBranchOfRun { run: ran.run.clone(), patch: ran.patch.clone() }));
        }
        (Some(ran), _) => Some(ran.summary.branch.clone()),
        (None, Some(name)) => Some(name.to_owned()),
        (None, None) => default_branch(repository, &runs, &tips)?,
    };
    let Some(name) = named else {
        let patch = runs.iter().find_map(|ran| ran.patch.clone());
        return Ok(Err(NotReviewed::NoBranch { patch }));
    };
    let range = if name.contains("..") {
        name.clone()
    } else {
        let tip = repository.tip_named(&name)?;
        match base::base(repository, &name, tip, &runs)? {
            Some(base) => format!("{base}..{tip}"),
            None => return Ok(Err(NotReviewed::NoBase { name })),
        }
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

/// The branch that is checked out, if a run made it or commits of its own name one; else that of the newest run.
fn default_branch(
    repository: &Repository,
    runs: &[Ran],
    tips: &BTreeMap<String, Oid>,
) -> Result<Option<String>, GitError> {
    if let Some(here) = repository.head_branch()
        && let Some(tip) = tips.get(&here)
    {
        let made = runs.iter().any(|ran| ran.published.is_some() && ran.summary.branch == here);
        if made || names_runs(repository, &here, *tip, runs)? {
            return Ok(Some(here));
        }
    }
    let mut published = runs.iter().filter(|ran| ran.published.is_some() && !ran.summary.commits.is_empty());
    Ok(published.find(|ran| tips.contains_key(&ran.summary.branch)).map(|ran| ran.summary.branch.clone()))
}

/// Does a commit of the branch's own name a run? So do those of a run that was made elsewhere, or under another name.
fn names_runs(repository: &Repository, name: &str, tip: Oid, runs: &[Ran]) -> Result<bool, GitError> {
    let Some(base) = base::base(repository, name, tip, runs)? else { return Ok(false) };
    let past = repository.past(&[format!("{base}..{tip}")])?;
    Ok(past.iter().any(|past| !named_runs(&past.message).is_empty()))
}

fn open(repository: &Repository, runs: &[Ran], id: &str) -> Result<Option<Run>, GitError> {
    let Some(ran) = runs.iter().find(|ran| ran.run == id) else { return Ok(None) };
    let Some(found) = &ran.published else { return Ok(None) };
    let Ok(record) = Record::open(repository, found)? else { return Ok(None) };
    record.read_ahead()?;
    let recipe = record.recipe().ok().flatten();
    let story = Story::of(&record, recipe.as_ref()).unwrap_or_default();
    let text = record.text(crate::transcript::DESIGN).ok();
    let plan = record.plan().unwrap_or_default();
    let rows = rows::rows(&plan, &record.about.lld, text.as_deref(), &story);
    let design = Design { path: record.about.lld.clone(), text, rows };
    let usage = ran.summary.spent.usage;
    let moved = |file: &recipe::File| Some((file.path.clone(), file.from.clone()?));
    Ok(Some(Run {
        id: id.to_owned(),
        about: record.about.clone(),
        design,
        story,
        moved: recipe
            .iter()
            .flat_map(|recipe| &recipe.commits)
            .flat_map(|commit| &commit.files)
            .filter_map(moved)
            .collect(),
        tokens: (usage.input, usage.output),
        cost: ran.summary.spent.cost,
        seconds: ran.summary.seconds,
    }))
}

fn commit(
    repository: &Repository,
    past: &Past,
    mut judged: Judged,
    (place, run): (Option<usize>, Option<&Run>),
) -> Result<Commit, GitError> {
    let mut differences = repository.differences(past.parent_tree, past.tree)?;
    let mut dropped = Vec::new();
    if past.parents.len() > 1 && past.parent_tree.is_some() {
        differences = of_merge(repository, past, differences)?;
        judged.notes.push("it is a merge: shown are only files that differ from all of its parents".to_owned());
        dropped = self::dropped(repository, past)?;
    }
    let mut files = file::files(repository, &differences, &judged, run)?;
    let tasks = rows::tasks_of(&past.message);
    files.iter_mut().for_each(|file| file.row = run.and_then(|run| run.design.row_of(file, &tasks)));
    let mut commit = Commit { judged, message: past.message.clone(), run: place, files, dropped };
    moved::mark(&mut commit);
    Ok(commit)
}

/// Paths at which a merge has what one side had from the start, though the other side has changed it.
fn dropped(repository: &Repository, past: &Past) -> Result<Vec<String>, GitError> {
    let [one, other] = past.parents[..] else { return Ok(Vec::new()) };
    let Ok(base) = repository.fork_point(&one.to_string(), &other.to_string()) else { return Ok(Vec::new()) };
    let Ok(base) = Oid::from_str(&base) else { return Ok(Vec::new()) };
    let base = repository.tree_of_commit(base)?;
    let mut sides = Vec::new();
    for parent in [one, other] {
        let differences = repository.differences(Some(base), repository.tree_of_commit(parent)?)?;
        sides.push(differences.into_iter().map(|it| (it.path.clone(), it)).collect::<BTreeMap<String, Difference>>());
    }
    let mut dropped = Vec::new();
    for (changed, other) in [(&sides[1], &sides[0]), (&sides[0], &sides[1])] {
        for (path, difference) in changed.iter().filter(|(path, _)| !other.contains_key(*path)) {
            if repository.at(past.tree, path)? == difference.before {
                dropped.push(path.clone());
            }
        }
    }
    Ok(dropped)
}

/// What a merge has that none of its parents has, as `git show` shows merges. `first`: where it differs from the first.
fn of_merge(repository: &Repository, past: &Past, first: Vec<Difference>) -> Result<Vec<Difference>, GitError> {
    let mut own = first;
    for parent in past.parents.iter().skip(1) {
        let tree = repository.tree_of_commit(*parent)?;
        let others = repository.differences(Some(tree), past.tree)?;
        let others: HashSet<&str> = others.iter().map(|difference| difference.path.as_str()).collect();
        own.retain(|difference| others.contains(difference.path.as_str()));
    }
    Ok(own)
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
    review.mark_done();
    let has_runs = !review.runs.is_empty();
    for commit in &mut review.commits {
        // Of several runs only the first one's design is at hand.
        let (generated, rows_are_known) = (commit.run.is_some(), commit.judged.others.is_empty());
        // Where nothing is of a run, that of a person stands out from nothing.
        let of_nobody = has_runs && commit.judged.verification == Verification::NotGenerated;
        commit.files.iter_mut().for_each(|file| file.risk = Risk::of(file, (generated, rows_are_known), of_nobody));
    }
    Ok(())
}
