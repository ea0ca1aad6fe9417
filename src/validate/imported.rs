//! Imports of what is nowhere in the tree that a change leaves: the index, or the tree of the commit. It is listed once for
//! all files of a commit, and only if one of them imports what is not the language's own.

use super::{File, Found};
use crate::check::{self, Ground, Settings};
use crate::git::{GitError, Listed, Oid, Repository};
use std::collections::{BTreeMap, BTreeSet};

/// Commits whose trees are listed; of a longer range the last ones.
const MOST_COMMITS: usize = 100;

/// A file that imports something.
pub(super) struct Importing {
    pub text: String,
    pub base: Option<String>,
}

/// What there is to say of new imports, in the order of the files.
pub(super) fn missing(
    repository: &Repository,
    importing: &[(Importing, &File)],
    settings: &Settings,
) -> Result<Found, GitError> {
    let mut commits: Vec<Option<Oid>> = importing.iter().map(|(_, file)| file.commit).collect();
    commits.dedup();
    let mut found = Found::default();
    for commit in commits.iter().skip(commits.len().saturating_sub(MOST_COMMITS)) {
        let tree = match commit {
            Some(commit) => repository.files_of(*commit)?,
            None => repository.staged_files()?,
        };
        let tree: BTreeMap<String, Listed> = tree.into_iter().map(|file| (file.path.clone(), file)).collect();
        let names: BTreeSet<String> = tree.keys().cloned().collect();
        // What cannot be read says nothing, and nobody is to blame.
        let read = |path: &str| repository.texts(&[tree.get(path)?]).ok()?.pop()?;
        let ground = Ground::new(&names, &read);
        for (it, file) in importing.iter().filter(|(_, file)| file.commit == *commit) {
            let of = check::imported(file.path, (it.base.as_deref(), &it.text), &ground, settings);
            found.extend(Found::of_text(of, &it.text).of(*commit));
        }
    }
    Ok(found)
}
