//! The gates: a candidate text is [`Accepted`], or there are findings. One small file per check.

use crate::finding::Finding;
use crate::path::RepoPath;

/// A file's new text, before anybody has judged it.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// As planned, or as named on the command line.
    pub path: &'a str,
    /// What the base has there.
    pub base: Option<&'a str>,
    pub text: &'a str,
    /// The model was asked for the whole file (rather than for edits).
    pub whole: bool,
    /// The design's row for the file, for what prose may permit (`product.md`: data and fixture files meant to be broken).
    pub description: &'a str,
}

/// What a project may change about the gates.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `<id>` or `<id>:<path>`: findings that are permitted.
    pub allow: Vec<String>,
    /// Phrases that give away a summary in place of code.
    pub summary_phrases: Vec<String>,
}

/// What one check says of a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    Fail(Vec<Finding>),
    /// Never a pass, and never the code's fault.
    CouldNotRun(String),
}

/// One check.
pub struct Check {
    pub id: &'static str,
    /// May `--allow` or a design's row permit what it finds?
    pub allowable: bool,
    pub run: fn(&Candidate, &Settings) -> Verdict,
}

/// In the order in which they run.
pub const CHECKS: &[Check] = &[];

/// A text that passed every gate. Only [`accept`] makes one, so that "commits only what passed" is a matter of types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    path: RepoPath,
    text: String,
}

impl Accepted {
    pub fn path(&self) -> &RepoPath {
        &self.path
    }
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Runs every check on a generated file. A check that could not run refuses here.
pub fn judge(candidate: &Candidate, settings: &Settings) -> Vec<Finding> {
    let _ = (candidate, settings);
    Vec::new()
}

/// [`judge`], and on no errors the proof of it, with the findings that are not errors.
pub fn accept(
    path: &RepoPath,
    candidate: &Candidate,
    settings: &Settings,
) -> Result<(Accepted, Vec<Finding>), Vec<Finding>> {
    let findings = judge(candidate, settings);
    if findings.iter().any(Finding::is_error) {
        return Err(findings);
    }
    Ok((Accepted { path: path.clone(), text: candidate.text.to_owned() }, findings))
}
