//! Where in the file a hunk belongs: one place, or the reason why not.
//!
//! Strictest form first, and the first form under which the lines occur decides: once is the place, more often is
//! an error that names them all. No similarity ever chooses between places. `find` knows whole lines;
//! where they are not there, `part` knows parts of lines, `elide` middles that are left out, `align` context that is not
//! quite the file's (`slip`); `blanks` sees to blank lines, and `near` explains what is nowhere.

mod align;
mod blanks;
mod elide;
mod find;
mod near;
mod part;
mod slip;

use super::Tier;
use super::hunk::{Hunk, Line, Tag};
use super::indent::{self, Indentation};
use super::text::{Form, Text, TooCommon, is_blank, key};
pub(super) use elide::in_stead;
pub(super) use find::MOST_PASSES;
use find::Places;
pub(super) use near::{excerpt, nearest};
use std::collections::HashSet;
use std::ops::Range;

/// The one place of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub tier: Tier,
    /// For each line of the hunk where the line of the file begins that it is; none for added lines.
    pub lines: Vec<Option<usize>>,
    /// The place is this part of the text, and not whole lines.
    pub part: Option<Range<usize>>,
    /// The bytes from the first line of the place to the end of its last.
    pub span: Range<usize>,
}

/// Why there is not one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Miss {
    Absent,
    /// Where the places begin.
    Many(Vec<usize>),
    /// Only added lines, in a file that has lines.
    NoContext,
    /// More places than can be looked at.
    TooCommon,
}

impl From<TooCommon> for Miss {
    fn from(_: TooCommon) -> Miss {
        Miss::TooCommon
    }
}

/// Of places that have more lines than this together, none is ever chosen.
const MOST_NARROWED: usize = 20_000;

/// The readings of one edit that have a place at the strictest step at which any of them has, with that place; and those
/// that have one under a looser form, since a reading is not the likelier for giving fewer lines to find.
pub(super) fn locate<'h, 'r>(text: &Text, readings: &'h [Hunk<'r>]) -> Result<Vec<(&'h Hunk<'r>, Place)>, Miss> {
    let mut whole = Vec::with_capacity(readings.len());
    for hunk in readings {
        whole.push(lines(text, hunk)?);
    }
    let by_lines = |form: Form| {
        let whole = &whole;
        move |n: usize, hunk: &Hunk| whole.get(n).map_or(Err(Miss::Absent), |found| one(text, hunk, found, form))
    };
    // Each with whether context may differ from the file's there.
    type Finder<'s> = (&'s dyn Fn(usize, &Hunk) -> Result<Place, Miss>, bool);
    let steps: [Finder; 6] = [
        (&by_lines(Form::Plain), false),
        (&by_lines(Form::Trailing), true),
        (&by_lines(Form::Key), true),
        (&|_, hunk| part::place(text, hunk), false),
        (&|_, hunk| elide::place(text, hunk), true),
        (&|_, hunk| align::place(text, hunk), true),
    ];
    for (step, loose) in steps {
        let mut places = Vec::new();
        let mut miss = Miss::Absent;
        for (n, hunk) in readings.iter().enumerate().filter(|(_, hunk)| !(loose && hunk.coarse)) {
            match step(n, hunk) {
                Ok(place) => places.push((hunk, place)),
                Err(Miss::Absent) => {}
                Err(other) => miss = other,
            }
        }
        if !places.is_empty() {
            let unplaced = |hunk: &&Hunk| !hunk.coarse && !places.iter().any(|(placed, _)| placed == hunk);
            let others = readings.iter().zip(&whole).filter(|(hunk, _)| unplaced(hunk));
            let looser: Vec<_> = others
                .filter_map(|(hunk, found)| Some((hunk, one(text, hunk, found, found.as_ref()?.form).ok()?)))
                .collect();
            places.extend(looser);
            return Ok(places);
        }
        if miss != Miss::Absent {
            return Err(miss);
        }
    }
    Err(Miss::Absent)
}

