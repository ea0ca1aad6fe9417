//! Tests that went from one file of a commit to another: gates see one file at a time, and take them for lost.

use super::text::Content;
use super::{File, Reported};
use crate::check::{self, BeforeAfter};
use crate::finding::Finding;
use crate::git::{Blobs, GitError, Oid, Repository};

/// Files of one commit that are read again; of a larger one it stays said that tests are gone.
const MOST_FILES: usize = 1000;

/// Takes back what was said of tests that another file of the same commit has got. Nothing is read where none is lost.
pub(super) fn settle(repository: &Repository, files: &[File], found: &mut Vec<Reported>) -> Result<(), GitError> {
    let is_lost = |reported: &Reported| reported.finding.id == check::LOST_TESTS;
    let mut commits: Vec<Option<Oid>> = found.iter().filter(|it| is_lost(it)).map(|it| it.commit).collect();
    commits.dedup();
    for commit in commits {
        let of = |file: &&File| file.commit == commit && check::may_hold_tests(file.path);
        let files: Vec<&File> = files.iter().filter(of).collect();
        if files.len() < 2 || files.len() > MOST_FILES {
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
