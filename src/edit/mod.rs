//! The edit engine: a model's reply into the exact new text of one file. All edits of a reply apply, or none.
//!
//! Imports nothing else of the crate.

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
    /// The new text of the whole file.
    pub text: String,
    /// Empty for a whole file.
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

/// One reply format: its instructions to the model, an example of them, and its parser, kept in one file.
pub struct FormatSpec {
    pub format: Format,
    /// As on the command line: `find-replace`.
    pub name: &'static str,
    /// What the model is told about the form of its reply, without the example.
    pub instructions: &'static str,
    pub example: Example,
}

/// An example that is shown to the model, and that a test applies.
pub struct Example {
    pub path: &'static str,
    pub base: &'static str,
    pub reply: &'static str,
    pub result: &'static str,
}

/// Applies `reply` to `base` (`None`: there is no such file yet). `format` `None` recognises the format.
pub fn apply(format: Option<Format>, target: &str, base: Option<&str>, reply: &str) -> Result<Applied, Refusal> {
    let _ = (format, target, base, reply);
    Err(Refusal { id: "reply-empty", line: None, message: String::new(), hint: None })
}
