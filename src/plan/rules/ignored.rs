//! What the repository ignores is not committed, as with `git add`.

use super::{about, verb};
use crate::finding::Finding;
use crate::plan::decide::{Case, Ground};

pub(super) fn judge(case: &Case, ground: &Ground, findings: &mut Vec<Finding>) {
    if !case.appears() || !ground.snapshot.ignored.contains(&case.spec.path) || ground.permits(case, "ignored") {
        return;
    }
    let message = format!("cannot {} '{}': the repository's ignore rules cover it", verb(case), case.path());
    let hint = format!("'git check-ignore -v {}' says which rule; --allow ignored writes it all the same", case.path());
    findings.push(about(case, Finding::error("ignored", message).hint(hint)));
}
