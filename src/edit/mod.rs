//! The edit engine: a model's reply into the exact new text of one file. All edits of a reply apply, or none.
//!
//! A reply goes through these rooms in order: a parser in `format` makes it into the whole text or into `hunk`s; `place`
//! finds the one place of each in the immutable base (a `text`, of which a `table` is made for many searches), if need be
//! with what a diff says by the `order` of its hunks; `splice` writes them, with the `indent`ation of the file. `recognise` knows in which format a reply is; `engine` holds these together, and `refuse` words why an edit has no place. A reply for
//! several files is taken apart by `files` first, and each part goes that way. Imports nothing else of the crate.
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

mod amend;
mod budget;
mod engine;
mod files;
mod format;
mod hunk;
mod indent;
mod lines;
mod order;
mod place;
mod recognise;
mod refuse;
mod splice;
mod table;
mod text;

pub use amend::{Standing, amend, conversation, left_standing, mended, standing};
pub use files::{FileChange, FileReply, files, settle};
pub use format::{Example, FORMATS, Format, FormatSpec};
use serde::{Deserialize, Serialize};

/// How far a match was from the file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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

impl Tier {
    /// Is it another text than that of the file, beyond white space? Then somebody should look whether it is in its place.
    pub fn is_loose(self) -> bool {
        matches!(self, Tier::Elided | Tier::Aligned)
    }
}

/// Where an edit went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The change of the reply that it is about, counted from 1, if it is about a single one.
    pub change: Option<usize>,
    /// In git's wording: `cannot apply change 2 to 'src/a.py': FIND matches lines 14 and 88`.
    pub message: String,
    pub hint: Option<String>,
}

impl Refusal {
    fn new(id: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { id, line: None, change: None, message: message.into(), hint: None }
    }
    fn hint(self, hint: impl Into<String>) -> Refusal {
        Refusal { hint: Some(hint.into()), ..self }
    }
    /// It is about the change with this number, from 0.
    fn of(self, number: usize) -> Refusal {
        Refusal { change: Some(number + 1), ..self }
    }
    /// It is about the line of the base with this number, from 0.
    fn at(self, line: usize) -> Refusal {
        Refusal { line: Some(line + 1), ..self }
    }
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
    let read = format.map_or(recognise::Read::Any, recognise::Read::As);
    engine::apply(read, target, base, reply)
}

/// Applies the answer of somebody who was asked for `asked`. A reply that has nothing of that form is read in the others by
/// the rule of [`apply`] without a format; a single block in the place of edits is taken for the whole file only where it
/// begins and ends as the file does.
///
/// ```
/// use git_implement::edit::{answer, Format};
///
/// let diff = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n";
/// let applied = answer(Format::FindReplace, "a.py", Some("x = 1\n"), diff)?;
/// assert_eq!((applied.format, applied.text.as_str()), (Format::Unified, "x = 2\n"));
/// # Ok::<(), git_implement::edit::Refusal>(())
/// ```
///
/// # Errors
///
/// As [`apply`]; of what reads in no form, the refusal is that of the form that was asked for.
pub fn answer(asked: Format, target: &str, base: Option<&str>, reply: &str) -> Result<Applied, Refusal> {
    engine::apply(recognise::Read::Rather(asked), target, base, reply)
}

#[cfg(test)]
mod tests;
