//! The gates: a candidate text is [`Accepted`], or there are findings. One small file per check, one line each in
//! [`CHECKS`].
//!
//! A check looks at one text and its base, and knows nothing of permissions: who may permit what is decided here,
//! once, after the fact, and leaves a note that says so.

use crate::edit;
use crate::finding::Finding;
use crate::path::RepoPath;
use crate::syntax;

mod conflict;
mod empty;
mod fence;
mod kind;
mod lines;
mod omission;
#[path = "syntax.rs"]
mod parses;
mod permit;
mod size;
mod summary;
#[cfg(test)]
mod tests;
mod too_short;

pub use permit::Design;

/// The id of the gate that a design's row may permit by id alone: a file may be meant to shrink.
pub const SIZE: &str = size::CHECK.id;

/// A file's new text, before anybody has judged it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Candidate<'a> {
    /// As planned, or as named on the command line.
    pub path: &'a str,
    /// What the base has there.
    pub base: Option<&'a str>,
    pub text: &'a str,
    /// The model was asked for the whole file (rather than for edits).
    pub whole: bool,
    /// The design's row for the file, for what prose may permit (data and fixture files that are meant to be broken).
    pub description: &'a str,
    /// What the row permits by id (`allow: size`). What the person permits is in [`Settings::allow`].
    pub row_allow: &'a [String],
}

/// What a project or a person may change about the gates.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `<id>` or `<id>:<path>`: findings that the person permits (`--allow`).
    pub allow: Vec<String>,
    /// Phrases that give away a summary in place of code.
    pub summary_phrases: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        let summary_phrases = summary::PHRASES.iter().map(|phrase| (*phrase).to_owned()).collect();
        Settings { allow: Vec::new(), summary_phrases }
    }
}

/// What one check says of a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    /// Findings of any severity; errors refuse a generated file.
    Fail(Vec<Finding>),
    /// Why it could not run. Never a pass, and never the code's fault.
    CouldNotRun(String),
}

/// One check.
pub struct Check {
    /// What the ids of its findings begin with.
    pub id: &'static str,
    /// May the person permit what it finds (`--allow`)?
    pub allowable: bool,
    /// May a design?
    pub design: Design,
    pub run: fn(&Candidate, &Settings) -> Verdict,
}

/// In the order in which they run and are reported.
pub const CHECKS: &[Check] = &[
    empty::CHECK,
    too_short::CHECK,
    summary::CHECK,
    fence::CHECK,
    conflict::CHECK,
    omission::CHECK,
    size::CHECK,
    parses::CHECK,
];

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

/// What every check says of a candidate, before anybody permits anything.
pub fn verdicts(candidate: &Candidate, settings: &Settings) -> Vec<(&'static Check, Verdict)> {
    CHECKS.iter().map(|check| (check, (check.run)(candidate, settings))).collect()
}

/// Runs every check on a generated file. A check that could not run refuses here. What was permitted comes as notes
/// that say by whom.
pub fn judge(candidate: &Candidate, settings: &Settings) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (check, verdict) in verdicts(candidate, settings) {
        let found = match verdict {
            Verdict::Pass => continue,
            Verdict::Fail(found) => found,
            Verdict::CouldNotRun(reason) => vec![unjudged(check, candidate, &reason)],
        };
        findings.extend(found.into_iter().map(|finding| {
            let finding = Finding { path: Some(candidate.path.to_owned()), ..finding };
            permit::apply(check, finding, candidate, settings)
        }));
    }
    // A parser that recovers badly says the same of the same line over and over.
    findings.dedup();
    findings
}

/// [`judge`], and on no errors the proof of it, with the findings that are not errors.
///
/// `path` is where the text will be written; the candidate's path names it in findings and decides its language.
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

fn unjudged(check: &Check, candidate: &Candidate, reason: &str) -> Finding {
    let id = match syntax::language_of(candidate.path, candidate.text) {
        Some(language) if check.id == parses::CHECK.id => format!("{}-{}", check.id, language.name),
        _ => check.id.to_owned(),
    };
    let hint = format!("a gate that could not run is not a pass; '--allow {id}:{}' goes without it", candidate.path);
    Finding::error(id, format!("cannot judge '{}': {reason}", candidate.path)).hint(hint)
}

impl From<edit::Refusal> for Finding {
    /// A reply that the edit engine refused is a finding like any other; the path is the caller's to add.
    fn from(refusal: edit::Refusal) -> Finding {
        let mut finding = Finding::error(refusal.id, refusal.message);
        finding.line = refusal.line;
        finding.hint = refusal.hint;
        finding
    }
}
