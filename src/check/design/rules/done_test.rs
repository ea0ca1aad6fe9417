//! The tests that the definition of done names by id are tests of the design.

use super::listed;
use crate::check::design::{Rule, ground::Ground, mention};
use crate::finding::Finding;

pub(super) const RULE: Rule = Rule { id: "design-done-test", run };

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let lld = ground.lld;
    let Some(done) = ground.done() else { return };
    let tests = lld.test_plan.iter().chain(&lld.test_scenarios).filter_map(|item| item.id.as_deref());
    let numbers: Vec<u32> = tests.filter_map(mention::id).map(|id| id.number).collect();
    if numbers.is_empty() {
        return;
    }
    let known = |number: &u32| numbers.contains(number);
    for (line, text) in ground.under(done) {
        let spans = mention::ids(text, &["T", "TS"]);
        let ends = spans.iter().filter(|span| span.explicit).flat_map(|span| [span.first.number, span.last]);
        // `T1` may be anything; tests have numbers of two digits and more, or are few.
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
