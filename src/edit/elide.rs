//! An edit whose old side leaves out its middle (`// ... existing code ...`): the pieces round it, in order, and there
//! must be only one way to find them so.

use super::Tier;
use super::find::find;
use super::hunk::{Hunk, Tag};
use super::locate::{Miss, Place, span};
use super::text::{Text, is_blank, is_word};
use std::ops::Range;

/// The most places of one piece that are looked at.
const MOST_PLACES: usize = 20;
/// The most bytes between pieces that are looked at, besides the whole text once.
const MOST_BETWEEN: usize = 1 << 21;

/// Lines of the hunk that stand together in the file.
struct Piece<'h> {
    /// Which lines of the hunk they are.
    at: &'h [usize],
    /// How many of them are not blank.
    solid: usize,
    places: Vec<Spot>,
}

/// A place of a piece: where each line of it begins, and its bytes.
struct Spot {
    lines: Vec<Option<usize>>,
    span: Range<usize>,
}

impl Piece<'_> {
    fn many(&self) -> Miss {
        Miss::Many(self.places.iter().map(|place| place.span.start).collect())
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
        let solid = wanted.iter().filter(|line| !is_blank(line)).count();
        // Blank lines and a bracket stand everywhere, even where they stand once.
        if solid < 2 && !wanted.iter().any(|line| line.contains(is_word)) {
            return Err(Miss::Absent);
        }
        let found = find(text, &wanted)?.ok_or(Miss::Absent)?.at;
        let spot = |lines: Vec<Option<usize>>| Some(Spot { span: span(text, &lines)?, lines });
        let piece = Piece { at, solid, places: found.into_iter().filter_map(spot).collect() };
        if piece.places.len() > MOST_PLACES {
            return Err(piece.many());
        }
        pieces.push(piece);
    }
    let mut lines = vec![None; hunk.lines.len()];
    let mut whole: Option<Range<usize>> = None;
    for (piece, spot) in pieces.iter().zip(only_way(text, &pieces)?) {
        for (at, line) in piece.at.iter().zip(&spot.lines) {
            lines[*at] = *line;
        }
        whole = Some(whole.map_or(spot.span.start, |above| above.start)..spot.span.end);
    }
    Ok(Place { tier: Tier::Elided, lines, part: None, span: whole.ok_or(Miss::Absent)? })
}

/// A way to find the pieces down to one: how many there are (two stands for more), and the place of the piece above.
#[derive(Clone, Copy)]
struct Ways {
    count: usize,
    above: usize,
}

/// How what lies between two pieces must be indented.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    /// As it may be.
    Anyhow,
    /// Deeper than the line above, if that one is the head of a block and the line below is in it.
    Within,
    /// No less than the shallower of the lines beside it: it leaves no block in which both are.
    Beside,
    /// And deeper than the line above, if the line below is deeper.
    Below,
}

/// The place of each piece, one after the other. Where a piece has several places, the blocks that they are in say which
/// belong together, if there is only one way to lay them so.
fn only_way<'p>(text: &Text, pieces: &'p [Piece]) -> Result<Vec<&'p Spot>, Miss> {
    let sure = pieces.iter().all(|piece| piece.places.len() == 1);
    // A line or two that stand once may have been meant of another block that has them no more.
    let many = pieces.iter().skip(1).all(|piece| piece.solid >= 3);
    let rule = match (sure, many) {
        (true, true) => Between::Anyhow,
        (true, false) => Between::Within,
        (false, _) => Between::Beside,
    };
    match one_way(text, pieces, rule) {
        Err(Miss::Many(places)) => one_way(text, pieces, Between::Below).map_err(|_| Miss::Many(places)),
        other => other,
    }
}

fn one_way<'p>(text: &Text, pieces: &'p [Piece], rule: Between) -> Result<Vec<&'p Spot>, Miss> {
    let mut table: Vec<Vec<Ways>> = Vec::with_capacity(pieces.len());
    let mut budget = text.end() + MOST_BETWEEN;
    for (n, piece) in pieces.iter().enumerate() {
        let mut row = vec![Ways { count: usize::from(n == 0), above: 0 }; piece.places.len()];
        if let Some((above, ways)) = n.checked_sub(1).and_then(|n| Some((pieces.get(n)?, table.get(n)?))) {
            for (spot, here) in piece.places.iter().zip(&mut row) {
                for (at, (before, ways)) in above.places.iter().zip(ways).enumerate() {
                    if ways.count == 0 || spot.span.start < before.span.end {
                        continue;
                    }
                    budget = budget.checked_sub(spot.span.start - before.span.end).ok_or_else(|| piece.many())?;
                    if is_one_block(text, before.span.end, spot.span.start, rule) {
                        *here = Ways { count: (here.count + ways.count).min(2), above: at };
                    }
                }
            }
        }
        table.push(row);
    }
    let (Some(last), Some(ways)) = (pieces.last(), table.last()) else { return Err(Miss::Absent) };
    let mut ends = (0..ways.len()).filter(|at| ways[*at].count > 0);
    let mut at = ends.next().ok_or(Miss::Absent)?;
    if ends.next().is_some() {
        return Err(last.many());
    }
    if ways[at].count > 1 {
        return Err(pieces.iter().find(|piece| piece.places.len() > 1).unwrap_or(last).many());
    }
    let mut chosen = Vec::with_capacity(pieces.len());
    for (piece, ways) in pieces.iter().zip(&table).rev() {
        chosen.push(&piece.places[at]);
        at = ways[at].above;
    }
    chosen.reverse();
    Ok(chosen)
}

/// Is what lies between two pieces, from `above` to `below`, indented as the rule wants?
fn is_one_block(text: &Text, above: usize, below: usize, rule: Between) -> bool {
    let depth = |at: usize| text.line(at).len() - text.line(at).trim_start().len();
    let (head, tail) = (text.before(above).map_or(0, depth), depth(below));
    let least = match rule {
        Between::Anyhow => 0,
        Between::Within if tail > head && text.solid(above).is_some_and(|line| depth(line) > head) => head + 1,
        Between::Within => 0,
        Between::Below if tail > head => head + 1,
        Between::Beside | Between::Below => tail.min(head),
    };
    text.lines(above, below).all(|line| is_blank(text.line(line)) || depth(line) >= least)
}

/// The line of a hunk that says of lines which the hunk removes that they are as they were.
pub(super) fn in_stead<'r>(hunk: &Hunk<'r>) -> Option<&'r str> {
    let says = |tag: Tag| {
        let worded = |line: &&str| is_elision(line) && line.chars().any(char::is_alphabetic);
        hunk.lines.iter().filter(move |line| line.tag == tag).map(|line| line.text).find(worded)
    };
    let removes = hunk.lines.iter().any(|line| line.tag == Tag::Minus && !is_blank(line.text));
    says(Tag::Plus).filter(|_| removes && says(Tag::Minus).is_none())
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
