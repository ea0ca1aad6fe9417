//! The gates: a candidate text is [`Accepted`], or there are findings. One small file per check, one line each in
//! [`CHECKS`].
//!
//! A check looks at one text and its base, and knows nothing of permissions: who may permit what is decided in
//! `settle`, once, after the fact, and leaves a note that says so.

use crate::edit;
use crate::finding::{Finding, Permission};
use crate::path::{Excluded, RepoPath};
use crate::syntax::Parsed;
use std::sync::Arc;

mod bidi;
mod carried;
mod change;
mod conflict;
pub mod design;
mod dependency;
mod empty;
mod fence;
mod hidden;
mod import;
mod kind;
mod lines;
mod manifest;
mod mend;
mod omission;
mod promised;
mod secret;
mod settle;
mod size;
mod stub;
mod summary;
mod syntax;
#[cfg(test)]
mod tests;
mod too_short;
mod weakened_test;
mod words;

pub use carried::{carried, without_secrets};
pub use change::Change;
pub use hidden::{Hidden, Mask};
pub use import::{Ground, imported, wants_ground};
pub use lines::Lines;
pub use mend::{is_mendable, mended};
pub use promised::{Search, promised};
pub use secret::{secrets, secrets_beside};
pub use settle::baseline::{Baseline, Known};
use settle::comments::Comments;
pub use settle::level::{Author, Level, Override, Weight};
pub use settle::permit::{Design, ONLY_THE_PERSON, is_guarded};
use settle::unused::{self, unused};
use settle::{MOST_FINDINGS, Terms, level, permit, settle, settle_with};
pub use settle::{Settled, Silenced, SilencedBy};
pub use weakened_test::{BeforeAfter, LOST as LOST_TESTS, deleted, may_hold_tests, moved};

/// The id of the gate that a design's row may permit by id alone: a file may be meant to shrink.
pub const SIZE: &str = size::CHECK.id;

/// The id of the gate for what must not leave the machine either.
pub const SECRET: &str = secret::CHECK.id;

/// A file's new text, before anybody has judged it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Candidate<'a> {
    /// As planned, or as named on the command line.
    pub path: &'a str,
    /// The path from the root of the repository, where that is another one.
    pub from_root: Option<&'a str>,
    /// What the base has there.
    pub base: Option<&'a str>,
    pub text: &'a str,
    /// There is a base, and it will be given if anything is found without it.
    pub base_later: bool,
    /// The model was asked for the whole file (rather than for edits).
    pub whole: bool,
    /// The design's row for the file, for what prose may permit (data and fixture files that are meant to be broken).
    pub description: &'a str,
    /// What the row permits by id (`allow: size`). What the person permits is in [`Settings::allow`].
    pub row_allow: &'a [String],
    /// The text in which the design names what the project will depend on; `None`: it has no such text, or there is no
    /// design.
    pub dependencies_named: Option<&'a str>,
    /// What the parser says of the text, where it was asked before: see [`parsed`].
    pub parsed: Option<&'a Parsed>,
}

impl<'a> Candidate<'a> {
    /// The path by which configurations and baselines know it.
    fn place(&self) -> &'a str {
        self.from_root.unwrap_or(self.path)
    }
}

/// What a project or a person may change about the gates.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Findings that the person permits (`--allow`), or the project.
    pub allow: Vec<Permission>,
    /// Phrases that give away a summary in place of code.
    pub summary_phrases: Vec<String>,
    pub author: Author,
    /// What the project says of gates; of several that fit, the last.
    pub levels: Vec<Override>,
    /// A gate that could not run is an error, whoever the author is.
    pub strict: bool,
    /// Somebody else pushes what is judged: what it permits itself of [`ONLY_THE_PERSON`] is not believed.
    pub pushed: bool,
    /// What is judged by the gates of [`ONLY_THE_PERSON`] alone.
    pub exclude: Excluded,
    /// What is not to be told again.
    pub baseline: Option<Arc<Baseline>>,
}

