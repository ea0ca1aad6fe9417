//! An edit whose old side leaves out its middle (`// ... existing code ...`): the pieces round it, each at one place,
//! in order.

use super::find::find;
use super::{Miss, Place, span};
use crate::edit::Tier;
use crate::edit::hunk::{Hunk, Tag};
use crate::edit::text::{Text, is_blank, is_word};
use std::ops::Range;

/// So many lines of a piece say where it is, whatever lies between it and the one above.
const SURE_LINES: usize = 3;

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
        let solid = wanted.iter().filter(|line| !is_blank(line)).count();
        // Blank lines and a bracket stand everywhere, even where they stand once.
        if solid < 2 && !wanted.iter().any(|line| line.contains(is_word)) {
            return Err(Miss::Absent);
        }
        let mut places = find(text, &wanted)?.ok_or(Miss::Absent)?.at;
        if let Some(above) = &whole
            && places.len() > 1
        {
            text.walk()?;
            let end = block_end(text, above.end);
            let inside: Vec<usize> =
                places.iter().filter_map(|lines| first(lines)).filter(|at| (above.end..end).contains(at)).collect();
            // Something is left out, so that it does not come next.
            if let [only] = inside[..]
                && only > above.end
            {
                places.retain(|lines| first(lines) == Some(only));
            }
        }
        let [place] = &places[..] else {
            return Err(Miss::Many(places.iter().filter_map(|lines| first(lines)).collect()));
        };
        let here = span(text, place).ok_or(Miss::Absent)?;
        if let Some(above) = &whole
            && (here.start < above.end || solid < SURE_LINES && !is_in_its_block(text, above.end, here.start))
        {
            return Err(Miss::Absent);
        }
        for (at, line) in piece.iter().zip(place) {
            lines[*at] = *line;
        }
        whole = Some(whole.map_or(here.start, |above| above.start)..here.end);
    }
    Ok(Place { tier: Tier::Elided, lines, part: None, span: whole.ok_or(Miss::Absent)? })
}

fn first(lines: &[Option<usize>]) -> Option<usize> {
    lines.iter().flatten().next().copied()
}

fn depth(text: &Text, at: usize) -> usize {
    text.line(at).len() - text.line(at).trim_start().len()
}

/// Where the block ends that the line before `above` begins: at `above`, if it begins none.
fn block_end(text: &Text, above: usize) -> usize {
    let Some(head) = text.before(above).map(|head| depth(text, head)) else { return above };
    let leaves = |line: &usize| !is_blank(text.line(*line)) && depth(text, *line) <= head;
    text.lines(above, text.end()).find(leaves).unwrap_or(text.end())
}

/// If the line before `above` is the head of a block, and the line at `below` stands as deep as one in it, is it in that
/// block? Else the edit may have meant a line of that block which is there no more.
fn is_in_its_block(text: &Text, above: usize, below: usize) -> bool {
    let head = text.before(above).map_or(0, |head| depth(text, head));
    let is_head = depth(text, below) > head && text.solid(above).is_some_and(|line| depth(text, line) > head);
    !is_head || text.lines(above, below).all(|line| is_blank(text.line(line)) || depth(text, line) > head)
}

/// The line of a hunk that says of lines which the hunk removes that they are as they were.
pub(in crate::edit) fn in_stead<'r>(hunk: &Hunk<'r>) -> Option<&'r str> {
    let says = |tag: Tag| {
        // Dots alone may be code.
        let comment =
            |line: &str| ["//", "#", "/*", "<!--", "--", ";"].iter().any(|mark| line.trim_start().starts_with(mark));
        let said = move |line: &&str| is_elision(line) && (line.chars().any(char::is_alphabetic) || comment(line));
        hunk.lines.iter().filter(move |line| line.tag == tag).map(|line| line.text).find(said)
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
