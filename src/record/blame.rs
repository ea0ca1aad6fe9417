//! From a line to the reply that it comes from. A commit is looked up by the trees and blobs of records, and, after a rebase
//! or a squash, its lines by what the runs have added; never by time, and by a commit's id only through git's own blame. What
//! stands in any file proves nothing, and "unknown" is an answer.

use super::added::added;
use super::alike::{alike, proves};
use super::open::Record;
use super::remake::Remake;
use super::verify::{named_runs, runs_by_trees};
use crate::git::{BlamedLine, GitError, Oid, Past, Repository, RunRef};
use crate::patch;
use crate::transcript::recipe::{Answer, By};
use crate::transcript::{Recipe, SUMMARY, Summary};
use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::rc::Rc;

/// A line, and what it comes from.
#[derive(Debug, Clone)]
pub struct Line {
    pub number: usize,
    pub text: String,
    pub commit: Oid,
    pub from: From,
}

#[derive(Debug, Clone)]
pub enum From {
    Run(Rc<Origin>),
    /// Its commit is of no run.
    Person,
    /// Its commit is, and nothing shows that the line is.
    Unknown,
}

/// A text of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    pub run: String,
    /// The path that the run gave it.
    pub path: String,
    pub by: By,
    pub how: How,
    /// The design, and its row: the line, and what it says.
    pub design: String,
    pub row: Option<(usize, String)>,
}

impl Origin {
    /// The reply that had the last word, if it was one.
    pub fn reply(&self) -> Option<&Answer> {
        match &self.by {
            By::Reply { replies, .. } => replies.last(),
            _ => None,
        }
    }
}

/// How it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The commit has the very file that the run made.
    Blob,
    /// The line stands among others that the run has added.
    Content,
}

impl How {
    pub fn word(self) -> &'static str {
        match self {
            How::Blob => "blob",
            How::Content => "content",
        }
    }
}

/// As many runs that changed a path are looked through for a commit that names none.
const MOST_RUNS: usize = 50;

/// The lines of the file at `path` in `revision`, or only those with these numbers.
pub fn blame(
    repository: &Repository,
    revision: &str,
    path: &str,
    only: Option<RangeInclusive<usize>>,
) -> Result<Vec<Line>, GitError> {
    let lines = repository.blame(revision, path, only.clone())?;
    let mut groups: BTreeMap<(Oid, &str), Vec<&BlamedLine>> = BTreeMap::new();
    for line in &lines {
        groups.entry((line.commit, &line.path_then)).or_default().push(line);
    }
    let mut archive = Archive::of(repository)?;
    let mut found: HashMap<usize, From> = HashMap::new();
    for ((commit, path), mut group) in groups {
        group.sort_by_key(|line| line.line_then);
        let past = repository.past_of(commit)?;
        let whole = match only {
            // A few lines alone prove little: those beside them in their commit are looked at, too.
            Some(_) => archive.around(&past, path, &group)?,
            None => group.iter().map(|line| (line.line_then, line.text.clone())).collect(),
        };
        let from = archive.from(&past, path, &whole)?;
        for line in group {
            found.insert(line.line, from.get(&line.line_then).cloned().unwrap_or(From::Unknown));
        }
    }
    let line = |line: &BlamedLine| Line {
        number: line.line,
        text: line.text.clone(),
        commit: line.commit,
        from: found.get(&line.line).cloned().unwrap_or(From::Unknown),
    };
    Ok(lines.iter().map(line).collect())
}

/// All records, each opened when it is needed.
pub(super) struct Archive<'r> {
    repository: &'r Repository,
    refs: Vec<RunRef>,
    summaries: Vec<Option<Summary>>,
    opened: HashMap<usize, Option<Rc<Opened<'r>>>>,
}

struct Opened<'r> {
    record: Record<'r>,
    recipe: Recipe,
}