impl Settings {
    /// Is any of them about certain paths?
    pub fn knows_paths(&self) -> bool {
        self.baseline.is_some() || !self.exclude.is_empty() || !self.allow.is_empty()
    }

    /// Does the gate `id` leave the file at `path` alone?
    fn leaves_out(&self, id: &str, path: &str) -> bool {
        !is_guarded(id) && self.exclude.has(path)
    }
}

impl Default for Settings {
    fn default() -> Self {
        let summary_phrases = summary::PHRASES.iter().map(|phrase| (*phrase).to_owned()).collect();
        Settings {
            allow: Vec::new(),
            summary_phrases,
            author: Author::Model,
            levels: Vec::new(),
            strict: false,
            pushed: false,
            exclude: Excluded::default(),
            baseline: None,
        }
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

/// What a check needs a file's base for.
#[derive(Debug, Clone, Copy)]
pub enum Base {
    /// It excuses what is found: whoever finds nothing without the base finds nothing with it.
    Excuses,
    /// For files of these paths it compares the two.
    Compares(fn(path: &str) -> bool),
}

/// One check.
pub struct Check {
    /// What the ids of its findings begin with.
    pub id: &'static str,
    /// May the person permit what it finds (`--allow`)?
    pub allowable: bool,
    /// May a design?
    pub design: Design,
    pub weight: Weight,
    pub base: Base,
    pub run: fn(&Change, &Settings) -> Verdict,
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
    syntax::CHECK,
    bidi::CHECK,
    secret::CHECK,
    stub::CHECK,
    weakened_test::CHECK,
    dependency::CHECK,
];

impl Check {
    fn terms(&self) -> Terms {
        Terms { id: self.id, weight: self.weight, allowable: self.allowable, design: self.design, most: MOST_FINDINGS }
    }
}

/// What is said of a design, and of its file list, whatever the ids of that.
const OF_DESIGN: Terms = Terms { design: Design::Never, ..Terms::warning("design") };

/// What a commit touches beside a plan.
const SCOPE: Terms = Terms { design: Design::Never, ..Terms::warning("scope") };

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

/// The ids of all gates; the ids of their findings begin with them.
pub fn gates() -> impl Iterator<Item = &'static str> {
    CHECKS
        .iter()
        .map(|check| check.id)
        .chain([OF_DESIGN.id, SCOPE.id])
        .chain(promised::IDS)
        .chain([import::TERMS.id, unused::TERMS.id])
}

/// The ids of the gates on single files that are not off.
pub fn in_force(settings: &Settings) -> Vec<&'static str> {
    running(settings).map(|check| check.id).collect()
}

/// Is it the source of a program, and neither a test nor for tests?
pub fn is_program(path: &str) -> bool {
    kind::is_source(path) && !kind::is_for_tests(path)
}

/// Is it a file of tests by its path?
pub fn is_test(path: &str) -> bool {
    kind::is_test(path)
}

/// What a file and the file of its tests have in common: see `kind::subject`.
pub fn subject(path: &str) -> String {
    kind::subject(path)
}

/// What parsers say of texts, given with their paths: to ask for many at once is quicker. Nothing where no gate wants
/// to know.
pub fn parsed(texts: &[(&str, &str)], settings: &Settings) -> Vec<Option<Parsed>> {
    syntax::ahead(texts, settings)
}

/// Does any gate compare files of this path with their base? Without it, such a file cannot be judged; any other one
/// can be, and only if that finds something its base may excuse it.
pub fn compares(path: &str, settings: &Settings) -> bool {
    let compares = |check: &Check| matches!(check.base, Base::Compares(applies) if applies(path));
    running(settings).any(|check| compares(check) && !settings.leaves_out(check.id, path))
}

