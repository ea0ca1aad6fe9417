//! An edit whose old side leaves out its middle (`// ... existing code ...`): the pieces round it, each at one place,
//! in order.

use super::Tier;
use super::hunk::{Hunk, Tag};
use super::locate::{Miss, Place};
use super::text::{Form, Text, is_blank};

/// The place of a hunk that has lines which stand for what is left out; they are no lines of the file.
pub(super) fn place(text: &Text, hunk: &Hunk) -> Result<Place, Miss> {
    let elided = |at: &usize| hunk.lines[*at].tag == Tag::Context && is_elision(hunk.lines[*at].text);
    let old: Vec<usize> = (0..hunk.lines.len()).filter(|at| hunk.lines[*at].tag != Tag::Plus).collect();
    let pieces: Vec<&[usize]> = old.split(|at| elided(at)).filter(|piece| !piece.is_empty()).collect();
    if pieces.len() < 2 {
        return Err(Miss::Absent);
    }
    let mut lines = vec![None; hunk.lines.len()];
    let mut end = 0;
    let mut first = None;
    for piece in pieces {
        let wanted: Vec<&str> = piece.iter().map(|at| hunk.lines[*at].text).collect();
        if wanted.iter().all(|line| is_blank(line)) {
            continue;
        }
        let found = [Form::Plain, Form::Trailing, Form::Key].into_iter().find_map(|form| {
            let places = text.find(form, &wanted, 20);
            (!places.is_empty()).then_some(places)
        });
        let mut places = found.ok_or(Miss::Absent)?;
        let starts: Vec<usize> = places.iter().filter_map(|place| place.iter().flatten().next().copied()).collect();
        let (Some(place), true) = (places.pop(), places.is_empty()) else { return Err(Miss::Many(starts)) };
        for (at, line) in piece.iter().zip(&place) {
            if line.is_some_and(|line| line < end) {
                return Err(Miss::Absent);
            }
            lines[*at] = *line;
        }
        let start = starts.first().copied().unwrap_or(end);
        if first.is_some() && !is_one_block(text, end - 1, start) {
            return Err(Miss::Absent);
        }
        end = place.iter().flatten().last().map_or(end, |last| last + 1);
        first = first.or(starts.first().copied());
    }
    let span = first.ok_or(Miss::Absent)?..end;
    Ok(Place { tier: Tier::Elided, lines, part: None, span })
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
