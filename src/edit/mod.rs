//! The edit engine: a model's reply into the exact new text of one file. All edits of a reply apply, or none.
//!
//! A reply goes through these files in order: a format's parser (`whole`, `find_replace`, `search_replace`, `unified`,
//! `v4a`) makes it into the whole text or into `hunk`s; `locate` finds the one place of each in the immutable
//! base; `splice` writes them. `engine` holds these together and words the refusals. A reply for several files is
//! taken apart by `files` first, and each part goes that way. Imports nothing else of the crate.
//!
//! # On its own
//!
//! With `default-features = false` the crate has no effects, and [`apply`] is all there is to call:
//!
//! ```
//! use git_implement::edit::{apply, Tier};
//!
//! let base = "def greet(name):\n    print(name)\n";
//! let reply = "\
//! src/greet.py
//! <<<<<<< SEARCH
//!     print(name)
//! =======
//!     print(f\"Hello, {name}\")
//! >>>>>>> REPLACE
//! ";
//! let applied = apply(None, "src/greet.py", Some(base), reply)?;
//! assert_eq!(applied.text, "def greet(name):\n    print(f\"Hello, {name}\")\n");
//! assert_eq!((applied.edits[0].line, applied.edits[0].tier), (2, Tier::Exact));
//! # Ok::<(), git_implement::edit::Refusal>(())
//! ```
//! Each edit goes to the one place that it fits, be it under looser and looser forms of comparison ([`Tier`]). What fits
//! nowhere or twice refuses the whole reply: a refusal is always better than a guess. What a model is to be told of a
//! format stands beside its parser, in [`FORMATS`].

mod align;
mod blanks;
mod budget;
mod diff;
mod diff_lines;
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
mod lines;
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
    /// The first line of the base that it matched, counted from 1. For an edit that builds on others, of the text that
    /// these leave.
    pub line: usize,
    /// How many lines it matched.
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

/// Why a reply was refused; nothing of it was applied. Its message and its hint are fit to be shown to the model that is
/// asked again.
///
/// ```
/// use git_implement::edit::{apply, Format};
///
/// let reply = "FIND:\n```\nx = 1\n```\nREPLACE WITH:\n```\nx = 2\n```\n";
/// let twice = apply(Some(Format::FindReplace), "a.py", Some("x = 1\ny = 1\nx = 1\n"), reply).unwrap_err();
/// assert_eq!((twice.id, twice.line), ("edit-ambiguous", Some(1)));
/// assert_eq!(twice.message, "cannot apply change 1 to 'a.py': FIND matches lines 1 and 3");
///
/// let nowhere = apply(Some(Format::FindReplace), "a.py", Some("x = 3\n"), reply).unwrap_err();
/// assert_eq!(nowhere.id, "edit-not-found");
/// ```
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
///
/// `target` is the path of the file as the reply may name it; nothing is read or written there. The new text has the base's
/// line ends, final newline and byte order mark; a reply that changes nothing is no error.
///
/// ```
/// use git_implement::edit::{apply, Format, Tier};
///
/// // The reply's indentation is not the file's: new lines take the file's.
/// let base = "class A:\r\n    def f(self):\r\n        return 1\r\n";
/// let reply = "@@\n def f(self):\n-    return 1\n+    return 2\n";
/// let applied = apply(Some(Format::Unified), "a.py", Some(base), reply)?;
/// assert_eq!(applied.text, "class A:\r\n    def f(self):\r\n        return 2\r\n");
/// assert_eq!(applied.edits[0].tier, Tier::Space);
///
/// // A new file, in whatever format the reply is.
/// let applied = apply(None, "b.py", None, "```python\nB = 1\n```\n")?;
/// assert_eq!((applied.format, applied.text.as_str()), (Format::Whole, "B = 1\n"));
///
/// // Nothing to do.
/// let applied = apply(None, "b.py", Some("B = 1\n"), "```python\nB = 1\n```\n")?;
/// assert_eq!(applied.text, "B = 1\n");
/// # Ok::<(), git_implement::edit::Refusal>(())
/// ```
///
/// # Errors
///
/// A [`Refusal`] if the reply cannot be read, or if one of its edits has no place, or two, or contradicts another.
pub fn apply(format: Option<Format>, target: &str, base: Option<&str>, reply: &str) -> Result<Applied, Refusal> {
    engine::apply(format, target, base, reply)
}

#[cfg(test)]
mod tests;
