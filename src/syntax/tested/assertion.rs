//! The assertions of one test, each with the code that belongs to it, and whether it is ever reached.

use super::file::{File, words};
use super::unreached;
use crate::syntax::definitions::Bodies;
use std::ops::Range;

/// Bytes of one assertion that are looked at. Who writes a longer one says its gist before.
const MOST: usize = 600;

/// One assertion of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion<'t> {
    /// Counted from 1, from the beginning of the text.
    pub line: usize,
    /// What belongs to it, as it is written and masked.
    pub text: &'t str,
    pub code: &'t str,
    /// The word that asserts: `assertEqual`, `expect`.
    pub word: &'t str,
    /// It is no call: brackets after the word are part of what it asserts.
    pub is_statement: bool,
    /// Nothing before it ends the test, and it can fail the test.
    pub is_reached: bool,
}

/// Does a call of this name assert something?
pub(super) fn asserts(word: &str) -> bool {
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

/// What a body asserts that begins on the line `first` of its file; `code` is the body masked. It is not given the file: to
/// look at all of that for each test takes quadratic time.
pub(super) fn assertions<'t>(body: &'t str, code: &'t str, bodies: Bodies, first: usize) -> Vec<Assertion<'t>> {
    let file = File::new(body, code, bodies);
    let unreached = unreached::find(&file);
    let mut found = Vec::new();
    for (at, word) in words(code).filter(|(_, word)| asserts(word)) {
        let extent = extent(&file, at, word);
        let reaches = unreached.partition_point(|range| range.start <= at);
        let is_reached = !unreached.iter().take(reaches).rev().take(8).any(|range| range.contains(&at));
        let (Some(text), Some(code)) = (body.get(extent.clone()), code.get(extent)) else { continue };
        let is_statement = bodies == Bodies::Indentation && word == "assert";
        found.push(Assertion { line: first + file.line(at) - 1, text, code, word, is_statement, is_reached });
    }
    found
}

/// What belongs to the word at `at`: what it is called on, its arguments, and what is called on that.
fn extent(file: &File, at: usize, word: &str) -> Range<usize> {
    let bytes = file.code.as_bytes();
    let mut start = at;
    while start > 0
        && at - start < 100
        && bytes.get(start - 1).is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_.$:".contains(byte))
    {
        start -= 1;
    }
    // A test of Go fails within a condition.
    if matches!(word, "Error" | "Errorf" | "Fatal" | "Fatalf" | "Fail" | "FailNow") {
        let line = file.line(at);
        let before = line.checked_sub(2).and_then(|before| file.lines.get(before));
        if let Some((offset, head)) =
            before.filter(|(_, head)| head.trim_start().starts_with("if ") && head.ends_with('{'))
        {
            start = offset + (head.len() - head.trim_start().len());
        }
    }
    let limit = floor(file.code, (at + MOST).min(bytes.len()));
    let mut end = at + word.len();
    let mut called = false;
    loop {
        let next = bytes.get(end).copied();
        match next {
            Some(b'!') if !called && bytes.get(end + 1).is_some_and(|byte| matches!(byte, b'(' | b'[' | b'{')) => {
                end += 1
            }
            Some(b'(' | b'[' | b'{') if next != Some(b'{') || bytes.get(end - 1) == Some(&b'!') => {
                end = file.closing(end) + 1;
                called = true;
            }
            Some(b'<') if !called && file.bodies != Bodies::Indentation => {
                let generic = file.code.get(end..limit.max(end)).and_then(|rest| rest.find(">("));
                match generic.filter(|length| *length < 100) {
                    Some(length) => end += length + 1,
                    None => break,
                }
            }
            _ => {
                let rest = file.code.get(end..limit.max(end)).unwrap_or_default();
                let trimmed = rest.trim_start();
                let skipped = rest.len() - trimmed.len();
                let link = trimmed.trim_start_matches(['?', '!']);
                if !link.starts_with('.') {
                    break;
                }
                let name = link.get(1..).unwrap_or_default();
                let length = name.find(|c: char| !(c.is_alphanumeric() || "_?!$".contains(c))).unwrap_or(name.len());
                if length == 0 {
                    break;
                }
                end += skipped + (trimmed.len() - link.len()) + 1 + length;
            }
        }
        if end >= limit {
            break;
        }
    }
    // Arguments without brackets.
    let is_open = match file.bodies {
        Bodies::Indentation => word == "assert",
        Bodies::End => true,
        Bodies::Braces { .. } => false,
    };
    if is_open && end < limit {
        end = rest_of_statement(file, end, limit);
    }
    start..floor(file.code, end.min(limit).max(at + word.len()))
}

/// To the end of the line, and of what is opened on it.
fn rest_of_statement(file: &File, mut at: usize, limit: usize) -> usize {
    let bytes = file.code.as_bytes();
    while at < limit {
        match bytes.get(at) {
            Some(b'(' | b'[' | b'{') => at = file.closing(at) + 1,
            Some(b'\\') => at += 2,
            None | Some(b'\n' | b';' | b')' | b']' | b'}') => break,
            _ => at += 1,
        }
    }
    at
}

fn floor(code: &str, at: usize) -> usize {
    let mut at = at.min(code.len());
    while !code.is_char_boundary(at) {
        at -= 1;
    }
    at
}
