//! Designs among the files: their file lists against the tree that they are committed on, and what their prose can be held
//! against.

use super::{File, Found};
use crate::check::{self, Settings, design};
use crate::finding::Finding;
use crate::git::{Base, GitError, Repository};
use crate::lld::{self, Lld};
use crate::path::RepoPath;
use crate::plan::{self, Options};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A design, as it was read.
pub(super) struct Design {
    text: String,
    lld: Lld,
    /// The text that it had before.
    pub base: Option<String>,
}

impl Design {
    /// `None` if it is none: most Markdown is not.
    pub fn read(path: &str, text: &str) -> Option<Design> {
        if !path.ends_with(".md") && !path.ends_with(".markdown") {
            return None;
        }
        let lld = lld::parse(path, text);
        design::is_design(path, text, &lld).then(|| Design { text: text.to_owned(), lld, base: None })
    }

    /// What its commit answers for. `files` are all files of that commit.
    pub fn judge(
        &self,
        repository: &Repository,
        file: &File,
        files: &[File],
        settings: &Settings,
    ) -> Result<Found, GitError> {
        // Before the first commit there is no tree to hold it against.
        let base = repository.base(Some(&file.commit.map_or("HEAD".to_owned(), |commit| format!("{commit}^")))).ok();
        let found = findings(repository, base.as_ref(), file.path, &self.text, &self.lld, settings)?;
        let before = match &self.base {
            Some(text) => {
                let lld = lld::parse(file.path, text);
                findings(repository, base.as_ref(), file.path, text, &lld, settings)?
            }
            None => Vec::new(),
        };
        let beside = files.iter().filter(|other| other.commit == file.commit && other.path != file.path);
        let paths: BTreeSet<&str> = beside.map(|other| other.path).collect();
        let new = design::new_findings(file.path, &self.lld, found, &before, &paths);
        Ok(self.reported(file.path, new, settings).of(file.commit))
    }

    /// What there is to say of a design that is named, in a repository or not. One that HEAD has just so is not held
    /// against a tree in which it may be implemented.
    pub fn judge_file(
        &self,
        name: &str,
        place: Option<(&Repository, &Path)>,
        settings: &Settings,
    ) -> Result<Found, GitError> {
        let inside = place.and_then(|(repository, cwd)| {
            let path = RepoPath::new(&repository.from_root(name, cwd)).ok()?;
            Some((repository, repository.base(None).ok()?, path))
        });
        let mut found = match &inside {
            Some((repository, base, path)) => {
                findings(repository, Some(base), path.as_str(), &self.text, &self.lld, settings)?
            }
            None => {
                let candidate = design::Candidate { path: name, text: &self.text, lld: &self.lld, tree: None };
                self.lld.findings.iter().cloned().chain(design::judge(&candidate)).collect()
            }
        };
        if let Some((repository, base, path)) = &inside
            && repository.blob(base, path)?.is_some_and(|blob| blob.bytes == self.text.as_bytes())
        {
            found.retain(|finding| !design::existence_ids().contains(&&*finding.id));
        }
        Ok(self.reported(name, found, settings))
    }

    fn reported(&self, path: &str, findings: Vec<Finding>, settings: &Settings) -> Found {
        Found::of_text(check::settle_design(path, &self.text, findings, settings), &self.text)
    }
}

/// All that there is to say of a design on a tree.
fn findings(
    repository: &Repository,
    base: Option<&Base>,
    path: &str,
    text: &str,
    lld: &Lld,
    settings: &Settings,
) -> Result<Vec<Finding>, GitError> {
    let Some(base) = base else {
        let candidate = design::Candidate { path, text, lld, tree: None };
        return Ok(lld.findings.iter().cloned().chain(design::judge(&candidate)).collect());
    };
    let planned: Vec<RepoPath> = plan::planned_paths(lld).cloned().collect();
    let must_exist: Vec<RepoPath> = plan::must_exist(lld).cloned().collect();
    let snapshot = repository.tree_snapshot(base, &planned, &must_exist)?;
    let options = Options { allow: settings.allow.clone(), ..Options::default() };
    let mut found = plan::examine(lld, &snapshot, &options).findings;
    let tree = design::Tree { manifests: manifests(repository, base)? };
    found.extend(design::judge(&design::Candidate { path, text, lld, tree: Some(&tree) }));
    Ok(found)
}

fn manifests(repository: &Repository, base: &Base) -> Result<BTreeMap<String, String>, GitError> {
    let names = repository.names(base)?;
    let paths = names.iter().filter(|name| design::is_manifest(name)).filter_map(|name| RepoPath::new(name).ok());
    let mut manifests = BTreeMap::new();
    for path in paths {
        if let Some(blob) = repository.blob(base, &path)?
            && let Ok(text) = String::from_utf8(blob.bytes)
        {
            manifests.insert(path.to_string(), text);
        }
    }
    Ok(manifests)
}
