//! One finding for one cause: what another finding on the same file explains is not said again.
//!
//! Each gate looks alone, and what is wrong with a text shows in several ways: conflict markers do not parse, a summary is
//! short as well. Whoever mends the cause has mended them all.

use crate::check::{conflict, empty, fence, omission, size, stub, summary, syntax, too_short, weakened_test};
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
    let explained = EXPLAINS
        .iter()
        .any(|(gate, others)| of_gate(gate, cause) && others.iter().any(|other| of_gate(other, finding)));
    // A line that stands for code parses as badly as it reads.
    let same_line = finding.line.is_some_and(|line| cause.line == Some(line) || cause.line == line.checked_sub(1))
        && of_gate(omission::CHECK.id, cause);
    let quoted = same_line && [syntax::CHECK.id, stub::CHECK.id].iter().any(|gate| of_gate(gate, finding));
    (explained || quoted) && cause.severity >= finding.severity
}

#[cfg(test)]
mod tests {
    use crate::check::{Author, Candidate, Settings, judge};

    /// The ids of what is said of an added file that is worth more than a note.
    fn said(path: &str, text: &str, allow: &[&str]) -> Vec<String> {
        let allow = allow.iter().map(|it| (*it).into()).collect();
        let candidate = Candidate { path, text, whole: true, ..Candidate::default() };
        let settings = Settings { author: Author::Model, allow, ..Settings::default() };
        let found = judge(&candidate, &settings).into_iter();
        found.filter(|finding| finding.severity > crate::finding::Severity::Note).map(|it| it.id.into_owned()).collect()
    }

    #[test]
    fn conflict_markers_are_said_once_and_so_is_a_fence() {
        let conflict = "def a():\n<<<<<<< b\n    return 1\n=======\n    return 2\n>>>>>>> c\n";
        assert_eq!(said("a.py", conflict, &[]), ["conflict"]);
        assert_eq!(said("a.py", "```python\ndef a():\n    return 1\n```\n", &[]), ["fence"]);
        assert_eq!(said("a.json", "", &[]), ["empty"]);
        let summary = "I have created the module:\n\n- it reads (all of it\n";
        assert_eq!(said("a.py", summary, &[]), ["summary"]);
    }

    #[test]
    fn what_is_permitted_explains_nothing() {
        let conflict = "def a():\n<<<<<<< b\n    return 1\n=======\n    return 2\n>>>>>>> c\n";
        assert_eq!(said("a.py", conflict, &["conflict"]), ["syntax-python"]);
    }

    #[test]
    fn a_slip_far_from_a_placeholder_is_another_cause() {
        let text =
            "function a() {\n  // ... rest of the code unchanged\n}\n\nfunction b() {\n  return 1;\n}\n\nconst c = ;\n";
        assert_eq!(said("a.js", text, &[]).len(), 2);
    }
}
