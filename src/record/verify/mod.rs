//! Are the commits what the replies make of their parents? For each commit of a range: the tree of its parent and what is
//! recorded of the run that its message names give a tree; it is the commit's, or it is not.
//!
//! Nothing is asked, planned or run, and nothing is written. A commit is known by its trees, and never by its id: after a
//! rebase the replies are applied to what the new parent has.

mod expected;
mod gates;
mod order;
mod which;

use super::git_ai::is_ours;
use super::open::Record;
use super::rehome::note_of;
use super::remake::Remake;
use super::sound::{Soundness, soundness};
use crate::finding::Finding;
use crate::git::{GitError, Oid, Past, Repository, RunRef, is_run};
use crate::patch;
use crate::transcript::{Recipe, SUMMARY, Summary};
use expected::{Expectation, expect};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use which::candidates;

/// What became of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Its tree is what the replies make of its parent's.
    Exact,
    /// No record and no message says that it was generated.
    NotGenerated,
    /// It has something else at some paths.
    Edited,
    /// The record is of a schema that does not say how texts were made.
    TooOld,
    /// There is no record of the run that it names.
    Missing,
    /// The record contradicts itself, or the message contradicts the record.
    Altered,
}

impl Verdict {
    /// The word for it, which programs go by.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Exact => "exact",
            Verdict::NotGenerated => "not-generated",
            Verdict::Edited => "edited",
            Verdict::TooOld => "too-old",
            Verdict::Missing => "record-missing",
            Verdict::Altered => "record-altered",
        }
    }

    /// Is there nothing to be said against it?
    pub fn is_good(self) -> bool {
        matches!(self, Verdict::Exact | Verdict::NotGenerated)
    }
}

/// A path at which a commit is not what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    pub path: String,
    pub what: What,
    /// Lines of the commit's text that are another's, from and to, counted from 1; where lines are gone, the one before.
    pub lines: Vec<(usize, usize)>,
    /// From what the replies make to what the commit has; empty for what is no text.
    pub patch: String,
}

/// How it differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Another text.
    Text,
    /// The same text with another mode.
    Mode,
    /// The run has not made it.
    Added,
    /// The run has made it, and the commit has not.
    Gone,
    /// The run took it away, and it is there.
    Kept,
}

/// What was found of one commit.
#[derive(Debug, Clone)]
pub struct Judged {
    pub commit: Oid,
    pub subject: String,
    pub verdict: Verdict,
    /// The run that it is of, and which of its commits, counted from 1: several after a squash.
    pub run: Option<String>,
    pub of_run: Vec<usize>,
    /// Why, if it is neither exact nor edited.
    pub reasons: Vec<String>,
    /// What else there is to know: where it stands now, what cannot be shown.
    pub notes: Vec<String>,
    pub mismatches: Vec<Mismatch>,
    /// What gates find, where they were to run again.
    pub findings: Vec<Finding>,
}

