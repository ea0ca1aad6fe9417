//! Plans as people and agents write them: a path, what is done with it, and a title, a label or a task above the two.
//!
//! One grammar for many tools. `walk` goes through the document with the scope of each line, `statement` reads the line,
//! `tree`, `front` and `fence` what is no line of prose. What they find are claims: how sure each is decides which of them
//! are the plan.

mod blocks;
mod claim;
mod fence;
mod front;
mod listed;
mod noted;
mod statement;
mod tags;
mod take;
mod tree;
mod walk;

use super::template::is_spec;
use super::{Dialect, Document, Heading, ParsedList, Row, notes};
use crate::finding::Finding;
use crate::lld::Change;
use crate::lld::lines::LineKind;
use crate::lld::names::{is_known_name, is_setting};
use crate::lld::problem::shown;
use crate::lld::sentence::kinds::is_test;
use crate::lld::sentence::{Ends, is_at_the_root, is_everywhere};
use claim::{Claim, Listed, Tier};
use statement::Stance;
use std::collections::{HashMap, HashSet};

/// Plans with a list of files.
pub(super) const LISTED: Dialect = Dialect {
    name: "plan",
    looks_for: "a path beside a verb or under a label ('- Create: `src/a.py`', '**File**: `src/a.py`', '#### [MODIFY] src/a.py'), \
                or a list, a table or a tree under a title such as 'Files to Create/Modify'",
    read: |document| list(document, Tier::Strong, Tier::Step),
};

/// Plans without one: lists of paths that nobody calls a list, and sentences. Read loosely, and said to be so.
pub(super) const PROSE: Dialect = Dialect {
    name: "prose",
    looks_for: "a sentence that says what is done with a path ('Create `src/a.py` with the parser')",
    read: |document| if is_spec(document) { None } else { list(document, Tier::Loose, Tier::Loose) },
};

/// Does the document list its files, so that its boxes are not the list? Tasks with ids are one unless a title says
/// otherwise.
pub(super) fn lists_files(document: &Document, numbered: bool) -> bool {
    let least = if numbered { Listed::UnderTitle } else { Listed::Alone };
    let walked = walk::walk(document);
    let listed = |claim: &&Claim| claim.tier == Tier::Strong && claim.stance == Stance::Write && claim.listed >= least;
    walked.claims.iter().filter(listed).take(ENOUGH).count() == ENOUGH
}

/// The first path that a document names where nothing is read from it, with its line.
pub(in crate::lld) fn nearest(document: &Document) -> Option<(usize, String)> {
    document.lines.iter().filter(|line| line.kind == LineKind::Text).find_map(|line| {
        let named = statement::read(line.text)?.targets.into_iter().find(|target| !target.directory)?;
        Some((line.number, named.path))
    })
}

/// How many claims make a list.
const ENOUGH: usize = 2;

