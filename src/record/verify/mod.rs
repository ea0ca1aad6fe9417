//! Are the commits what the replies make of their parents? For each commit of a range: the tree of its parent and what is
//! recorded of the run that its message names give a tree; it is the commit's, or it is not.
//!
//! Nothing is asked, planned or run, and nothing is written. A commit is known by its trees, and never by its id: after a
//! rebase the replies are applied to what the new parent has.

mod expected;
mod gates;
mod judged;
mod merge;
mod order;
mod trees;
mod which;

pub use judged::{Judged, Mismatch, Verification, What};

use super::about::About;
use super::git_ai::{commit_of, is_ours};
use super::open::Record;
use super::rehome::note_of;
use super::remake::Remake;
use super::sound::{Soundness, soundness};
use crate::git::{GitError, Oid, Past, Repository, RunRef, is_run};
use crate::transcript::{Recipe, SCHEMA};
use expected::{Expectation, expect};
use std::collections::{HashMap, HashSet};
use trees::{Trees, trees_of};
use which::candidates;

/// A record that was opened, with all that is worked out once.
struct Opened<'r> {
    record: Record<'r>,
    recipe: Recipe,
    sound: Soundness,
}

/// What became of looking for a record.
enum Found<'r> {
    Opened(Box<Opened<'r>>),
    Missing,
    TooOld(u32),
    TooNew(u32),
    Broken(String),
    /// Not all of it is here, as in a partial clone: this file is not.
    Partial(String),
}

/// Judges these commits, which stand in the order of the history. `gates`: the gates judge what was made once more.
pub fn verify(repository: &Repository, past: &[Past], gates: bool) -> Result<Vec<Judged>, GitError> {
    let refs = repository.run_refs()?;
    // Read only where a commit does not say by itself what it is.
    let mut trees: Option<Trees> = None;
    let notes = repository.notes()?;
    let mut opened: HashMap<String, Found> = HashMap::new();
    let mut judged = Vec::with_capacity(past.len());
    for one in past {
        let named = named_runs(&one.message);
        let is_named = !named.is_empty();
        if let (true, Some(run)) = (one.is_cut(), named.first()) {
            judged.push(cut(one, run));
            continue;
        }
        if let ([_, _, ..], Some(run)) = (one.parents.as_slice(), named.first()) {
            judged.push(here(repository, one, merge::judge(repository, one, run))?);
            continue;
        }
        let runs = match one.parents.len() {
            0 | 1 if is_named => named,
            0 | 1 => trees_of(&mut trees, repository, &refs)?.of_commit(one),
            _ => Vec::new(),
        };
        if runs.is_empty() {
            judged.push(Judged::new(one, Verification::NotGenerated));
            continue;
        }
        for run in &runs {
            if !opened.contains_key(run) {
                opened.insert(run.clone(), open(repository, &refs, run)?);
            }
        }
        let found = match runs.as_slice() {
            [run] => judge(repository, one, run, opened.get(run), gates),
            runs => in_either_order(repository, one, runs, &opened, gates),
        };
        judged.push(here(repository, one, found)?);
        if let (Some(last), false) = (judged.last_mut(), is_named) {
            last.notes.push("its message does not name the run: it was found by its trees".to_owned());
        }
        let Some(last) = judged.last_mut() else { continue };
        if is_named
            && last.verification != Verification::Exact
            && let Some(run) =
                trees_of(&mut trees, repository, &refs)?.of_commit(one).iter().find(|run| !runs.contains(run))
        {
            last.notes.push(format!("its tree is one of run '{run}', which its message does not name"));
        }
        if let Some(blob) = notes.get(&one.commit) {
            note(repository, one, *blob, last)?;
        }
    }
    let recipes = opened.iter().filter_map(|(run, found)| match found {
        Found::Opened(opened) => Some((run.as_str(), &opened.recipe)),
        _ => None,
    });
    order::tell(past, &mut judged, &recipes.collect());
    Ok(judged)
}