impl Judged {
    fn new(past: &Past, verdict: Verdict) -> Judged {
        Judged {
            commit: past.commit,
            subject: past.subject().to_owned(),
            verdict,
            run: None,
            of_run: Vec::new(),
            reasons: Vec::new(),
            notes: Vec::new(),
            mismatches: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Is there nothing to be said against it?
    pub fn is_good(&self) -> bool {
        self.verdict.is_good() && !self.findings.iter().any(Finding::is_error)
    }

    fn because(mut self, why: impl Into<String>) -> Judged {
        self.reasons.push(why.into());
        self
    }
}

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
    Broken(String),
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
        // A merge has changes of its own only where a person made them.
        let runs = match one.parents.len() {
            0 | 1 if is_named => named,
            0 | 1 => trees_of(&mut trees, repository, &refs)?.between(one).into_iter().cloned().collect(),
            _ => Vec::new(),
        };
        if runs.is_empty() {
            judged.push(Judged::new(one, Verdict::NotGenerated));
            continue;
        }
        for run in &runs {
            if !opened.contains_key(run) {
                opened.insert(run.clone(), open(repository, &refs, run)?);
            }
        }
        judged.push(match runs.as_slice() {
            [run] => judge(repository, one, run, opened.get(run), gates)?,
            runs => several(repository, one, runs, &opened)?,
        });
        if let (Some(last), false) = (judged.last_mut(), is_named) {
            last.notes.push("its message does not name the run: it was found by its trees".to_owned());
        }
        let Some(last) = judged.last_mut() else { continue };
        if is_named
            && last.verdict != Verdict::Exact
            && let Some(run) = trees_of(&mut trees, repository, &refs)?.between(one)
            && !runs.contains(run)
        {
            last.notes.push(format!("its tree is one of run '{run}', which its message does not name"));
        }
        if let Some(blob) = notes.get(&one.commit) {
            last.notes.extend(wrong_note(repository, one, *blob)?);
        }
    }
    let recipes = opened.iter().filter_map(|(run, found)| match found {
        Found::Opened(opened) => Some((run.as_str(), &opened.recipe)),
        _ => None,
    });
    order::tell(past, &mut judged, &recipes.collect());
    Ok(judged)
}

/// What commits of runs have, by their trees.
#[derive(Default)]
struct Trees {
    /// The run that has made the tree; of several the first.
    runs: BTreeMap<Oid, String>,
    /// For each tree those that a commit, or several in a row, began with that ended with it.
    begun: BTreeMap<Oid, BTreeSet<Oid>>,
}

impl Trees {
    fn of(repository: &Repository, refs: &[RunRef]) -> Result<Trees, GitError> {
        const MOST: u64 = 4 << 20;
        /// As many commits of a run may be squashed without a word of it and be known again.
        const MOST_IN_ONE: usize = 100;
        let mut trees = Trees::default();
        for bytes in repository.in_each_record(refs, SUMMARY, MOST)?.into_iter().flatten() {
            let Ok(summary) = serde_json::from_slice::<Summary>(&bytes) else { continue };
            let mut before: VecDeque<Oid> = VecDeque::new();
            for commit in &summary.commits {
                before.extend(Oid::from_str(&commit.parent).ok());
                if before.len() > MOST_IN_ONE {
                    before.pop_front();
                }
                let Ok(tree) = Oid::from_str(&commit.tree) else { continue };
                trees.runs.entry(tree).or_insert_with(|| summary.run.clone());
                trees.begun.entry(tree).or_default().extend(&before);
            }
        }
        Ok(trees)
    }

    /// The run that went from the tree of the commit's parent to its own.
    fn between(&self, past: &Past) -> Option<&String> {
        let (before, after) = (past.parent_tree?, past.tree);
        let begun = self.begun.get(&after)?;
        self.runs.get(&after).filter(|_| before != after && begun.contains(&before))
    }
}

fn trees_of<'t>(trees: &'t mut Option<Trees>, repository: &Repository, refs: &[RunRef]) -> Result<&'t Trees, GitError> {
    let known = match trees.take() {
        Some(known) => known,
        None => Trees::of(repository, refs)?,
    };
    Ok(trees.insert(known))
}

