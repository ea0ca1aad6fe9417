//! Pass criteria that say no more than that the test passes.
//!
//! A cell that holds anything exact is left alone, and so is a row whose expected output does.

use crate::check::design::{Rule, ground::Ground, words};
use crate::finding::Finding;

pub(super) const RULE: Rule = Rule { id: "design-vague", run };

/// As whole words. The longer ones come first: what is left of a cell is judged too.
const PHRASES: &[&str] = &[
    "works as expected",
    "work as expected",
    "behaves as expected",
    "functions as expected",
    "works as intended",
    "works as designed",
    "functions correctly",
    "functions properly",
    "behaves correctly",
    "behaves properly",
    "works correctly",
    "works properly",
    "handled gracefully",
    "handled correctly",
    "handled properly",
    "handled appropriately",
    "works fine",
    "works well",
    "should work",
    "should pass",
    "it works",
    "is correct",
    "is fine",
    "is good",
    "looks good",
    "looks correct",
    "looks right",
    "correct behavior",
    "correct behaviour",
    "expected behavior",
    "expected behaviour",
    "as expected",
    "as intended",
    "no issues",
    "no problems",
    "works",
    "tbd",
    "to be determined",
    "good performance",
    "reasonable",
    "acceptable",
];

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    for item in &ground.lld.test_scenarios {
        let cell = |is: fn(&str) -> bool| item.cells.iter().find(|(title, _)| is(title)).map(|(_, cell)| cell.as_str());
        let Some(criteria) = cell(|title| title.contains("criteria") || title.contains("criterion")) else { continue };
        let expected = cell(|title| title.contains("expected") || title == "output").unwrap_or_default();
        if words::has_literal(criteria) || words::has_literal(expected) {
            continue;
        }
        if let Some(phrase) = vague(criteria) {
            let message = format!("the pass criteria '{phrase}' cannot be checked");
            let finding = Finding::warning(RULE.id, message).line(item.line);
            findings.push(finding.hint("say what is seen when the test passes: a value, a file, a message, a status"));
        }
    }
}

/// The phrase that is all that the cell says, or all but its subject.
fn vague(cell: &str) -> Option<&'static str> {
    let lower = cell.trim().to_lowercase();
    let (phrase, at) = PHRASES.iter().find_map(|phrase| Some((*phrase, words::find_phrase(&lower, phrase)?)))?;
    let after = lower.get(at + phrase.len()..).unwrap_or_default();
    let others = lower.get(..at).unwrap_or_default().split_whitespace().count();
    (others <= 2 && !after.contains(char::is_alphanumeric)).then_some(phrase)
}
