//! Nothing is written into another repository that lies in this one without being its submodule: git would not, and
//! whoever looks there would see files that no commit of theirs knows.

use super::super::decide::{Case, Ground};
use super::{about, verb};
use crate::finding::Finding;

pub(super) fn judge(case: &Case, ground: &Ground, findings: &mut Vec<Finding>) {
    let mut ways = case.spec.path.directories().chain([case.path()]);
    if let Some(directory) = ways.find(|way| ground.snapshot.embedded.contains(*way)) {
        let message = format!("cannot {} '{}': '{directory}' is another repository", verb(case), case.path());
        findings.push(about(case, Finding::error("embedded", message).hint("run it there, on a design of its own")));
    }
}
