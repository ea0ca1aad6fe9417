//! The base is a commit: what the user has not committed is not in it.

use super::about;
use crate::finding::Finding;
use crate::plan::decide::{Case, Ground};

pub(super) fn judge(case: &Case, ground: &Ground, findings: &mut Vec<Finding>) {
    for path in case.spec.from.iter().chain([&case.spec.path]).filter(|path| ground.snapshot.dirty.contains(*path)) {
        let message = match ground.snapshot.kind(path.as_str()) {
            Some(_) => format!("'{path}' has uncommitted changes: the base's version is used"),
            None => format!("'{path}' is not committed: the base does not have it"),
        };
        findings.push(about(
            case,
            Finding::warning("uncommitted", message).hint("commit it first if the design builds on it"),
        ));
    }
}