/// Where the file already is as the edit wants it: what the edit leaves stands at one place, with enough of the edit's own
/// context beside it to say that this is the place that was meant.
pub(super) fn applied(text: &Text, hunk: &Hunk) -> Option<Range<usize>> {
    let solid = |tag: Tag| hunk.lines.iter().filter(|line| line.tag == tag && !is_blank(line.text)).count();
    if solid(Tag::Plus) == 0 || solid(Tag::Context) < 2 {
        return None;
    }
    let wanted: Vec<&str> = hunk.lines.iter().filter(|line| line.tag != Tag::Minus).map(|line| line.text).collect();
    let places = find::find(text, &wanted).ok()?.filter(|places| places.form < Form::Key)?;
    let [only] = &places.at[..] else { return None };
    span(text, only)
}

/// Does the file have at `place`, which was found loosely, just what the edit wants there?
pub(super) fn stands(text: &Text, hunk: &Hunk, place: &Place) -> bool {
    if let Some(part) = &place.part {
        return hunk.sides.is_some_and(|(old, new)| part::stands(text, part, old, new));
    }
    if place.tier < Tier::Space || !hunk.adds() {
        return false;
    }
    // What goes stands there too, so that it must be what comes but for white space.
    let keys = |tag: Tag| hunk.lines.iter().filter(move |line| line.tag == tag).map(|line| key(line.text));
    let new: HashSet<String> = keys(Tag::Plus).collect();
    if !keys(Tag::Minus).all(|gone| gone.is_empty() || new.contains(&gone)) {
        return false;
    }
    let wanted: Vec<&str> = hunk.lines.iter().filter(|line| line.tag != Tag::Minus).map(|line| line.text).collect();
    let here = |at: &Vec<Option<usize>>| {
        span(text, at).is_some_and(|there| there.start < place.span.end && place.span.start < there.end)
    };
    let found = find::find(text, &wanted).ok().flatten();
    found.is_some_and(|places| places.form == Form::Plain && places.at.iter().any(here))
}

/// The bytes from the first of these lines to the end of the last.
pub(super) fn span(text: &Text, lines: &[Option<usize>]) -> Option<Range<usize>> {
    let mut lines = lines.iter().flatten();
    let first = lines.next()?;
    Some(*first..text.next(*lines.next_back().unwrap_or(first)))
}

/// Where the old lines of a hunk stand. A hunk without old lines stands nowhere.
fn lines(text: &Text, hunk: &Hunk) -> Result<Option<Places>, Miss> {
    let old: Vec<&str> = hunk.old().map(|line| line.text).collect();
    if old.is_empty() {
        return if hunk.at_end || text.end() == 0 { Ok(None) } else { Err(Miss::NoContext) };
    }
    Ok(find::find(text, &old)?)
}

/// The one place of a hunk's old lines under `form`.
fn one(text: &Text, hunk: &Hunk, found: &Option<Places>, form: Form) -> Result<Place, Miss> {
    if hunk.old().next().is_none() {
        let end = text.end();
        return Ok(Place { tier: Tier::Exact, lines: vec![None; hunk.lines.len()], part: None, span: end..end });
    }
    let found = found.as_ref().filter(|places| places.form == form).ok_or(Miss::Absent)?;
    let mut places: Vec<Place> = found.at.iter().filter_map(|at| place(text, hunk, at, form)).collect();
    if places.len() > 1 && places.len() * hunk.lines.len() <= MOST_NARROWED {
        narrow(text, hunk, form, &mut places);
    }
    if places.len() > 1 {
        return Err(Miss::Many(places.iter().map(|place| place.span.start).collect()));
    }
    let mut place = places.pop().ok_or(Miss::Absent)?;
    if form == Form::Key {
        // Lines, loosely matched, while the very text stands inside other lines: either could be meant.
        if hunk.sides.is_some()
            && let Ok(other) = part::place(text, hunk)
            && (other.span.end <= place.span.start || place.span.end <= other.span.start)
        {
            return Err(Miss::Many(vec![place.span.start, other.span.start]));
        }
        blanks::fill(text, hunk, &mut place.lines);
    }
    Ok(place)
}

