//! From pieces in the order of their rank to excerpts, one a file, within a budget.

use super::Excerpt;
use super::source::Source;
use crate::plan::estimate_tokens;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// Lines of a file that speak for themselves, with the reason why they are shown.
pub(super) struct Piece {
    pub source: Rc<Source>,
    pub lines: Vec<Range<usize>>,
    pub reason: String,
}

/// What the heading of a file comes to, its path and reasons left out.
const HEADING: u64 = 15;
/// As many reasons are told of one file.
const MOST_REASONS: usize = 3;
/// What stands for lines that are left out.
const GAP: &str = "⋮\n";

struct Shelf {
    source: Rc<Source>,
    shown: Vec<bool>,
    reasons: Vec<String>,
}

/// The pieces that fit, those of higher rank first; one that does not fit leaves its room to smaller ones.
pub(super) fn fit(pieces: Vec<Piece>, budget: u64) -> Vec<Excerpt> {
    let mut shelves: Vec<Shelf> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut spent = 0;
    for piece in pieces {
        // A token is four bytes at the most, so that this one has no room whatever of it is shown already.
        let bytes: usize = piece.lines.iter().map(|lines| piece.source.lines(lines).len()).sum();
        if bytes as u64 > budget.saturating_mul(8) {
            continue;
        }
        let known = places.get(&piece.source.path).copied();
        let count = piece.source.count();
        let shown = known.and_then(|at| shelves.get(at)).map(|shelf| shelf.shown.as_slice()).unwrap_or_default();
        let mut new: Vec<usize> = piece.lines.iter().flat_map(|lines| lines.start..lines.end.min(count)).collect();
        new.sort_unstable();
        new.dedup();
        new.retain(|line| !shown.get(*line).copied().unwrap_or_default());
        let lines = |line: &usize| estimate_tokens(piece.source.lines(&(*line..*line + 1)));
        let heading = if known.is_some() { 0 } else { HEADING + estimate_tokens(&piece.source.path) };
        let cost = new.iter().map(lines).sum::<u64>() + heading;
        if new.is_empty() || spent + cost > budget {
            continue;
        }
        spent += cost;
        let at = known.unwrap_or_else(|| {
            places.insert(piece.source.path.clone(), shelves.len());
            shelves.push(Shelf { source: piece.source.clone(), shown: vec![false; count], reasons: Vec::new() });
            shelves.len() - 1
        });
        let Some(shelf) = shelves.get_mut(at) else { continue };
        new.iter().filter_map(|line| shelf.shown.get_mut(*line).map(|shown| *shown = true)).count();
        if !shelf.reasons.contains(&piece.reason) {
            shelf.reasons.push(piece.reason);
        }
    }
    shelves.iter().map(excerpt).collect()
}

fn excerpt(shelf: &Shelf) -> Excerpt {
    let mut lines: Vec<Range<usize>> = Vec::new();
    for line in shelf.shown.iter().enumerate().filter_map(|(line, shown)| shown.then_some(line)) {
        match lines.last_mut() {
            // A gap of a blank line or two is no shorter than the mark that would stand for it.
            Some(last) if line <= last.end + 2 && is_blank(&shelf.source, &(last.end..line)) => last.end = line + 1,
            _ => lines.push(line..line + 1),
        }
    }
    let mut text = String::new();
    for lines in &lines {
        if !text.is_empty() {
            text.push_str(GAP);
        }
        text.push_str(shelf.source.lines(lines));
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    let more = shelf.reasons.len().saturating_sub(MOST_REASONS);
    let mut reason = shelf.reasons.iter().take(MOST_REASONS).cloned().collect::<Vec<_>>().join("; ");
    if more > 0 {
        reason.push_str(&format!("; and {more} more"));
    }
    let path = shelf.source.path.clone();
    Excerpt { path, lines, of: shelf.source.count(), text, reason, notes: Vec::new() }
}

fn is_blank(source: &Source, lines: &Range<usize>) -> bool {
    source.lines(lines).trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(path: &str, lines: &[(usize, usize)], reason: &str) -> Piece {
        let text = "one = 1\ntwo = 2\n\nfour = 4\nfive = 5\nsix = 6\n";
        let source = Rc::new(Source::new(path, text.to_owned()));
        Piece { source, lines: lines.iter().map(|(start, end)| *start..*end).collect(), reason: reason.to_owned() }
    }

    #[test]
    fn what_is_shown_of_a_file_is_one_excerpt_in_the_order_of_its_lines() {
        let found = fit(
            vec![
                piece("a.py", &[(3, 4), (5, 6)], "x"),
                piece("b.py", &[(0, 1)], "y"),
                piece("a.py", &[(1, 2), (3, 4)], "z"),
            ],
            1_000,
        );
        let [a, b] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((a.text.as_str(), a.reason.as_str()), ("two = 2\n\nfour = 4\n⋮\nsix = 6\n", "x; z"));
        assert_eq!((a.lines.as_slice(), a.of, b.text.as_str()), (&[1..4, 5..6][..], 6, "one = 1\n"));
    }

    #[test]
    fn a_piece_without_room_leaves_it_to_smaller_ones_of_lower_rank() {
        let pieces = || vec![piece("a.py", &[(0, 6)], "x"), piece("b.py", &[(0, 1)], "y")];
        let paths = |budget| fit(pieces(), budget).into_iter().map(|it| it.path).collect::<Vec<_>>();
        assert_eq!(paths(100), ["a.py", "b.py"]);
        assert_eq!(paths(22), ["b.py"]);
        assert_eq!(paths(3), [""; 0]);
    }
}