/// A commit whose tree is not all here, as in a partial clone, is not known; those beside it may be.
fn here(repository: &Repository, past: &Past, found: Result<Judged, GitError>) -> Result<Judged, GitError> {
    let Err(GitError::BadObject { id, .. }) = &found else { return found };
    match Oid::from_str(id) {
        Ok(missing) if !repository.has_object(missing)? => {
            let judged =
                Judged { run: named_runs(&past.message).first().cloned(), ..Judged::new(past, Verification::Missing) };
            Ok(judged.because(format!("object {missing} of its tree is not here")))
        }
        _ => found,
    }
}

/// Holds a note of ours against the record. One that is right for the commit that it names, and has come along to this one,
/// is told; one that is right for none is altered.
fn note(repository: &Repository, past: &Past, blob: Oid, judged: &mut Judged) -> Result<(), GitError> {
    const MOST: u64 = 16 << 20;
    let note = repository.text_of(blob, MOST)?.unwrap_or_default();
    if !is_ours(&note) || note_of(repository, past)?.is_none_or(|right| right == note) {
        return Ok(());
    }
    let said = "its note says something else than the record: 'git implement rehome' writes it anew".to_owned();
    let is_formers = match commit_of(&note).filter(|of| *of != past.commit) {
        Some(former) if repository.has_object(former)? => {
            note_of(repository, &repository.past_of(former)?)?.is_some_and(|right| right == note)
        }
        _ => false,
    };
    if is_formers || matches!(judged.verification, Verification::Missing | Verification::TooOld) {
        judged.notes.push(said);
    } else {
        judged.verification = Verification::Altered;
        judged.reasons.push(said);
    }
    Ok(())
}

/// The runs that a message names, in its order. After a squash the trailers of all commits stand somewhere in it.
pub fn named_runs(message: &str) -> Vec<String> {
    let mut runs: Vec<String> = Vec::new();
    for line in message.lines() {
        let Some((name, value)) = line.trim().split_once(':') else { continue };
        let value = value.trim();
        if name.eq_ignore_ascii_case("Implement-Run") && is_run(value) && !runs.iter().any(|run| run == value) {
            runs.push(value.to_owned());
        }
    }
    runs
}

/// The runs by whose trees a commit is known that names none, in the order of their commits.
pub(super) fn runs_by_trees(repository: &Repository, refs: &[RunRef], past: &Past) -> Result<Vec<String>, GitError> {
    Ok(Trees::of(repository, refs)?.of_commit(past))
}

/// The runs whose records commits of the history need to be verified: those that a message names, and those by whose trees a
/// commit is known that names none.
pub fn needed(repository: &Repository) -> Result<HashSet<String>, GitError> {
    let refs = repository.run_refs()?;
    if refs.is_empty() {
        return Ok(HashSet::new());
    }
    let named = repository.named_in_history()?;
    let trees = Trees::of(repository, &refs)?;
    let steps = repository.steps_in_history()?;
    let by_trees = steps.iter().filter(|(commit, ..)| !named.contains_key(commit));
    let by_trees = by_trees.flat_map(|(_, before, after)| trees.between(*before, *after));
    Ok(named.values().flat_map(|message| named_runs(message)).chain(by_trees).collect())
}

/// Does the message name the run only as something that it quotes?
fn is_quoted(message: &str, run: &str) -> bool {
    let mut lines = message.lines().filter(|line| named_runs(line).iter().any(|named| named == run));
    lines.all(|line| line.starts_with([' ', '\t']))
}

fn open<'r>(repository: &'r Repository, refs: &[RunRef], run: &str) -> Result<Found<'r>, GitError> {
    let Some(found) = refs.iter().find(|found| found.run == run) else { return Ok(Found::Missing) };
    let opened = read(repository, found)?;
    // What is not here contradicts nothing.
    let is_wrong = match &opened {
        Found::Opened(opened) => !opened.sound.wrong.is_empty(),
        opened => matches!(opened, Found::Broken(_)),
    };
    let absent = if is_wrong { Record::absent(repository, found)? } else { None };
    Ok(absent.map_or(opened, Found::Partial))
}

