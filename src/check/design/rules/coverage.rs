//! Requirements and tests that name each other by id: none is left without a test, and no test names one that is not
//! there. Designs that do not number their tests by requirement are not judged: no word is guessed to mean another.

use super::listed;
use crate::check::design::mention::{self, Id, Span};
use crate::check::design::{Rule, ground::Ground};
use crate::finding::Finding;
use std::collections::BTreeMap;

pub(super) const RULE: Rule = Rule { id: "design-coverage", run };

/// Letters that requirements are numbered with. A plain number is `REQ`.
const PREFIXES: &[&str] = &["REQ", "R", "FR", "NFR", "AC"];

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let requirements = requirements(ground);
    let Some((_, &first)) = requirements.first_key_value() else { return };
    let mut named: Vec<(usize, Span)> = Vec::new();
    for (number, line) in ground.about_tests() {
        named.extend(mention::ids(line, PREFIXES).into_iter().map(|span| (number, span)));
    }
    for (_, span) in &mut named {
        // `R3` and `REQ-3` are two ways to write one, where the requirements have no other.
        if span.first.prefix == "R" && requirements.keys().all(|id| id.prefix == "REQ") {
            span.first.prefix = "REQ".to_owned();
        } else if span.first.prefix == "REQ" && requirements.keys().all(|id| id.prefix != "REQ") {
            let Some(id) = requirements.keys().find(|id| id.prefix == "R" || id.prefix == "FR") else { continue };
            span.first.prefix.clone_from(&id.prefix);
        }
    }
    let prefixes = |id: &Id| named.iter().any(|(_, span)| span.first.prefix == id.prefix);
    let bare: Vec<String> = requirements
        .keys()
        // A kind of requirement that no test names at all is tested in some other way.
        .filter(|id| prefixes(id) && !named.iter().any(|(_, span)| span.holds(id)))
        .map(shown)
        .collect();
    if !bare.is_empty() {
        let message = format!("no test names requirement {}", listed(&bare));
        let hint = "add a test scenario for it, with its id in brackets, or take the requirement out";
        findings.push(Finding::warning(RULE.id, message).line(first).hint(hint));
    }
    let mut unknown: Vec<(String, usize)> = Vec::new();
    for (line, span) in &named {
        let ends = [span.first.number, span.last].map(|number| Id { number, ..span.first.clone() });
        let kind = requirements.keys().any(|id| id.prefix == span.first.prefix);
        for id in ends.iter().filter(|id| span.explicit && kind && !requirements.contains_key(id)) {
            if !unknown.iter().any(|(known, _)| *known == shown(id)) {
                unknown.push((shown(id), *line));
            }
        }
    }
    if let Some((_, line)) = unknown.first() {
        let ids: Vec<&String> = unknown.iter().map(|(id, _)| id).collect();
        let message = format!("tests name requirement {}, which the design does not have", listed(&ids));
        let hint = "name the requirement that is meant: ids are the numbers of the list of requirements";
        findings.push(Finding::warning(RULE.id, message).line(*line).hint(hint));
    }
}

/// The ids of the requirements with their lines; nothing if two have the same.
fn requirements(ground: &Ground) -> BTreeMap<Id, usize> {
    let mut found = BTreeMap::new();
    for item in &ground.lld.requirements {
        let Some(mut id) = item.id.as_deref().and_then(mention::id) else { continue };
        if id.prefix.is_empty() {
            id.prefix = "REQ".to_owned();
        }
        if PREFIXES.contains(&id.prefix.as_str()) && found.insert(id, item.line).is_some() {
            return BTreeMap::new();
        }
    }
    found
}

fn shown(id: &Id) -> String {
    match id.prefix.as_str() {
        prefix @ ("REQ" | "FR" | "NFR" | "AC") => format!("{prefix}-{}", id.number),
        prefix => format!("{prefix}{}", id.number),
    }
}
