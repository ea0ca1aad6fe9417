//! [`Text`]: a text as lines, and the forms under which two lines count as the same.
//!
//! A line is known by the byte at which it begins. No table of lines is made for that: for one edit of a large file,
//! making it would cost more than all the rest. Knows no edits.

use std::cell::{Cell, OnceCell};
use unicode_normalization::UnicodeNormalization;

use super::table::Table;

/// How far two lines are the same, from strict to loose. What is the same under one form is so under the looser ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// In everything but the line's end.
    Plain,
    /// In everything but white space at the end.
    Trailing,
    /// In everything but white space that parts no words, and the typography of quotes and dashes; blank lines are
    /// left out.
    Key,
}

/// An immutable text and its lines.
pub(super) struct Text<'a> {
    body: &'a str,
    table: OnceCell<Table>,
    passes: Cell<usize>,
    /// A byte, and how many lines end before it.
    counted: Cell<(usize, usize)>,
    usual_ending: OnceCell<&'static str>,
    has_returns: OnceCell<bool>,
    without_returns: OnceCell<Option<(String, Vec<usize>)>>,
}

/// The most bytes that the searches in one text go over, so that no number of edits takes long.
const MOST_SCANNED: usize = 1 << 30;

/// What was asked for would take too long to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooCommon;

impl<'a> Text<'a> {
    pub fn new(body: &'a str) -> Text<'a> {
        Text {
            body,
            table: OnceCell::new(),
            passes: Cell::new(0),
            counted: Cell::new((0, 0)),
            usual_ending: OnceCell::new(),
            has_returns: OnceCell::new(),
            without_returns: OnceCell::new(),
        }
    }
    pub fn body(&self) -> &'a str {
        self.body
    }
    /// The byte after the last line.
    pub fn end(&self) -> usize {
        self.body.len()
    }
    /// The byte at which the line after the one at `at` begins, or the end.
    pub fn next(&self, at: usize) -> usize {
        let rest = self.body.as_bytes().get(at..).unwrap_or_default();
        memchr::memchr(b'\n', rest).map_or(self.end(), |end| at + end + 1)
    }
    /// The byte at which the line begins that holds the byte before `at`; none at the beginning of the text.
    pub fn before(&self, at: usize) -> Option<usize> {
        let last = at.checked_sub(1)?;
        Some(self.line_at(last))
    }
    /// The byte at which the line begins that holds the byte at `offset`.
    pub fn line_at(&self, offset: usize) -> usize {
        let before = self.body.as_bytes().get(..offset).unwrap_or_default();
        memchr::memrchr(b'\n', before).map_or(0, |end| end + 1)
    }
    /// The number of the line that holds the byte at `offset`, from 0.
    pub fn number(&self, offset: usize) -> usize {
        let lines = |from: usize, to: usize| {
            memchr::memchr_iter(b'\n', self.body.as_bytes().get(from..to).unwrap_or_default()).count()
        };
        let (at, count) = self.counted.get();
        let number = if at <= offset { count + lines(at, offset) } else { count - lines(offset, at) };
        self.counted.set((offset, number));
        number
    }
    fn raw(&self, at: usize) -> &'a str {
        self.body.get(at..self.next(at)).unwrap_or("")
    }
    /// The line at `at` without its end.
    pub fn line(&self, at: usize) -> &'a str {
        bare(self.raw(at))
    }
    /// How the line at `at` ends: `"\n"`, `"\r\n"`, or `""` for an unended last line.
    pub fn ending(&self, at: usize) -> &'a str {
        let raw = self.raw(at);
        raw.get(bare(raw).len()..).unwrap_or("")
    }
    /// The line ending that most of the first lines have.
    pub fn usual_ending(&self) -> &'static str {
        self.usual_ending.get_or_init(|| {
            let (mut ended, mut returned) = (0, 0);
            for end in memchr::memchr_iter(b'\n', self.body.as_bytes()).take(2000) {
                ended += 1;
                returned += usize::from(self.body.as_bytes()[..end].ends_with(b"\r"));
            }
            if returned * 2 > ended { "\r\n" } else { "\n" }
        })
    }
    /// Are there carriage returns in it?
    pub fn has_returns(&self) -> bool {
        *self.has_returns.get_or_init(|| memchr::memchr(b'\r', self.body.as_bytes()).is_some())
    }
    /// The text with plain line ends, and where in it a carriage return was left out.
    pub fn without_returns(&self) -> (&str, &[usize]) {
        let made = self.without_returns.get_or_init(|| {
            if !self.has_returns() {
                return None;
            }
            let (mut plain, mut removed) = (String::with_capacity(self.body.len()), Vec::new());
            for (n, piece) in self.body.split("\r\n").enumerate() {
                if n > 0 {
                    removed.push(plain.len());
                    plain.push('\n');
                }
                plain.push_str(piece);
            }
            Some((plain, removed))
        });
        made.as_ref().map_or((self.body, &[]), |(plain, removed)| (plain, removed))
    }
    /// The lines from `from` up to `to`, by the bytes at which they begin.
    pub fn lines(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let mut at = from;
        std::iter::from_fn(move || {
            let line = Some(at).filter(|at| *at < to)?;
            at = self.next(at);
            Some(line)
        })
    }
    /// The first line from `at` on that is not blank.
    pub fn solid(&self, at: usize) -> Option<usize> {
        self.lines(at, self.end()).find(|line| !is_blank(self.line(*line)))
    }
    /// The last line before `at` that is not blank.
    pub fn solid_before(&self, at: usize) -> Option<usize> {
        std::iter::successors(self.before(at), |line| self.before(*line)).find(|line| !is_blank(self.line(*line)))
    }
    /// The table of all lines, made when it is first asked for.
    pub fn table(&self) -> &Table {
        self.table.get_or_init(|| Table::new(self.body))
    }
    pub fn has_table(&self) -> bool {
        self.table.get().is_some()
    }
    /// To be called before a search that goes over the whole text.
    ///
    /// # Errors
    /// There were too many.
    pub fn pass(&self) -> Result<(), TooCommon> {
        self.passes.set(self.passes.get() + 1);
        if self.scanned() > MOST_SCANNED { Err(TooCommon) } else { Ok(()) }
    }
    /// To be called before a walk over lines that may be all of them, which takes as long as many searches.
    ///
    /// # Errors
    /// There were too many.
    pub fn walk(&self) -> Result<(), TooCommon> {
        self.passes.set(self.passes.get() + 31);
        self.pass()
    }
    /// How many searches went over the whole text.
    pub fn passes(&self) -> usize {
        self.passes.get()
    }
    /// How many bytes they went over.
    pub fn scanned(&self) -> usize {
        // Making the table takes as long as some ten searches.
        (self.passes.get() + if self.has_table() { 10 } else { 0 }).saturating_mul(self.body.len())
    }
}

