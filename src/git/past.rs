//! Commits as they are in the history, and what they change: all of it read, nothing written.

use super::objects::Entry;
use super::{GitError, Oid, Repository};
use crate::plan::EntryKind;
use std::collections::{BTreeMap, BTreeSet};

/// A commit of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Past {
    pub commit: Oid,
    /// The first is what it was made on. They are those that the commit names, also where they are not here.
    pub parents: Vec<Oid>,
    pub tree: Oid,
    /// The tree of its first parent; `None` if it has none, or in a shallow clone not all of them are here.
    pub parent_tree: Option<Oid>,
    /// As far as it is text.
    pub message: String,
    /// Who wrote it and on which day, for people; `None` where one commit alone was asked for.
    pub author: Option<String>,
}

impl Past {
    pub fn subject(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }

    /// Has it parents that are not here, as at the end of a shallow clone?
    pub fn is_cut(&self) -> bool {
        self.parent_tree.is_none() && !self.parents.is_empty()
    }
}

/// What is at a path: its object and the mode that git gives it, as far as modes matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    pub id: Oid,
    pub kind: EntryKind,
}

/// A path at which two trees differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub path: String,
    pub before: Option<At>,
    pub after: Option<At>,
}

/// What a blob holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Bytes(Vec<u8>),
    /// It is longer than whoever asks wants to read.
    Long,
    /// It is not here.
    Missing,
}

impl Repository {
    /// The commits that `revisions` name as `git rev-list` understands them, the oldest first.
    pub fn past(&self, revisions: &[String]) -> Result<Vec<Past>, GitError> {
        let format = "--format=tformat:%H%x00%P%x00%T%x00%an, %as%x00%B";
        let git = self.git().args(["log", "-z", "--reverse", "--topo-order", "--encoding=UTF-8", "--no-color", format]);
        let output = git.args(["--no-mailmap", "--end-of-options"]).args(revisions).args(["--"]).output()?;
        if !output.ok() {
            return Err(GitError::BadRevision { spec: revisions.join(" "), message: output.message() });
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let pieces: Vec<&str> = text.split('\0').collect();
        let mut past: Vec<Past> = pieces
            .chunks_exact(5)
            .filter_map(|piece| match piece {
                [commit, parents, tree, author, message] => Some(Past {
                    commit: Oid::from_str(commit).ok()?,
                    parents: parents.split(' ').filter_map(|id| Oid::from_str(id).ok()).collect(),
                    tree: Oid::from_str(tree).ok()?,
                    parent_tree: None,
                    message: (*message).to_owned(),
                    author: Some((*author).to_owned()),
                }),
                _ => None,
            })
            .collect();
        let trees: BTreeMap<Oid, Oid> = past.iter().map(|past| (past.commit, past.tree)).collect();
        for one in &mut past {
            if one.parents.is_empty() {
                // git hides those that a shallow clone leaves out.
                one.parents = self.past_of(one.commit)?.parents;
            }
            one.parent_tree = self.first_tree(&one.parents, &trees)?;
        }
        Ok(past)
    }

    /// The tree of the first of these commits, if all of them are here. `known`: trees of commits that are.
    pub(super) fn first_tree(&self, commits: &[Oid], known: &BTreeMap<Oid, Oid>) -> Result<Option<Oid>, GitError> {
        for commit in commits {
            if !known.contains_key(commit) && !self.has_object(*commit)? {
                return Ok(None);
            }
        }
        commits
            .first()
            .map(|first| known.get(first).map_or_else(|| self.tree_of_commit(*first), |tree| Ok(*tree)))
            .transpose()
    }

    /// The name of the branch that is checked out, if one is.
    pub fn head_branch(&self) -> Option<String> {
        let output = self.git().args(["symbolic-ref", "-q", "HEAD"]).output().ok().filter(|output| output.ok())?;
        let name = String::from_utf8(output.stdout).ok()?;
        Some(name.trim_end().strip_prefix("refs/heads/")?.to_owned())
    }

    /// Is `commit` there, and in the history of `name`?
    pub fn is_below(&self, commit: &str, name: &str) -> Result<bool, GitError> {
        let commit = format!("{commit}^{{commit}}");
        let output = self.git().args(["merge-base", "--is-ancestor", "--end-of-options", &commit, name]).output()?;
        Ok(output.ok())
    }

    /// The commit at which two histories part.
    ///
    /// # Errors
    /// If one of the names means nothing, or they have none in common.
    pub fn fork_point(&self, one: &str, other: &str) -> Result<String, GitError> {
        let output = self.git().args(["merge-base", "--end-of-options", one, other]).output()?;
        match output.ok() {
            true => Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned()),
            false => Err(GitError::BadRevision { spec: other.to_owned(), message: output.message() }),
        }
    }