fn read<'r>(repository: &'r Repository, found: &RunRef) -> Result<Found<'r>, GitError> {
    let record = match Record::open(repository, found)? {
        Ok(record) => record,
        Err(unread) => {
            let schema = Record::schema(repository, found)?.filter(|schema| *schema > SCHEMA);
            return Ok(schema.map_or(Found::Broken(format!("the record {unread}")), Found::TooNew));
        }
    };
    record.read_ahead()?;
    match record.recipe() {
        Ok(Some(recipe)) => {
            let trees = recipe.commits.iter().flat_map(|commit| [&commit.parent, &commit.tree]);
            repository.read_ahead(trees.filter_map(|tree| Oid::from_str(tree).ok()))?;
            let sound = soundness(&Remake::new(&record, &recipe))?;
            Ok(Found::Opened(Box::new(Opened { record, recipe, sound })))
        }
        // One that was written with a recipe also has a list of its files, which still names it.
        Ok(None) if record.manifest().is_ok_and(|manifest| manifest.is_none()) => {
            Ok(Found::TooOld(record.about.schema))
        }
        Ok(None) => Ok(Found::Broken("the record has lost its recipe".to_owned())),
        Err(unread) => Ok(Found::Broken(format!("the record {unread}"))),
    }
}

/// A commit whose parent is not here, which nothing can be compared with.
fn cut(past: &Past, run: &str) -> Judged {
    let judged = Judged { run: Some(run.to_owned()), ..Judged::new(past, Verification::Missing) };
    judged.because("its parent is not here, for the clone is shallow: git fetch --unshallow fetches it")
}

/// Says so where there is no record that could be compared.
fn unopened(past: &Past, run: &str, found: Option<&Found>) -> Judged {
    let about = |verification| Judged { run: Some(run.to_owned()), ..Judged::new(past, verification) };
    match found {
        Some(Found::TooOld(schema)) => about(Verification::TooOld)
            .because(format!("the record of run '{run}' has schema {schema} and is too old to rebuild from")),
        Some(Found::TooNew(schema)) => about(Verification::TooNew)
            .because(format!("the record of run '{run}' has schema {schema}, and this program reads those up to {SCHEMA}")),
        Some(Found::Partial(file)) => about(Verification::Missing).because(format!(
            "the record of run '{run}' is not all here, '{file}' is not: git archive refs/implement/runs/{run} >/dev/null fetches it"
        )),
        Some(Found::Broken(why)) => about(Verification::Altered).because(format!("of run '{run}' {why}")),
        _ => about(Verification::Missing)
            .because(format!("there is no record of run '{run}' here: fetch refs/implement/runs/{run}")),
    }
}

fn judge(
    repository: &Repository,
    past: &Past,
    run: &str,
    found: Option<&Found>,
    gates: bool,
) -> Result<Judged, GitError> {
    let Some(Found::Opened(opened)) = found else { return Ok(unopened(past, run, found)) };
    let remake = Remake::new(&opened.record, &opened.recipe);
    let differences = repository.differences(past.parent_tree, past.tree)?;
    let mut best: Option<(Vec<usize>, Expectation, Vec<Mismatch>)> = None;
    for numbers in candidates(past, &differences, &opened.recipe) {
        let expected = expect(repository, past.parent_tree, &remake, &numbers)?;
        let mismatches = expected.compare(repository, &differences, past.parent_tree)?;
        let is_better = best.as_ref().is_none_or(|(.., least)| mismatches.len() < least.len());
        let is_exact = mismatches.is_empty();
        if is_better {
            best = Some((numbers, expected, mismatches));
        }
        if is_exact {
            break;
        }
    }
    let Some((numbers, expected, mismatches)) = best else {
        if is_quoted(&past.message, run) {
            let judged = Judged::new(past, Verification::NotGenerated);
            return Ok(Judged { notes: vec![format!("its message quotes run '{run}'")], ..judged });
        }
        let none = Judged { run: Some(run.to_owned()), ..Judged::new(past, Verification::Altered) };
        return Ok(none.because(format!("run '{run}', which its message names, has made none of what it changes")));
    };
    let verification = match (opened.sound.wrong.is_empty() && expected.wrong.is_empty(), mismatches.is_empty()) {
        (false, _) => Verification::Altered,
        (true, true) => Verification::Exact,
        (true, false) => Verification::Edited,
    };
    let reasons = opened.sound.wrong.iter().chain(&expected.wrong);
    let mut judged = Judged {
        verification,
        run: Some(run.to_owned()),
        of_run: numbers.iter().map(|number| number + 1).collect(),
        reasons: reasons.map(|why| format!("the record of run '{run}': {why}")).collect(),
        notes: opened.sound.not_shown.iter().map(|what| format!("cannot be shown: {what}")).collect(),
        mismatches,
        ..Judged::new(past, verification)
    };
    which::tell(past, &opened.record.about, &opened.recipe, &numbers, &mut judged);
    left_out(expected.left_out, &mut judged);
    if gates {
        judged.findings = gates::again(&remake, &numbers);
    }
    Ok(judged)
}

