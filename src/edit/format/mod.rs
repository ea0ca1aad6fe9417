//! The reply formats, one file each: what a model is told about a format, an example of it, and its parser.
//!
//! A parser makes a reply into the text of the whole file or into hunks, and knows no file: where a reply can be read in
//! several ways, it gives all of them. What several formats share is beside them: `fence`, `labels` and `target` for
//! Markdown and paths, `header`, `diff` and `diff_lines` for what is peculiar to diffs.

mod diff;
mod diff_lines;
mod fence;
mod find_replace;
mod header;
mod labels;
mod search_replace;
mod target;
mod unified;
mod v4a;
mod whole;

use super::hunk::Hunk;
use super::{FileReply, Refusal};
use serde::Serialize;
pub(super) use target::single_slashes;
pub(super) use whole::fit;

/// A form in which a model may give a new text or its edits.
///
/// ```
/// use git_implement::edit::Format;
///
/// assert_eq!(Format::from_name("find-replace"), Some(Format::FindReplace));
/// assert_eq!(Format::V4a.name(), "v4a");
/// assert_eq!(Format::from_name("auto"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// The whole text in one fence.
    Whole,
    /// `### CHANGE n`, `FIND:` and a fence, `REPLACE WITH:` and a fence.
    FindReplace,
    /// `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`.
    SearchReplace,
    /// A unified diff; its line numbers and counts may be wrong or missing.
    Unified,
    /// `*** Begin Patch`.
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

/// One reply format: its instructions to the model, an example of them, and its parser, kept in one file.
///
/// ```
/// use git_implement::edit::{apply, Format};
///
/// let spec = Format::Unified.spec();
/// let prompt = format!("{}\n\nFor example:\n\n{}", spec.instructions, spec.example.reply);
/// assert!(prompt.contains("@@ ... @@"));
///
/// let example = &spec.example;
/// let applied = apply(Some(spec.format), example.path, Some(example.base), example.reply)?;
/// assert_eq!(applied.text, example.result);
/// # Ok::<(), git_implement::edit::Refusal>(())
/// ```
pub struct FormatSpec {
    pub format: Format,
    /// As on the command line: `find-replace`.
    pub name: &'static str,
    /// What the model is told about the form of its reply, without the example.
    pub instructions: &'static str,
    pub example: Example,
    /// What a refusal calls one edit (`change`) and its old lines (`FIND`).
    pub(super) words: (&'static str, &'static str),
    /// Does a reply look like this format?
    pub(super) looks: fn(reply: &str) -> bool,
    pub(super) parse: for<'r> fn(reply: &'r str, asked: &Asked) -> Result<Parsed<'r>, Refusal>,
    /// Takes a reply that names its files apart.
    pub(super) files: fn(reply: &str) -> Result<Vec<FileReply>, Refusal>,
}

impl FormatSpec {
    /// What one edit is called: `change`, `hunk`, `block`.
    pub fn unit(&self) -> &'static str {
        self.words.0
    }
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
pub(super) struct Asked<'a> {
    pub target: &'a str,
    /// There is no such file yet, or nothing in it.
    pub new: bool,
}

/// What a parser makes of a reply.
pub(super) enum Parsed<'r> {
    /// The text of the whole file.
    Whole(&'r str),
    /// For each edit the ways to read it; the file decides between them.
    Edits(Vec<Vec<Hunk<'r>>>),
}
