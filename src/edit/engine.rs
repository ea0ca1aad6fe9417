//! From a reply to the new text: parse, locate every edit in the base, write them all, or refuse.

use super::format::{Asked, Parsed};
use super::hunk::{Hunk, Tag};
use super::order::{self, Candidate};
use super::place::{self, MOST_PASSES, Place, excerpt, in_stead};
use super::recognise::{Read, answer, recognise};
use super::refuse::Missed;
use super::splice::{self, Block, Written};
use super::table::MOST_BYTES;
use super::text::{Text, is_blank};
use super::{Applied, Edit, FORMATS, Format, FormatSpec, Refusal, Tier};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

const BOM: char = '\u{feff}';

pub(super) fn apply(format: Read, target: &str, base: Option<&str>, reply: &str) -> Result<Applied, Refusal> {
    if target.is_empty() || target.ends_with('/') {
        return Err(Refusal::new("edit-directory", format!("cannot write to '{target}': it is a directory")));
    }
    if base.is_some_and(|base| base.len() > MOST_BYTES) {
        return Err(Refusal::new("edit-too-large", format!("cannot edit '{target}': it is larger than 4 GiB")));
    }
    let reply = &*plain(reply);
    if reply.trim().is_empty() {
        return Err(Refusal::new("reply-empty", format!("the reply for '{target}' is empty")));
    }
    let bom = base.is_some_and(|base| base.starts_with(BOM));
    let body = base.map(without_mark);
    let mut applied = match format {
        Read::As(format) => apply_as(format.spec(), target, body, reply)?,
        Read::Rather(format) => answer(format.spec(), target, body, reply)?,
        Read::Any => recognise(FORMATS.iter(), target, body, reply)?,
    };
    if bom {
        applied.text.insert(0, BOM);
    }
    Ok(applied)
}

/// A reply as parsers read it: line ends inside it say nothing, the file's own are used.
pub(super) fn plain(reply: &str) -> Cow<'_, str> {
    let reply = without_mark(reply);
    match memchr::memchr(b'\r', reply.as_bytes()) {
        Some(_) => Cow::Owned(reply.replace("\r\n", "\n")),
        None => Cow::Borrowed(reply),
    }
}

/// Without a byte order mark.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix(BOM).unwrap_or(text)
}

pub(super) fn apply_as(spec: &FormatSpec, target: &str, base: Option<&str>, reply: &str) -> Result<Applied, Refusal> {
    let body = base.unwrap_or("");
    match (spec.parse)(reply, &Asked { target, new: body.is_empty() })? {
        Parsed::Whole(text) => {
            Ok(Applied { format: spec.format, text: super::format::fit(base, text), edits: Vec::new() })
        }
        Parsed::Edits(edits) => {
            let (text, edits) = EditTarget { spec, target }.apply(body, &edits, &BTreeSet::new())?;
            Ok(Applied { format: spec.format, text, edits })
        }
    }
}

/// The file that the edits of one reply are for, and the form in which they are written.
pub(super) struct EditTarget<'a> {
    pub spec: &'a FormatSpec,
    pub target: &'a str,
}

/// An edit that has its place.
struct Located {
    span: Range<usize>,
    blocks: Vec<Block>,
    edit: Edit,
    final_newline: Option<bool>,
}

/// The most bytes that are gone over for edits that build on others, each of which needs the text made anew.
const MOST_SCANNED: usize = 1 << 30;

