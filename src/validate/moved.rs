//! Tests that went from one file of a commit to another, or away with their file: gates see one file at a time, take the
//! first for lost and never see the second.

use super::text::Content;
use super::{File, Found, Reported};
use crate::check::{self, BeforeAfter, Settings};
use crate::finding::Finding;
use crate::git::{Blobs, Changed, GitError, Oid, Repository};
use std::collections::HashSet;

/// Files of one commit that are read again; of a larger one it stays said that tests are gone.
const MOST_FILES: usize = 1000;

/// Files of tests that are deleted, and what there is to say of them before the rest of their commits is known.
#[derive(Default)]
pub(super) struct Deleted<'c> {
    pub files: Vec<(&'c Changed, String)>,
    pub found: Found,
}

/// Reads the files of tests that are deleted. Those that go with what they test are left out.
pub(super) fn deleted<'c>(
    repository: &Repository,
    changed: &'c [Changed],
    settings: &Settings,
) -> Result<Deleted<'c>, GitError> {
    let gone = |it: &&Changed| it.new.is_none() && it.old.is_some();
    let programs: HashSet<(Option<Oid>, String)> = (changed.iter().filter(gone))
        .filter(|it| check::is_program(&it.path))
        .map(|it| (it.commit, check::subject(&it.path)))
        .collect();
    let tests: Vec<(&Changed, Oid)> = (changed.iter().filter(gone))
        .filter(|it| check::may_hold_tests(&it.path) && !programs.contains(&(it.commit, check::subject(&it.path))))
        .filter_map(|it| Some((it, it.old.as_ref()?.id)))
        .collect();
    let mut deleted = Deleted::default();
    let mut blobs = repository.blobs();
    for (file, id) in tests {
        let Some(text) = text(&mut blobs, id, &file.path)? else { continue };
        let settled = check::deleted(&file.path, &text, settings);
        if !settled.findings.is_empty() {
            deleted.files.push((file, text));
        }
        deleted.found.extend(Found::from(settled).of(file.commit));
    }
    Ok(deleted)
}

/// Takes back what was said of tests that another file of the same commit has got. Nothing is read where none is lost.
pub(super) fn settle(
    repository: &Repository,
    files: &[File],
    deleted: &[(&Changed, String)],
    found: &mut Vec<Reported>,
) -> Result<(), GitError> {
    let is_lost = |reported: &Reported| reported.finding.id == check::LOST_TESTS;
    let mut seen = HashSet::new();
    let commits: Vec<Option<Oid>> =
        found.iter().filter(|it| is_lost(it)).map(|it| it.commit).filter(|commit| seen.insert(*commit)).collect();
    for commit in commits {
        let of = |file: &&File| file.commit == commit && check::may_hold_tests(file.path);
        let files: Vec<&File> = files.iter().filter(of).collect();
        let deleted: Vec<&(&Changed, String)> = deleted.iter().filter(|(it, _)| it.commit == commit).collect();
        if files.len() + deleted.len() < 2 || files.len() > MOST_FILES {
            continue;
        }
        let mut blobs = repository.blobs();
        let mut texts = Vec::with_capacity(files.len());
        for file in &files {
            let base = file.base.map(|base| text(&mut blobs, base, file.path)).transpose()?.flatten();
            texts.push((base, text(&mut blobs, file.id, file.path)?));
        }
        let changes: Vec<BeforeAfter> = (files.iter().zip(&texts))
            .map(|(file, (base, text))| BeforeAfter { path: file.path, base: base.as_deref(), text: text.as_deref() })
            .chain(deleted.iter().map(|(file, base)| BeforeAfter { path: &file.path, base: Some(base), text: None }))
            .collect();
        let (lost, rest) =
            std::mem::take(found).into_iter().enumerate().partition(|(_, it)| is_lost(it) && it.commit == commit);
        *found = merged(lost, rest, &changes);
    }
    Ok(())
}

type Placed = Vec<(usize, Reported)>;

/// The rest, with what is still to be said between it, where it was.
fn merged(lost: Placed, rest: Placed, changes: &[BeforeAfter]) -> Vec<Reported> {
    let findings: Vec<Finding> = lost.iter().map(|(_, it)| it.finding.clone()).collect();
    let mut left = check::moved(findings, changes).into_iter().peekable();
    let kept = lost.into_iter().filter_map(|(place, it)| {
        let finding = left.next_if(|finding| finding.path == it.finding.path)?;
        Some((place, Reported { finding, ..it }))
    });
    let mut all: Placed = rest.into_iter().chain(kept).collect();
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, it)| it).collect()
}

fn text(blobs: &mut Blobs, id: Oid, path: &str) -> Result<Option<String>, GitError> {
    blobs.ask([id])?;
    Ok(Content::next(blobs, id, path)?.text().map(str::to_owned))
}
