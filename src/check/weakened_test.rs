//! Tests that say less than their base did: gone, skipped, or without assertions. Only what is compared with the base
//! counts, so that a new file's tests are never weakened.
//!
//! What surely is no improvement (skipped for good, `only`, an assertion that cannot fail where others were) is an
//! error; tests and assertions may go for good reasons, and are asked about.

use super::{Author, Base, Candidate, Check, Design, Settings, Verdict, Weight, kind, lines};
use crate::finding::Finding;
use crate::syntax::{self, Test};
use std::collections::HashMap;

pub const CHECK: Check = Check {
    id: "weakened-test",
    allowable: true,
    design: Design::ById,
    weight: Weight::MODEL,
    base: Base::Compares(may_hold_tests),
    run,
};

const MAX_FINDINGS: usize = 10;
/// Names of lost tests that a message holds.
const MAX_NAMES: usize = 3;

fn may_hold_tests(path: &str) -> bool {
    kind::is_test(path)
}

fn run(candidate: &Candidate, settings: &Settings) -> Verdict {
    let Some(base) = candidate.base.filter(|base| may_hold_tests(candidate.path) && *base != candidate.text) else {
        return Verdict::Pass;
    };
    let (Some(before), Some(after)) =
        (syntax::tests(candidate.path, base), syntax::tests(candidate.path, candidate.text))
    else {
        return Verdict::Pass;
    };
    let mut found = Vec::new();
    found.extend(lost(candidate.path, &before, &after));
    found.extend(pairs(&before, &after).flat_map(|(old, new)| weaker(candidate.path, old, new, settings.author)));
    if found.is_empty() {
        return Verdict::Pass;
    }
    found.truncate(MAX_FINDINGS);
    let hint = "keep what it tests; if the design wants it so, say 'allow: weakened-test' in the file's row";
    Verdict::Fail(found.into_iter().map(|finding| finding.hint(hint)).collect())
}

/// Tests of one name in both, in order.
fn pairs<'a>(before: &'a [Test], after: &'a [Test]) -> impl Iterator<Item = (&'a Test, &'a Test)> {
    let mut olds: HashMap<&str, Vec<&Test>> = HashMap::new();
    before.iter().rev().for_each(|test| olds.entry(&test.name).or_default().push(test));
    after.iter().filter_map(move |new| Some((olds.get_mut(new.name.as_str())?.pop()?, new)))
}

/// More tests went than came: those that did not only change their name.
fn lost(path: &str, before: &[Test], after: &[Test]) -> Option<Finding> {
    let tests = |all: &[Test]| all.iter().filter(|test| !test.is_suite).count();
    let count = tests(before).checked_sub(tests(after)).filter(|count| *count > 0)?;
    let mut kept: HashMap<&str, usize> = HashMap::new();
    after.iter().for_each(|test| *kept.entry(&test.name).or_default() += 1);
    let gone: Vec<&str> = before
        .iter()
        .filter(|test| !test.is_suite)
        .filter(|test| match kept.get_mut(test.name.as_str()) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        })
        .map(|test| test.name.as_str())
        .collect();
    let names: Vec<String> = gone.iter().take(MAX_NAMES).map(|name| format!("'{}'", lines::quote(name))).collect();
    let more = if gone.len() > MAX_NAMES { ", …" } else { "" };
    let plural = if count == 1 { "" } else { "s" };
    Some(Finding::warning(CHECK.id, format!("'{path}' has {count} test{plural} less: {}{more}", names.join(", "))))
}