impl EditTarget<'_> {
    /// The text with all edits but those whose numbers, from 0, are `left_out`.
    pub fn apply(
        &self,
        body: &str,
        edits: &[Vec<Hunk>],
        left_out: &BTreeSet<usize>,
    ) -> Result<(String, Vec<Edit>), Refusal> {
        let base = Text::new(body);
        if edits.len() > MOST_PASSES {
            base.table();
        }
        let mut located: Vec<Option<Located>> = Vec::with_capacity(edits.len());
        let (mut absent, mut alike) = (None, Vec::new());
        for (number, readings) in edits.iter().enumerate() {
            if left_out.contains(&number) {
                located.push(None);
                continue;
            }
            match self.locate(&base, number, readings) {
                Ok(place) => located.push(Some(place)),
                Err(Missed::Absent) => match already(&base, readings) {
                    Some(done) => located.push(Some(done)),
                    // It may build on an edit before it.
                    None if number > 0 => {
                        absent = absent.or(Some(number));
                        located.push(None);
                    }
                    None => return Err(self.absent(&base, number, readings)),
                },
                // What the other hunks of a diff say may leave one of them.
                Err(Missed::Many(places, refusal)) if self.spec.format == Format::Unified => {
                    alike.push(Alike { number, places, refusal });
                    located.push(None);
                }
                Err(Missed::Many(_, refusal) | Missed::Refused(refusal)) => return Err(refusal),
            }
        }
        if let (Some(first), false) = (alike.first(), left_out.is_empty()) {
            // The order of hunks says where one is only if all of them are there.
            return Err(first.refusal.clone());
        }
        if !alike.is_empty() {
            self.settle(&base, edits, alike, &mut located)?;
        }
        let Written { mut text, by: mut written } = self.write(&base, located.iter_mut().flatten())?;
        let Some(absent) = absent else { return Ok((text, edits_of(located))) };
        written.retain(|(_, edit)| *edit > absent);
        let mut scanned = 0;
        for (number, readings) in edits.iter().enumerate().skip(absent) {
            if left_out.contains(&number) || located.get(number).is_some_and(Option::is_some) {
                continue;
            }
            let now = Text::new(&text);
            // Told about the base, which is what the model and the person have seen.
            let absent = || self.absent(&base, number, readings);
            let mut place = self.locate(&now, number, readings).map_err(|_| absent())?;
            // What an edit after it wrote cannot be what it means.
            let (start, end) = (place.span.start, place.span.end);
            if written.iter().any(|(bytes, edit)| *edit > number && bytes.start < end && start < bytes.end) {
                return Err(absent());
            }
            let next = self.write(&now, std::iter::once(&mut place))?.text;
            for (bytes, _) in written.iter_mut().filter(|(bytes, _)| bytes.start >= end) {
                *bytes = bytes.start + next.len() - now.end()..bytes.end + next.len() - now.end();
            }
            scanned += now.scanned() + 2 * next.len();
            if scanned > MOST_SCANNED {
                let refusal = self.refused("edit-too-many", number, "too many edits build on others");
                let hint = "make one edit of those that change the same lines";
                // It is no fault of this one.
                return Err(Refusal { change: None, ..refusal }.hint(hint));
            }
            located[number] = Some(place);
            text = next;
        }
        Ok((text, edits_of(located)))
    }

    /// Gives each of the hunks that have several places the one that the whole diff leaves it, or refuses the first.
    fn settle(
        &self,
        base: &Text,
        edits: &[Vec<Hunk>],
        alike: Vec<Alike>,
        located: &mut [Option<Located>],
    ) -> Result<(), Refusal> {
        let mut places: Vec<Vec<usize>> = located.iter().map(|l| l.iter().map(|l| l.span.start).collect()).collect();
        let Some(refusal) = alike.first().map(|first| first.refusal.clone()) else { return Ok(()) };
        for Alike { number, places: starts, .. } in &alike {
            places[*number] = starts.clone();
            places[*number].sort_unstable();
            places[*number].dedup();
        }
        let candidates: Vec<Candidate> =
            edits.iter().zip(&places).map(|(hunk, at)| candidate(base, hunk, at)).collect();
        let Some(chosen) = order::settle(&candidates) else { return Err(refusal) };
        for Alike { number, .. } in alike {
            let begins = places[number].get(chosen[number]).copied();
            let readings: Vec<Hunk> = edits[number].iter().map(|hunk| Hunk { begins, ..hunk.clone() }).collect();
            // Of places that are found loosely none is chosen.
            located[number] = Some(self.locate(base, number, &readings).map_err(|_| refusal.clone())?);
        }
        // Hunks of a diff have no line in common: these would not be what the order was taken from.
        let apart = |pair: &[Option<Located>]| match pair {
            [Some(a), Some(b)] => a.span.end <= b.span.start,
            _ => true,
        };
        if located.windows(2).all(apart) { Ok(()) } else { Err(refusal) }
    }

    fn write<'l>(&self, text: &Text, located: impl Iterator<Item = &'l mut Located>) -> Result<Written, Refusal> {
        let (mut blocks, mut newline) = (Vec::new(), None);
        for located in located {
            blocks.append(&mut located.blocks);
            newline = newline.or(located.final_newline);
        }
        splice::write(text, blocks, newline).map_err(|conflict| {
            let line = text.number(conflict.at) + 1;
            let unit = self.spec.words.0;
            let (a, b) = (conflict.edits.0 + 1, conflict.edits.1 + 1);
            let message = format!("cannot apply {unit}s {a} and {b} to '{}': both change line {line}", self.target);
            let mut refusal = Refusal::new("edit-conflict", message).hint("make one edit of them");
            refusal.line = Some(line);
            refusal
        })
    }

    fn locate(&self, text: &Text, number: usize, readings: &[Hunk]) -> Result<Located, Missed> {
        let places = place::locate(text, readings).map_err(|miss| self.missed(text, number, miss))?;
        let mut found: Option<Located> = None;
        for (hunk, place) in &places {
            // The edit may have left out a line or two before it.
            let mut next = text.lines(place.span.end, text.end()).take(3).map(|at| text.line(at).trim());
            if hunk.unless.is_some_and(|line| next.any(|next| next == line.trim())) {
                // The reading that has that line too is the one that was meant, if it has its place there.
                let within = |other: &Place| other.span.start == place.span.start && other.span.end > place.span.end;
                if places.iter().any(|(_, other)| within(other)) {
                    continue;
                }
                let why = "it can be read in two ways, and the file does not say which";
                return Err(Missed::Refused(self.refused("edit-two-readings", number, why)));
            }
            let new = match (self.located(text, number, hunk, place), &found) {
                // A looser reading that comes to nothing leaves the stricter one as it is.
                (Err(_), Some(old)) if place.tier > old.edit.tier => continue,
                (new, _) => new?,
            };
            match &found {
                Some(old) if old.blocks != new.blocks => {
                    let why = "it can be read in two ways, and both fit the file";
                    return Err(Missed::Refused(self.refused("edit-two-readings", number, why)));
                }
                Some(_) => {}
                None => found = Some(new),
            }
        }
        found.ok_or(Missed::Absent)
    }

    fn located(&self, text: &Text, number: usize, hunk: &Hunk, place: &Place) -> Result<Located, Missed> {
        if let Some(line) = in_stead(hunk) {
            let why = format!("its new text has '{}' in the stead of lines that it removes", excerpt(line.trim()));
            let refusal = self.refused("edit-elision", number, &why).hint("write out every line");
            return Err(Missed::Refused(refusal.at(text.number(place.span.start))));
        }
        if place::stands(text, hunk, place) {
            return Ok(done(text, &place.span));
        }
        let blocks = splice::blocks(text, hunk, place, number).map_err(|unclear| {
            let why =
                format!("the indentation of its new line '{}' has no counterpart in the file", excerpt(unclear.0));
            let refusal = self.refused("edit-indentation", number, &why);
            let refusal = refusal.hint("copy the old lines from the file with their indentation");
            Missed::Refused(refusal.at(text.number(place.span.start)))
        })?;
        let (edit, span) = (edit(text, &place.span, place.tier), place.span.clone());
        let at_end = span.end == text.end();
        Ok(Located { span, blocks, edit, final_newline: hunk.final_newline.filter(|_| at_end) })
    }
}

