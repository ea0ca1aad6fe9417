//! Tests that say less than their base did: gone, skipped, or without assertions. Only what is compared with the base
//! counts, so that a new file's tests are never weakened.
//!
//! What surely is no improvement (skipped for good, `only`, an assertion that cannot fail where others were) is an
//! error; tests and assertions may go for good reasons, and are asked about. A test that went to another file is not lost:
//! whoever knows all files of a change lets [`moved`] have the last word.

use super::{Author, Base, Change, Check, Design, Settings, Verdict, Weight, kind, lines, permit};
use crate::finding::{Finding, Severity};
use crate::syntax::{self, Test};
use std::collections::{HashMap, HashSet};

pub const CHECK: Check = Check {
    id: "weakened-test",
    allowable: true,
    design: Design::ById,
    weight: Weight::MODEL,
    base: Base::Compares(may_hold_tests),
    run,
};

/// The id of a finding about tests that are gone from a file.
pub const LOST: &str = "weakened-test-lost";

/// Names of lost tests that a message holds.
const MAX_NAMES: usize = 3;

/// A file of a change, as it was and as it is.
#[derive(Debug, Clone, Copy)]
pub struct BeforeAfter<'a> {
    pub path: &'a str,
    pub base: Option<&'a str>,
    /// `None`: it is gone.
    pub text: Option<&'a str>,
}

/// May such a file hold tests?
pub fn may_hold_tests(path: &str) -> bool {
    kind::is_test(path)
}

fn run(candidate: &Change, settings: &Settings) -> Verdict {
    let Some(base) = candidate.base.filter(|base| may_hold_tests(candidate.path) && *base != candidate.text) else {
        return Verdict::Pass;
    };
    let (Some(before), Some(after)) =
        (syntax::tests(candidate.path, base), syntax::tests(candidate.path, candidate.text))
    else {
        return Verdict::Pass;
    };
    let mut found = Vec::new();
    found.extend(lost(candidate.path, &before, &after, &mut HashMap::new()));
    found.extend(pairs(&before, &after).flat_map(|(old, new)| weaker(candidate.path, old, new, settings.author)));
    if found.is_empty() {
        return Verdict::Pass;
    }
    let hint = format!("keep what it tests; {}", permit::how(CHECK.id, candidate, settings));
    Verdict::Fail(found.into_iter().map(|finding| finding.hint(&*hint)).collect())
}

/// `findings`, less what is said of tests that another file of the same change got.
pub fn moved(findings: Vec<Finding>, changes: &[BeforeAfter]) -> Vec<Finding> {
    let is_lost = |finding: &Finding| finding.id == LOST;
    if !findings.iter().any(is_lost) {
        return findings;
    }
    let read = |change: &BeforeAfter, text: Option<&str>| {
        text.filter(|_| may_hold_tests(change.path))
            .and_then(|text| syntax::tests(change.path, text))
            .unwrap_or_default()
    };
    let read: Vec<(&str, Vec<Test>, Vec<Test>)> =
        changes.iter().map(|it| (it.path, read(it, it.base), read(it, it.text))).collect();
    // What came to each name, over all files: a test that came once is the place of one that went.
    let mut came: HashMap<&str, usize> = HashMap::new();
    for (_, before, after) in &read {
        gone(after, before).for_each(|test| *came.entry(&test.name).or_default() += 1);
    }
    let places: HashMap<&str, usize> = read.iter().enumerate().map(|(at, (path, ..))| (*path, at)).collect();
    let judge = |finding: Finding| {
        let place = finding.path.as_deref().filter(|_| is_lost(&finding)).and_then(|path| places.get(path));
        let of = place.and_then(|at| read.get(*at));
        let Some((path, before, after)) = of else { return Some(finding) };
        let left = lost(path, before, after, &mut came)?;
        // Where it is permitted, by whom stays said.
        let message = if finding.severity > Severity::Note { left.message } else { finding.message.clone() };
        Some(Finding { message, ..finding })
    };
    findings.into_iter().filter_map(judge).collect()
}

/// Tests of one name in both, in order.
fn pairs<'a>(before: &'a [Test], after: &'a [Test]) -> impl Iterator<Item = (&'a Test, &'a Test)> {
    let mut olds: HashMap<&str, Vec<&Test>> = HashMap::new();
    before.iter().rev().for_each(|test| olds.entry(&test.name).or_default().push(test));
    after.iter().filter_map(move |new| Some((olds.get_mut(new.name.as_str())?.pop()?, new)))
}

/// The tests of the one that the other has not, each as often as it has it more often.
fn gone<'a>(of: &'a [Test], other: &[Test]) -> impl Iterator<Item = &'a Test> {
    let mut left: HashMap<String, usize> = HashMap::new();
    other.iter().for_each(|test| *left.entry(test.name.clone()).or_default() += 1);
    of.iter().filter(|test| !test.is_suite).filter(move |test| match left.get_mut(&test.name) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    })
}

