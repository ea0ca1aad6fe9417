//! The blank lines of a hunk that was placed without them.

use crate::edit::hunk::{Hunk, Tag};
use crate::edit::text::{Text, is_blank};
use std::ops::Range;

/// Gives the blank lines of `hunk` their lines of the file, where blank lines stand between or beside those that
/// its other lines (`at`, one for each line of the hunk) are. As many as there are on both sides.
pub(super) fn fill(text: &Text, hunk: &Hunk, at: &mut [Option<usize>]) {
    let solid: Vec<usize> = (0..at.len()).filter(|i| at[*i].is_some()).collect();
    let blanks = |range: Range<usize>| range.filter(|i| hunk.lines[*i].tag != Tag::Plus).collect::<Vec<_>>();
    let (Some(first), Some(last)) = (solid.first().copied(), solid.last().copied()) else { return };
    let blank = |line: &usize| *line < text.end() && is_blank(text.line(*line));
    let mut line = at[first].unwrap_or(0);
    for i in blanks(0..first).into_iter().rev() {
        let Some(above) = text.before(line).filter(blank) else { break };
        (line, at[i]) = (above, Some(above));
    }
    let mut line = text.next(at[last].unwrap_or(0));
    for i in blanks(last + 1..at.len()) {
        if !blank(&line) {
            break;
        }
        at[i] = Some(line);
        line = text.next(line);
    }
    for pair in solid.windows(2) {
        let ours = blanks(pair[0] + 1..pair[1]);
        if ours.is_empty() {
            continue;
        }
        let (from, to) = (text.next(at[pair[0]].unwrap_or(0)), at[pair[1]].unwrap_or(0));
        if !text.lines(from, to).all(|line| blank(&line)) {
            continue;
        }
        let gap: Vec<usize> = text.lines(from, to).collect();
        let added = (pair[0] + 1..pair[1]).rev().find(|i| hunk.lines[*i].tag == Tag::Plus);
        // Blank lines after the last added line stand at the end of the gap, the others at its start.
        let after = added.map_or(0, |added| ours.iter().filter(|i| **i > added).count());
        let before = ours.len() - after;
        let first = if after == 0 && added.is_some() && before > 0 { gap.len().saturating_sub(before) } else { 0 };
        for (i, line) in ours[..before].iter().zip(gap.iter().skip(first)) {
            at[*i] = Some(*line);
        }
        let free = gap.get((first + before).min(gap.len())..).unwrap_or_default();
        for (i, line) in ours[before..].iter().rev().zip(free.iter().rev()) {
            at[*i] = Some(*line);
        }
    }
}
