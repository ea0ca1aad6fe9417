//! From which tree to which runs have gone: how a commit is known again whose message names none.

use crate::git::{GitError, Oid, Past, Repository, RunRef};
use crate::transcript::{SUMMARY, Summary};
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
    fn of(repository: &Repository, refs: &[RunRef]) -> Result<Trees, GitError> {
        const MOST: u64 = 4 << 20;
        /// As many commits of a run may be squashed without a word of it and be known again.
        const MOST_IN_ONE: usize = 100;
        let mut trees = Trees::default();
        for bytes in repository.in_each_record(refs, SUMMARY, MOST)?.into_iter().flatten() {
            let Ok(summary) = serde_json::from_slice::<Summary>(&bytes) else { continue };
            let mut before: VecDeque<Oid> = VecDeque::new();
            for commit in &summary.commits {
                before.extend(Oid::from_str(&commit.parent).ok());
                if before.len() > MOST_IN_ONE {
                    before.pop_front();
                }
                let Ok(tree) = Oid::from_str(&commit.tree) else { continue };
                trees.runs.entry(tree).or_insert_with(|| summary.run.clone());
                trees.begun.entry(tree).or_default().extend(&before);
            }
        }
        Ok(trees)
    }

    /// The run that went from the tree of the commit's parent to its own.
    pub fn between(&self, past: &Past) -> Option<&String> {
        let (before, after) = (past.parent_tree?, past.tree);
        let begun = self.begun.get(&after)?;
        self.runs.get(&after).filter(|_| before != after && begun.contains(&before))
    }
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
