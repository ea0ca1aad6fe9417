//! Where a hunk that has no place comes nearest, and how it differs there: for a person, and for the next try of a
//! model. Never a place to write to.

use crate::edit::hunk::{Hunk, Line, Tag, diff};
use crate::edit::table::look;
use crate::edit::text::{Text, is_blank};

/// A line that occurs more often says nothing of the place.
const MOST_PLACES: usize = 32;
/// The lines of a hunk that are looked at, and those that are shown.
const MOST_LINES: usize = 400;
const MOST_SHOWN: usize = 12;
/// The characters of a line that are shown.
const MOST_CHARS: usize = 100;

/// The place that comes nearest.
pub(in crate::edit) struct Near<'t> {
    /// The number of its first line, from 0.
    pub first: usize,
    /// How the old lines differ from the file: lines of the edit are `Minus`, lines of the file `Plus`. Lines of the
    /// file with their numbers, from 0.
    differ: Vec<(Option<usize>, Line<'t>)>,
}

/// The place that shares most lines with the old lines of `hunk`. By what lines look like: nothing is written here.
pub(in crate::edit) fn nearest<'t>(text: &Text<'t>, hunk: &Hunk<'t>) -> Option<Near<'t>> {
    let old: Vec<&str> = hunk.old().map(|line| line.text).filter(|line| !is_blank(line)).take(MOST_LINES).collect();
    let looks: Vec<u64> = old.iter().map(|line| look(line)).collect();
    let table = text.table();
    // By the rarest line; lines that are not in the file at all say nothing.
    let count = |n: &usize| table.like(looks[*n]).take(MOST_PLACES + 1).count();
    let known = (0..old.len()).map(|n| (count(&n), n)).filter(|(count, _)| (1..=MOST_PLACES).contains(count));
    let (_, anchor) = known.min()?;
    let first = |at: usize| at.saturating_sub(anchor);
    let same = |at: usize| {
        let lines = (first(at)..).zip(&looks[anchor - (at - first(at))..]);
        lines.filter(|(line, want)| table.look(*line) == Some(**want)).count()
    };
    let best = table.like(looks[anchor]).map(|at| (same(at), std::cmp::Reverse(at))).max()?.1.0;
    let starts: Vec<usize> = (first(best)..best + old.len() - anchor).map_while(|line| table.start(line)).collect();
    let file: Vec<&str> = starts.iter().map(|at| text.line(*at)).collect();
    let mut numbers = starts.iter().map(|at| text.number(*at));
    let numbered = |line: Line<'t>| (if line.tag == Tag::Minus { None } else { numbers.next() }, line);
    let differ = diff(&old, &file).into_iter().map(numbered).collect();
    Some(Near { first: text.number(*starts.first()?), differ })
}

impl Near<'_> {
    /// Its first line in the file.
    pub fn text(&self) -> &str {
        self.differ.iter().find(|(number, _)| number.is_some()).map_or("", |(_, line)| line.text)
    }

    /// The lines that differ, as a diff from the edit to the file, each with a line beside it.
    pub fn show(&self) -> Vec<String> {
        let differs = |n: usize| self.differ.get(n).is_some_and(|(_, line)| line.tag != Tag::Context);
        let near = |n: &usize| (n.saturating_sub(1)..=n + 1).any(differs);
        let shown: Vec<usize> = (0..self.differ.len()).filter(near).collect();
        let show = |n: &usize| {
            let (number, line) = &self.differ[*n];
            let mark = match line.tag {
                Tag::Context => ' ',
                Tag::Minus => '-',
                Tag::Plus => '+',
            };
            let number = number.map_or(String::new(), |number| (number + 1).to_string());
            format!("{number:>6} {mark}{}", excerpt(line.text))
        };
        let more = (shown.len() > MOST_SHOWN).then(|| "\u{2026}".to_owned());
        shown.iter().take(MOST_SHOWN).map(show).chain(more).collect()
    }
}

/// The beginning of a line, for a message: what steers a terminal is shown as `\u{…}`.
pub(in crate::edit) fn excerpt(line: &str) -> String {
    let mut shown = String::new();
    for (n, c) in line.trim_end().chars().enumerate() {
        match c {
            _ if n == MOST_CHARS => {
                shown.push('\u{2026}');
                break;
            }
            '\t' => shown.push(c),
            c if c.is_control() => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}
