//! One finding for one cause: what another finding on the same file explains is not said again.
//!
//! Each gate looks alone, and what is wrong with a text shows in several ways: conflict markers do not parse, a summary is
//! short as well. Whoever mends the cause has mended them all.

use super::{conflict, empty, fence, omission, size, stub, summary, syntax, too_short, weakened_test};
use crate::finding::{Finding, allows};

/// A gate, and the gates whose findings are explained by its own. Secrets and hidden characters are always said.
const EXPLAINS: &[(&str, &[&str])] = &[
    (empty::CHECK.id, &[too_short::CHECK.id, size::CHECK.id, syntax::CHECK.id, weakened_test::CHECK.id]),
    (
        summary::CHECK.id,
        &[too_short::CHECK.id, fence::CHECK.id, omission::CHECK.id, size::CHECK.id, syntax::CHECK.id, stub::CHECK.id],
    ),
    (fence::CHECK.id, &[too_short::CHECK.id, syntax::CHECK.id]),
    (conflict::CHECK.id, &[syntax::CHECK.id]),
    (omission::CHECK.id, &[too_short::CHECK.id, size::CHECK.id]),
    (too_short::CHECK.id, &[size::CHECK.id]),
];

/// Takes out what others explain. Only what weighs as much or more explains: what is permitted is a note, and excuses
/// nothing else.
pub(super) fn keep_causes(findings: &mut Vec<Finding>) {
    if findings.len() < 2 {
        return;
    }
    let all = findings.clone();
    findings.retain(|finding| !all.iter().any(|cause| explains(cause, finding)));
}

fn explains(cause: &Finding, finding: &Finding) -> bool {
    let of_gate = |gate: &str, finding: &Finding| allows(gate, &finding.id, None);
    let explained = EXPLAINS.iter().any(|(gate, others)| {
        of_gate(gate, cause) && others.iter().any(|other| of_gate(other, finding))
    });
    // A line that stands for code parses as badly as it reads.
    let same_line = finding.line.is_some_and(|line| cause.line == Some(line) || cause.line == line.checked_sub(1)) && of_gate(omission::CHECK.id, cause);
    let quoted = same_line && [syntax::CHECK.id, stub::CHECK.id].iter().any(|gate| of_gate(gate, finding));
    (explained || quoted) && cause.severity >= finding.severity
}
