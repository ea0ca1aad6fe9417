//! The tests in a text: their names, whether they are skipped, and how much they assert.
//!
//! For comparing two versions of one file. It reads masked code by the conventions of the common frameworks, one file a
//! family of them, and does not know what a test calls: a helper that asserts is not seen, so that a low count says
//! little alone.

pub(super) mod attributed;
pub(super) mod go;
pub(super) mod javascript;
pub(super) mod php;
pub(super) mod python;
pub(super) mod ruby;
pub(super) mod rust;

use super::language_of;
use super::mask::masked;

/// One test, or in JavaScript also one suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    pub name: String,
    /// Counted from 1.
    pub line: usize,
    /// The line that skips it always (rather than on some platform), as it is written.
    pub skip: Option<(usize, String)>,
    /// Only it and its like are to run (`it.only`).
    pub only: bool,
    /// A suite holds tests and is none.
    pub is_suite: bool,
    pub asserts: usize,
    /// The line of an assertion that cannot fail.
    pub hollow: Option<usize>,
    /// It runs others that are not known by name: those of a table.
    pub is_table: bool,
}

/// One family of frameworks.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    find: fn(&File) -> Vec<Test>,
    /// Assertions that cannot fail, as whole statements.
    hollow: &'static [&'static str],
    /// Makes names of what the mask would not take for one, byte for byte.
    names: Option<fn(&str) -> String>,
}

/// The tests of `text`, in order; `None` for a language in which they are not known.
pub fn tests(path: &str, text: &str) -> Option<Vec<Test>> {
    let language = language_of(path, text)?;
    let (family, lexis) = (language.tests?, language.lexis?);
    let code = match family.names {
        Some(names) => masked(lexis, &names(text)),
        None => masked(lexis, text),
    };
    Some((family.find)(&File::new(text, &code, family.hollow)))
}

/// Bytes between the name of a function and its body.
const HEAD: usize = 4000;
/// A text, and what is asked of it over and over, found once: tests may nest as deep as they like.
struct File<'t> {
    text: &'t str,
    code: &'t str,
    /// Each line with the offset at which it begins.
    lines: Vec<(usize, &'t str)>,
    /// Offsets of words that assert.
    asserts: Vec<usize>,
    /// Offsets of lines with an assertion that cannot fail.
    hollow: Vec<usize>,
    /// Offsets of opening brackets with those of what closes them, in order.
    brackets: Vec<(usize, usize)>,
}

impl<'t> File<'t> {
    fn new(text: &'t str, code: &'t str, hollow: &[&str]) -> File<'t> {
        let mut at = 0;
        let lines: Vec<(usize, &str)> = code
            .split('\n')
            .map(|line| {
                let start = at;
                at += line.len() + 1;
                (start, line)
            })
            .collect();
        let is_hollow = |line: &str| hollow.contains(&line.trim().trim_end_matches(';'));
        let hollow = lines.iter().filter(|(_, line)| is_hollow(line)).map(|(at, _)| *at).collect();
        let asserts = words(code).filter(|(_, word)| asserts(word)).map(|(at, _)| at).collect();
        File { text, code, lines, asserts, hollow, brackets: brackets(code) }
    }

    /// Counted from 1.
    fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|(start, _)| *start <= at)
    }

    /// The line at an offset, as it is written.
    fn skip(&self, at: usize) -> (usize, String) {
        let line = self.line(at);
        let start = self.lines.get(line.saturating_sub(1)).map_or(0, |(start, _)| *start);
        let written = self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        (line, written.trim().to_owned())
    }

    /// The end of what the bracket at `open` opens; of the text, if nothing closes it.
    fn closing(&self, open: usize) -> usize {
        let found = self.brackets.binary_search_by_key(&open, |(open, _)| *open).ok();
        found.and_then(|at| self.brackets.get(at)).map_or(self.code.len(), |(_, close)| *close)
    }

    /// The `{` of the function whose head begins at `at`.
    fn body(&self, at: usize) -> Option<usize> {
        let head = self.code.as_bytes().get(at..self.code.len().min(at + HEAD))?;
        memchr::memchr(b'{', head).map(|open| at + open)
    }

    /// From the code at `at` to the end of the line, without blanks before it.
    fn statement(&self, at: usize) -> (usize, &'t str) {
        let rest = self.code.get(at..).unwrap_or_default();
        let start = at + (rest.len() - rest.trim_start().len());
        (start, self.code.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default())
    }

    /// A test between these offsets, whose name or head is at `at`.
    fn test(&self, name: &str, at: usize, (start, end): (usize, usize), skip: Option<usize>) -> Test {
        Test {
            name: name.to_owned(),
            line: self.line(at),
            skip: skip.map(|at| self.skip(at)),
            only: false,
            is_suite: false,
            asserts: self.asserts(start, end),
            hollow: self.hollow(start, end),
            is_table: false,
        }
    }

    fn asserts(&self, start: usize, end: usize) -> usize {
        let before = |offset: usize| self.asserts.partition_point(|at| *at < offset);
        before(end).saturating_sub(before(start))
    }

    /// The line of the first assertion in the range that cannot fail.
    fn hollow(&self, start: usize, end: usize) -> Option<usize> {
        let first = self.hollow.get(self.hollow.partition_point(|at| *at < start))?;
        (*first < end).then(|| self.line(*first))
    }
}

/// Words with their offsets.
fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut at = 0;
    code.split(move |c: char| !is_word(c)).filter_map(move |word| {
        // What parts words in code is nearly always one byte; the rest is found again.
        let start = code.get(at..)?.find(word).map(|skipped| at + skipped)?;
        at = start + word.len();
        (!word.is_empty()).then_some((start, word))
    })
}

fn asserts(word: &str) -> bool {
    const BEGIN: &[&str] = &[
        "assert",
        "Assert",
        "expect",
        "Expect",
        "require",
        "should",
        "verify",
        "Verify",
        "check",
        "raises",
        "warns",
        "refute",
        "must_",
        "wont_",
        "is_expected",
    ];
    const WHOLE: &[&str] =
        &["Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow", "fail", "panic", "unwrap_err", "insta", "matches"];
    BEGIN.iter().any(|begin| word.starts_with(begin)) || WHOLE.contains(&word)
}

fn brackets(code: &str) -> Vec<(usize, usize)> {
    let (mut pairs, mut open) = (Vec::new(), Vec::new());
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => open.push(at),
            b')' | b']' | b'}' => pairs.extend(open.pop().map(|start| (start, at))),
            _ => {}
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests;
