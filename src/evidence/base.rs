//! Where a branch began: its oldest run may be older than that, and what it goes into may have gone on since.

use crate::git::{GitError, Oid, Repository};
use crate::record::{Ran, Record};

/// What a branch goes into, the likeliest first.
const INTO: &[&str] = &[
    "HEAD",
    "refs/remotes/origin/HEAD",
    "refs/heads/main",
    "refs/heads/master",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
];

/// The commit that the branch `name`, whose last commit is `tip`, was made on; `None`: nothing tells. It is the later one of
/// where its oldest run began and of where it leaves what it goes into: after a rebase, or another run on what has gone on,
/// commits of others lie between them.
pub(super) fn base(repository: &Repository, name: &str, tip: Oid, runs: &[Ran]) -> Result<Option<String>, GitError> {
    let (began, left) = (oldest_run(repository, name, tip, runs)?, left(repository, tip)?);
    Ok(match (began, left) {
        (Some(began), Some(left)) if repository.is_below(&began, &left)? => Some(left),
        (began, left) => began.or(left),
    })
}

/// Where the oldest run of the branch began, of those that began below it.
fn oldest_run(repository: &Repository, name: &str, tip: Oid, runs: &[Ran]) -> Result<Option<String>, GitError> {
    // The newest come first.
    for ran in runs.iter().rev().filter(|ran| ran.summary.branch == name) {
        let Some(found) = &ran.published else { continue };
        if let Ok(record) = Record::open(repository, found)?
            && Oid::from_str(&record.about.base).is_ok()
            && repository.is_below(&record.about.base, &tip.to_string())?
        {
            return Ok(Some(record.about.base));
        }
    }
    Ok(None)
}

/// Where it leaves the first of what it may go into that has not all of it already, or is it.
fn left(repository: &Repository, tip: Oid) -> Result<Option<String>, GitError> {
    for into in INTO {
        let Some(other) = repository.commit_named(into)? else { continue };
        // Histories may have nothing in common.
        let Ok(left) = repository.fork_point(&other.to_string(), &tip.to_string()) else { continue };
        if left != tip.to_string() {
            return Ok(Some(left));
        }
    }
    Ok(None)
}
