//! What the assertions of one test say less than those it had.

use super::claim::{self, Claim, Strength};
use crate::check::{Author, lines};
use crate::syntax::{Assertion, Test, Tests};
use std::collections::{HashMap, HashSet};

/// What is weaker, as it follows a test's name.
pub(super) struct Said {
    pub message: String,
    pub line: usize,
    /// No purpose of the test needs it.
    pub is_sure: bool,
}

/// Both versions of a test, as far as they differ.
struct Versions<'t> {
    olds: Vec<Assertion<'t>>,
    news: Vec<Assertion<'t>>,
    /// What only one of the two says.
    removed: Vec<(&'t str, Claim)>,
    added: Vec<(Assertion<'t>, Claim)>,
}

/// What the tests assert that came: an assertion may have gone to one of them.
pub(super) fn in_tests_that_came(before: &Tests, after: &Tests) -> HashSet<String> {
    let had: HashSet<&str> = before.all.iter().map(|test| test.name.as_str()).collect();
    let came = after.all.iter().filter(|test| !test.is_suite && !had.contains(test.name.as_str()));
    came.flat_map(|test| after.assertions(test)).map(|it| squeezed(&it)).collect()
}

pub(super) fn compare(
    (before, old): (&Tests, &Test),
    (after, new): (&Tests, &Test),
    elsewhere: &HashSet<String>,
    author: Author,
) -> Option<Said> {
    let olds: Vec<Assertion> =
        before.assertions(old).into_iter().filter(|it| !elsewhere.contains(&squeezed(it))).collect();
    let versions = Versions::of(olds, after.assertions(new));
    if versions.olds.is_empty() {
        return None;
    }
    unreached(&versions).or_else(|| hollow(&versions)).or_else(|| weaker(&versions)).or_else(|| {
        // The rows of a table take the place of assertions.
        let more = new.is_table && !old.is_table || calls_that_came((before, old), (after, new));
        fewer(&versions, more, new.line, author)
    })
}

fn squeezed(assertion: &Assertion) -> String {
    assertion.text.split_whitespace().collect()
}

impl<'t> Versions<'t> {
    fn of(olds: Vec<Assertion<'t>>, news: Vec<Assertion<'t>>) -> Versions<'t> {
        let count = |all: &[Assertion]| {
            let mut counts: HashMap<String, usize> = HashMap::new();
            all.iter().for_each(|it| *counts.entry(squeezed(it)).or_default() += 1);
            counts
        };
        let (mut of_new, mut of_old) = (count(&news), count(&olds));
        let take = |counts: &mut HashMap<String, usize>, it: &Assertion| match counts.get_mut(&squeezed(it)) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        };
        let removed = olds.iter().filter(|it| !take(&mut of_new, it)).map(|it| (it.text, claim::read(it))).collect();
        let added = news.iter().filter(|it| !take(&mut of_old, it)).map(|it| (it.clone(), claim::read(it))).collect();
        Versions { olds, news, removed, added }
    }
}

/// Assertions that are there, and never run or cannot fail.
fn unreached(versions: &Versions) -> Option<Said> {
    let reached = |all: &[Assertion]| all.iter().filter(|it| it.is_reached).count();
    let first = versions.news.iter().find(|it| !it.is_reached)?;
    let lost = |all: &[Assertion]| all.len() - reached(all);
    let is_new = lost(&versions.news) > lost(&versions.olds) && reached(&versions.news) < reached(&versions.olds);
    is_new.then(|| {
        let message = format!("asserts what is never reached: '{}'", shown(first.text));
        Said { message, line: first.line, is_sure: true }
    })
}

/// Assertions that no code can fail.
fn hollow(versions: &Versions) -> Option<Said> {
    let hollow = |claim: &Claim| claim.strength == Some(Strength::Nothing);
    let came = versions.added.iter().filter(|(_, claim)| hollow(claim)).count();
    let went = versions.removed.iter().filter(|(_, claim)| hollow(claim)).count();
    let (first, _) = versions.added.iter().find(|(_, claim)| hollow(claim)).filter(|_| came > went)?;
    let message = "asserts what cannot fail".to_owned();
    Some(Said { message, line: first.line, is_sure: versions.news.len() <= versions.olds.len() })
}