/// The files of the claims that are as sure as `tier` or surer, if one is as sure as `least`.
fn list(document: &Document, least: Tier, tier: Tier) -> Option<ParsedList> {
    let walked = walk::walk(document);
    let claims = placed(walked.claims);
    let typed = types(&claims, |claim| claim.row.implied);
    let hinted = types(&claims, |claim| claim.hint);
    if !claims.iter().any(|claim| claim.tier <= least && claim.stance == Stance::Write) {
        return None;
    }
    let mut forbidden: HashMap<String, usize> = HashMap::new();
    for claim in claims.iter().filter(|claim| claim.stance == Stance::Forbid) {
        for path in claim.paths() {
            forbidden.entry(path).or_insert(claim.row.line);
        }
    }
    // Who marks what is new in a list says of its other files that they are there.
    let is_new = |claim: &Claim| claim.row.implied.or(claim.hint) == Some(Change::Add);
    let marks = |claim: &&Claim| is_new(claim) && claim.listed == Listed::UnderTitle;
    let marked: HashSet<String> = claims.iter().filter(marks).map(|claim| claim.title.clone()).collect();
    let is_written = |claim: &&Claim| claim.stance == Stance::Write && claim.tier <= tier;
    let written: HashSet<String> = claims.iter().filter(is_written).flat_map(Claim::paths).collect();
    let mut found = ParsedList { findings: walked.findings, ..ParsedList::default() };
    let mut planned: HashSet<String> = HashSet::new();
    for mut claim in claims {
        match claim.stance {
            Stance::Write if claim.tier <= tier => {}
            Stance::Write => continue,
            // What is to be read in one place may be written in another.
            Stance::Look if claim.paths().iter().all(|path| written.contains(path)) => continue,
            Stance::Look | Stance::Forbid => {
                found.ignored.extend(claim.informs().map(|message| (claim.row.line, message)));
                continue;
            }
        }
        if found.rows.is_empty() {
            (found.line, found.title) = (claim.row.line, claim.title.clone());
        }
        let paths = claim.paths();
        if let Some((path, line)) = paths.iter().find_map(|path| Some((path, *forbidden.get(path)?))) {
            let message = format!("'{}' is to be written here, and must stay as it is by line {line}", shown(path));
            let finding = Finding::error("lld-forbidden", message).hint("take one of the two out of the plan");
            found.findings.push(finding.line(claim.row.line));
            continue;
        }
        if claim.row.implied.is_none() && !claim.is_typed() {
            let of = |types: &HashMap<String, Change>| paths.first().and_then(|path| types.get(path).copied());
            let described = !claim.row.description.is_empty() && !paths.iter().any(|path| is_test(path));
            let left = described && claim.listed == Listed::UnderTitle && marked.contains(&claim.title);
            claim.row.implied = of(&typed).or(claim.hint).or_else(|| of(&hinted));
            let is_made = || paths.iter().all(|path| walked.made.contains(stem(path)));
            claim.row.implied = claim.row.implied.or(left.then_some(Change::Modify));
            claim.row.implied = claim.row.implied.or_else(|| is_made().then_some(Change::Add));
            claim.row.inferred = claim.row.implied.is_some();
        }
        if claim.tier > Tier::Strong && least > Tier::Strong {
            let new: Vec<String> =
                paths.iter().filter(|path| !planned.contains(*path)).map(|path| shown(path)).collect();
            if !new.is_empty() {
                let message = format!("'{}' is read from prose: no list of files names it", new.join("', '"));
                found.findings.push(Finding::note("lld-read-loosely", message).line(claim.row.line));
            }
        }
        planned.extend(paths);
        found.rows.push(claim.row);
    }
    Some(found)
}

/// The rows of a section that is the list of the design, as far as the line at `end`: what its items and headings name. An
/// item that names nothing is a row, too, unless none of them names a file.
pub(super) fn section(document: &Document, heading: &Heading, end: usize, found: &mut ParsedList) {
    let walked = walk::section(document, heading, end);
    let listed: Vec<Claim> = walked.claims.into_iter().filter(|claim| claim.tier == Tier::Strong).collect();
    if !listed.iter().any(|claim| claim.row.target.is_some()) {
        return;
    }
    let last = listed.last().map_or(0, |claim| claim.row.line + claim.row.description.matches('\n').count());
    found.notes.extend(notes(document.lines.get(heading.at + 1..end).unwrap_or_default(), last));
    found.findings.extend(walked.findings);
    let left = |claim: &Claim| (claim.stance != Stance::Write).then_some(Change::None);
    found.rows.extend(listed.into_iter().map(|claim| Row { implied: left(&claim).or(claim.row.implied), ..claim.row }));
}

/// The claims, with bare names in prose as the longer paths that the document writes elsewhere. Those that it does not write
/// anywhere ask for nothing: nobody can tell which file is meant.
fn placed(claims: Vec<Claim>) -> Vec<Claim> {
    let whole: Vec<String> = claims.iter().flat_map(Claim::paths).filter(|path| path.contains('/')).collect();
    let ends = Ends::of(whole.iter().map(String::as_str));
    let place = |mut claim: Claim| {
        let Some(target) = claim.row.target.as_mut().filter(|target| !target.path.contains('/')) else {
            return claim;
        };
        if claim.stance != Stance::Write {
            return claim;
        }
        let everywhere = is_everywhere(&target.path) || is_known_name(&target.path);
        match ends.full_path(&target.path).filter(|_| !(everywhere && claim.tier == Tier::Strong)) {
            Some(path) => target.path = path.to_owned(),
            None if claim.tier == Tier::Strong || everywhere || is_at_the_root(&target.path) => {}
            None if claim.tier == Tier::Weak && is_setting(&target.path) => {}
            None => claim.stance = Stance::Look,
        }
        claim
    };
    claims.into_iter().map(place).collect()
}

/// The name of a file without its extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// What the document says is done with each path: the first word counts.
fn types(claims: &[Claim], said: impl Fn(&Claim) -> Option<Change>) -> HashMap<String, Change> {
    let mut typed = HashMap::new();
    for claim in claims {
        if let Some(change) = said(claim).filter(|change| matches!(change, Change::Add | Change::Modify)) {
            for path in claim.paths() {
                typed.entry(path).or_insert(change);
            }
        }
    }
    typed
}
