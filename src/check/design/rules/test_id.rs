//! The test plan and the test scenarios list the same tests, each once: `T010` of the one is `010` of the other.

use super::listed;
use crate::check::design::{Rule, ground::Ground, mention};
use crate::finding::Finding;
use crate::lld::Item;
use std::collections::BTreeMap;

pub(super) const RULE: Rule = Rule { id: "design-test-id", run };

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let plan = tests(&ground.lld.test_plan, "test plan", findings);
    let scenarios = tests(&ground.lld.test_scenarios, "test scenarios", findings);
    let (Some((_, &(plan_line, _))), Some((_, &(scenarios_line, _)))) =
        (plan.first_key_value(), scenarios.first_key_value())
    else {
        return;
    };
    let lacking = |from: &Tests, to: &Tests| -> Vec<String> {
        from.iter().filter(|(key, _)| !to.contains_key(*key)).map(|(_, (_, id))| id.clone()).collect()
    };
    let hint = "list each test in both tables, by the same number";
    if !plan.keys().any(|key| scenarios.contains_key(key)) {
        let message = "the test plan and the test scenarios have no id in common";
        return findings.push(Finding::warning(RULE.id, message).line(scenarios_line).hint(hint));
    }
    let mut report = |ids: Vec<String>, message: &dyn Fn(String) -> String, line: usize| {
        if !ids.is_empty() {
            findings.push(Finding::warning(RULE.id, message(listed(&ids))).line(line).hint(hint));
        }
    };
    report(lacking(&plan, &scenarios), &|ids| format!("the test scenarios lack {ids} of the test plan"), plan_line);
    report(
        lacking(&scenarios, &plan),
        &|ids| format!("the test plan lacks {ids} of the test scenarios"),
        scenarios_line,
    );
}

/// Ids, in order and without what the tables write differently, each with its line and as it is written there.
type Tests = BTreeMap<(u32, String), (usize, String)>;

/// The tests of a table; says which come twice. Nothing if an id stands for several.
fn tests(items: &[Item], name: &str, findings: &mut Vec<Finding>) -> Tests {
    let mut found = Tests::new();
    let mut twice: Vec<&str> = Vec::new();
    let mut first = 0;
    for item in items {
        let Some(id) = item.id.as_deref() else { continue };
        // A table beside that of the tests may list what they are for.
        if mention::is_requirement(id) {
            continue;
        }
        let Some(key) = mention::test(id) else { return Tests::new() };
        if found.insert(key, (item.line, id.to_owned())).is_some() {
            first = if twice.is_empty() { item.line } else { first };
            twice.push(id);
        }
    }
    if !twice.is_empty() {
        let message = format!("the {name} has {} more than once", listed(&twice));
        findings.push(Finding::warning(RULE.id, message).line(first).hint("give each test an id of its own"));
    }
    found
}
