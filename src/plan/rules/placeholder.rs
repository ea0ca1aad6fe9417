//! `src/`, `lib/`, `app/`: what templates begin paths with. In a project that has no such directory it may be a slip.

use super::about;
use crate::finding::Finding;
use crate::plan::decide::{Case, Ground};

pub(super) fn judge(case: &Case, ground: &Ground, findings: &mut Vec<Finding>) {
    let Some(first) = case.spec.path.directories().next() else { return };
    let unknown = case.appears() && matches!(first, "src" | "lib" | "app") && ground.snapshot.kind(first).is_none();
    if !unknown || ground.appears_below(first, case) || ground.lists_directory(first) {
        return;
    }
    let message = format!("'{}' begins with '{first}/', which the base does not have", case.path());
    let hint = "if it is a placeholder, write the project's own directory; a new project may go on";
    findings.push(about(case, Finding::warning("placeholder", message).hint(hint)));
}