impl<'r> Archive<'r> {
    pub fn of(repository: &'r Repository) -> Result<Archive<'r>, GitError> {
        const MOST: u64 = 4 << 20;
        let refs = repository.run_refs()?;
        let read = |bytes: Option<Vec<u8>>| serde_json::from_slice(&bytes?).ok();
        let summaries = repository.in_each_record(&refs, SUMMARY, MOST)?.into_iter().map(read).collect();
        Ok(Archive { repository, refs, summaries, opened: HashMap::new() })
    }

    fn open(&mut self, at: usize) -> Result<Option<Rc<Opened<'r>>>, GitError> {
        if let Some(opened) = self.opened.get(&at) {
            return Ok(opened.clone());
        }
        let opened = match self.refs.get(at) {
            Some(found) => Record::open(self.repository, found)?.ok(),
            None => None,
        };
        let opened = opened.and_then(|record| {
            let recipe = record.recipe().ok()??;
            Some(Rc::new(Opened { record, recipe }))
        });
        self.opened.insert(at, opened.clone());
        Ok(opened)
    }

    /// What the lines that a commit brought to a file come from, by their numbers in it.
    pub fn from(
        &mut self,
        past: &Past,
        path: &str,
        lines: &[(usize, String)],
    ) -> Result<HashMap<usize, From>, GitError> {
        let mut names = named_runs(&past.message);
        let is_of = |summary: &Summary| summary.commits.iter().any(|commit| commit.tree == past.tree.to_string());
        if names.is_empty() && self.summaries.iter().flatten().any(is_of) {
            // As 'verify' knows it: that is as good as a trailer.
            names = runs_by_trees(self.repository, &self.refs, past)?;
        }
        let named: Vec<usize> = (0..self.refs.len())
            .filter(|at| self.refs.get(*at).is_some_and(|found| names.contains(&found.run)))
            .collect();
        let blob = self.repository.at(past.tree, path)?.map(|at| at.id.to_string());
        let has = |at: &usize, blob: Option<&String>| {
            let files = self.summaries.get(*at).and_then(Option::as_ref).map(|summary| &summary.files);
            files.is_some_and(|files| {
                files.iter().any(|file| file.path == path && (blob.is_none() || file.blob.as_ref() == blob))
            })
        };
        let others: Vec<usize> = match named.is_empty() {
            true => (0..self.refs.len()).rev().filter(|at| has(at, None)).take(MOST_RUNS).collect(),
            false => Vec::new(),
        };
        let texts: Vec<&str> = lines.iter().map(|(_, text)| text.as_str()).collect();
        // A file of two lines that prove nothing may be anybody's.
        let may_be_known = !named.is_empty() || proves(&texts);
        let same = named.iter().chain(&others).copied().find(|at| has(at, blob.as_ref()));
        if let (Some(at), Some(blob), true) = (same, &blob, may_be_known)
            && let Some(opened) = self.open(at)?
            && (!named.is_empty() || !self.was_before(past, &opened)?)
            && let Some(from) = of_the_same(&opened, path, blob, lines, !named.is_empty())?
        {
            return Ok(from);
        }
        let candidates = if named.is_empty() { others } else { named.clone() };
        let mut best: HashMap<usize, (usize, Option<Rc<Origin>>)> = HashMap::new();
        for at in candidates {
            let Some(opened) = self.open(at)? else { continue };
            let found = in_record(&opened, path, !named.is_empty(), lines)?;
            if found.is_empty() || named.is_empty() && self.was_before(past, &opened)? {
                continue;
            }
            let mut origins = Origins::new(&opened, How::Content);
            for Found { line, score, text } in found {
                let is_other = |known: &Rc<Origin>| known.run != opened.record.run;
                match best.get(&line) {
                    Some((known, _)) if *known > score => {}
                    // Two runs have added the same: nobody can tell whose it is.
                    Some((known, Some(origin))) if *known == score && is_other(origin) => {
                        best.insert(line, (score, None));
                    }
                    Some((known, _)) if *known == score => {}
                    _ => _ = best.insert(line, (score, Some(origins.of(text)))),
                }
            }
        }
        let is_generated = !named.is_empty() || !names.is_empty() || !best.is_empty();
        let from = |line: &usize| match best.get(line) {
            Some((_, Some(origin))) => From::Run(origin.clone()),
            _ if is_generated => From::Unknown,
            _ => From::Person,
        };
        Ok(lines.iter().map(|(number, _)| (*number, from(number))).collect())
    }

    /// Was the commit there when the run began? Then nothing of it is the run's.
    fn was_before(&self, past: &Past, opened: &Opened) -> Result<bool, GitError> {
        let Ok(base) = Oid::from_str(&opened.record.about.base) else { return Ok(false) };
        Ok(self.repository.has_object(base)?
            && self.repository.is_below(&past.commit.to_string(), &base.to_string())?)
    }

