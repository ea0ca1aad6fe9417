//! [`File`]: a text, and what finders of tests ask of it over and over.

use super::{Test, assertion};
use crate::syntax::definitions::Bodies;
use std::ops::Range;

/// Bytes between the name of a function and its body.
pub(super) const HEAD: usize = 4000;

/// A text, and what is asked of it over and over, found once: tests may nest as deep as they like.
pub(super) struct File<'t> {
    pub text: &'t str,
    pub code: &'t str,
    pub bodies: Bodies,
    /// Each line with the offset at which it begins.
    pub lines: Vec<(usize, &'t str)>,
    /// Offsets of words that assert.
    asserts: Vec<usize>,
    /// Offsets of opening brackets with those of what closes them, in order.
    brackets: Vec<(usize, usize)>,
}

impl<'t> File<'t> {
    pub fn new(text: &'t str, code: &'t str, bodies: Bodies) -> File<'t> {
        let mut at = 0;
        let lines: Vec<(usize, &str)> = code
            .split('\n')
            .map(|line| {
                let start = at;
                at += line.len() + 1;
                (start, line)
            })
            .collect();
        let asserts = words(code).filter(|(_, word)| assertion::asserts(word)).map(|(at, _)| at).collect();
        File { text, code, bodies, lines, asserts, brackets: brackets(code) }
    }

    /// Counted from 1.
    pub fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|(start, _)| *start <= at)
    }

    /// The line at an offset, as it is written.
    pub fn skip(&self, at: usize) -> (usize, String) {
        let line = self.line(at);
        let start = self.lines.get(line.saturating_sub(1)).map_or(0, |(start, _)| *start);
        let written = self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        (line, written.trim().to_owned())
    }

    /// The end of what the bracket at `open` opens; of the text, if nothing closes it.
    pub fn closing(&self, open: usize) -> usize {
        let found = self.brackets.binary_search_by_key(&open, |(open, _)| *open).ok();
        found.and_then(|at| self.brackets.get(at)).map_or(self.code.len(), |(_, close)| *close)
    }

    /// How far a line is indented; without end where it begins within a string of several lines.
    pub fn depth(&self, (at, line): (usize, &str)) -> usize {
        match line.starts_with('_') && self.text.as_bytes().get(at) != Some(&b'_') {
            true => usize::MAX,
            false => line.len() - line.trim_start().len(),
        }
    }

    /// The `{` of the function whose head begins at `at`.
    pub fn body(&self, at: usize) -> Option<usize> {
        let head = self.code.as_bytes().get(at..self.code.len().min(at + HEAD))?;
        memchr::memchr(b'{', head).map(|open| at + open)
    }

    /// From the code at `at` to the end of the line, without blanks before it.
    pub fn statement(&self, at: usize) -> (usize, &'t str) {
        let rest = self.code.get(at..).unwrap_or_default();
        let start = at + (rest.len() - rest.trim_start().len());
        (start, self.code.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default())
    }

    /// The statements of a body, less those within others: where each begins, and the rest of its first line.
    pub fn statements(&self, body: Range<usize>) -> Box<dyn Iterator<Item = (usize, &'t str)> + '_> {
        match self.bodies {
            Bodies::Braces { .. } => Box::new(self.braced_statements(body)),
            Bodies::Indentation | Bodies::End => Box::new(self.indented_statements(body)),
        }
    }

    fn indented_statements(&self, body: Range<usize>) -> impl Iterator<Item = (usize, &'t str)> + '_ {
        let mut own = None;
        let lines = self.lines.iter().skip(self.line(body.start).saturating_sub(1));
        lines.take_while(move |(at, _)| *at < body.end).filter_map(move |(at, line)| {
            // The body may begin on the line of its head.
            let before = body.start.saturating_sub(*at).min(line.len());
            let line = line.get(before..).unwrap_or_default();
            let statement = line.trim();
            if statement.is_empty() || before > 0 && matches!(statement, "do" | "(" | ")") {
                return None;
            }
            let deep = self.depth((at + before, line));
            let is_own = before > 0 || *own.get_or_insert(deep) == deep;
            is_own.then_some((at + before + (line.len() - line.trim_start().len()), statement))
        })
    }

    fn braced_statements(&self, body: Range<usize>) -> impl Iterator<Item = (usize, &'t str)> + '_ {
        let bytes = self.code.as_bytes();
        let mut at = body.start;
        // What a statement hangs from that has no braces: `if (a)` before the end of a line.
        let mut hangs = false;
        std::iter::from_fn(move || {
            loop {
                while at < body.end && bytes.get(at).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b';') {
                    at += 1;
                }
                if at >= body.end {
                    return None;
                }
                let start = at;
                while at < body.end && !matches!(bytes.get(at), Some(b';' | b'\n') | None) {
                    at = match bytes.get(at) {
                        Some(b'(' | b'[' | b'{') => self.closing(at).max(at) + 1,
                        _ => at + 1,
                    };
                }
                let statement = self.code.get(start..at.min(body.end)).unwrap_or_default().trim_end();
                let first = statement.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                let hung = hangs;
                hangs = matches!(first, "if" | "else" | "for" | "while" | "foreach")
                    && !statement.ends_with('}')
                    && bytes.get(at) != Some(&b';');
                if !hung {
                    return Some((start, statement.lines().next().unwrap_or_default()));
                }
            }
        })
    }

    /// A test between these offsets, whose name or head is at `at`.
    pub fn test(&self, name: &str, at: usize, (start, end): (usize, usize), skip: Option<usize>) -> Test {
        Test {
            name: name.to_owned(),
            is_quoted: name.contains(|c: char| !(c.is_alphanumeric() || c == '_')),
            line: self.line(at),
            skip: skip.map(|at| self.skip(at)),
            only: false,
            is_suite: false,
            asserts: self.asserts(start, end),
            is_table: false,
            body: start..end.max(start).min(self.code.len()),
        }
    }

    fn asserts(&self, start: usize, end: usize) -> usize {
        let before = |offset: usize| self.asserts.partition_point(|at| *at < offset);
        before(end).saturating_sub(before(start))
    }
}

/// The words of a code with their offsets.
pub fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut at = 0;
    code.split(move |c: char| !is_word(c)).filter_map(move |word| {
        // What parts words in code is nearly always one byte; the rest is found again.
        let start = code.get(at..)?.find(word).map(|skipped| at + skipped)?;
        at = start + word.len();
        (!word.is_empty()).then_some((start, word))
    })
}

pub(super) fn brackets(code: &str) -> Vec<(usize, usize)> {
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