/// A line without its end.
pub(super) fn bare(raw: &str) -> &str {
    raw.strip_suffix("\r\n").or_else(|| raw.strip_suffix('\n')).unwrap_or(raw)
}

pub(super) fn is_blank(line: &str) -> bool {
    match line.as_bytes().iter().find(|byte| !byte.is_ascii_whitespace()) {
        None => true,
        Some(byte) => !byte.is_ascii() && line.trim().is_empty(),
    }
}

/// Part of a word: what lies between two of these may not come or go unnoticed.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The strictest form under which two lines are the same.
pub(super) fn form(a: &str, b: &str) -> Option<Form> {
    if a == b {
        Some(Form::Plain)
    } else if a.trim_end() == b.trim_end() {
        Some(Form::Trailing)
    } else {
        same_key(a, b).then_some(Form::Key)
    }
}

/// Are two lines the same under [`Form::Key`]?
pub(super) fn same_key(a: &str, b: &str) -> bool {
    if a == b {
        true
    } else if a.is_ascii() && b.is_ascii() {
        same_ascii(a.as_bytes(), b.as_bytes())
    } else {
        key(a) == key(b)
    }
}

/// [`same_key`] without a copy.
fn same_ascii(a: &[u8], b: &[u8]) -> bool {
    let (mut a, mut b) = (a.iter(), b.iter());
    let mut word = false; // the last byte was part of one
    loop {
        let (mut gaps, mut pair) = ((false, false), (a.next(), b.next()));
        while pair.0.is_some_and(u8::is_ascii_whitespace) {
            (gaps.0, pair.0) = (true, a.next());
        }
        while pair.1.is_some_and(u8::is_ascii_whitespace) {
            (gaps.1, pair.1) = (true, b.next());
        }
        let (Some(ours), Some(theirs)) = pair else { return pair == (None, None) };
        if ours != theirs {
            return false;
        }
        let now = ours.is_ascii_alphanumeric() || *ours == b'_';
        if word && now && gaps.0 != gaps.1 {
            return false;
        }
        word = now;
    }
}