/// A hunk that has several places.
struct Alike {
    number: usize,
    places: Vec<usize>,
    refusal: Refusal,
}

/// What is known of a hunk that could begin at these bytes.
fn candidate(text: &Text, readings: &[Hunk], starts: &[usize]) -> Candidate {
    let leading = readings.first().map_or(0, |hunk| hunk.old().take_while(|line| is_blank(line.text)).count());
    // Where it was found loosely, its place begins with the first line that is not blank.
    let line = |at: &usize| {
        let blank = if is_blank(text.line(*at)) { 0 } else { leading };
        (text.number(*at) + 1).saturating_sub(blank)
    };
    let numbers = readings.first().and_then(|hunk| hunk.numbers);
    let lines = |hunk: &Hunk, without: Tag| hunk.lines.iter().filter(|line| line.tag != without).count();
    let counted = numbers.is_some_and(|numbers| {
        let fits =
            |hunk: &Hunk| (lines(hunk, Tag::Plus), lines(hunk, Tag::Minus)) == (numbers.old_lines, numbers.new_lines);
        readings.iter().any(fits)
    });
    Candidate { lines: starts.iter().map(line).collect(), numbers, counted }
}

/// Where an edit went, for people.
fn edit(text: &Text, span: &Range<usize>, tier: Tier) -> Edit {
    // Lines that end before a byte; what ends at the end of the text is a line, ended or not.
    let ended = |at: usize| {
        let unended = at > 0 && at == text.end() && text.ending(text.line_at(at - 1)).is_empty();
        text.number(at) + usize::from(unended)
    };
    let line = ended(span.start);
    Edit { line: line + 1, lines: ended(span.end) - line, tier }
}

fn edits_of(located: Vec<Option<Located>>) -> Vec<Edit> {
    located.into_iter().flatten().map(|located| located.edit).collect()
}

/// An edit that the file has already: nothing is left to do.
fn already(text: &Text, readings: &[Hunk]) -> Option<Located> {
    readings.iter().find_map(|hunk| place::applied(text, hunk)).map(|span| done(text, &span))
}

/// An edit with nothing left to do.
fn done(text: &Text, span: &Range<usize>) -> Located {
    Located { span: span.clone(), blocks: Vec::new(), edit: edit(text, span, Tier::Exact), final_newline: None }
}
