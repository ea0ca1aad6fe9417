//! Notes for other tools on the commits that runs have made: written for those that are new, and again for those that a rebase, an
//! amend or a squash has made of them. They are made anew from the records, so that lines are those of the commit as it is now.

use super::about::About;
use super::attributed::{AttributedFile, attributed};
use super::git_ai::{is_ours, note};
use super::open::Record;
use crate::git::{GitError, Oid, Past, Repository};
use std::collections::{BTreeMap, BTreeSet};

/// What became of a commit's note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noted {
    Written,
    /// It is there already, as it should be.
    Same,
    /// Another tool has written one: it stays.
    Foreign,
    /// The commit is none of these any more, and on no branch: its note is gone.
    Removed,
}

/// Writes the notes of these commits. Those of which nothing shows that they are of a run are left alone.
pub fn rehome(repository: &Repository, past: &[Past]) -> Result<Vec<(Oid, Noted)>, GitError> {
    let all = attributed(repository, past)?;
    let about = abouts(repository, &all)?;
    let model = |run: &str| about.get(run).map(|about| about.model.clone()).unwrap_or_default();
    let notes = repository.notes()?;
    let mut noted = Vec::new();
    for (one, files) in past.iter().zip(&all) {
        let Some(text) = note(&one.commit.to_string(), files, model) else { continue };
        let known = text_of(repository, &notes, one.commit)?;
        noted.push((
            one.commit,
            match known {
                Some(known) if known == text => Noted::Same,
                Some(known) if !is_ours(&known) => Noted::Foreign,
                _ => {
                    repository.set_note(one.commit, &text)?;
                    Noted::Written
                }
            },
        ));
    }
    let now: BTreeSet<Oid> = past.iter().map(|past| past.commit).collect();
    repository.read_ahead(notes.values().copied())?;
    for commit in notes.keys().copied().filter(|commit| !now.contains(commit)) {
        let is_of_these = |note: &String| is_ours(note) && about.keys().any(|run| note.contains(run.as_str()));
        if text_of(repository, &notes, commit)?.as_ref().is_some_and(is_of_these)
            && !repository.is_in_history(commit)?
        {
            repository.remove_note(commit)?;
            noted.push((commit, Noted::Removed));
        }
    }
    Ok(noted)
}

/// The note that a commit should have, if it should have any.
pub fn note_of(repository: &Repository, past: &Past) -> Result<Option<String>, GitError> {
    let all = attributed(repository, std::slice::from_ref(past))?;
    let about = abouts(repository, &all)?;
    let model = |run: &str| about.get(run).map(|about| about.model.clone()).unwrap_or_default();
    Ok(all.first().and_then(|files| note(&past.commit.to_string(), files, model)))
}

/// The headers of the runs that made something of these.
pub fn abouts(repository: &Repository, all: &[Vec<AttributedFile>]) -> Result<BTreeMap<String, About>, GitError> {
    let parts = all.iter().flatten().flat_map(|file| &file.parts);
    let runs: BTreeSet<&str> = parts.map(|part| part.origin.run.as_str()).collect();
    let mut abouts = BTreeMap::new();
    for run in runs {
        let Some(found) = repository.run_ref(run)? else { continue };
        if let Ok(record) = Record::open(repository, &found)? {
            abouts.insert(run.to_owned(), record.about.clone());
        }
    }
    Ok(abouts)
}

/// The commit's note, as far as it is text.
fn text_of(repository: &Repository, notes: &BTreeMap<Oid, Oid>, commit: Oid) -> Result<Option<String>, GitError> {
    const MOST: u64 = 16 << 20;
    let Some(blob) = notes.get(&commit) else { return Ok(None) };
    Ok(Some(repository.text_of(*blob, MOST)?.unwrap_or_default()))
}
