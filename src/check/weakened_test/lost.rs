//! Tests that are gone: from a file, with a file, or only from the eyes of what runs them.

use super::{CHECK, read};
use crate::check::lines;
use crate::finding::{Finding, Severity};
use crate::syntax::{self, Test, Tests, words};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The id of a finding about tests that are gone from a file.
pub const LOST: &str = "weakened-test-lost";

/// Names of lost tests that a message holds.
const MAX_NAMES: usize = 3;

/// Tests of one file that are looked for as functions that run no more.
const MOST_UNMARKED: usize = 20;

/// A file of a change, as it was and as it is.
#[derive(Debug, Clone, Copy)]
pub struct BeforeAfter<'a> {
    pub path: &'a str,
    pub base: Option<&'a str>,
    /// `None`: it is gone.
    pub text: Option<&'a str>,
}

/// Names in code and, with `true`, in quotes, each with how often.
type Names<T> = HashMap<(bool, T), usize>;

fn owned((is_quoted, name): (bool, &str)) -> (bool, String) {
    (is_quoted, name.to_owned())
}

/// What came to the files of a change, to be taken once for each test that went.
#[derive(Default)]
struct Came {
    names: Names<String>,
    /// Bodies of tests.
    bodies: HashMap<String, usize>,
    /// Tests of new files.
    fresh: usize,
}

impl Came {
    /// Is it among what came? Then it is taken.
    fn take(&mut self, tests: &Tests, test: &Test) -> bool {
        let taken = |left: Option<&mut usize>| match left {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        };
        // What came with both is one test.
        let by_name = taken(self.names.get_mut(&owned(name(test))));
        let by_body = taken(self.bodies.get_mut(&tests.squeezed(test)));
        if by_name || by_body {
            self.fresh = self.fresh.saturating_sub(1);
        }
        by_name || by_body
    }
}

/// What a test is called, and whether that stands in quotes.
fn name(test: &Test) -> (bool, &str) {
    // `b` of Go's `TestA/b`.
    let own = test.name.split_once('/').filter(|(parent, _)| parent.starts_with("Test")).map(|(_, own)| own);
    (test.is_quoted, own.unwrap_or(&test.name))
}

/// More tests went from a file than came to it.
pub(super) fn in_file(path: &str, before: &Tests, after: &Tests) -> Option<Finding> {
    judge(path, before, Some(after), &mut Came::default())
}

/// All tests of a file that is deleted.
pub(super) fn with_file(path: &str, before: &Tests) -> Option<Finding> {
    judge(path, before, None, &mut Came::default())
}

/// `findings`, less what is said of tests that another file of the same change got.
pub fn moved(findings: Vec<Finding>, changes: &[BeforeAfter]) -> Vec<Finding> {
    let is_lost = |finding: &Finding| finding.id == LOST;
    if !findings.iter().any(is_lost) {
        return findings;
    }
    let mut came = Came::default();
    for change in changes {
        let Some(text) = change.text.filter(|_| super::may_hold_tests(change.path)) else { continue };
        let mut had = change.base.map(|base| names(change.path, base)).unwrap_or_default();
        for (name, count) in names(change.path, text) {
            let more = count.saturating_sub(had.remove(&name).unwrap_or_default());
            *came.names.entry(name).or_default() += more;
        }
        let Some(after) = read(change.path, text, None) else { continue };
        if change.base.is_none() {
            came.fresh += after.all.iter().filter(|test| !test.is_suite).count();
        }
        let before = change.base.and_then(|base| read(change.path, base, None));
        let had: HashSet<String> =
            before.iter().flat_map(|before| before.all.iter().map(|test| before.squeezed(test))).collect();
        for body in after.all.iter().filter(|test| !test.is_suite).map(|test| after.squeezed(test)) {
            if !body.is_empty() && !had.contains(&body) {
                *came.bodies.entry(body).or_default() += 1;
            }
        }
    }
    let judge = |finding: Finding| {
        let of = finding.path.as_deref().filter(|_| is_lost(&finding));
        let Some(change) = of.and_then(|path| changes.iter().find(|change| change.path == path)) else {
            return Some(finding);
        };
        let Some(before) = change.base.and_then(|base| read(change.path, base, None)) else { return Some(finding) };
        let after = change.text.and_then(|text| syntax::tests(change.path, text, None));
        let left = judge(change.path, &before, after.as_ref(), &mut came)?;
        // Where it is permitted, by whom stays said.
        let message = if finding.severity > Severity::Note { left.message } else { finding.message.clone() };
        Some(Finding { message, ..finding })
    };
    findings.into_iter().filter_map(judge).collect()
}

/// The tests of the one that the other has not, each as often as it has it more often.
fn gone<'a>(of: &'a [Test], other: &[Test]) -> Vec<&'a Test> {
    let mut left: HashMap<&str, usize> = HashMap::new();
    other.iter().for_each(|test| *left.entry(&test.name).or_default() += 1);
    let mut gone = Vec::new();
    for test in of.iter().filter(|test| !test.is_suite) {
        match left.get_mut(test.name.as_str()) {
            Some(count) if *count > 0 => *count -= 1,
            _ => gone.push(test),
        }
    }
    gone
}