/// What is weaker about a test that stays.
fn weaker(path: &str, old: &Test, new: &Test, author: Author) -> Option<Finding> {
    let name = lines::quote(&new.name);
    if let (None, Some((line, skip))) = (&old.skip, &new.skip) {
        let message = format!("test '{name}' in '{path}' is skipped: '{}'", lines::quote(skip));
        return Some(Finding::error(CHECK.id, message).line(*line));
    }
    if new.only && !old.only {
        let message = format!("test '{name}' in '{path}' is the only one to run");
        return Some(Finding::error(CHECK.id, message).line(new.line));
    }
    if new.is_suite {
        return None;
    }
    if let (None, Some(line)) = (old.hollow, new.hollow) {
        let message = format!("test '{name}' in '{path}' asserts what cannot fail");
        let finding = if new.asserts <= old.asserts {
            Finding::error(CHECK.id, message)
        } else {
            Finding::warning(CHECK.id, message)
        };
        return Some(finding.line(line));
    }
    // People tidy up, and move assertions where they cannot be seen from here; a model that is to make tests pass has
    // other reasons.
    (author == Author::Model && new.asserts * 2 <= old.asserts && new.asserts < old.asserts).then(|| {
        let plural = if new.asserts == 1 { "" } else { "s" };
        let message =
            format!("test '{name}' in '{path}' has {} assertion{plural}, and had {}", new.asserts, old.asserts);
        Finding::warning(CHECK.id, message).line(new.line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, base: &str, text: &str) -> Vec<(bool, String)> {
        let candidate = Candidate { path, base: Some(base), text, ..Candidate::default() };
        match run(&candidate, &Settings::default()) {
            Verdict::Fail(found) => found.into_iter().map(|it| (it.is_error(), it.message)).collect(),
            _ => Vec::new(),
        }
    }

    const BASE: &str = "def test_a():\n    assert a == 1\n    assert b == 2\n\n\ndef test_c():\n    assert c\n";

    #[test]
    fn skips_and_hollow_assertions_are_errors() {
        let skipped = BASE.replace("def test_c", "@pytest.mark.skip\ndef test_c");
        assert_eq!(
            found("test_a.py", BASE, &skipped),
            [(true, "test 'test_c' in 'test_a.py' is skipped: '@pytest.mark.skip'".into())]
        );
        let hollow = BASE.replace("assert c\n", "assert True\n");
        assert_eq!(
            found("test_a.py", BASE, &hollow),
            [(true, "test 'test_c' in 'test_a.py' asserts what cannot fail".into())]
        );
        let js = "describe('a', () => {\n  it('b', () => { expect(c).toBe(1) });\n});\n";
        let only = js.replace("it(", "it.only(");
        assert_eq!(found("a.test.js", js, &only), [(true, "test 'b' in 'a.test.js' is the only one to run".into())]);
    }

    #[test]
    fn lost_tests_and_assertions_are_asked_about() {
        let lost = BASE.split("\n\ndef test_c").next().unwrap_or_default();
        assert_eq!(found("test_a.py", BASE, lost), [(false, "'test_a.py' has 1 test less: 'test_c'".into())]);
        let fewer = BASE.replace("    assert b == 2\n", "");
        assert_eq!(
            found("test_a.py", BASE, &fewer),
            [(false, "test 'test_a' in 'test_a.py' has 1 assertion, and had 2".into())]
        );
        let none = BASE.replace("assert c", "c()");
        assert_eq!(
            found("test_a.py", BASE, &none),
            [(false, "test 'test_c' in 'test_a.py' has 0 assertions, and had 1".into())]
        );
    }

    #[test]
    fn renamed_moved_and_added_tests_and_what_was_so_before_are_left_alone() {
        let renamed = BASE.replace("test_c", "test_cc");
        let moved =
            format!("def test_c():\n    assert c\n\n\n{}", BASE.split("\n\ndef test_c").next().unwrap_or_default());
        let more = format!("{BASE}\n\n@pytest.mark.skip\ndef test_new():\n    assert d\n");
        let conditional = BASE.replace("def test_c", "@pytest.mark.skipif(WINDOWS, reason='x')\ndef test_c");
        for text in [&renamed, &moved, &more, &conditional] {
            assert_eq!(found("test_a.py", BASE, text), [], "{text}");
        }
        assert_eq!(found("src/a.py", BASE, ""), []);
        assert_eq!(found("test_a.json", BASE, ""), []);
    }
}
