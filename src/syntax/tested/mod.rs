//! The tests in a text: their names, where they are, whether they are skipped, and what they assert.
//!
//! For comparing two versions of one file. It reads masked code by the conventions of the common frameworks, one file a
//! family of them, and does not know what a test calls: a helper that asserts is not seen, so that a low count says
//! little alone.

mod assertion;
pub(super) mod attributed;
mod file;
pub(super) mod go;
pub(super) mod javascript;
pub(super) mod php;
pub(super) mod python;
pub(super) mod ruby;
pub(super) mod rust;
mod unreached;

use super::definitions::Bodies;
use super::language_of;
use super::mask::masked;
pub use assertion::Assertion;
use file::File;
pub use file::words;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// One test, or what holds some: a suite of JavaScript, a class, a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    pub name: String,
    /// The name stands in quotes, and is no word of the code.
    pub is_quoted: bool,
    /// Counted from 1.
    pub line: usize,
    /// The line that skips it always (rather than on some platform), as it is written.
    pub skip: Option<(usize, String)>,
    /// Only it and its like are to run (`it.only`).
    pub only: bool,
    /// A suite holds tests and is none.
    pub is_suite: bool,
    /// It runs others that are not known by name: those of a table, or of a loop.
    pub is_table: bool,
    /// How many words in it assert.
    pub asserts: usize,
    /// Bytes of its body, or of all of it where that is not known.
    pub body: Range<usize>,
}

/// The tests of a text, and the text.
#[derive(Debug)]
pub struct Tests<'t> {
    pub text: &'t str,
    /// The text masked, of the same length.
    pub code: Cow<'t, str>,
    /// In order.
    pub all: Vec<Test>,
    /// The line that skips every one of them.
    pub skip: Option<(usize, String)>,
    bodies: Bodies,
    /// Where its lines end, found when it is first asked.
    ends: OnceCell<Vec<usize>>,
}

/// One family of frameworks.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    find: fn(&File) -> Vec<Test>,
    /// What statements begin with that end a test as skipped, wherever they stand in it.
    skips: &'static [&'static str],
    /// The offset of what skips all tests of a file.
    skips_all: Option<fn(&File) -> Option<usize>>,
    /// Makes names of what the mask would not take for one, byte for byte.
    names: Option<fn(&str) -> String>,
}

impl Family {
    const PLAIN: Family = Family { find: |_| Vec::new(), skips: &[], skips_all: None, names: None };
}

/// The tests of `text`, whose `code` is the text masked, if that is at hand; `None` for a language in which they are not
/// known.
pub fn tests<'t>(path: &str, text: &'t str, code: Option<&'t str>) -> Option<Tests<'t>> {
    let language = language_of(path, text)?;
    let (family, lexis, bodies) = (language.tests?, language.lexis?, language.bodies?);
    let code: Cow<str> = match (family.names, code) {
        (Some(names), _) => masked(lexis, &names(text)).into(),
        (None, Some(code)) => code.into(),
        (None, None) => masked(lexis, text).into(),
    };
    let file = File::new(text, &code, bodies);
    let mut all = (family.find)(&file);
    bound(&mut all, text.len());
    for test in all.iter_mut().filter(|test| !test.is_suite && test.skip.is_none()) {
        test.skip = skipped_within(&file, family, test).map(|at| file.skip(at));
    }
    let skip = family.skips_all.and_then(|skips| skips(&file)).map(|at| file.skip(at));
    drop(file);
    Some(Tests { text, code, all, skip, bodies, ends: OnceCell::new() })
}

/// Bodies of all tests together, as a multiple of the text, that are read.
const MOST_BODIES: usize = 4;

/// Forgets the bodies of tests within tests within tests: to read each of them takes quadratic time.
fn bound(tests: &mut [Test], length: usize) {
    let mut left = length * MOST_BODIES;
    for test in tests.iter_mut().filter(|test| !test.is_suite) {
        match left.checked_sub(test.body.len()) {
            Some(rest) => left = rest,
            None => test.body = test.body.start..test.body.start,
        }
    }
}

/// The statement of a test that skips the rest of it, come what may: `pytest.skip("later")`.
fn skipped_within(file: &File, family: Family, test: &Test) -> Option<usize> {
    let mut statements = file.statements(test.body.clone());
    let (at, _) = statements.find(|(_, statement)| {
        let depends = file.bodies == Bodies::End
            && [" if ", " unless ", " do", " {"].iter().any(|mark| format!("{statement} ").contains(mark));
        !depends && family.skips.iter().any(|skip| is_call(statement, skip))
    })?;
    Some(at)
}

/// Is the statement this call, or these words?
fn is_call(statement: &str, call: &str) -> bool {
    let rest = statement.strip_prefix(call);
    rest.is_some_and(|rest| call.ends_with('(') || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

impl<'t> Tests<'t> {
    /// What a test asserts, in order. It looks at its body alone.
    pub fn assertions(&self, test: &Test) -> Vec<Assertion<'_>> {
        let ends = self.ends.get_or_init(|| memchr::memchr_iter(b'\n', self.text.as_bytes()).collect());
        let first = ends.partition_point(|end| *end < test.body.start) + 1;
        match (self.text.get(test.body.clone()), self.code.get(test.body.clone())) {
            (Some(body), Some(code)) => assertion::assertions(body, code, self.bodies, first),
            _ => Vec::new(),
        }
    }

    /// The body without what is no code, and without white space: what is the same in two versions is the same code.
    pub fn squeezed(&self, test: &Test) -> String {
        let range = test.body.clone();
        let (text, code) = (self.text.get(range.clone()), self.code.get(range));
        let (text, code) = (text.unwrap_or_default(), code.unwrap_or_default());
        text.char_indices()
            .filter(|(at, _)| !code.as_bytes().get(*at).is_none_or(u8::is_ascii_whitespace))
            .map(|(_, c)| c)
            .collect()
    }
}

#[cfg(test)]
mod tests;
