//! From which tree to which runs have gone: how a commit is known again whose message names none.

use crate::git::{GitError, Oid, Past, Repository, RunRef};
use crate::transcript::recipe::RECIPE;
use crate::transcript::{Recipe, SUMMARY, Summary};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What commits of runs have, by their trees.
#[derive(Default)]
pub(super) struct Trees {
    /// The run that has made the tree; of several the first.
    runs: BTreeMap<Oid, String>,
    /// For each tree those that a commit, or several in a row, began with that ended with it.
    begun: BTreeMap<Oid, BTreeSet<Oid>>,
}

impl Trees {
    pub fn of(repository: &Repository, refs: &[RunRef]) -> Result<Trees, GitError> {
        const MOST: u64 = 16 << 20;
        /// As many commits of a run may be squashed without a word of it and be known again.
        const MOST_IN_ONE: usize = 100;
        let mut trees = Trees::default();
        let recipes = repository.in_each_record(refs, RECIPE, MOST)?;
        let summaries = repository.in_each_record(refs, SUMMARY, MOST)?;
        for (record, (recipe, summary)) in refs.iter().zip(recipes.iter().zip(&summaries)) {
            let mut before: VecDeque<Oid> = VecDeque::new();
            for (parent, tree) in pairs(recipe.as_deref(), summary.as_deref()) {
                before.extend(Oid::from_str(&parent).ok());
                if before.len() > MOST_IN_ONE {
                    before.pop_front();
                }
                let Ok(tree) = Oid::from_str(&tree) else { continue };
                trees.runs.entry(tree).or_insert_with(|| record.run.clone());
                trees.begun.entry(tree).or_default().extend(&before);
            }
        }
        Ok(trees)
    }

    /// The run that went from the tree of the commit's parent to its own.
    pub fn of_commit(&self, past: &Past) -> Option<&String> {
        self.between(past.parent_tree?, past.tree)
    }

    /// The run that went from one tree to the other.
    pub fn between(&self, before: Oid, after: Oid) -> Option<&String> {
        let begun = self.begun.get(&after)?;
        self.runs.get(&after).filter(|_| before != after && begun.contains(&before))
    }
}

/// The trees of a run's commits, each behind that of its parent: as the recipe has them, which is what commits are made
/// from, and in records that have none, or one that cannot be read, as they are summed up.
fn pairs(recipe: Option<&[u8]>, summary: Option<&[u8]>) -> Vec<(String, String)> {
    if let Some(recipe) = recipe.and_then(|bytes| serde_json::from_slice::<Recipe>(bytes).ok()) {
        return recipe.commits.into_iter().map(|commit| (commit.parent, commit.tree)).collect();
    }
    let summary = summary.and_then(|bytes| serde_json::from_slice::<Summary>(bytes).ok());
    let commits = summary.into_iter().flat_map(|summary| summary.commits);
    commits.map(|commit| (commit.parent, commit.tree)).collect()
}

/// Reads them, the first time.
pub(super) fn trees_of<'t>(
    trees: &'t mut Option<Trees>,
    repository: &Repository,
    refs: &[RunRef],
) -> Result<&'t Trees, GitError> {
    let known = match trees.take() {
        Some(known) => known,
        None => Trees::of(repository, refs)?,
    };
    Ok(trees.insert(known))
}