    /// The lines that a commit brought to a file, round the one that is asked for.
    fn around(&self, past: &Past, path: &str, group: &[&BlamedLine]) -> Result<Vec<(usize, String)>, GitError> {
        const MOST: u64 = 16 << 20;
        let text = |tree: Option<Oid>| -> Result<String, GitError> {
            let at = tree.map(|tree| self.repository.at(tree, path)).transpose()?.flatten();
            let text = at.map(|at| self.repository.text_of(at.id, MOST)).transpose()?.flatten();
            Ok(text.unwrap_or_default())
        };
        let (before, after) = (text(past.parent_tree)?, text(Some(past.tree))?);
        let lines: Vec<&str> = after.lines().collect();
        let ranges = patch::changed_lines(&before, &after);
        let mut found: BTreeMap<usize, String> = group.iter().map(|line| (line.line_then, line.text.clone())).collect();
        let is_wanted = |(from, to): &&(usize, usize)| group.iter().any(|line| (*from..=*to).contains(&line.line_then));
        for number in ranges.iter().filter(is_wanted).flat_map(|(from, to)| *from..=*to) {
            if let Some(line) = number.checked_sub(1).and_then(|at| lines.get(at)) {
                found.insert(number, (*line).to_owned());
            }
        }
        Ok(found.into_iter().collect())
    }
}

/// Where the lines come from that a commit brought to a file which is the very one that the run made. `None`: nobody knows.
fn of_the_same(
    opened: &Opened,
    path: &str,
    blob: &str,
    lines: &[(usize, String)],
    is_named: bool,
) -> Result<Option<HashMap<usize, From>>, GitError> {
    let remake = Remake::new(&opened.record, &opened.recipe);
    let Some(number) = remake.number(path, blob) else { return Ok(None) };
    let Some(whose) = added(&remake, number)? else { return Ok(None) };
    let mut origins = Origins::new(opened, How::Blob);
    let mut from = |line: usize| match line.checked_sub(1).and_then(|at| *whose.get(at)?) {
        Some(text) => From::Run(origins.of(text)),
        None if is_named => From::Unknown,
        None => From::Person,
    };
    Ok(Some(lines.iter().map(|(line, _)| (*line, from(*line))).collect()))
}

/// A line that was found among those of a run: how much says so, and which text has added it.
struct Found {
    line: usize,
    score: usize,
    text: usize,
}

/// The lines that are found among those that a run has added.
fn in_record(opened: &Opened, path: &str, any_path: bool, lines: &[(usize, String)]) -> Result<Vec<Found>, GitError> {
    let remake = Remake::new(&opened.record, &opened.recipe);
    let mut found = Vec::new();
    for (number, text) in opened.recipe.texts.iter().enumerate() {
        if !any_path && text.path != path {
            continue;
        }
        let (Ok(made), Some(whose)) = (remake.text(number), added(&remake, number)?) else { continue };
        let all: Vec<&str> = made.lines().collect();
        let is_added: Vec<bool> = whose.iter().map(Option::is_some).collect();
        found.extend(alike(lines, &all, &is_added).into_iter().filter_map(|(line, (score, place))| {
            let text = (*whose.get(place)?)?;
            Some(Found { line, score, text })
        }));
    }
    Ok(found)
}

/// The origins of lines in a record, each made once.
struct Origins<'a, 'r> {
    opened: &'a Opened<'r>,
    how: How,
    rows: HashMap<String, (usize, String)>,
    known: HashMap<usize, Rc<Origin>>,
}

impl<'a, 'r> Origins<'a, 'r> {
    fn new(opened: &'a Opened<'r>, how: How) -> Origins<'a, 'r> {
        Origins { opened, how, rows: opened.record.rows(), known: HashMap::new() }
    }

    /// That of the lines which the text with this number has added.
    fn of(&mut self, number: usize) -> Rc<Origin> {
        let Origins { opened, how, rows, known } = self;
        let made = || {
            let text = opened.recipe.texts.get(number);
            let path = text.map(|text| text.path.clone()).unwrap_or_default();
            let by = text.map_or(By::Design { line: 0 }, |text| text.by.clone());
            let (run, design) = (opened.record.run.clone(), opened.record.about.lld.clone());
            Rc::new(Origin { run, row: rows.get(&path).cloned(), path, by, how: *how, design })
        };
        known.entry(number).or_insert_with(made).clone()
    }
}
