//! The edit engine: a model's reply into the exact new text of one file. All edits of a reply apply, or none.
//!
//! A reply goes through these files in order: a format's parser (`whole`, `find_replace`, `search_replace`, `unified`,
//! `v4a`) makes it into the whole text or into `hunk`s; `locate` finds the one place of each in the immutable
//! base; `splice` writes them. `engine` holds these together and words the refusals. A reply for several files is
//! taken apart by `files` first, and each part goes that way. Imports nothing else of the crate.

mod align;
mod blanks;
mod diff;
mod elide;
mod engine;
mod fence;
mod files;
mod find;
mod find_replace;
mod header;
mod hunk;
mod indent;
mod labels;
mod locate;
mod near;
mod part;
mod search_replace;
mod slip;
mod splice;
mod table;
mod target;
mod text;
mod unified;
mod v4a;
mod whole;

pub use files::{FileChange, FileReply, files, settle};
use hunk::Hunk;
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    Whole,
    FindReplace,
    SearchReplace,
    Unified,
    V4a,
}

impl Format {
    /// As on the command line: `find-replace`.
    pub fn name(self) -> &'static str {
        self.spec().name
    }
    /// From its name on the command line; `None` for `auto` and for names that are no format's.
    pub fn from_name(name: &str) -> Option<Format> {
        FORMATS.iter().find(|spec| spec.name == name).map(|spec| spec.format)
    }
    /// Its instructions to the model, and their example.
    pub fn spec(self) -> &'static FormatSpec {
        match self {
            Format::Whole => &whole::SPEC,
            Format::FindReplace => &find_replace::SPEC,
            Format::SearchReplace => &search_replace::SPEC,
            Format::Unified => &unified::SPEC,
            Format::V4a => &v4a::SPEC,
        }
    }
}

/// How far a match was from the file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// The same bytes.
    Exact,
    /// The same but for white space at the ends of lines, or line ends.
    TrailingSpace,
    /// The same but for white space and blank lines (and typographic quotes, dashes, no-break spaces).
    Space,
    /// The old lines leave out their middle; the lines round it are in the file.
    Elided,
    /// A line or two of the context is left out or mistyped; every removed line is in the file.
    Aligned,
}

/// Where an edit went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// The first line of the base that it matched, counted from 1.
    pub line: usize,
    /// How many lines of the base it matched.
    pub lines: usize,
    pub tier: Tier,
}

/// A reply that was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The format that the reply was in.
    pub format: Format,
    /// The new text of the whole file. Equal to the base if the reply changes nothing.
    pub text: String,
    /// In the order of the reply. Empty for a whole file.
    pub edits: Vec<Edit>,
}

/// Why a reply was refused; nothing of it was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Stable name: `reply-no-fence`, `reply-two-blocks`, `reply-unclosed`, `reply-report`, `edit-not-found`, …
    pub id: &'static str,
    /// A line of the base, counted from 1, where the refusal is about a place.
    pub line: Option<usize>,
    /// In git's wording: `cannot apply change 2 to 'src/a.py': FIND matches lines 14 and 88`.
    pub message: String,
    pub hint: Option<String>,
}

impl Refusal {
    fn new(id: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { id, line: None, message: message.into(), hint: None }
    }
    fn hint(self, hint: impl Into<String>) -> Refusal {
        Refusal { hint: Some(hint.into()), ..self }
    }
    /// It is about the line of the base with this number, from 0.
    fn at(self, line: usize) -> Refusal {
        Refusal { line: Some(line + 1), ..self }
    }
}

/// One reply format: its instructions to the model, an example of them, and its parser, kept in one file.
pub struct FormatSpec {
    pub format: Format,
    /// As on the command line: `find-replace`.
    pub name: &'static str,
    /// What the model is told about the form of its reply, without the example.
    pub instructions: &'static str,
    pub example: Example,
    /// What a refusal calls one edit (`change`) and its old lines (`FIND`).
    words: (&'static str, &'static str),
    /// Does a reply look like this format?
    looks: fn(reply: &str) -> bool,
    parse: for<'r> fn(reply: &'r str, asked: &Asked) -> Result<Parsed<'r>, Refusal>,
    /// Takes a reply that names its files apart.
    files: fn(reply: &str) -> Result<Vec<FileReply>, Refusal>,
}

/// An example that is shown to the model, and that a test applies.
pub struct Example {
    pub path: &'static str,
    pub base: &'static str,
    pub reply: &'static str,
    pub result: &'static str,
}

/// The formats, in the order in which a reply is recognised: the one with the most distinctive marks first.
pub const FORMATS: &[FormatSpec] = &[v4a::SPEC, search_replace::SPEC, find_replace::SPEC, unified::SPEC, whole::SPEC];

/// What the reply was asked for.
struct Asked<'a> {
    target: &'a str,
    /// There is no such file yet, or nothing in it.
    new: bool,
}

/// What a parser makes of a reply.
enum Parsed<'r> {
    /// The text of the whole file.
    Whole(&'r str),
    /// For each edit the ways to read it; the file decides between them.
    Edits(Vec<Vec<Hunk<'r>>>),
}

/// Applies `reply` to `base` (`None`: there is no such file yet). `format` `None` recognises the format.
pub fn apply(format: Option<Format>, target: &str, base: Option<&str>, reply: &str) -> Result<Applied, Refusal> {
    engine::apply(format, target, base, reply)
}

#[cfg(test)]
mod tests;
