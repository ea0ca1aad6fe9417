//! Where in the file a hunk belongs: one place, or the reason why not.
//!
//! Strictest form first, and the first form under which the lines occur decides: once is the place, more often is
//! an error that names them all. No line number and no similarity ever chooses between places.

use super::hunk::{Hunk, Line, Tag};
use super::indent::{self, Indentation};
use super::text::{Form, Text, is_blank, same};
use super::{Tier, align, elide};
use std::ops::Range;

/// The one place of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub tier: Tier,
    /// For each line of the hunk the line of the file that it is; none for added lines.
    pub lines: Vec<Option<usize>>,
    /// The place is this part of the text, and not whole lines.
    pub part: Option<Range<usize>>,
    /// The first line of the place (from 0), and the line after its last.
    pub span: Range<usize>,
}

/// Why there is not one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Miss {
    Absent,
    /// The lines (from 0) at which the places begin.
    Many(Vec<usize>),
    /// Only added lines, in a file that has lines.
    NoContext,
}

/// The most places that are looked at when there is more than one, and the most lines in them.
const MOST_PLACES: usize = 1000;
const MOST_LINES: usize = 200_000;

#[derive(Debug, Clone, Copy)]
enum Step {
    Lines(Form),
    Part,
    Elided,
    Aligned,
}

const STEPS: [Step; 6] = [
    Step::Lines(Form::Plain),
    Step::Lines(Form::Trailing),
    Step::Lines(Form::Key),
    Step::Part,
    Step::Elided,
    Step::Aligned,
];

/// The readings of one edit that have a place at the strictest step at which any of them has, with that place.
pub(super) fn locate<'h, 'r>(text: &Text, readings: &'h [Hunk<'r>]) -> Result<Vec<(&'h Hunk<'r>, Place)>, Miss> {
    let mut miss = Miss::Absent;
    for step in STEPS {
        let mut places = Vec::new();
        for hunk in readings {
            match place(text, hunk, step) {
                Ok(place) => places.push((hunk, place)),
                Err(Miss::Absent) => {}
                Err(other) => miss = other,
            }
        }
        if !places.is_empty() {
            return Ok(places);
        }
        if miss != Miss::Absent {
            return Err(miss);
        }
    }
    Err(miss)
}

/// Where the file already is as the edit wants it: what the edit leaves stands at one place, with enough of the edit's own
/// context beside it to say that this is the place that was meant.
pub(super) fn applied(text: &Text, hunk: &Hunk) -> Option<Range<usize>> {
    let new: Vec<&Line> = hunk.lines.iter().filter(|line| line.tag != Tag::Minus).collect();
    let solid = |tag: Tag| new.iter().filter(|line| line.tag == tag && !is_blank(line.text)).count();
    if solid(Tag::Plus) == 0 || solid(Tag::Context) < 2 {
        return None;
    }
    let wanted: Vec<&str> = new.iter().map(|line| line.text).collect();
    let found = [Form::Plain, Form::Trailing]
        .into_iter()
        .map(|form| text.find(form, &wanted, 2))
        .find(|found| !found.is_empty())?;
    let [lines] = &found[..] else { return None };
    let lines: Vec<usize> = lines.iter().flatten().copied().collect();
    Some(*lines.first()?..*lines.last()? + 1)
}

fn place(text: &Text, hunk: &Hunk, step: Step) -> Result<Place, Miss> {
    if hunk.old().next().is_none() {
        let end = text.len();
        let there = hunk.at_end || end == 0;
        let place = Place { tier: Tier::Exact, lines: vec![None; hunk.lines.len()], part: None, span: end..end };
        return if there { Ok(place) } else { Err(Miss::NoContext) };
    }
    let form = match step {
        Step::Lines(form) => form,
        Step::Part => return part(text, hunk),
        Step::Elided => return elide::place(text, hunk),
        Step::Aligned => return align::place(text, hunk).map(|place| with_blanks(text, hunk, place)),
    };
    let old: Vec<&str> = hunk.old().map(|line| line.text).collect();
    let limit = (MOST_LINES / old.len()).clamp(2, MOST_PLACES);
    let mut places: Vec<Place> = text.find(form, &old, limit).iter().filter_map(|at| lines(hunk, at, form)).collect();
    // Of places that are too many to look at, none is ever chosen.
    if (2..limit.max(3)).contains(&places.len()) {
        narrow(text, hunk, form, &mut places);
    }
    if places.len() > 1 {
        return Err(Miss::Many(places.iter().map(|place| place.span.start).collect()));
    }
    let mut place = places.pop().ok_or(Miss::Absent)?;
    if form == Form::Key {
        // One line, loosely matched, while the very text stands inside another line: either could be meant.
        if hunk.sides.is_some()
            && old.len() == 1
            && let Ok(other) = part(text, hunk)
            && other.span != place.span
        {
            return Err(Miss::Many(vec![place.span.start, other.span.start]));
        }
        place = with_blanks(text, hunk, place);
    }
    Ok(place)
}