/// Those that did not only change their names, nor become rows of a table, nor stand there in another form, nor are among
/// what came to other files, from which they are taken.
fn judge(path: &str, before: &Tests, after: Option<&Tests>, elsewhere: &mut Came) -> Option<Finding> {
    let all = after.map_or(&[][..], |after| &after.all);
    let gone = gone(&before.all, all);
    if gone.is_empty() {
        return None;
    }
    let came = self::gone(all, &before.all);
    if became_table(&before.all, all, &came) {
        return None;
    }
    let mut count = gone.len().checked_sub(came.len()).filter(|count| *count > 0)?;
    let still = after.map(|after| counted(after.text, &after.code)).unwrap_or_default();
    let mut left = Vec::new();
    for test in gone {
        if still.contains_key(&name(test)) || elsewhere.take(before, test) {
            count = count.saturating_sub(1);
        } else {
            left.push(test.name.as_str());
        }
    }
    if count == 0 || left.is_empty() {
        return None;
    }
    // As within a file, as many that are new may be the same written anew.
    if left.len() <= elsewhere.fresh {
        elsewhere.fresh -= left.len();
        return None;
    }
    let more = if left.len() > MAX_NAMES { ", …" } else { "" };
    let names: Vec<String> = left.iter().take(MAX_NAMES).map(|name| format!("'{}'", lines::quote(name))).collect();
    let plural = if count == 1 { "" } else { "s" };
    let message = match after {
        Some(_) => format!("'{path}' has {count} test{plural} less: {}{more}", names.join(", ")),
        None => format!("'{path}' is deleted with {count} test{plural}: {}{more}", names.join(", ")),
    };
    Some(Finding::warning(LOST, message))
}

/// Did a test come that runs others, which are not known by name, or did one become such a test?
fn became_table(before: &[Test], after: &[Test], came: &[&Test]) -> bool {
    let had: HashSet<&str> = before.iter().filter(|test| test.is_table).map(|test| test.name.as_str()).collect();
    came.iter().any(|test| test.is_table) || after.iter().any(|test| test.is_table && !had.contains(test.name.as_str()))
}

/// Functions that were tests and are none any more, but for that as they were: `#[test]` or `@Test` is gone.
pub(super) fn unmarked(path: &str, before: &Tests, after: &Tests) -> Vec<Finding> {
    let gone = gone(&before.all, &after.all);
    let Some(first) = gone.first() else { return Vec::new() };
    // Where the name alone makes a test, what has no such name is no test by intention.
    if first.name.is_empty() || !["rs", "java", "kt", "cs"].contains(&syntax::extension(path).as_str()) {
        return Vec::new();
    }
    // What is called somewhere is run by another test.
    let mut still: HashMap<&str, Vec<usize>> = HashMap::new();
    words(&after.code).for_each(|(at, word)| still.entry(word).or_default().push(at));
    let of_name = gone.into_iter().filter_map(|test| match still.get(test.name.as_str()).map(Vec::as_slice) {
        Some([at]) => Some((test, *at)),
        _ => None,
    });
    let unmarked = of_name.take(MOST_UNMARKED).filter(|(test, at)| {
        let head = after.code.get(..*at).unwrap_or_default();
        let mut lines = head.rsplit('\n');
        let own = lines.next().unwrap_or_default();
        // Another mark than the known ones may be one of a test.
        let is_marked =
            [own, lines.next().unwrap_or_default()].iter().any(|line| line.trim_start().starts_with(['#', '@', '[']));
        let rest = after.code.get(*at..).unwrap_or_default();
        let body: String = rest
            .bytes()
            .zip(after.text.get(*at..).unwrap_or_default().bytes())
            .skip_while(|(code, _)| *code != b'{')
            .filter(|(code, _)| !code.is_ascii_whitespace())
            .map(|(_, text)| char::from(text))
            .skip(1)
            .take(before.squeezed(test).len())
            .collect();
        let was: String = before.squeezed(test).bytes().map(char::from).collect();
        !is_marked && !was.is_empty() && body == was
    });
    let finding = |(test, at): (&Test, usize)| {
        let line = after.code.get(..at).unwrap_or_default().matches('\n').count() + 1;
        let message = format!("'{}' in '{path}' was a test, and is run no more", lines::quote(&test.name));
        Finding::error(CHECK.id, message).line(line)
    };
    unmarked.map(finding).collect()
}

/// [`counted`], of a text of which nothing is known yet.
fn names(path: &str, text: &str) -> Names<String> {
    let code = read(path, text, None).map(|tests| tests.code).or_else(|| syntax::mask(path, text).map(Cow::Owned));
    counted(text, &code.unwrap_or_default()).into_iter().map(|(name, count)| (owned(name), count)).collect()
}

/// The names that a text has in its code, and what stands in its strings, each with how often.
fn counted<'t>(text: &'t str, code: &str) -> Names<&'t str> {
    let mut counts = Names::new();
    let mut count = |is_quoted: bool, name: Option<&'t str>| {
        *counts.entry((is_quoted, name.unwrap_or_default())).or_default() += 1;
    };
    // What stands in strings is `_` in the code, and so differs from the text or is no test's name.
    for (at, word) in words(code) {
        count(false, text.get(at..at + word.len()).filter(|written| *written == word));
    }
    let mut at = 0;
    while let Some(found) = code.get(at..).and_then(|rest| rest.find(['"', '\'', '`'])) {
        let open = at + found;
        let quote = code.as_bytes().get(open).copied().unwrap_or_default();
        let Some(rest) = code.as_bytes().get(open + 1..) else { break };
        let Some(length) = memchr::memchr2(quote, b'\n', rest) else { break };
        count(true, text.get(open + 1..open + 1 + length));
        at = open + 1 + length + 1;
    }
    counts
}
