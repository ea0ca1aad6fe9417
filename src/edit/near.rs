//! Where a hunk that has no place comes nearest, and how it differs there: for a person, and for the next try of a
//! model. Never a place to write to.

use super::find::alike;
use super::hunk::{Hunk, Line, Tag, diff};
use super::text::{Text, is_blank, same_key};

/// A line that occurs more often says nothing of the place.
const MOST_PLACES: usize = 32;
/// The lines of a hunk that are looked at, and those that are shown.
const MOST_LINES: usize = 400;
const MOST_SHOWN: usize = 12;

/// The place that comes nearest.
pub(super) struct Near<'t> {
    /// Where its first line begins.
    pub first: usize,
    /// How the old lines differ from the file: lines of the edit are `Minus`, lines of the file `Plus`.
    pub differ: Vec<Line<'t>>,
}

/// The place that shares most lines with the old lines of `hunk`.
pub(super) fn nearest<'t>(text: &Text<'t>, hunk: &Hunk<'t>) -> Option<Near<'t>> {
    let old: Vec<&str> = hunk.old().map(|line| line.text).filter(|line| !is_blank(line)).take(MOST_LINES).collect();
    let mut best: Option<(usize, Vec<usize>)> = None;
    // By the rarest line; lines that are not in the file at all say nothing.
    let (anchor, places) = (0..old.len())
        .filter_map(|n| alike(text, old[n], MOST_PLACES).filter(|found| !found.is_empty()).map(|found| (n, found)))
        .min_by_key(|(_, found)| found.len())?;
    for at in places {
        let above = std::iter::successors(text.solid_before(at), |line| text.solid_before(*line)).take(anchor);
        let mut lines: Vec<usize> = above.collect();
        lines.reverse();
        let missing = anchor - lines.len();
        let below = std::iter::successors(Some(at), |line| text.solid(text.next(*line)));
        lines.extend(below.take(old.len() - anchor));
        let same = lines.iter().zip(&old[missing..]).filter(|(at, want)| same_key(text.line(**at), want)).count();
        if best.as_ref().is_none_or(|(most, _)| same > *most) {
            best = Some((same, lines));
        }
    }
    let (_, lines) = best?;
    let file: Vec<&str> = lines.iter().map(|at| text.line(*at)).collect();
    Some(Near { first: *lines.first()?, differ: diff(&old, &file) })
}

impl Near<'_> {
    /// The lines that differ, as a diff from the edit to the file, each with a line beside it.
    pub fn show(&self) -> Vec<String> {
        let differs: Vec<bool> = self.differ.iter().map(|line| line.tag != Tag::Context).collect();
        let near = |n: usize| (n.saturating_sub(1)..=n + 1).any(|n| differs.get(n) == Some(&true));
        let shown = self.differ.iter().enumerate().filter(|(n, _)| near(*n));
        let mut out: Vec<String> = shown
            .take(MOST_SHOWN)
            .map(|(_, line)| {
                let mark = match line.tag {
                    Tag::Context => ' ',
                    Tag::Minus => '-',
                    Tag::Plus => '+',
                };
                format!("{mark}{}", excerpt(line.text))
            })
            .collect();
        if (0..differs.len()).filter(|n| near(*n)).count() > MOST_SHOWN {
            out.push("\u{2026}".to_owned());
        }
        out
    }
}

/// The beginning of a line, for a message.
pub(super) fn excerpt(line: &str) -> String {
    let line = line.trim_end();
    match line.char_indices().nth(100) {
        Some((end, _)) => format!("{}\u{2026}", &line[..end]),
        None => line.to_owned(),
    }
}
