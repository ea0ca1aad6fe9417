//! Says what a row's own words permit, and which of its wishes a design has no say in.

use super::about;
use crate::finding::Finding;
use crate::plan::allow::{bare, by_design};
use crate::plan::decide::{Case, Ground};

pub(super) fn judge(case: &Case, _: &Ground, findings: &mut Vec<Finding>) {
    let path = case.path();
    for id in case.spec.allow.iter().map(|allowed| bare(allowed)) {
        findings.push(about(
            case,
            match by_design(id) {
                true => Finding::note("allow", format!("'{id}' is allowed for '{path}' by its row")),
                false => Finding::warning(
                    "allow",
                    format!("'{id}' cannot be allowed by a design: '{path}' goes without"),
                )
                .hint("only size, syntax, overwrite and the like can; the rest is for the command line, or for nobody"),
            },
        ));
    }
}
