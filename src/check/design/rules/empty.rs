//! A design that holds nothing: the one thing about prose that is certain.

use crate::check::design::{Rule, ground::Ground};
use crate::finding::Finding;

pub(super) const RULE: Rule = Rule { id: "design-empty", run };

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    if ground.text.chars().all(|c| c.is_whitespace() || c == '\u{feff}') {
        findings.push(Finding::error(RULE.id, "the design is empty").hint("write it, or leave it out of the commit"));
    }
}
