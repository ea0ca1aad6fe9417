//! The tests that the definition of done names by id, or counts, are tests of the design.

use super::listed;
use crate::check::design::{Rule, ground::Ground, mention};
use crate::finding::Finding;
use std::collections::BTreeSet;

pub(super) const RULE: Rule = Rule { id: "design-done-test", run };

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let lld = ground.lld;
    let Some(done) = ground.done() else { return };
    let tests = lld.test_plan.iter().chain(&lld.test_scenarios).filter_map(|item| item.id.as_deref());
    let numbers: BTreeSet<u32> = tests.filter_map(mention::id).map(|id| id.number).collect();
    if numbers.is_empty() {
        return;
    }
    let known = |number: &u32| numbers.contains(number);
    let counts = [lld.test_plan.len(), lld.test_scenarios.len()];
    for (line, text) in ground.under(done) {
        if let Some(count) =
            counted(text).filter(|count| !counts.contains(count) && *count != counts.iter().sum::<usize>())
        {
            let has = lld.test_scenarios.len().max(lld.test_plan.len());
            let message = format!("the definition of done counts {count} test scenarios, the design has {has}");
            let finding = Finding::warning(RULE.id, message).line(line);
            findings.push(finding.hint("change the number, or leave it out: 'all test scenarios'"));
        }
        let spans = mention::ids(text, &["T", "TS"]);
        let ends = spans.iter().filter(|span| span.explicit).flat_map(|span| [span.first.number, span.last]);
        let mut unknown: Vec<u32> = ends.filter(|number| !known(number)).collect();
        unknown.dedup();
        if !unknown.is_empty() {
            let ids: Vec<String> = unknown.iter().map(|number| format!("T{number:03}")).collect();
            let message =
                format!("the definition of done names the test {}, which the design does not have", listed(&ids));
            let finding = Finding::warning(RULE.id, message).line(line);
            findings.push(finding.hint("name tests of sections 10.0 and 10.1"));
        }
    }
}

/// The number in "all 18 test scenarios".
fn counted(line: &str) -> Option<usize> {
    let lower = line.to_lowercase();
    let (_, rest) = lower.split_once("all ")?;
    let mut words = rest.split_whitespace();
    let count = words.next()?.parse().ok()?;
    let mut rest = words.take(2).map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    match (rest.next()?, rest.next()) {
        ("scenarios", _) | ("test", Some("scenarios")) => Some(count),
        _ => None,
    }
}