/// More tests went than came: those that did not only change their name, nor become lines of a table, nor are among
/// what came `elsewhere`, from which they are taken.
fn lost(path: &str, before: &[Test], after: &[Test], elsewhere: &mut HashMap<&str, usize>) -> Option<Finding> {
    let tables: HashSet<&str> = after.iter().filter(|test| test.is_table).map(|test| test.name.as_str()).collect();
    let is_in_table = |test: &Test| test.name.split_once('/').is_some_and(|(parent, _)| tables.contains(parent));
    let gone: Vec<&Test> = gone(before, after).filter(|test| !is_in_table(test)).collect();
    let came = self::gone(after, before).count();
    let mut count = gone.len().checked_sub(came)?;
    let mut names = Vec::new();
    for test in gone {
        match elsewhere.get_mut(test.name.as_str()).filter(|left| **left > 0) {
            Some(left) => {
                *left -= 1;
                count = count.saturating_sub(1);
            }
            None => names.push(test.name.as_str()),
        }
    }
    if count == 0 {
        return None;
    }
    let more = if names.len() > MAX_NAMES { ", …" } else { "" };
    let names: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("'{}'", lines::quote(name))).collect();
    let plural = if count == 1 { "" } else { "s" };
    Some(Finding::warning(LOST, format!("'{path}' has {count} test{plural} less: {}{more}", names.join(", "))))
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
    use crate::check::Candidate;

    fn found(path: &str, base: &str, text: &str) -> Vec<(bool, String)> {
        let candidate = Candidate { path, base: Some(base), text, ..Candidate::default() };
        match run(&Change::of(&candidate), &Settings::default()) {
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
    fn tests_that_another_file_of_the_change_got_are_not_lost() {
        let rest = BASE.split("\n\ndef test_c").next().unwrap_or_default();
        let went = "def test_c():\n    assert c\n";
        let find = |base: &str, text: &str, others: &[BeforeAfter]| {
            let candidate = Candidate { path: "test_a.py", base: Some(base), text, ..Candidate::default() };
            let found = crate::check::judge(&candidate, &Settings::default());
            let own = BeforeAfter { path: "test_a.py", base: Some(base), text: Some(text) };
            let changes: Vec<BeforeAfter> = others.iter().copied().chain([own]).collect();
            moved(found, &changes).into_iter().map(|it| it.message).collect::<Vec<_>>()
        };
        let other = |base, text| BeforeAfter { path: "tests/test_b.py", base, text: Some(text) };
        let lost = ["'test_a.py' has 1 test less: 'test_c'"];
        assert_eq!(find(BASE, rest, &[other(None, went)]), [""; 0]);
        assert_eq!(find(BASE, rest, &[other(Some("import a\n"), went)]), [""; 0]);
        assert_eq!(find(BASE, rest, &[other(Some(went), went)]), lost, "it was there before");
        assert_eq!(
            find(BASE, rest, &[BeforeAfter { path: "src/b.py", base: None, text: Some(went) }]),
            lost,
            "no test"
        );
        assert_eq!(find(BASE, rest, &[BeforeAfter { path: "test_b.py", base: Some(went), text: None }]), lost);
        let two = format!("{BASE}\n\ndef test_d():\n    assert d\n");
        assert_eq!(find(&two, rest, &[other(None, went)]), ["'test_a.py' has 1 test less: 'test_d'"]);
        // One came, two went.
        let twice = format!("{BASE}\n\nclass TestE:\n    def test_c(self):\n        assert c\n");
        assert_eq!(find(&twice, rest, &[other(None, went)]).len(), 1);
        let hollow = find(BASE, &BASE.replace("assert c\n", "assert True\n"), &[other(None, went)]);
        assert_eq!(hollow, ["test 'test_c' in 'test_a.py' asserts what cannot fail"], "others stay");
    }

    #[test]
    fn subtests_that_become_lines_of_a_table_are_not_lost() {
        let base = "func TestA(t *testing.T) {\n\tt.Run(\"b\", func(t *testing.T) {\n\t\trequire.True(t, b)\n\t})\n}\n";
        let table = "func TestA(t *testing.T) {\n\tfor _, tt := range all {\n\t\tt.Run(tt.name, func(t *testing.T) {\n\t\t\trequire.True(t, b)\n\t\t})\n\t}\n}\n";
        let none = "func TestA(t *testing.T) {\n\trequire.True(t, b)\n}\n";
        assert_eq!(found("a_test.go", base, table), []);
        assert_eq!(found("a_test.go", base, none), [(false, "'a_test.go' has 1 test less: 'TestA/b'".into())]);
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
