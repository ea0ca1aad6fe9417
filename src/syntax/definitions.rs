//! What a text defines: its functions, methods and types, each with its body.
//!
//! In masked code, by heads and by what bounds a body: braces, indentation, or `end`. No parser: it must be cheap, the same
//! in every build, and of use for a text that does not parse. Judges ask it which definitions are gone and which bodies have
//! become short; a definition that it misses is not asked about.

use std::ops::Range;

mod braced;
mod ended;
mod indented;

/// No text that people write has more.
const MOST: usize = 20_000;

/// A function, a method or a type, with a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub kind: DefinitionKind,
    /// Bytes from the line of its head to the end of its body.
    pub range: Range<usize>,
    /// Bytes of its body: between its braces, below its head, or up to its `end`.
    pub body: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefinitionKind {
    Function,
    Type,
}

/// What bounds the bodies of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bodies {
    /// `{…}`. Functions have a keyword in front of their names, or they have none.
    Braces { keyword: bool },
    /// Lines that are indented more than the head.
    Indentation,
    /// `end`, below the head.
    End,
}

/// The definitions of `text`, in order, outer ones before those in them. `code` is the text masked, of the same length.
pub fn definitions(bodies: Bodies, text: &str, code: &str) -> Vec<Definition> {
    let mut found = match bodies {
        Bodies::Braces { keyword } => braced::definitions(code, keyword),
        Bodies::Indentation => indented::definitions(text, code),
        Bodies::End => ended::definitions(code),
    };
    found.sort_by_key(|it| (it.range.start, std::cmp::Reverse(it.range.end)));
    found.truncate(MOST);
    found
}

/// Where the line begins that the byte at `at` is on.
fn line_start(code: &str, at: usize) -> usize {
    memchr::memrchr(b'\n', code.as_bytes().get(..at).unwrap_or_default()).map_or(0, |end| end + 1)
}

/// The name that `text` begins with, if it begins with one.
fn name_at(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '?' | '!'))).unwrap_or(text.len());
    text.get(..end).filter(|name| name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$')))
}

#[cfg(test)]
mod tests;
