//! An edit whose old side leaves out its middle (`// ... existing code ...`): the pieces round it, each at one place,
//! in order.

use super::Tier;
use super::find::find;
use super::hunk::{Hunk, Tag};
use super::locate::{Miss, Place, span};
use super::text::{Text, is_blank};
use std::ops::Range;

/// The place of a hunk that has lines which stand for what is left out; they are no lines of the file.
pub(super) fn place(text: &Text, hunk: &Hunk) -> Result<Place, Miss> {
    let elided = |at: &usize| hunk.lines[*at].tag == Tag::Context && is_elision(hunk.lines[*at].text);
    let old: Vec<usize> = (0..hunk.lines.len()).filter(|at| hunk.lines[*at].tag != Tag::Plus).collect();
    let pieces: Vec<&[usize]> = old.split(|at| elided(at)).filter(|piece| !piece.is_empty()).collect();
    if pieces.len() < 2 {
        return Err(Miss::Absent);
    }
    let mut lines = vec![None; hunk.lines.len()];
    let mut whole: Option<Range<usize>> = None;
    for piece in pieces {
        let wanted: Vec<&str> = piece.iter().map(|at| hunk.lines[*at].text).collect();
        if wanted.iter().all(|line| is_blank(line)) {
            continue;
        }
        let places = find(text, &wanted)?.ok_or(Miss::Absent)?.at;
        let [place] = &places[..] else {
            return Err(Miss::Many(places.iter().filter_map(|place| place.iter().flatten().next().copied()).collect()));
        };
        let here = span(text, place).ok_or(Miss::Absent)?;
        if whole.as_ref().is_some_and(|above| here.start < above.end || !is_one_block(text, above.end, here.start)) {
            return Err(Miss::Absent);
        }
        for (at, line) in piece.iter().zip(place) {
            lines[*at] = *line;
        }
        whole = Some(whole.map_or(here.start, |above| above.start)..here.end);
    }
    Ok(Place { tier: Tier::Elided, lines, part: None, span: whole.ok_or(Miss::Absent)? })
}

/// Does what lies between two pieces, from `above` to `below`, belong to the block in which they are? Nothing there is
/// indented less than the shallower of the lines beside it, nor as little if that one is the head of the block.
fn is_one_block(text: &Text, above: usize, below: usize) -> bool {
    let depth = |at: usize| text.line(at).len() - text.line(at).trim_start().len();
    let head = text.before(above).map_or(0, depth);
    let least = if depth(below) > head { head + 1 } else { depth(below) };
    text.lines(above, below).all(|line| is_blank(text.line(line)) || depth(line) >= least)
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