/// A place from where the old lines stand.
fn place(text: &Text, hunk: &Hunk, at: &[Option<usize>], form: Form) -> Option<Place> {
    let mut at = at.iter().copied();
    let lines: Vec<Option<usize>> =
        hunk.lines.iter().map(|line| if line.tag == Tag::Plus { None } else { at.next().flatten() }).collect();
    let tier = match form {
        Form::Plain => Tier::Exact,
        Form::Trailing => Tier::TrailingSpace,
        Form::Key => Tier::Space,
    };
    Some(Place { tier, span: span(text, &lines)?, lines, part: None })
}

/// Leaves one of several places if something that the edit says leaves only one.
fn narrow(text: &Text, hunk: &Hunk, form: Form, places: &mut Vec<Place>) {
    fn keep(places: &mut Vec<Place>, fits: impl Fn(&Place) -> bool) {
        let kept: Vec<usize> = (0..places.len()).filter(|i| fits(&places[*i])).take(2).collect();
        if let [only] = kept[..] {
            *places = vec![places.swap_remove(only)];
        }
    }
    if let Some(begins) = hunk.begins {
        keep(places, |place| place.span.start == begins);
    }
    if places.len() > 1 && hunk.at_end {
        keep(places, |place| text.solid(place.span.end).is_none());
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
    let pairs = |place: &Place| -> Vec<(&str, &str)> {
        hunk.lines.iter().zip(&place.lines).filter_map(|(line, at)| Some((line.text, text.line((*at)?)))).collect()
    };
    let trimmed = |place: &Place| pairs(place).iter().all(|(edit, file)| edit.trim() == file.trim());
    // Blank lines at its ends are in no loosely matched place.
    let blank = |line: &&Line| is_blank(line.text);
    let all: Vec<&Line> = hunk.old().collect();
    let ends =
        all.iter().take_while(|line| blank(line)).count() + all.iter().rev().take_while(|line| blank(line)).count();
    let old = all.len().saturating_sub(ends);
    let shape = |place: &Place| text.lines(place.span.start, place.span.end).take(old + 1).count() == old;
    let uniform = |place: &Place| {
        let pairs = pairs(place);
        Indentation::seen(pairs.iter().map(|(edit, file)| (indent::split(edit).0, indent::split(file).0)).collect())
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

/// More scope lines are not looked at.
const MOST_SCOPES: usize = 8;

/// The bytes of the block that the scope lines name, if they name one.
fn scope(text: &Text, scopes: &[&str]) -> Option<Range<usize>> {
    let mut block = 0..text.end();
    let scopes: Vec<&str> = scopes.iter().map(|scope| scope.trim()).filter(|scope| !scope.is_empty()).collect();
    if scopes.is_empty() || scopes.len() > MOST_SCOPES {
        return None;
    }
    for scope in scopes {
        let head = head(text, &block, scope)?;
        let depth = indent::split(text.line(head)).0.len();
        // A closing or opening bracket at the depth of the head is part of the block.
        let ends = |line: &usize| {
            let (indent, rest) = indent::split(text.line(*line));
            !rest.is_empty() && indent.len() <= depth && !rest.starts_with([')', ']', '}', '{'])
        };
        let end = text.lines(text.next(head), block.end).find(ends).unwrap_or(block.end);
        block = head..end;
    }
    Some(block)
}

/// The one line of a block that is `scope`, or if none is, the one that begins so.
fn head(text: &Text, block: &Range<usize>, scope: &str) -> Option<usize> {
    let mut begins = text.lines(block.start, block.end).filter(|at| text.line(*at).trim_start().starts_with(scope));
    let (first, second) = (begins.next()?, begins.next());
    if second.is_none() {
        return Some(first);
    }
    let is = |at: &usize| text.line(*at).trim() == scope;
    let mut all = [first].into_iter().chain(second).chain(begins).filter(is);
    all.next().filter(|_| all.next().is_none())
}