/// A commit of several runs, which git's message for a squash names the newest first.
fn in_either_order(
    repository: &Repository,
    past: &Past,
    runs: &[String],
    opened: &HashMap<String, Found>,
    gates: bool,
) -> Result<Judged, GitError> {
    let judged = several(repository, past, runs, opened, gates)?;
    if judged.mismatches.is_empty() {
        return Ok(judged);
    }
    let back: Vec<String> = runs.iter().rev().cloned().collect();
    let other = several(repository, past, &back, opened, gates)?;
    Ok(if other.mismatches.len() < judged.mismatches.len() { other } else { judged })
}

/// A commit of several runs: what they make, one after the other.
fn several(
    repository: &Repository,
    past: &Past,
    runs: &[String],
    opened: &HashMap<String, Found>,
    gates: bool,
) -> Result<Judged, GitError> {
    let differences = repository.differences(past.parent_tree, past.tree)?;
    let mut expected = Expectation::default();
    let mut judged = Judged::new(past, Verification::Exact);
    for run in runs {
        let Some(Found::Opened(opened)) = opened.get(run) else { return Ok(unopened(past, run, opened.get(run))) };
        let remake = Remake::new(&opened.record, &opened.recipe);
        let wanted = which::within(&differences, &opened.recipe);
        expected.go_on(repository, past.parent_tree, &remake, &wanted)?;
        if gates {
            judged.findings.extend(gates::again(&remake, &wanted));
        }
        judged.notes.extend(opened.sound.not_shown.iter().map(|what| format!("cannot be shown: {what}")));
        judged.reasons.extend(opened.sound.wrong.iter().map(|why| format!("the record of run '{run}': {why}")));
    }
    judged.notes.push(format!("it is made of {} runs: {}", runs.len(), runs.join(", ")));
    judged.reasons.append(&mut expected.wrong);
    judged.mismatches = expected.compare(repository, &differences, past.parent_tree)?;
    judged.run = runs.first().cloned();
    judged.others = runs.iter().skip(1).cloned().collect();
    judged.verification = match (judged.reasons.is_empty(), judged.mismatches.is_empty()) {
        (false, _) => Verification::Altered,
        (true, true) => Verification::Exact,
        (true, false) => Verification::Edited,
    };
    let abouts: Vec<&About> = runs.iter().filter_map(|run| about_of(opened.get(run)?)).collect();
    which::tell_designs(past, &abouts, &mut judged);
    left_out(expected.left_out, &mut judged);
    Ok(judged)
}

/// What is exact as far as the record goes, and cannot be shown to be, is not known.
fn left_out(why: Vec<String>, judged: &mut Judged) {
    if !why.is_empty() && judged.verification == Verification::Exact {
        judged.verification = Verification::Missing;
        judged.reasons.extend(why);
    }
}

fn about_of<'f>(found: &'f Found<'_>) -> Option<&'f About> {
    match found {
        Found::Opened(opened) => Some(&opened.record.about),
        _ => None,
    }
}
