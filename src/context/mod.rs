//! What a run shows of the repository beside the design and the planned files: excerpts of other files, ranked, each with
//! its reason, within a budget.
//!
//! Pure over the base's files, which [`Tree`] reads as they are asked for. Nothing is found by likeness, and nothing is
//! summed up by anybody: what the design names, what planned files import, the face of their package, a test beside and
//! callers, by names alone. All steps of a run are shown the same, so that their prompts begin alike.

mod beside;
mod called;
mod callers;
mod cut;
mod declared;
mod directories;
mod fit;
mod imported;
mod named;
mod resolve;
mod search;
mod source;
mod tests_named;
mod tree;
mod words;
#[cfg(test)]
mod tests;

pub use called::declared;
pub use callers::callers;
pub use directories::{Directory, directories};
pub use tests_named::tests_named;
pub use tree::{Look, Reading, Tree};

use crate::finding::Finding;
use crate::plan::{Step, estimate_tokens};
use source::Source;
use std::ops::Range;
use std::rc::Rc;

/// Lines of a file that the prompt shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    pub path: String,
    /// Counted from 0, in order.
    pub lines: Vec<Range<usize>>,
    /// How many lines the file has.
    pub of: usize,
    /// These lines, with a mark where some are left out.
    pub text: String,
    /// Why they are shown.
    pub reason: String,
    /// What a reader of the file would not see at once.
    pub notes: Vec<String>,
}

impl Excerpt {
    /// `1-4, 9`, counted from 1.
    pub fn places(&self) -> String {
        let place = |lines: &Range<usize>| match lines.len() {
            0 | 1 => (lines.start + 1).to_string(),
            _ => format!("{}-{}", lines.start + 1, lines.end),
        };
        self.lines.iter().map(place).collect::<Vec<_>>().join(", ")
    }

    /// Are these all lines of the file?
    pub fn is_whole(&self) -> bool {
        matches!(self.lines.as_slice(), [lines] if lines.len() == self.of)
    }

    /// Estimated.
    pub fn tokens(&self) -> u64 {
        estimate_tokens(&self.text)
    }
}

/// What excerpts are chosen for.
pub struct Asked<'a> {
    pub steps: &'a [Step],
    /// All paths of the design's list, be they made in this run or not.
    pub listed: &'a [&'a str],
    /// The texts of the design, its list of files first.
    pub documents: &'a [&'a str],
    /// Paths of files that are shown whole, whatever is chosen.
    pub shown: &'a [&'a str],
    /// Tokens.
    pub budget: u64,
}

/// What is chosen, and what there is to say of it.
#[derive(Debug, Default)]
pub struct Context {
    /// Those of the highest rank first.
    pub excerpts: Vec<Excerpt>,
    /// Their lines are those of the design.
    pub findings: Vec<Finding>,
}

/// One declaration takes up no more than this part of the budget.
const PART: u64 = 3;

/// Chooses what is shown.
pub fn context(asked: &Asked, tree: &Tree) -> Context {
    let planned: Vec<&str> = planned(asked.steps);
    let is_shown = |path: &str| planned.contains(&path) || asked.shown.contains(&path);
    let bases = bases(asked.steps);
    let words = words::words_of(asked.documents);
    let found = search::search(tree, &words.names, &planned);
    let named = named::named(tree, &words.names, &found, (&bases, asked.listed), asked.budget / PART);
    let mut pieces = named.pieces;
    pieces.retain(|piece| !is_shown(&piece.source.path));

    let is_named = |name: &str| words.names.iter().any(|known| known.name == name);
    let imported = |source: &Source, reason: &str| imported::imported(tree, source, reason, &is_shown, &is_named);
    for base in &bases {
        pieces.extend(imported(base, &format!("imported by `{}`", base.path)));
    }
    for piece in &words.pieces {
        pieces.extend(
            in_place(piece, &planned).into_iter().flat_map(|source| imported(&source, "imported in the design")),
        );
    }
    let mut notes: Vec<(String, Vec<String>)> = Vec::new();
    for (piece, said) in beside::package_faces(tree, &planned, &is_shown) {
        notes.push((piece.source.path.clone(), said));
        pieces.push(piece);
    }
    let near = planned.first().copied().unwrap_or_default();
    pieces.extend(beside::files(tree, &words.files, near, &is_shown));
    pieces.extend(beside::test(tree, &planned, (&words.names, &named.existing), &found, &is_shown));
    pieces.extend(named.kin.into_iter().chain(named.calls).filter(|piece| !is_shown(&piece.source.path)));

    let mut excerpts = fit::fit(pieces, asked.budget);
    for excerpt in &mut excerpts {
        let said = notes.iter().filter(|(path, _)| *path == excerpt.path).flat_map(|(_, notes)| notes);
        excerpt.notes.extend(said.cloned());
    }
    Context { excerpts, findings: named.findings }
}

/// The paths that the steps write, and those that they rename from.
fn planned(steps: &[Step]) -> Vec<&str> {
    let mut paths: Vec<&str> = Vec::new();
    for path in steps.iter().flat_map(|step| [Some(&step.path), step.from.as_ref()]).flatten() {
        if !paths.contains(&path.as_str()) {
            paths.push(path.as_str());
        }
    }
    paths
}

/// The planned files that exist, as they are.
fn bases(steps: &[Step]) -> Vec<Rc<Source>> {
    let text = |step: &Step| {
        let path = step.from.as_ref().unwrap_or(&step.path);
        let text = String::from_utf8(step.base.as_ref()?.bytes.clone()).ok()?;
        Some(Rc::new(Source::new(path.as_str(), text)))
    };
    let mut bases: Vec<Rc<Source>> = Vec::new();
    for base in steps.iter().filter_map(text) {
        if bases.iter().all(|known| known.path != base.path) {
            bases.push(base);
        }
    }
    bases
}

/// A piece of the design's code as if it stood in the first planned file of its language.
fn in_place(piece: &Source, planned: &[&str]) -> Option<Source> {
    let language = |path: &str| crate::syntax::language(path).map(|language| language.name);
    let path = planned.iter().find(|path| language(path) == language(&piece.path))?;
    Some(Source::new(path, piece.text.clone()))
}
