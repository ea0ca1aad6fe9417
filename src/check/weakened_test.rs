//! Tests that say less than their base did: gone, skipped, never reached, or with assertions that are fewer or weaker.
//! Only what is compared with the base counts, so that a new file's tests are never weakened.
//!
//! What surely is no improvement (skipped for good, `only`, an assertion that cannot fail or is never reached where others
//! were) is an error; tests and assertions may go for good reasons, and are asked about. A test that went to another file
//! is not lost: whoever knows all files of a change lets [`moved`] have the last word.

use super::{Base, Change, Check, Design, Settings, Settled, Verdict, Weight, kind, lines, permit, settle};
use crate::finding::Finding;
use crate::syntax::{self, Test, Tests, extension};
use std::collections::HashMap;

mod assertions;
mod claim;
mod lost;
#[cfg(test)]
mod tests;

pub use lost::{BeforeAfter, LOST, moved};

pub const CHECK: Check = Check {
    id: "weakened-test",
    allowable: true,
    design: Design::ById,
    weight: Weight::MODEL,
    base: Base::Compares(may_hold_tests),
    run,
};

/// May such a file hold tests? In Rust every file may; what tests read is none.
pub fn may_hold_tests(path: &str) -> bool {
    (kind::is_test(path) || extension(path) == "rs") && !["fixture", "testdata"].iter().any(|it| path.contains(it))
}

/// The tests of a text that has some: most source of Rust has none, and that costs one search.
fn read<'t>(path: &str, text: &'t str, code: Option<&'t str>) -> Option<Tests<'t>> {
    let has_some = kind::is_test(path)
        || ["#[test", "::test"].iter().any(|mark| memchr::memmem::find(text.as_bytes(), mark.as_bytes()).is_some());
    if !has_some || !may_hold_tests(path) {
        return None;
    }
    syntax::tests(path, text, code)
}

fn run(candidate: &Change, settings: &Settings) -> Verdict {
    let (new, Some(old)) = (candidate.new(), candidate.old()) else { return Verdict::Pass };
    if old.text == new.text {
        return Verdict::Pass;
    }
    let Some(before) = read(candidate.path, old.text, None) else { return Verdict::Pass };
    let Some(after) = syntax::tests(candidate.path, new.text, new.code()) else { return Verdict::Pass };
    let mut found = Vec::new();
    found.extend(lost::in_file(candidate.path, &before, &after));
    found.extend(lost::unmarked(candidate.path, &before, &after));
    found.extend(skipped_as_a_whole(candidate.path, &before, &after));
    let elsewhere = assertions::in_tests_that_came(&before, &after);
    for (old, new) in pairs(&before.all, &after.all) {
        found.extend(marked(candidate.path, old, new).or_else(|| {
            let is_same = new.is_suite || before.squeezed(old) == after.squeezed(new);
            let said = (!is_same)
                .then(|| assertions::compare((&before, old), (&after, new), &elsewhere, settings.author))
                .flatten()?;
            let message = format!("test '{}' in '{}' {}", lines::quote(&new.name), candidate.path, said.message);
            let finding =
                if said.is_sure { Finding::error(CHECK.id, message) } else { Finding::warning(CHECK.id, message) };
            Some(finding.line(said.line))
        }));
    }
    if found.is_empty() {
        return Verdict::Pass;
    }
    let hint = format!("keep what it tests; {}", permit::how(CHECK.id, candidate, settings));
    Verdict::Fail(found.into_iter().map(|finding| finding.hint(&*hint)).collect())
}

/// What there is to say of a file that is deleted with the tests in it; [`moved`] knows whether they are elsewhere.
pub fn deleted(path: &str, base: &str, settings: &Settings) -> Settled {
    let candidate = super::Candidate { path, base: Some(base), ..super::Candidate::default() };
    let found = read(path, base, None).and_then(|tests| lost::with_file(path, &tests));
    let hint = || format!("keep what it tests; {}", permit::how(CHECK.id, &candidate, settings));
    let found = found.into_iter().map(|finding| finding.hint(hint())).collect();
    settle(vec![(CHECK.terms(), found)], &Change::of(&candidate), settings)
}

/// Tests of one name in both, in order.
fn pairs<'a>(before: &'a [Test], after: &'a [Test]) -> impl Iterator<Item = (&'a Test, &'a Test)> {
    let mut olds: HashMap<(&str, bool), Vec<&Test>> = HashMap::new();
    before.iter().rev().for_each(|test| olds.entry((&test.name, test.is_suite)).or_default().push(test));
    after.iter().filter_map(move |new| Some((olds.get_mut(&(new.name.as_str(), new.is_suite))?.pop()?, new)))
}

fn skipped_as_a_whole(path: &str, before: &Tests, after: &Tests) -> Option<Finding> {
    let (None, Some((line, skip))) = (&before.skip, &after.skip) else { return None };
    // The tests of a new form are none that were run before.
    before.all.iter().any(|test| !test.is_suite && test.skip.is_none()).then(|| {
        let message = format!("the tests of '{path}' are skipped: '{}'", lines::quote(skip));
        Finding::error(CHECK.id, message).line(*line)
    })
}

/// What now keeps a test that stays, or others beside it, from being run.
fn marked(path: &str, old: &Test, new: &Test) -> Option<Finding> {
    let name = lines::quote(&new.name);
    if let (None, Some((line, skip))) = (&old.skip, &new.skip) {
        let message = format!("test '{name}' in '{path}' is skipped: '{}'", lines::quote(skip));
        return Some(Finding::error(CHECK.id, message).line(*line));
    }
    (new.only && !old.only).then(|| {
        let message = format!("test '{name}' in '{path}' is the only one to run");
        Finding::error(CHECK.id, message).line(new.line)
    })
}