/// What there is to say of a note of ours that says something else than the record.
fn wrong_note(repository: &Repository, past: &Past, blob: Oid) -> Result<Option<String>, GitError> {
    const MOST: u64 = 16 << 20;
    let note = repository.text_of(blob, MOST)?.unwrap_or_default();
    let is_right = !is_ours(&note) || note_of(repository, past)?.is_none_or(|right| right == note);
    let said = "its note says something else than the record: 'git implement rehome' writes it anew";
    Ok((!is_right).then(|| said.to_owned()))
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

fn open<'r>(repository: &'r Repository, refs: &[RunRef], run: &str) -> Result<Found<'r>, GitError> {
    let Some(found) = refs.iter().find(|found| found.run == run) else { return Ok(Found::Missing) };
    let record = match Record::open(repository, found)? {
        Ok(record) => record,
        Err(unread) => return Ok(Found::Broken(format!("the record {unread}"))),
    };
    match record.recipe() {
        Ok(Some(recipe)) => {
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

/// Says so where there is no record that could be compared.
fn unopened(past: &Past, run: &str, found: Option<&Found>) -> Judged {
    let about = |verdict| Judged { run: Some(run.to_owned()), ..Judged::new(past, verdict) };
    match found {
        Some(Found::TooOld(schema)) => about(Verdict::TooOld)
            .because(format!("the record of run '{run}' has schema {schema} and is too old to rebuild from")),
        Some(Found::Broken(why)) => about(Verdict::Altered).because(format!("of run '{run}' {why}")),
        _ => about(Verdict::Missing)
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
        let none = Judged { run: Some(run.to_owned()), ..Judged::new(past, Verdict::Altered) };
        return Ok(none.because(format!("run '{run}', which its message names, has made none of what it changes")));
    };
    let verdict = match (opened.sound.wrong.is_empty() && expected.wrong.is_empty(), mismatches.is_empty()) {
        (false, _) => Verdict::Altered,
        (true, true) => Verdict::Exact,
        (true, false) => Verdict::Edited,
    };
    let reasons = opened.sound.wrong.iter().chain(&expected.wrong);
    let mut judged = Judged {
        verdict,
        run: Some(run.to_owned()),
        of_run: numbers.iter().map(|number| number + 1).collect(),
        reasons: reasons.map(|why| format!("the record of run '{run}': {why}")).collect(),
        notes: opened.sound.not_shown.iter().map(|what| format!("cannot be shown: {what}")).collect(),
        mismatches,
        ..Judged::new(past, verdict)
    };
    which::tell(past, &opened.record.about, &opened.recipe, &numbers, &mut judged);
    if !expected.left_out.is_empty() && judged.verdict == Verdict::Exact {
        judged.verdict = Verdict::Missing;
        judged.reasons.extend(expected.left_out);
    }
    if gates {
        judged.findings = gates::again(&remake, &numbers);
    }
    Ok(judged)
}

/// A commit of several runs: what they make, one after the other.
fn several(
    repository: &Repository,
    past: &Past,
    runs: &[String],
    opened: &HashMap<String, Found>,
) -> Result<Judged, GitError> {
    let differences = repository.differences(past.parent_tree, past.tree)?;
    let mut expected = Expectation::default();
    let mut judged = Judged::new(past, Verdict::Exact);
    for run in runs {
        let Some(Found::Opened(opened)) = opened.get(run) else { return Ok(unopened(past, run, opened.get(run))) };
        let remake = Remake::new(&opened.record, &opened.recipe);
        let wanted = which::within(&differences, &opened.recipe);
        expected.go_on(repository, past.parent_tree, &remake, &wanted)?;
        judged.reasons.extend(opened.sound.wrong.iter().map(|why| format!("the record of run '{run}': {why}")));
    }
    judged.notes.push(format!("it is made of {} runs: {}", runs.len(), runs.join(", ")));
    judged.reasons.append(&mut expected.wrong);
    judged.mismatches = expected.compare(repository, &differences, past.parent_tree)?;
    judged.run = runs.first().cloned();
    judged.verdict = match (judged.reasons.is_empty(), judged.mismatches.is_empty()) {
        (false, _) => Verdict::Altered,
        (true, true) => Verdict::Exact,
        (true, false) => Verdict::Edited,
    };
    Ok(judged)
}

/// A text that is another than was made.
fn mismatch(path: &str, what: What, made: Option<&str>, found: Option<&str>) -> Mismatch {
    /// Of longer texts only the lines are told.
    const LONG: usize = 1 << 18;
    let lines = patch::changed_lines(made.unwrap_or_default(), found.unwrap_or_default());
    let is_long = [made, found].iter().flatten().any(|text| text.len() > LONG);
    let patch = if is_long { String::new() } else { patch::unified(path, made, found) };
    Mismatch { path: path.to_owned(), what, lines, patch }
}