    /// The tree of a commit.
    pub fn tree_of_commit(&self, commit: Oid) -> Result<Oid, GitError> {
        let bytes = self.read(commit, "commit", "")?;
        let text = String::from_utf8_lossy(&bytes);
        let tree = text.strip_prefix("tree ").and_then(|rest| Oid::from_str(rest.get(..40)?).ok());
        tree.ok_or_else(|| GitError::BadObject {
            id: commit.to_string(),
            path: String::new(),
            message: "it names no tree".to_owned(),
        })
    }

    /// Where two trees differ, in the order of the paths. Reads only the folders that do.
    pub fn differences(&self, before: Option<Oid>, after: Oid) -> Result<Vec<Difference>, GitError> {
        let mut found = Vec::new();
        let mut folders = vec![(String::new(), before, Some(after))];
        while let Some((folder, before, after)) = folders.pop() {
            if before == after {
                continue;
            }
            let (old, new) = (self.entries_of(before)?, self.entries_of(after)?);
            let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for name in names {
                let (was, is) = (old.get(name).copied(), new.get(name).copied());
                if was == is {
                    continue;
                }
                let path = format!("{folder}{name}");
                let tree = |at: Option<At>| at.filter(|at| at.kind == EntryKind::Directory).map(|at| at.id);
                let (from, to) = (tree(was), tree(is));
                if from.is_some() || to.is_some() {
                    folders.push((format!("{path}/"), from, to));
                }
                let file = |at: Option<At>| at.filter(|at| at.kind != EntryKind::Directory);
                let (before, after) = (file(was), file(is));
                if before.is_some() || after.is_some() {
                    found.push(Difference { path, before, after });
                }
            }
        }
        found.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(found)
    }

    /// What a tree has at this path, whatever it is.
    pub fn at(&self, tree: Oid, path: &str) -> Result<Option<At>, GitError> {
        let mut place = At { id: tree, kind: EntryKind::Directory };
        for name in path.split('/') {
            if place.kind != EntryKind::Directory {
                return Ok(None);
            }
            match self.entries_of(Some(place.id))?.get(name) {
                Some(at) => place = *at,
                None => return Ok(None),
            }
        }
        Ok(Some(place))
    }

    /// A blob as text, as far as it is text; `None` if it is not there, or has more than `most` bytes.
    pub fn text_of(&self, blob: Oid, most: u64) -> Result<Option<String>, GitError> {
        Ok(match self.content_of(blob, most)? {
            Content::Bytes(bytes) => String::from_utf8(bytes).ok(),
            Content::Long | Content::Missing => None,
        })
    }

    /// What a blob holds; of no more than `most` bytes.
    pub fn content_of(&self, blob: Oid, most: u64) -> Result<Content, GitError> {
        match self.read_within(blob, "", most) {
            Ok(Some(bytes)) => Ok(Content::Bytes(bytes)),
            Ok(None) => Ok(Content::Long),
            Err(GitError::BadObject { .. }) => Ok(Content::Missing),
            Err(error) => Err(error),
        }
    }

    /// Is there such an object?
    pub fn has_object(&self, id: Oid) -> Result<bool, GitError> {
        self.with_objects(|objects| objects.has(id))
    }

    /// Reads these objects at once, before they are needed one after the other.
    pub fn read_ahead(&self, ids: impl IntoIterator<Item = Oid>) -> Result<(), GitError> {
        self.with_objects(|objects| objects.read_ahead(ids))
    }

    fn entries_of(&self, tree: Option<Oid>) -> Result<BTreeMap<String, At>, GitError> {
        let Some(tree) = tree else { return Ok(BTreeMap::new()) };
        let mut entries = BTreeMap::new();
        for (mut name, Entry { id, kind }) in self.read_tree(tree, "")? {
            // Names that are no text may look alike; none of them may hide another.
            while entries.contains_key(&name) {
                name.push(char::REPLACEMENT_CHARACTER);
            }
            entries.insert(name, At { id, kind });
        }
        Ok(entries)
    }
}
