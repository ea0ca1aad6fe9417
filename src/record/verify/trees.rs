//! From which tree to which runs have gone: how a commit is known again whose message names none.

use crate::git::{GitError, Oid, Past, Repository, RunRef};
use crate::transcript::recipe::RECIPE;
use crate::transcript::{Recipe, SUMMARY, Summary};
use std::collections::BTreeMap;

/// As many commits of runs may be squashed without a word of it and be known again.
const MOST_IN_ONE: usize = 100;

/// From which tree to which the commits of runs went.
#[derive(Default)]
pub(super) struct Trees {
    runs: Vec<String>,
    /// For each tree those that a commit began with that ended with it, and the run that made it, by its place.
    steps: BTreeMap<Oid, Vec<(Oid, usize)>>,
}

impl Trees {
    pub fn of(repository: &Repository, refs: &[RunRef]) -> Result<Trees, GitError> {
        const MOST: u64 = 16 << 20;
        let mut trees = Trees { runs: refs.iter().map(|found| found.run.clone()).collect(), ..Trees::default() };
        let recipes = repository.in_each_record(refs, RECIPE, MOST)?;
        let summaries = repository.in_each_record(refs, SUMMARY, MOST)?;
        for (run, (recipe, summary)) in recipes.iter().zip(&summaries).enumerate() {
            for (parent, tree) in pairs(recipe.as_deref(), summary.as_deref()) {
                if let (Ok(parent), Ok(tree)) = (Oid::from_str(&parent), Oid::from_str(&tree)) {
                    trees.steps.entry(tree).or_default().push((parent, run));
                }
            }
        }
        Ok(trees)
    }

    /// The runs that went from the tree of the commit's parent to its own.
    pub fn of_commit(&self, past: &Past) -> Vec<String> {
        past.parent_tree.map_or_else(Vec::new, |before| self.between(before, past.tree))
    }

    /// The runs that went from one tree to the other, by the fewest commits, in the order of these; none if nothing shows that
    /// any did.
    pub fn between(&self, before: Oid, after: Oid) -> Vec<String> {
        // Backwards: each tree with the one that it led to, and by which run.
        let mut led: BTreeMap<Oid, (Oid, usize)> = BTreeMap::new();
        let mut reached = vec![after];
        for _ in 0..MOST_IN_ONE {
            let mut next = Vec::new();
            for tree in reached {
                for (parent, run) in self.steps.get(&tree).into_iter().flatten() {
                    if *parent != after && !led.contains_key(parent) {
                        led.insert(*parent, (tree, *run));
                        next.push(*parent);
                    }
                }
            }
            if led.contains_key(&before) || next.is_empty() {
                break;
            }
            reached = next;
        }
        let mut runs: Vec<String> = Vec::new();
        let mut at = before;
        while let Some((next, run)) = led.get(&at).filter(|_| at != after) {
            let run = self.runs.get(*run).cloned().unwrap_or_default();
            if !runs.contains(&run) {
                runs.push(run);
            }
            at = *next;
        }
        runs
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
