//! A merge whose message names a run. What it has of one of its parents is judged where that parent is; what it has of none of
//! them somebody has added in it.

use super::judged::mismatch;
use super::{Judged, Mismatch, Verification, What};
use crate::git::{At, GitError, Past, Repository};
use std::collections::BTreeMap;

/// Longer texts are not compared line by line.
const MOST: u64 = 16 << 20;
/// With more parents a merge is compared with the first of them only.
const MOST_PARENTS: usize = 8;

/// A path at which it differs from every parent.
struct Own {
    after: Option<At>,
    /// What each parent has there.
    before: Vec<Option<At>>,
}

pub(super) fn judge(repository: &Repository, past: &Past, run: &str) -> Result<Judged, GitError> {
    let own = own(repository, past)?;
    if own.is_empty() {
        return Ok(Judged::new(past, Verification::NotGenerated));
    }
    let mut judged = Judged { run: Some(run.to_owned()), ..Judged::new(past, Verification::Edited) };
    judged.notes.push("it is a merge, and none of its parents has this".to_owned());
    for (path, own) in &own {
        judged.mismatches.extend(own.nearest(repository, path)?);
    }
    Ok(judged)
}

/// Where it differs from all of its parents.
fn own(repository: &Repository, past: &Past) -> Result<BTreeMap<String, Own>, GitError> {
    let mut own: BTreeMap<String, Own> = BTreeMap::new();
    for (number, parent) in past.parents.iter().enumerate() {
        let tree = repository.tree_of_commit(*parent)?;
        for difference in repository.differences(Some(tree), past.tree)? {
            let after = difference.after;
            match own.get_mut(&difference.path) {
                Some(own) => own.before.push(difference.before),
                None if number == 0 => _ = own.insert(difference.path, Own { after, before: vec![difference.before] }),
                None => {}
            }
        }
        own.retain(|_, own| own.before.len() > number);
    }
    Ok(own)
}

impl Own {
    /// How it differs from the parent whose text is most like it.
    fn nearest(&self, repository: &Repository, path: &str) -> Result<Option<Mismatch>, GitError> {
        let text = |at: Option<At>| at.map_or(Ok(None), |at| repository.text_of(at.id, MOST));
        let after = text(self.after)?;
        let mut nearest: Option<Mismatch> = None;
        for before in self.before.iter().take(MOST_PARENTS) {
            let what = match (before, self.after) {
                (_, None) => What::Gone,
                (None, Some(_)) => What::Added,
                (Some(before), Some(after)) if before.id == after.id => What::Mode,
                (Some(_), Some(_)) => What::Text,
            };
            let one = mismatch(path, what, text(*before)?.as_deref(), after.as_deref());
            let changed = |it: &Mismatch| it.lines.iter().map(|(from, to)| to - from + 1).sum::<usize>();
            if nearest.as_ref().is_none_or(|former| changed(&one) < changed(former)) {
                nearest = Some(one);
            }
        }
        Ok(nearest)
    }
}
