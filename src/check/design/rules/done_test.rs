//! The tests that the definition of done names by id, or counts, are tests of the design.

use super::listed;
use crate::check::design::{Rule, ground::Ground, mention};
use crate::finding::Finding;
use crate::lld::Item;
use std::collections::BTreeSet;

pub(super) const RULE: Rule = Rule { id: "design-done-test", run };

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let lld = ground.lld;
    let Some(done) = ground.done() else { return };
    let ids = |items: &[Item]| -> BTreeSet<(u32, String)> {
        let ids = items.iter().filter_map(|item| item.id.as_deref()).filter(|id| !mention::is_requirement(id));
        ids.filter_map(mention::test).collect()
    };
    let (plan, scenarios) = (ids(&lld.test_plan), ids(&lld.test_scenarios));
    if plan.is_empty() && scenarios.is_empty() {
        return;
    }
    let numbers: BTreeSet<u32> = plan.iter().chain(&scenarios).map(|(number, _)| *number).collect();
    let known = |number: &u32| numbers.contains(number);
    // Whoever counts may mean either table, and may leave the manual tests out.
    let manual = |item: &&Item| item.cells.iter().any(|(_, cell)| cell.eq_ignore_ascii_case("manual"));
    let automatic = scenarios.len().saturating_sub(lld.test_scenarios.iter().filter(manual).count());
    let counts = [plan.len(), scenarios.len(), automatic, numbers.len()];
    for (line, text) in ground.under(done) {
        if let Some(count) = counted(text).filter(|count| !counts.contains(count)) {
            let has = scenarios.len().max(plan.len());
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