fn with_blanks(text: &Text, hunk: &Hunk, mut place: Place) -> Place {
    fill_blanks(text, hunk, &mut place.lines);
    place
}

/// A place from where the old lines stand.
fn lines(hunk: &Hunk, at: &[Option<usize>], form: Form) -> Option<Place> {
    let mut at = at.iter().copied();
    let lines: Vec<Option<usize>> =
        hunk.lines.iter().map(|line| if line.tag == Tag::Plus { None } else { at.next().flatten() }).collect();
    let first = lines.iter().flatten().next().copied()?;
    let last = lines.iter().flatten().last().copied()?;
    let tier = match form {
        Form::Plain => Tier::Exact,
        Form::Trailing => Tier::TrailingSpace,
        Form::Key => Tier::Space,
    };
    Some(Place { tier, lines, part: None, span: first..last + 1 })
}

/// Leaves one of several places if something that the edit says leaves only one.
fn narrow(text: &Text, hunk: &Hunk, form: Form, places: &mut Vec<Place>) {
    fn keep(places: &mut Vec<Place>, fits: impl Fn(&Place) -> bool) {
        let kept: Vec<usize> = (0..places.len()).filter(|i| fits(&places[*i])).take(2).collect();
        if let [only] = kept[..] {
            *places = vec![places.swap_remove(only)];
        }
    }
    if hunk.at_end {
        keep(places, |place| (place.span.end..text.len()).all(|line| is_blank(text.line(line))));
    }
    if places.len() > 1
        && let Some(block) = scope(text, &hunk.scopes)
    {
        keep(places, |place| block.contains(&place.span.start));
    }
    if places.len() == 1 || form != Form::Key {
        return;
    }
    // Of places that are the same but for white space, one may be the same in all but a uniform indentation.
    let pairs = |place: &Place| -> Vec<(&str, usize)> {
        hunk.lines.iter().zip(&place.lines).filter_map(|(line, at)| Some((line.text, (*at)?))).collect()
    };
    let trimmed = |place: &Place| pairs(place).iter().all(|(edit, at)| edit.trim() == text.line(*at).trim());
    let shape = |place: &Place| place.span.len() == hunk.old().count();
    let uniform = |place: &Place| {
        let pairs = pairs(place);
        Indentation::seen(
            pairs.iter().map(|(edit, at)| (indent::split(edit).0, indent::split(text.line(*at)).0)).collect(),
        )
        .is_uniform()
    };
    for strict in
        [&(|place: &Place| trimmed(place) && shape(place) && uniform(place)) as &dyn Fn(&Place) -> bool, &trimmed]
    {
        if places.len() > 1 && places.iter().any(strict) {
            keep(places, strict);
            return;
        }
    }
}

/// The lines of the block that the scope lines name, if they name one.
fn scope(text: &Text, scopes: &[&str]) -> Option<Range<usize>> {
    let mut block = 0..text.len();
    let mut named = false;
    for scope in scopes.iter().map(|scope| scope.trim()).filter(|scope| !scope.is_empty()) {
        let mut heads = block.clone().filter(|line| text.line(*line).trim_start().starts_with(scope));
        let (Some(head), None) = (heads.next(), heads.next()) else { return None };
        let depth = indent::split(text.line(head)).0.len();
        // A closing or opening bracket at the depth of the head is part of the block.
        let ends = |line: &usize| {
            let (indent, rest) = indent::split(text.line(*line));
            !rest.is_empty() && indent.len() <= depth && !rest.starts_with([')', ']', '}', '{'])
        };
        let end = (head + 1..block.end).find(ends).unwrap_or(block.end);
        block = head..end;
        named = true;
    }
    named.then_some(block)
}

/// The blank lines of a loosely matched hunk, which are not matched but stand between lines that are.
fn fill_blanks(text: &Text, hunk: &Hunk, at: &mut [Option<usize>]) {
    let solid: Vec<usize> = (0..at.len()).filter(|i| at[*i].is_some()).collect();
    let blanks = |range: Range<usize>| range.filter(|i| hunk.lines[*i].tag != Tag::Plus).collect::<Vec<_>>();
    let (Some(first), Some(last)) = (solid.first().copied(), solid.last().copied()) else { return };
    let blank_at = |line: usize| line < text.len() && is_blank(text.line(line));
    let mut line = at[first].unwrap_or(0);
    for i in blanks(0..first).into_iter().rev() {
        if line == 0 || !blank_at(line - 1) {
            break;
        }
        line -= 1;
        at[i] = Some(line);
    }
    let below = at[last].unwrap_or(0) + 1;
    for (line, i) in (below..).zip(blanks(last + 1..at.len())) {
        if !blank_at(line) {
            break;
        }
        at[i] = Some(line);
    }
    for pair in solid.windows(2) {
        let (from, to) = (at[pair[0]].unwrap_or(0) + 1, at[pair[1]].unwrap_or(0));
        if !(from..to).all(blank_at) {
            continue;
        }
        let ours = blanks(pair[0] + 1..pair[1]);
        let added = (pair[0] + 1..pair[1]).rev().find(|i| hunk.lines[*i].tag == Tag::Plus);
        // Blank lines after the last added line stand at the end of the gap, the others at its start.
        let after = added.map_or(0, |added| ours.iter().filter(|i| **i > added).count());
        let before = ours.len() - after;
        let from = if after == 0 && added.is_some() && before > 0 { from.max(to.saturating_sub(before)) } else { from };
        for (n, i) in ours[..before].iter().enumerate().take(to.saturating_sub(from)) {
            at[*i] = Some(from + n);
        }
        let free = from + before.min(to.saturating_sub(from));
        for (n, i) in ours[before..].iter().rev().enumerate() {
            if to.checked_sub(n + 1).is_some_and(|line| line >= free) {
                at[*i] = Some(to - n - 1);
            }
        }
    }
}