/// What [`Form::Key`] keeps of a line.
pub(super) fn key(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let (mut word, mut gap) = (false, false);
    for c in line.nfc() {
        if c.is_whitespace() {
            gap = true;
            continue;
        }
        let c = plain(c);
        let now = is_word(c);
        if word && now && gap {
            out.push(' ');
        }
        out.push(c);
        (word, gap) = (now, false);
    }
    out
}

fn plain(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{201c}'..='\u{201f}' => '"',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_walked_both_ways_with_their_ends() {
        let text = Text::new("a\r\n\n  \nb");
        let starts: Vec<usize> = text.lines(0, text.end()).collect();
        assert_eq!(starts, [0, 3, 4, 7]);
        assert_eq!(starts.iter().map(|at| text.line(*at)).collect::<Vec<_>>(), ["a", "", "  ", "b"]);
        assert_eq!(starts.iter().map(|at| text.ending(*at)).collect::<Vec<_>>(), ["\r\n", "\n", "\n", ""]);
        assert_eq!([7, 0, 4, 8].map(|at| text.number(at)), [3, 0, 2, 3]);
        assert_eq!(
            (text.before(7), text.before(0), text.solid(3), text.solid_before(7)),
            (Some(4), None, Some(7), Some(0))
        );
        assert_eq!(text.line_at(5), 4);
    }

    #[test]
    fn plain_line_ends_are_made_of_others_and_lone_returns_stay() {
        let text = Text::new("a\r\nb\rc\n\r\nd");
        assert_eq!(text.without_returns(), ("a\nb\rc\n\nd", &[1, 6][..]));
        assert_eq!(Text::new("a\nb\n").without_returns(), ("a\nb\n", &[][..]));
        assert!(text.has_returns() && !Text::new("a\nb\n").has_returns());
    }

    #[test]
    fn what_is_looked_for_in_one_text_is_bounded() {
        let body = "x".repeat(1 << 20);
        let searches = |text: &Text| (0..2000).take_while(|_| text.pass().is_ok()).count();
        assert_eq!(searches(&Text::new(&body)), MOST_SCANNED / body.len());
        let text = Text::new(&body);
        text.table();
        assert_eq!(searches(&text), MOST_SCANNED / body.len() - 10);
        let text = Text::new(&body);
        assert_eq!((0..2000).take_while(|_| text.walk().is_ok()).count(), MOST_SCANNED / body.len() / 32);
    }

    #[test]
    fn a_blank_line_has_nothing_but_white_space_of_any_kind() {
        assert!(["", " \t", "\r", "\u{a0}", " \u{3000} \u{2003}"].into_iter().all(is_blank));
        assert!(!["x", " \u{a0}x", "\u{e9}", " \u{200b}", "\u{a0}\u{e9}"].into_iter().any(is_blank));
    }

    #[test]
    fn the_usual_ending_is_that_of_most_lines() {
        assert_eq!(Text::new("a\r\nb\r\nc\n").usual_ending(), "\r\n");
        assert_eq!(Text::new("a\r\nb\n").usual_ending(), "\n");
        assert_eq!(Text::new("").usual_ending(), "\n");
    }

    #[test]
    fn a_form_forgives_what_it_says_and_no_more() {
        assert_eq!(form(" a b", " a b"), Some(Form::Plain));
        assert_eq!(form(" a b", " a b\t"), Some(Form::Trailing));
        for (a, b) in [
            ("say( \u{201c}hi\u{201d} )", "\tsay(\"hi\")"),
            ("a  =  b", "a=b"),
            ("x\u{a0}\u{2014} y", "x - y"),
            ("caf\u{e9} 1", "cafe\u{301}\t1"),
        ] {
            assert_eq!(form(a, b), Some(Form::Key), "{a} {b}");
        }
        for (a, b) in
            [("ab", "ac"), ("a b", "ab"), ("return x", "returnx"), ("\u{e9} a", "\u{e9}a"), ("a", "ab"), ("a1", "a 1")]
        {
            assert_eq!(form(a, b), None, "{a} {b}");
            assert_eq!(form(b, a), None, "{b} {a}");
        }
    }

    #[test]
    fn the_two_ways_to_compare_keys_agree() {
        let lines =
            ["a b", "a  b", "ab", " a(b )", "a( b)", "a(b c)", "a(bc)", "", "  ", "x = - y", "x=-y", "a_b", "a _b"];
        for a in lines {
            for b in lines {
                assert_eq!(same_ascii(a.as_bytes(), b.as_bytes()), key(a) == key(b), "{a:?} {b:?}");
            }
        }
    }
}
