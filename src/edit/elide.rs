//! An edit whose old side leaves out its middle (`// ... existing code ...`): the pieces round it, in order, and there
//! must be only one way to find them so.

use super::Tier;
use super::hunk::{Hunk, Tag};
use super::locate::{Miss, Place};
use super::text::{Form, Text, is_blank};

/// The most places of one piece that are looked at.
const MOST_PLACES: usize = 20;
/// The most lines that are looked at between pieces, besides each line of the file once.
const MOST_BETWEEN: usize = 1_000_000;

/// Lines of the hunk that stand together in the file.
struct Piece<'h> {
    /// Which lines of the hunk they are.
    at: &'h [usize],
    /// For each place the lines of the file.
    places: Vec<Vec<Option<usize>>>,
}

impl Piece<'_> {
    fn first(&self, place: usize) -> usize {
        self.places[place].iter().flatten().next().copied().unwrap_or(0)
    }
    fn last(&self, place: usize) -> usize {
        self.places[place].iter().flatten().last().copied().unwrap_or(0)
    }
    fn starts(&self) -> Vec<usize> {
        (0..self.places.len()).map(|place| self.first(place)).collect()
    }
}

/// The place of a hunk that has lines which stand for what is left out; they are no lines of the file.
pub(super) fn place(text: &Text, hunk: &Hunk) -> Result<Place, Miss> {
    let elided = |at: &usize| hunk.lines[*at].tag == Tag::Context && is_elision(hunk.lines[*at].text);
    let old: Vec<usize> = (0..hunk.lines.len()).filter(|at| hunk.lines[*at].tag != Tag::Plus).collect();
    let parts: Vec<&[usize]> = old.split(|at| elided(at)).filter(|part| !part.is_empty()).collect();
    if parts.len() < 2 {
        return Err(Miss::Absent);
    }
    let mut pieces: Vec<Piece> = Vec::with_capacity(parts.len());
    for at in parts {
        let wanted: Vec<&str> = at.iter().map(|at| hunk.lines[*at].text).collect();
        if wanted.iter().all(|line| is_blank(line)) {
            continue;
        }
        let found = [Form::Plain, Form::Trailing, Form::Key].into_iter().find_map(|form| {
            let places = text.find(form, &wanted, MOST_PLACES);
            (!places.is_empty()).then_some(places)
        });
        let piece = Piece { at, places: found.ok_or(Miss::Absent)? };
        if piece.places.len() == MOST_PLACES {
            return Err(Miss::Many(piece.starts()));
        }
        pieces.push(piece);
    }
    let chosen = only_way(text, &pieces)?;
    let mut lines = vec![None; hunk.lines.len()];
    for (piece, place) in pieces.iter().zip(&chosen) {
        for (at, line) in piece.at.iter().zip(&piece.places[*place]) {
            lines[*at] = *line;
        }
    }
    let (Some(first), Some(last)) = (lines.iter().flatten().next(), lines.iter().flatten().last()) else {
        return Err(Miss::Absent);
    };
    let span = *first..*last + 1;
    Ok(Place { tier: Tier::Elided, lines, part: None, span })
}

/// For each piece which of its places it is: one after the other, with nothing between two that leaves their block.
fn only_way(text: &Text, pieces: &[Piece]) -> Result<Vec<usize>, Miss> {
    // For each place of each piece in how many ways the pieces down to it can be found (two stand for more), and the
    // place of the piece above it.
    let mut ways: Vec<Vec<(usize, usize)>> = Vec::with_capacity(pieces.len());
    let mut budget = text.len() + MOST_BETWEEN;
    for (n, piece) in pieces.iter().enumerate() {
        let mut here = vec![(usize::from(n == 0), 0); piece.places.len()];
        let above = n.checked_sub(1).and_then(|n| Some((pieces.get(n)?, ways.get(n)?)));
        if let Some((above, counts)) = above {
            for (place, way) in here.iter_mut().enumerate() {
                for (before, (count, _)) in counts.iter().enumerate() {
                    let (end, start) = (above.last(before), piece.first(place));
                    if *count == 0 || start <= end {
                        continue;
                    }
                    budget = budget.checked_sub(start - end).ok_or_else(|| Miss::Many(piece.starts()))?;
                    if is_one_block(text, end, start) {
                        *way = ((way.0 + count).min(2), before);
                    }
                }
            }
        }
        ways.push(here);
    }
    let last = ways.last().ok_or(Miss::Absent)?;
    let ends: Vec<usize> = (0..last.len()).filter(|place| last[*place].0 > 0).collect();
    let [end] = ends[..] else {
        let starts = pieces.last().map(Piece::starts).unwrap_or_default();
        return Err(if ends.is_empty() { Miss::Absent } else { Miss::Many(starts) });
    };
    if last[end].0 > 1 {
        let several = pieces.iter().find(|piece| piece.places.len() > 1);
        return Err(Miss::Many(several.map(Piece::starts).unwrap_or_default()));
    }
    let mut chosen = vec![end; pieces.len()];
    for n in (1..pieces.len()).rev() {
        chosen[n - 1] = ways[n][chosen[n]].1;
    }
    Ok(chosen)
}

/// Does what lies between two lines belong to the block in which they are? Nothing there is indented less than the
/// shallower of them, nor as little if that one is the head of the block.
fn is_one_block(text: &Text, above: usize, below: usize) -> bool {
    let depth = |line: usize| text.line(line).len() - text.line(line).trim_start().len();
    let least = if depth(below) > depth(above) { depth(above) + 1 } else { depth(below) };
    (above + 1..below).all(|line| is_blank(text.line(line)) || depth(line) >= least)
}

/// A line that says "the lines between are as they were".
fn is_elision(line: &str) -> bool {
    if line.len() > 120 {
        return false;
    }
    let marks = |c: char| {
        matches!(c, '/' | '#' | '*' | '-' | '<' | '>' | '!' | ';' | '{' | '}' | '(' | ')' | '[' | ']' | ' ' | '\t')
    };
    let words = line.trim_matches(marks);
    if !words.contains("...") && !words.contains('\u{2026}') {
        return false;
    }
    let rest = words.trim_matches(|c| marks(c) || matches!(c, '.' | '\u{2026}')).to_lowercase();
    let phrases =
        ["existing", "rest of", "unchanged", "as before", "remaining", "omitted", "same as", "other code", "more code"];
    rest.is_empty() || phrases.iter().any(|phrase| rest.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::is_elision;

    #[test]
    fn an_elision_is_dots_alone_or_with_words_that_say_so() {
        for line in [
            "...",
            "    # ...",
            "// ... existing code ...",
            "/* ... rest of the class ... */",
            "<!-- \u{2026} unchanged \u{2026} -->",
        ] {
            assert!(is_elision(line), "{line}");
        }
        for line in ["f(...args)", "print('wait...')", "// see below", "x = [1, ..., 9]"] {
            assert!(!is_elision(line), "{line}");
        }
    }
}