/// The checks that are not off altogether.
fn running(settings: &Settings) -> impl Iterator<Item = &'static Check> {
    CHECKS.iter().filter(|check| {
        let some = |said: &Override| said.level > Level::Off && said.id.starts_with(check.id);
        level::level(check.id, check.weight.of(settings.author), settings) > Level::Off
            || settings.levels.iter().any(some)
    })
}

/// Runs every check on a file. What was permitted comes as notes that say by whom. A check that could not run refuses
/// what a model wrote; of anybody else's text it is a warning, unless the settings are strict.
pub fn judge(candidate: &Candidate, settings: &Settings) -> Vec<Finding> {
    settled(candidate, settings).findings
}

/// [`judge`], with what goes beside the findings.
pub fn settled(candidate: &Candidate, settings: &Settings) -> Settled {
    let change = Change::of(candidate);
    let excluded = settings.exclude.has(candidate.place());
    let checks = running(settings).filter(|check| !excluded || is_guarded(check.id));
    let found = checks.map(|check| (check.terms(), run(check, &change, settings))).collect();
    let comments = Comments::of(&change, settings);
    let mut settled = settle_with(found, &change, &comments, settings);
    if !excluded {
        settled.findings.extend(unused(&comments, &change, settings));
    }
    settled
}

/// What one check says of a file.
fn run(check: &Check, change: &Change, settings: &Settings) -> Vec<Finding> {
    match (check.run)(change, settings) {
        Verdict::Pass => Vec::new(),
        Verdict::Fail(found) => found,
        Verdict::CouldNotRun(reason) => vec![unjudged(check, change, &reason, settings)],
    }
}

/// What is left to say of a design of this path and text.
pub fn settle_design(path: &str, text: &str, found: Vec<Finding>, settings: &Settings) -> Settled {
    let candidate = Candidate { path, text, ..Candidate::default() };
    settle(vec![(OF_DESIGN, found)], &Change::of(&candidate), settings)
}

/// What there is to say of a file that is beside the plan.
pub fn settle_scope(path: &str, found: Finding, settings: &Settings) -> Settled {
    let candidate = Candidate { path, ..Candidate::default() };
    settle(vec![(SCOPE, vec![found])], &Change::of(&candidate), settings)
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

/// Is a file of this name something that people write for a compiler, an interpreter or the like?
pub fn is_source(path: &str) -> bool {
    crate::syntax::language(path).is_some() || kind::is_code(path)
}

/// What there is to say of a file that was not read, or not all of it, for this reason: nothing, where it is no source.
pub fn unread(path: &str, reason: &str, settings: &Settings) -> Settled {
    if is_source(path) { absent(path, reason, settings) } else { Settled::default() }
}

/// What there is to say of a file that nobody can read, for this reason. Whatever its language, it may hold a secret.
pub fn absent(path: &str, reason: &str, settings: &Settings) -> Settled {
    let is_parsed = crate::syntax::language(path).is_some_and(|language| language.parser.is_some());
    let check = if is_parsed && !settings.exclude.has(path) { &syntax::CHECK } else { &secret::CHECK };
    let candidate = Candidate { path, ..Candidate::default() };
    let found = vec![unjudged(check, &candidate, reason, settings)];
    settle(vec![(check.terms(), found)], &Change::of(&candidate), settings)
}

fn unjudged(check: &Check, candidate: &Candidate, reason: &str, settings: &Settings) -> Finding {
    let id = match crate::syntax::language_of(candidate.path, candidate.text) {
        Some(language) if check.id == syntax::CHECK.id => format!("{}-{}", check.id, language.name),
        _ => check.id.to_owned(),
    };
    let message = format!("cannot judge '{}': {reason}", candidate.path);
    if settings.author == Author::Anyone && !settings.strict {
        return Finding::warning(id, message);
    }
    let hint = format!("a gate that could not run is not a pass; '--allow {id}:{}' goes without it", candidate.path);
    Finding::error(id, message).hint(hint)
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
