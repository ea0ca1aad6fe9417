//! What is found of a commit.

use crate::finding::Finding;
use crate::git::{Oid, Past};
use crate::patch;

/// What became of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verification {
    /// Its tree is what the replies make of its parent's.
    Exact,
    /// No record and no message says that it was generated.
    NotGenerated,
    /// It has something else at some paths.
    Edited,
    /// The record is of a schema that does not say how texts were made.
    TooOld,
    /// The record is of a schema that this program does not know yet.
    TooNew,
    /// There is no record of the run that it names.
    Missing,
    /// The record contradicts itself, or the message contradicts the record.
    Altered,
}

impl Verification {
    /// The word for it, which programs go by.
    pub fn word(self) -> &'static str {
        match self {
            Verification::Exact => "exact",
            Verification::NotGenerated => "not-generated",
            Verification::Edited => "edited",
            Verification::TooOld => "too-old",
            Verification::TooNew => "too-new",
            Verification::Missing => "record-missing",
            Verification::Altered => "record-altered",
        }
    }

    /// Is there nothing to be said against it?
    pub fn is_good(self) -> bool {
        matches!(self, Verification::Exact | Verification::NotGenerated)
    }
}

/// A path at which a commit is not what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    pub path: String,
    pub what: What,
    /// Lines of the commit's text that are another's, from and to, counted from 1; where lines are gone, the one before.
    pub lines: Vec<(usize, usize)>,
    /// From what the replies make to what the commit has; empty for what is no text.
    pub patch: String,
}

/// How it differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Another text.
    Text,
    /// The same text with another mode.
    Mode,
    /// The run has not made it.
    Added,
    /// The run has made it, and the commit has not.
    Gone,
    /// The run took it away, and it is there.
    Kept,
}

/// What was found of one commit.
#[derive(Debug, Clone)]
pub struct Judged {
    pub commit: Oid,
    pub subject: String,
    /// Who wrote it and when, as [`Past`] has it.
    pub author: Option<String>,
    pub verification: Verification,
    /// The run that it is of, and which of its commits, counted from 1: several after a squash.
    pub run: Option<String>,
    /// The other runs that it is of.
    pub others: Vec<String>,
    pub of_run: Vec<usize>,
    /// Why, if it is neither exact nor edited.
    pub reasons: Vec<String>,
    /// What else there is to know: where it stands now, what cannot be shown.
    pub notes: Vec<String>,
    pub mismatches: Vec<Mismatch>,
    /// What gates find, where they were to run again.
    pub findings: Vec<Finding>,
}

impl Judged {
    pub(super) fn new(past: &Past, verification: Verification) -> Judged {
        Judged {
            commit: past.commit,
            subject: past.subject().to_owned(),
            author: past.author.clone(),
            verification,
            run: None,
            others: Vec::new(),
            of_run: Vec::new(),
            reasons: Vec::new(),
            notes: Vec::new(),
            mismatches: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Is there nothing to be said against it?
    pub fn is_good(&self) -> bool {
        self.verification.is_good() && !self.findings.iter().any(Finding::is_error)
    }

    pub(super) fn because(mut self, why: impl Into<String>) -> Judged {
        self.reasons.push(why.into());
        self
    }
}

/// A text that is another than was made.
pub(super) fn mismatch(path: &str, what: What, made: Option<&str>, found: Option<&str>) -> Mismatch {
    /// Of longer texts only the lines are told.
    const LONG: usize = 1 << 18;
    let lines = patch::changed_lines(made.unwrap_or_default(), found.unwrap_or_default());
    let is_long = [made, found].iter().flatten().any(|text| text.len() > LONG);
    let patch = if is_long { String::new() } else { patch::unified(path, made, found) };
    Mismatch { path: path.to_owned(), what, lines, patch }
}
