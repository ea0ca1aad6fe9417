//! What a commit makes of each file: its hunks, its row, and what was said of it; a file that has moved as one, and not as
//! one that is gone and one that has come.

use super::hunks::hunks;
use super::renamed::renamed;
use super::{Effect, File, Hunk, Odd, Risk, Run, Unshown};
use crate::finding::Finding;
use crate::git::{At, Content, Difference, GitError, Repository};
use crate::plan::EntryKind;
use crate::record::verify::{Judged, Mismatch, Verification};
use crate::record::{FileStory, Made};
use std::collections::{HashMap, HashSet};

/// Longer texts are named, and not shown.
const MOST: u64 = 4 << 20;
/// Longer texts are not compared with others, to find where a file was before.
const MOST_COMPARED: u64 = 256 << 10;

/// The files in which a commit differs from its parent.
pub(super) fn files(
    repository: &Repository,
    differences: &[Difference],
    judged: &Judged,
    run: Option<&Run>,
) -> Result<Vec<File>, GitError> {
    let nothing = HashMap::new();
    let known = run.map_or(&nothing, |run| &run.moved);
    let mut failed = None;
    let pairs = renamed(differences, known, |id| match repository.text_of(id, MOST_COMPARED) {
        Ok(text) => text,
        Err(error) => {
            failed.get_or_insert(error);
            None
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let were: HashSet<usize> = pairs.values().copied().collect();
    let mut files = Vec::new();
    for (at, difference) in differences.iter().enumerate().filter(|(at, _)| !were.contains(at)) {
        let was = pairs.get(&at).and_then(|old| differences.get(*old));
        let before = was.map_or(difference.before, |was| was.before);
        let from = was.map(|was| was.path.clone());
        files.push(file(repository, (&difference.path, from), (before, difference.after), (judged, run))?);
    }
    Ok(files)
}

fn file(
    repository: &Repository,
    (path, from): (&str, Option<String>),
    (before, after): (Option<At>, Option<At>),
    (judged, run): (&Judged, Option<&Run>),
) -> Result<File, GitError> {
    let (old, new) = (side(repository, before)?, side(repository, after)?);
    let (mut hunks, unshown) = match (&old, &new) {
        (Ok(old), Ok(new)) => (hunks(path, old, new), None),
        (old, new) => (Vec::new(), Some(unshown(old, new))),
    };
    let is_same = before.map(|at| at.id) == after.map(|at| at.id);
    let change = match (before, after) {
        _ if from.is_some() => Effect::Renamed,
        (None, _) => Effect::Added,
        (_, None) => Effect::Deleted,
        _ if is_same => Effect::Mode,
        _ => Effect::Modified,
    };
    let modes = before.zip(after).map(|(before, after)| (mode(before.kind), mode(after.kind)));
    let story = run.and_then(|run| run.story.files.iter().find(|file| file.path == path));
    mark(&mut hunks, path, judged, story);
    let told = |finding: &&Finding| finding.path.as_deref() == Some(path);
    let mut findings: Vec<Finding> = story.map(|story| story.findings.clone()).unwrap_or_default();
    findings.extend(judged.findings.iter().filter(told).cloned());
    findings.extend(run.iter().flat_map(|run| &run.story.findings).filter(told).cloned());
    let made = story.and_then(|story| made(story, after));
    Ok(File {
        change,
        row: None,
        modes: modes.filter(|(before, after)| before != after),
        unshown: unshown.filter(|_| !is_same),
        hunks,
        mode: after.or(before).map(|at| mode(at.kind)),
        was: before.map(|at| at.id.to_string()),
        blob: after.map(|at| at.id.to_string()),
        findings,
        since: by_a_person(judged).find(|mismatch| mismatch.path == path).map(|it| it.patch.clone()),
        odd: odd(before, after),
        made,
        look: story.map(|story| story.look.clone()).unwrap_or_default(),
        tries: story.map(|story| story.tries.clone()).unwrap_or_default(),
        tests: Vec::new(),
        risk: Risk::default(),
        path: path.to_owned(),
        from,
    })
}

/// The very text that the commit has, or else what the file became in the run.
fn made(story: &FileStory, after: Option<At>) -> Option<Made> {
    let blob = after.map(|at| at.id.to_string());
    let is_it = |made: &&Made| Some(&made.blob) == blob.as_ref();
    story.made.iter().find(is_it).or(story.made.last()).cloned()
}

/// Marks the hunks that a person has changed, and those in which an edit matched loosely.
fn mark(hunks: &mut [Hunk], path: &str, judged: &Judged, story: Option<&FileStory>) {
    for mismatch in by_a_person(judged).filter(|mismatch| mismatch.path == path) {
        let person = |hunk: &Hunk| mismatch.lines.iter().any(|(from, to)| hunk.touches(*from, *to, false));
        hunks.iter_mut().for_each(|hunk| hunk.person |= person(hunk));
    }
    for edit in story.iter().flat_map(|story| &story.edits).filter(|edit| edit.tier.is_loose()) {
        let last = edit.line + edit.lines.saturating_sub(1);
        for hunk in hunks.iter_mut().filter(|hunk| hunk.touches(edit.line, last, true)) {
            hunk.loose = hunk.loose.max(Some(edit.tier));
        }
    }
}

/// What differs because somebody has changed it: where the record does not hold, nobody can tell.
fn by_a_person(judged: &Judged) -> impl Iterator<Item = &Mismatch> {
    judged.mismatches.iter().filter(|_| judged.verification == Verification::Edited)
}

fn odd(before: Option<At>, after: Option<At>) -> Option<Odd> {
    let (was, is) = (before.map(|at| at.kind), after.map(|at| at.kind));
    match is {
        Some(EntryKind::Executable) if was != is => Some(Odd::Executable),
        Some(EntryKind::Symlink) => Some(Odd::Symlink),
        _ => None,
    }
}

/// The text of one side, that of a file that is not there being empty; or why there is none.
fn side(repository: &Repository, at: Option<At>) -> Result<Result<String, Unshown>, GitError> {
    let Some(At { kind, id }) = at else { return Ok(Ok(String::new())) };
    if kind == EntryKind::Submodule {
        return Ok(Err(Unshown::Submodule));
    }
    Ok(match repository.content_of(id, MOST)? {
        Content::Bytes(bytes) if is_binary(&bytes) => Err(Unshown::Binary { before: None, after: Some(bytes.len()) }),
        Content::Bytes(bytes) => Ok(as_text(bytes)),
        Content::Long => Err(Unshown::Long),
        Content::Missing => Err(Unshown::Missing),
    })
}

/// As git judges it, by its beginning.
fn is_binary(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(8000)].contains(&0)
}

/// What is no UTF-8 is shown by its numbers: a text in an older encoding is one all the same, and no two bytes may look alike.
fn as_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let mut text = String::new();
        for chunk in error.as_bytes().utf8_chunks() {
            text.push_str(chunk.valid());
            chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
        }
        text
    })
}

/// Of two sides, one at least without a text.
fn unshown(old: &Result<String, Unshown>, new: &Result<String, Unshown>) -> Unshown {
    let size = |side: &Result<String, Unshown>| match side {
        Ok(text) => Some(text.len()).filter(|size| *size > 0),
        Err(Unshown::Binary { after, .. }) => *after,
        Err(_) => None,
    };
    let mut why = [old, new].into_iter().filter_map(|side| side.as_ref().err().copied());
    let is_binary = |why: &Unshown| matches!(why, Unshown::Binary { .. });
    // What is worse than binary says more.
    why.rfind(|why| !is_binary(why)).unwrap_or(Unshown::Binary { before: size(old), after: size(new) })
}

/// As git writes it.
fn mode(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::File => "100644",
        EntryKind::Executable => "100755",
        EntryKind::Symlink => "120000",
        EntryKind::Submodule => "160000",
        EntryKind::Directory => "040000",
    }
}