/// Assertions in whose place others came that say less of the same thing.
fn weaker(versions: &Versions) -> Option<Said> {
    for (written, old) in &versions.removed {
        // That there is no value, and that there is one, are two claims of one weight.
        if old.operands.iter().any(|it| matches!(it.as_str(), "None" | "null" | "nil" | "undefined")) {
            continue;
        }
        // Something new says as much of it.
        if versions
            .added
            .iter()
            .any(|(_, new)| new.strength >= old.strength && is_of_same(old, new) && !is_widened(old, new))
        {
            continue;
        }
        let weak = versions.added.iter().find(|(_, new)| {
            is_of_same(old, new) && (new.strength.is_some() && new.strength < old.strength || is_widened(old, new))
        });
        if let Some((new, _)) = weak {
            let message = format!("asserts less: '{}' was '{}'", shown(new.text), shown(written));
            return Some(Said { message, line: new.line, is_sure: false });
        }
    }
    None
}

/// Are both about one value, or both about an error?
fn is_of_same(old: &Claim, new: &Claim) -> bool {
    if old.is_error || new.is_error {
        return old.is_error && new.is_error;
    }
    let is_value = |operand: &&String| {
        operand.starts_with(|c: char| c.is_alphabetic() || "_$@*&!".contains(c))
            && !matches!(operand.as_str(), "True" | "False" | "None" | "true" | "false" | "null" | "nil" | "undefined")
    };
    old.operands.iter().filter(is_value).any(|operand| new.operands.contains(operand))
}

/// Is it the same but for a number by which the value may be off?
fn is_widened(old: &Claim, new: &Claim) -> bool {
    const SPANS: &[&str] = &[
        "abs",
        "rel",
        "delta",
        "atol",
        "rtol",
        "tolerance",
        "eps",
        "epsilon",
        "within",
        "InDelta",
        "InEpsilon",
        "closeTo",
        "assert_in_delta",
        "be_within",
        "msg_delta",
    ];
    const DIGITS: &[&str] = &["places", "toBeCloseTo", "decimal", "assertAlmostEqual"];
    if old.tokens.len() != new.tokens.len() {
        return false;
    }
    let mut differing = old.tokens.iter().zip(&new.tokens).enumerate().filter(|(_, (a, b))| a != b);
    let (Some((at, (a, b))), None) = (differing.next(), differing.next()) else { return false };
    let (Ok(a), Ok(b)) = (a.parse::<f64>(), b.parse::<f64>()) else { return false };
    let before = old.tokens.get(..at).unwrap_or_default();
    // `abs=0.1`, `closeTo(1, 0.1)`, `within(0.1)`; the value itself is the first argument.
    let named = before.len().checked_sub(2).and_then(|name| before.get(name));
    let is_named = |list: &[&str]| named.is_some_and(|name| list.contains(&name.as_str()));
    let is_last = old.tokens.get(at + 1).is_some_and(|it| it == ")") && before.last().is_some_and(|it| it == ",");
    let is_in = |list: &[&str]| is_last && before.iter().any(|it| list.contains(&it.as_str()));
    (is_named(SPANS) || is_in(SPANS)) && b > a || (is_named(DIGITS) || is_in(DIGITS)) && b < a
}

/// Does the new version call what the old one did not, and what may assert in its place?
fn calls_that_came((before, old): (&Tests, &Test), (after, new): (&Tests, &Test)) -> bool {
    const QUIET: &[&str] = &[
        "Log", "Logf", "log", "print", "println", "printf", "puts", "debug", "info", "warn", "if", "for", "while",
        "catch", "return", "switch", "p", "pp", "dbg",
    ];
    let called = |tests: &Tests, test: &Test| -> HashSet<String> {
        let code = tests.code.get(test.body.clone()).unwrap_or_default();
        let calls = code.match_indices('(').filter_map(|(at, _)| {
            let before = code.get(..at)?.trim_end_matches('!');
            let start = before.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).map_or(0, |at| at + 1);
            // What is no boundary is a character of several bytes, which ends no name.
            before.get(start..).filter(|name| !name.is_empty()).map(str::to_owned)
        });
        calls.collect()
    };
    let had = called(before, old);
    called(after, new).iter().any(|name| !had.contains(name) && !QUIET.contains(&name.as_str()))
}

/// Assertions that are gone, with nothing in their place.
fn fewer(versions: &Versions, may_assert: bool, line: usize, author: Author) -> Option<Said> {
    let (had, has) = (versions.olds.len(), versions.news.len());
    let is_all_but = |share: usize| has * share <= had && has < had;
    let is_mere = versions.added.is_empty() && !may_assert;
    let is_told = match author {
        // A model that is to make tests pass has other reasons than people, who tidy up and move assertions to where they
        // cannot be seen from here.
        Author::Model => is_all_but(2) || is_mere && has < had,
        Author::Anyone => is_mere && (has == 0 || has * 2 < had),
    };
    is_told.then(|| {
        let plural = if has == 1 { "" } else { "s" };
        Said { message: format!("has {has} assertion{plural}, and had {had}"), line, is_sure: false }
    })
}

fn shown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    lines::quote(&line)
}
