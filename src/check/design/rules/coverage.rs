//! Requirements and tests that name each other by id: none is left without a test, and no test names one that is not
//! there. Designs that do not number their tests by requirement are not judged: no word is guessed to mean another.

use super::listed;
use crate::check::design::mention::{self, Id, REQUIREMENTS, Span};
use crate::check::design::{Rule, ground::Ground};
use crate::finding::Finding;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const RULE: Rule = Rule { id: "design-coverage", run };

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let requirements = requirements(ground);
    let Some((_, &first)) = requirements.first_key_value() else { return };
    let named = named(ground, &requirements);
    if named.is_empty() {
        // Whoever gives requirements ids of their own means to refer to them.
        if !ground.lld.test_scenarios.is_empty() && is_labelled(ground) {
            let message = "no test names the requirement that it is for";
            let hint = "write the id of the requirement beside each test scenario, in brackets";
            findings.push(Finding::warning(RULE.id, message).line(first).hint(hint));
        }
        return;
    }
    let prefixes: BTreeSet<&str> = named.iter().map(|(_, span)| span.first.prefix.as_str()).collect();
    let mut bare: BTreeSet<&Id> = requirements.keys().collect();
    for (_, span) in &named {
        let last = Id { number: span.last, ..span.first.clone() };
        requirements.range(&span.first..=&last).for_each(|(id, _)| {
            bare.remove(id);
        });
    }
    // A kind of requirement that no test names at all is tested in some other way.
    let bare: Vec<String> = bare.into_iter().filter(|id| prefixes.contains(id.prefix.as_str())).map(shown).collect();
    if !bare.is_empty() {
        let message = format!("no test names requirement {}", listed(&bare));
        let hint = "add a test scenario for it, with its id in brackets, or take the requirement out";
        findings.push(Finding::warning(RULE.id, message).line(first).hint(hint));
    }
    unknown(&named, &requirements, findings);
}

fn unknown(named: &[(usize, Span)], requirements: &Requirements, findings: &mut Vec<Finding>) {
    let kinds: BTreeSet<&str> = requirements.keys().map(|id| id.prefix.as_str()).collect();
    let mut unknown: BTreeMap<Id, usize> = BTreeMap::new();
    for (line, span) in named.iter().filter(|(_, span)| span.explicit && kinds.contains(span.first.prefix.as_str())) {
        for number in [span.first.number, span.last] {
            let id = Id { number, ..span.first.clone() };
            if !requirements.contains_key(&id) {
                unknown.entry(id).or_insert(*line);
            }
        }
    }
    if let Some(&line) = unknown.values().min() {
        let ids: Vec<String> = unknown.keys().map(shown).collect();
        let message = format!("tests name requirement {}, which the design does not have", listed(&ids));
        let hint = "name the requirement that is meant: ids are the numbers of the list of requirements";
        findings.push(Finding::warning(RULE.id, message).line(line).hint(hint));
    }
}

/// The requirements that tests name, with their lines, in the letters of the requirements.
fn named(ground: &Ground, requirements: &Requirements) -> Vec<(usize, Span)> {
    let kinds: BTreeSet<&str> = requirements.keys().map(|id| id.prefix.as_str()).collect();
    // `R3` and `REQ-3` are two ways to write one, where the requirements have no other.
    let instead = |prefix: &str| match prefix {
        "R" if !kinds.contains("R") && kinds.contains("REQ") => Some("REQ"),
        "REQ" if !kinds.contains("REQ") => ["R", "FR"].into_iter().find(|kind| kinds.contains(kind)),
        _ => None,
    };
    let mut named = Vec::new();
    for (number, line) in ground.about_tests() {
        for mut span in mention::ids(line, REQUIREMENTS) {
            if let Some(prefix) = instead(&span.first.prefix) {
                span.first.prefix = prefix.to_owned();
            }
            named.push((number, span));
        }
    }
    named
}

type Requirements = BTreeMap<Id, usize>;

/// The ids of the requirements with their lines; nothing if two have the same.
fn requirements(ground: &Ground) -> Requirements {
    let mut found = BTreeMap::new();
    for item in &ground.lld.requirements {
        let Some(mut id) = item.id.as_deref().and_then(mention::id) else { continue };
        if id.prefix.is_empty() {
            id.prefix = "REQ".to_owned();
        }
        if REQUIREMENTS.contains(&id.prefix.as_str()) && found.insert(id, item.line).is_some() {
            return BTreeMap::new();
        }
    }
    found
}

/// Are the ids of the requirements written with letters, all of them?
fn is_labelled(ground: &Ground) -> bool {
    let mut ids = ground.lld.requirements.iter().filter_map(|item| item.id.as_deref());
    ids.all(|id| id.starts_with(char::is_alphabetic))
}

fn shown(id: &Id) -> String {
    match id.prefix.as_str() {
        prefix @ ("REQ" | "FR" | "NFR" | "AC") => format!("{prefix}-{}", id.number),
        prefix => format!("{prefix}{}", id.number),
    }
}
