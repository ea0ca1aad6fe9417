//! Tests that are marked as automatic and leave the verdict to a person.
//!
//! Tests of what people do ("user cancels") are none of them: only words that hand the judging over count.

use crate::check::design::{Rule, ground::Ground, words};
use crate::finding::Finding;

pub(super) const RULE: Rule = Rule { id: "design-human", run };

const PHRASES: &[&str] = &[
    "manually verify",
    "manually check",
    "manually confirm",
    "manually inspect",
    "manually review",
    "verify manually",
    "verified manually",
    "check manually",
    "checked manually",
    "manual verification",
    "manual inspection",
    "manual check",
    "visually verify",
    "visually inspect",
    "visually check",
    "visually confirm",
    "visual inspection",
    "visual verification",
    "verify visually",
    "verified visually",
    "checked visually",
    "inspected by hand",
    "verify by hand",
    "check by hand",
    "verified by hand",
    "checked by hand",
    "by eye",
    "eyeball",
    "human verifies",
    "human judges",
    "human confirms",
    "human inspects",
    "human inspection",
    "human judgment",
    "human judgement",
    "verified by a human",
    "verified by human",
    "reviewed by a human",
    "reviewer confirms",
    "reviewer verifies",
    "tester confirms",
    "tester verifies",
    "developer verifies",
    "developer confirms",
    "ask the user whether",
];
/// Before a phrase they turn it round: "without manual verification".
const WITHOUT: &[&str] = &["no", "not", "without", "never", "instead of", "rather than", "avoids", "replaces"];

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    for item in &ground.lld.test_scenarios {
        let kind = item.cells.iter().find(|(title, _)| matches!(title.as_str(), "type" | "test type" | "mode"));
        if !kind.is_some_and(|(_, kind)| is_automatic(kind)) {
            continue;
        }
        // What a test is given, and what it is called, delegates nothing.
        let judged = |title: &str| title.contains("criteria") || title.contains("expected") || title.contains("output");
        for (_, cell) in item.cells.iter().filter(|(title, _)| judged(title)) {
            if let Some(phrase) = delegated(&cell.to_lowercase()) {
                let message = format!("a test marked as automatic leaves its verdict to a person: '{phrase}'");
                let finding = Finding::warning(RULE.id, message).line(item.line);
                findings.push(finding.hint("say what a program compares, or mark the test as manual"));
                break;
            }
        }
    }
}

fn is_automatic(kind: &str) -> bool {
    let kind = kind.to_lowercase();
    ["auto", "automated", "automatic", "unit"].iter().any(|word| words::has_phrase(&kind, word))
        && !words::has_phrase(&kind, "manual")
}

fn delegated(cell: &str) -> Option<&'static str> {
    PHRASES.iter().copied().find(|phrase| {
        words::find_phrase(cell, phrase).is_some_and(|at| {
            let before = cell.get(..at).unwrap_or_default();
            !WITHOUT.iter().any(|word| words::has_phrase(before, word))
        })
    })
}