/// A place that begins or ends inside a line.
fn part(text: &Text, hunk: &Hunk) -> Result<Place, Miss> {
    let Some((find, _)) = hunk.sides else { return Err(Miss::Absent) };
    if is_blank(find) {
        return Err(Miss::Absent);
    }
    let body = text.body();
    let plain;
    let (haystack, removed) = if find.contains('\n') && body.contains("\r\n") {
        plain = without_returns(body);
        (plain.0.as_str(), plain.1.as_slice())
    } else {
        (body, &[][..])
    };
    let original = |offset: usize| offset + removed.partition_point(|at| *at < offset);
    let mut found = Vec::new();
    let finder = memchr::memmem::Finder::new(find.as_bytes());
    for at in finder.find_iter(haystack.as_bytes()) {
        let (Some(before), Some(after)) = (haystack.get(..at), haystack.get(at + find.len()..)) else { continue };
        if !cuts_a_word(before, find, after) {
            found.push(original(at)..original(at + find.len()));
        }
        if found.len() > 8 {
            break;
        }
    }
    let span = |range: &Range<usize>| text.line_at(range.start)..text.line_at(range.end.saturating_sub(1)) + 1;
    match &found[..] {
        [] => Err(Miss::Absent),
        [only] => Ok(Place {
            tier: Tier::Exact,
            lines: vec![None; hunk.lines.len()],
            part: Some(only.clone()),
            span: span(only),
        }),
        many => Err(Miss::Many(many.iter().map(|range| span(range).start).collect())),
    }
}

/// Does the place begin or end inside a word in a way that a whole word or line was likelier meant (`limit = 30` in
/// `limit = 300`)? A long text that begins inside a line may: nobody takes it for whole lines.
fn cuts_a_word(before: &str, find: &str, after: &str) -> bool {
    fn is_word(c: char) -> bool {
        c.is_alphanumeric() || c == '_'
    }
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

/// The text with plain line ends, and where in it a carriage return was left out.
fn without_returns(body: &str) -> (String, Vec<usize>) {
    let (mut plain, mut removed) = (String::with_capacity(body.len()), Vec::new());
    for (n, piece) in body.split("\r\n").enumerate() {
        if n > 0 {
            removed.push(plain.len());
            plain.push('\n');
        }
        plain.push_str(piece);
    }
    (plain, removed)
}

/// Where a hunk that has no place comes nearest, and the first line that differs there: for a person, and for the
/// next try of a model. Never a place to write to.
pub(super) fn nearest<'t>(text: &Text<'t>, hunk: &Hunk<'t>) -> Option<Near<'t>> {
    let old: Vec<&Line> = hunk.old().filter(|line| !is_blank(line.text)).take(400).collect();
    let rarest = (0..old.len())
        .filter_map(|i| {
            let found = text.same_key(old[i].text, 33);
            (!found.is_empty() && found.len() < 33).then_some((found, i))
        })
        .min_by_key(|(found, _)| found.len())?;
    let (places, anchor) = rarest;
    let alike = |at: usize| {
        let mut line = at;
        let mut first = at;
        let mut differ = None;
        for want in old[..anchor].iter().rev() {
            let Some(before) = (0..line).rev().find(|l| !is_blank(text.line(*l))) else { break };
            line = before;
            first = before;
            if !same(Form::Key, want.text, text.line(line)) {
                differ = Some((line, want.text));
            }
        }
        let mut count = usize::from(differ.is_none());
        line = at;
        for want in &old[anchor + 1..] {
            let Some(after) = (line + 1..text.len()).find(|l| !is_blank(text.line(*l))) else { break };
            line = after;
            if same(Form::Key, want.text, text.line(line)) {
                count += 1;
            } else if differ.is_none() {
                differ = Some((line, want.text));
            }
        }
        (count, Near { first, differ: differ.map(|(line, want)| (line, text.line(line), want)) })
    };
    places.into_iter().map(alike).max_by_key(|(count, _)| *count).map(|(_, near)| near)
}

/// The place that comes nearest.
pub(super) struct Near<'t> {
    /// Its first line, from 0.
    pub first: usize,
    /// The first line that differs (from 0), what the file has there, and what the edit has.
    pub differ: Option<(usize, &'t str, &'t str)>,
}
