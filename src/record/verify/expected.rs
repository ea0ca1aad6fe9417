//! What commits of a run make of a tree: at which paths, and which texts.

use super::judged::mismatch;
use super::{Mismatch, What};
use crate::git::{At, Difference, GitError, Oid, Repository};
use crate::plan::EntryKind;
use crate::record::remake::{Broken, Remake, blob_of};
use crate::transcript::recipe::File;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Longer texts are not compared line by line.
const MOST: u64 = 16 << 20;

/// What is expected at paths.
#[derive(Default)]
pub(super) struct Expectation {
    /// `None`: nothing.
    paths: BTreeMap<String, Option<(Oid, bool)>>,
    /// Texts that were made, by their blobs.
    texts: HashMap<Oid, Rc<str>>,
    /// What is wrong with the record.
    pub wrong: Vec<String>,
    /// What could not be made because the record leaves it out.
    pub left_out: Vec<String>,
}

/// What the commits with these numbers make, one after the other, of the tree `parent`.
pub(super) fn expect(
    repository: &Repository,
    parent: Option<Oid>,
    remake: &Remake,
    numbers: &[usize],
) -> Result<Expectation, GitError> {
    let mut expected = Expectation::default();
    expected.go_on(repository, parent, remake, numbers)?;
    Ok(expected)
}

impl Expectation {
    /// The same after what is expected already.
    pub fn go_on(
        &mut self,
        repository: &Repository,
        parent: Option<Oid>,
        remake: &Remake,
        numbers: &[usize],
    ) -> Result<(), GitError> {
        // What the run had at a path before a commit: as its earlier commits left it.
        let mut before: HashMap<&str, &str> = HashMap::new();
        for (number, commit) in remake.recipe.commits.iter().enumerate() {
            if numbers.contains(&number) {
                for file in &commit.files {
                    self.file(repository, parent, remake, file, &before)?;
                }
            }
            for file in &commit.files {
                match &file.blob {
                    Some(blob) => before.insert(&file.path, blob),
                    None => before.remove(file.path.as_str()),
                };
            }
        }
        Ok(())
    }

    fn file(
        &mut self,
        repository: &Repository,
        parent: Option<Oid>,
        remake: &Remake,
        file: &File,
        before: &HashMap<&str, &str>,
    ) -> Result<(), GitError> {
        let path = &file.path;
        let Some(blob) = &file.blob else {
            self.paths.insert(path.clone(), None);
            return Ok(());
        };
        let place = file.from.as_ref().unwrap_or(path);
        let now = self.now(repository, parent, place)?;
        let expected = match remake.number(path, blob) {
            Some(number) => {
                let made = self.made(repository, remake, number, now, before.get(place.as_str()).copied())?;
                let text = match made {
                    Ok(text) => text,
                    Err(Broken::LeftOut(why)) => {
                        // As far as the record goes it is this blob, of which nobody can show how it came about.
                        self.left_out.push(why);
                        self.paths.insert(path.clone(), Oid::from_str(blob).ok().map(|id| (id, file.executable)));
                        return Ok(());
                    }
                    Err(broken) => {
                        self.wrong.push(format!("'{path}' cannot be made again: {broken}"));
                        return Ok(());
                    }
                };
                let id = Oid::from_str(&blob_of(&text)).ok();
                id.into_iter().for_each(|id| _ = self.texts.insert(id, text.clone()));
                id.map(|id| (id, file.executable))
            }
            // It was only moved.
            None if file.from.is_some() => now,
            None => {
                self.wrong.push(format!("nothing says how '{path}' was made"));
                None
            }
        };
        self.paths.insert(path.clone(), expected);
        Ok(())
    }

    /// The text over what is there now, if that is another than the run had there, and the replies apply to it.
    fn made(
        &self,
        repository: &Repository,
        remake: &Remake,
        number: usize,
        now: Option<(Oid, bool)>,
        before: Option<&str>,
    ) -> Result<Result<Rc<str>, Broken>, GitError> {
        let recorded = remake.text(number);
        let before = before.or_else(|| remake.first_base(number));
        let (Some(before), Some((now, _))) = (before, now) else { return Ok(recorded) };
        if now.to_string() == before {
            return Ok(recorded);
        }
        let other = match self.texts.get(&now) {
            Some(text) => Some(text.to_string()),
            None => repository.text_of(now, MOST)?,
        };
        let Some(other) = other else { return Ok(recorded) };
        match remake.text_over(number, Some(before), &other) {
            Ok(text) => Ok(Ok(text.into())),
            // On this base they make nothing: then the commit cannot be what they make, and the recorded text shows best in what
            // it differs.
            Err(Broken::Refused(_)) => Ok(recorded),
            Err(broken) => Ok(Err(broken)),
        }
    }

    /// What is at the path, as far as the commits have come.
    fn now(&self, repository: &Repository, parent: Option<Oid>, path: &str) -> Result<Option<(Oid, bool)>, GitError> {
        if let Some(expected) = self.paths.get(path) {
            return Ok(*expected);
        }
        match parent {
            Some(parent) => Ok(repository.at(parent, path)?.and_then(file)),
            None => Ok(None),
        }
    }

    /// Where a commit that changes `differences` is something else.
    pub fn compare(
        &self,
        repository: &Repository,
        differences: &[Difference],
        parent: Option<Oid>,
    ) -> Result<Vec<Mismatch>, GitError> {
        let found: BTreeMap<&str, &Difference> =
            differences.iter().map(|difference| (difference.path.as_str(), difference)).collect();
        let text = |id: Oid| match self.texts.get(&id) {
            Some(text) => Ok(Some(text.to_string())),
            None => repository.text_of(id, MOST),
        };
        let mut mismatches = Vec::new();
        for (path, expected) in &self.paths {
            let is = match found.get(path.as_str()) {
                Some(difference) => difference.after,
                None => parent.map(|parent| repository.at(parent, path)).transpose()?.flatten(),
            };
            let (what, made, there) = match (expected, is) {
                (None, None) => continue,
                (Some(expected), Some(at)) if file(at) == Some(*expected) => continue,
                (Some((id, _)), Some(at)) if at.id == *id => (What::Mode, None, None),
                (Some((id, _)), Some(at)) => (What::Text, text(*id)?, text(at.id)?),
                (Some((id, _)), None) => (What::Gone, text(*id)?, None),
                (None, Some(at)) => (What::Kept, None, text(at.id)?),
            };
            mismatches.push(mismatch(path, what, made.as_deref(), there.as_deref()));
        }
        for difference in differences.iter().filter(|difference| !self.paths.contains_key(&difference.path)) {
            let text = |at: Option<At>| at.map_or(Ok(None), |at| text(at.id));
            let (before, after) = (text(difference.before)?, text(difference.after)?);
            mismatches.push(mismatch(&difference.path, What::Added, before.as_deref(), after.as_deref()));
        }
        Ok(mismatches)
    }
}

/// A regular file, and whether it can be run.
fn file(at: At) -> Option<(Oid, bool)> {
    match at.kind {
        EntryKind::File => Some((at.id, false)),
        EntryKind::Executable => Some((at.id, true)),
        EntryKind::Symlink | EntryKind::Submodule | EntryKind::Directory => None,
    }
}
