//! What the repository ignores is not committed, as with `git add`.

use super::{about, verb};
use crate::finding::Finding;
use crate::plan::decide::{Case, Ground};

pub(super) fn judge(case: &Case, ground: &Ground, findings: &mut Vec<Finding>) {
    let permitted = || ["ignored", "protected"].iter().any(|id| ground.permits(case, id));
    if !case.appears() || !ground.snapshot.ignored.contains(&case.spec.path) || permitted() {
        return;
    }
    let message = format!("cannot {} '{}': the repository's ignore rules cover it", verb(case), case.path());
    let hint =
        format!("'git check-ignore -v {}' says which rule; --allow protected:{0} writes it all the same", case.path());
    findings.push(about(case, Finding::error("ignored", message).hint(hint)));
}
