//! A place that begins or ends inside a line.

use super::{Miss, Place};
use crate::edit::Tier;
use crate::edit::hunk::Hunk;
use crate::edit::text::{Text, is_blank, is_word};

/// The most places that are looked at.
const MOST_HITS: usize = 4000;

/// The one place of a hunk whose old side is given as text and not as lines.
pub(super) fn place(text: &Text, hunk: &Hunk) -> Result<Place, Miss> {
    let Some((find, _)) = hunk.sides else { return Err(Miss::Absent) };
    // A line that is cut has text where it is cut: white space alone would be cut anywhere.
    let ends = [find.split('\n').next(), find.rsplit('\n').next()];
    if ends.into_iter().flatten().any(is_blank) {
        return Err(Miss::Absent);
    }
    text.pass()?;
    let (haystack, removed) = if find.contains('\n') { text.without_returns() } else { (text.body(), &[][..]) };
    let original = |offset: usize| offset + removed.partition_point(|at| *at < offset);
    let mut found = Vec::new();
    let finder = memchr::memmem::Finder::new(find.as_bytes());
    let (mut from, mut hits) = (0, 0);
    while let Some(at) = haystack.as_bytes().get(from..).and_then(|rest| finder.find(rest)).map(|at| from + at) {
        let (Some(before), Some(after)) = (haystack.get(..at), haystack.get(at + find.len()..)) else { break };
        if !cuts_a_word(before, find, after) {
            found.push(original(at)..original(at + find.len()));
        }
        hits += 1;
        if hits > MOST_HITS {
            return Err(Miss::TooCommon);
        }
        // The next place may overlap this one.
        from = at + 1;
    }
    let first = |part: &std::ops::Range<usize>| text.line_at(part.start);
    match &found[..] {
        [] => Err(Miss::Absent),
        [only] => Ok(Place {
            tier: Tier::Exact,
            lines: vec![None; hunk.lines.len()],
            part: Some(only.clone()),
            span: first(only)..text.next(only.end.saturating_sub(1)),
        }),
        many => Err(Miss::Many(many.iter().map(first).collect())),
    }
}

/// Does the text already read `new` round the place of `old`?
pub(super) fn stands(text: &Text, part: &std::ops::Range<usize>, old: &str, new: &str) -> bool {
    let finder = memchr::memmem::Finder::new(old.as_bytes());
    let starts = finder.find_iter(new.as_bytes()).take(MOST_HITS).filter_map(|at| part.start.checked_sub(at));
    let body = text.body().as_bytes();
    let here = |start: usize| body.get(start..).is_some_and(|rest| rest.starts_with(new.as_bytes()));
    old != new && starts.into_iter().any(here)
}

/// Does the place begin or end inside a word in a way that a whole word or line was likelier meant (`limit = 30` in
/// `limit = 300`)? A long text that begins inside a line may: nobody takes it for whole lines.
fn cuts_a_word(before: &str, find: &str, after: &str) -> bool {
    let joins =
        |left: Option<char>, right: Option<char>, of: fn(char) -> bool| left.is_some_and(of) && right.is_some_and(of);
    let ends = |of: fn(char) -> bool| {
        joins(before.chars().next_back(), find.chars().next(), of)
            || joins(find.chars().next_back(), after.chars().next(), of)
    };
    // Only white space is stepped over, so that all places together are looked at in linear time.
    let inside = || {
        let head = before.trim_end_matches([' ', '\t']);
        !head.is_empty() && !head.ends_with('\n')
    };
    ends(is_word) && (ends(char::is_numeric) || find.trim().len() < 20 || !inside())
}
