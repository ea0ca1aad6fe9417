//! A merge whose message names a run. What it has of one of its parents is judged where that parent is; what it has of none of
//! them somebody has added in it.

use super::judged::mismatch;
use super::{Judged, Verification, What};
use crate::git::{At, Difference, GitError, Past, Repository};
use std::collections::BTreeSet;

/// Longer texts are not compared line by line.
const MOST: u64 = 16 << 20;

pub(super) fn judge(repository: &Repository, past: &Past, run: &str) -> Result<Judged, GitError> {
    let own = own(repository, past)?;
    if own.is_empty() {
        return Ok(Judged::new(past, Verification::NotGenerated));
    }
    let mut judged = Judged { run: Some(run.to_owned()), ..Judged::new(past, Verification::Edited) };
    judged.notes.push("it is a merge, and none of its parents has this".to_owned());
    for Difference { path, before, after } in &own {
        let text = |at: Option<At>| at.map_or(Ok(None), |at| repository.text_of(at.id, MOST));
        let what = match (before, after) {
            (_, None) => What::Gone,
            (None, Some(_)) => What::Added,
            (Some(before), Some(after)) if before.id == after.id => What::Mode,
            (Some(_), Some(_)) => What::Text,
        };
        judged.mismatches.push(mismatch(path, what, text(*before)?.as_deref(), text(*after)?.as_deref()));
    }
    Ok(judged)
}

/// Where it differs from every parent, beside the first.
fn own(repository: &Repository, past: &Past) -> Result<Vec<Difference>, GitError> {
    let mut own = repository.differences(past.parent_tree, past.tree)?;
    for parent in past.parents.iter().skip(1) {
        let tree = repository.tree_of_commit(*parent)?;
        let others = repository.differences(Some(tree), past.tree)?;
        let others: BTreeSet<&str> = others.iter().map(|difference| difference.path.as_str()).collect();
        own.retain(|difference| others.contains(difference.path.as_str()));
    }
    Ok(own)
}
