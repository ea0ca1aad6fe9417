//! Writing: located hunks into blocks of bytes to replace, and the blocks into the new text.
//!
//! Bytes outside the blocks are the base's own. Context is in no block, so that it is never written.

use super::Tier;
use super::hunk::{Hunk, Tag};
use super::indent::{self, Indentation};
use super::place::Place;
use super::text::{Text, is_blank};
use std::borrow::Cow;
use std::ops::Range;

/// Bytes of the base that are replaced.
#[derive(Debug)]
pub(super) struct Block {
    pub bytes: Range<usize>,
    pub text: String,
    /// The edit that wants it, from 0, and all bytes that it names.
    pub edit: usize,
    pub place: Range<usize>,
}

/// Two blocks are the same if they do the same, whatever was read to find their place.
impl PartialEq for Block {
    fn eq(&self, other: &Block) -> bool {
        (&self.bytes, &self.text) == (&other.bytes, &other.text)
    }
}

/// An added line whose indentation cannot be carried over to the file's.
#[derive(Debug)]
pub(super) struct Unclear<'r>(pub &'r str);

/// The blocks of one located hunk.
pub(super) fn blocks<'r>(text: &Text, hunk: &Hunk<'r>, place: &Place, edit: usize) -> Result<Vec<Block>, Unclear<'r>> {
    if let Some(part) = &place.part {
        let ending = text.usual_ending();
        let new = hunk.sides.map_or("", |(_, new)| new);
        let new = if ending == "\n" { new.to_owned() } else { new.replace('\n', ending) };
        return Ok(vec![Block { bytes: part.clone(), text: new, edit, place: part.clone() }]);
    }
    let loose = place.tier >= Tier::Space;
    let matched = || hunk.lines.iter().zip(&place.lines).filter_map(|(line, at)| Some((line.text, text.line((*at)?))));
    let indents: Vec<(String, &str)> = if loose {
        let solid = matched().filter(|(edit, _)| !is_blank(edit));
        solid.map(|(edit, file)| (plain_indent(edit), indent::split(file).0)).collect()
    } else {
        Vec::new()
    };
    let indentation = Indentation::seen(indents.iter().map(|(edit, file)| (edit.as_str(), *file)).collect());
    if loose && let Some(line) = twice_indented(hunk, &indents) {
        return Err(Unclear(line));
    }
    let mut out: Vec<SplicedLines> = Vec::new();
    let mut leading = true; // no line of the file's new text has been seen
    let first = place.lines.iter().flatten().next().copied().unwrap_or(place.span.start);
    let mut next = first; // the line of the file that comes next
    let mut following = vec![None; place.lines.len()]; // for each line of the hunk the first line matched from it on
    for (n, at) in place.lines.iter().enumerate().rev() {
        following[n] = at.or_else(|| following.get(n + 1).copied().flatten());
    }
    for (n, (line, at)) in hunk.lines.iter().zip(&place.lines).enumerate() {
        match (line.tag, at) {
            // It stands for lines of the file: what comes after it comes before the line that is next matched.
            (Tag::Context, None) if !is_blank(line.text) => {
                next = following[n].unwrap_or(next);
            }
            (Tag::Context, Some(at)) => {
                (next, leading) = (text.next(*at), false);
            }
            (Tag::Minus, Some(at)) => {
                let after = text.next(*at);
                let gap = || text.lines(next, *at).all(|line| is_blank(text.line(line)));
                match out.last_mut() {
                    // Lines added before those that go come in their stead.
                    Some(change) if change.at.end == next && gap() && change.old.is_empty() => {
                        (change.at, change.old) = (*at..after, vec![*at]);
                    }
                    // Blank lines that the edit left out go with the lines round them.
                    Some(change) if change.at.end == next && gap() => {
                        change.old.extend(text.lines(next, after));
                        change.at.end = after;
                    }
                    _ => out.push(SplicedLines { at: *at..after, old: vec![*at], new: Vec::new() }),
                }
                next = after;
            }
            (Tag::Plus, _) => {
                let new = if !loose {
                    Cow::Borrowed(line.text)
                } else if is_blank(line.text) {
                    Cow::Owned(indentation.carry_blank(line.text))
                } else {
                    let carried = indentation.carry(&plain_indent(line.text), leading);
                    Cow::Owned(carried.ok_or(Unclear(line.text))? + indent::split(line.text).1)
                };
                match out.last_mut() {
                    Some(change) if change.at.end == next => change.new.push(new),
                    _ => out.push(SplicedLines { at: next..next, old: Vec::new(), new: vec![new] }),
                }
                leading = false;
            }
            (_, None) => {}
        }
    }
    let place = || place.span.clone();
    let block =
        |change: &SplicedLines| Block { bytes: change.at.clone(), text: change.render(text), edit, place: place() };
    Ok(out.iter().map(block).collect())
}

/// The added line that tells that the edit's old lines have lost their indentation and its new ones have the file's,
/// which to carry over once more would be wrong. Only lines that stay could say how it is.
fn twice_indented<'r>(hunk: &Hunk<'r>, indents: &[(String, &str)]) -> Option<&'r str> {
    let (edit, file) = indents.iter().min_by_key(|(edit, _)| edit.len())?;
    let solid = |tag: Tag| hunk.lines.iter().filter(move |line| line.tag == tag && !is_blank(line.text));
    let shallowest = solid(Tag::Plus).min_by_key(|line| indent::split(line.text).0.len())?;
    let lost = edit.len() < file.len() && indent::split(shallowest.text).0 == *file;
    (lost && solid(Tag::Context).next().is_none()).then_some(shallowest.text)
}

/// Lines of the file, one after the other, and what comes in their stead.
struct SplicedLines<'r> {
    at: Range<usize>,
    /// Where the lines begin.
    old: Vec<usize>,
    new: Vec<Cow<'r, str>>,
}

impl SplicedLines<'_> {
    /// The new lines, each with the line end of the line that it replaces or follows.
    fn render(&self, text: &Text) -> String {
        let ending = |line: usize| match text.ending(line) {
            "" => text.usual_ending(),
            ending => ending,
        };
        let mut like = match self.old.first() {
            Some(first) => ending(*first),
            None => ending(text.before(self.at.start).unwrap_or(self.at.start)),
        };
        let mut out = String::with_capacity(self.new.iter().map(|line| line.len() + 2).sum());
        for (n, line) in self.new.iter().enumerate() {
            if let Some(old) = self.old.get(n) {
                like = ending(*old);
            }
            out.push_str(line);
            out.push_str(like);
        }
        out
    }
}

/// The indentation of a line of an edit, with no-break spaces as spaces.
fn plain_indent(line: &str) -> String {
    indent::split(line).0.replace('\u{a0}', " ")
}

/// Two edits that want different bytes at one place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Conflict {
    pub edits: (usize, usize),
    /// Where in the base.
    pub at: usize,
}

/// A new text.
pub(super) struct Written {
    pub text: String,
    /// Which of its bytes come from a block, and from which edit.
    pub by: Vec<(Range<usize>, usize)>,
}

/// The new text: every block in its place, the final newline as the base has it unless `final_newline` says.
pub(super) fn write(text: &Text, mut blocks: Vec<Block>, final_newline: Option<bool>) -> Result<Written, Conflict> {
    blocks.sort_by_key(|block| (block.bytes.start, block.bytes.end, block.edit));
    // Edits that agree on a place are one.
    blocks.dedup_by(|b, a| a == b && a.edit != b.edit);
    for pair in blocks.windows(2) {
        let [a, b] = pair else { continue };
        let inserts = a.bytes.is_empty() || b.bytes.is_empty();
        // Where one adds lines at the edge of what the other changes, and each has seen the other's lines, nothing
        // says which come first.
        let touch = a.bytes.end == b.bytes.start && inserts && a.edit != b.edit;
        let overlap = a.place.start < b.place.end && b.place.start < a.place.end;
        let both_insert = a.bytes == b.bytes && touch;
        if b.bytes.start < a.bytes.end || both_insert || touch && overlap {
            return Err(Conflict { edits: (a.edit.min(b.edit), a.edit.max(b.edit)), at: b.bytes.start });
        }
    }
    let body = text.body();
    let mut out = String::with_capacity(body.len() + blocks.iter().map(|block| block.text.len()).sum::<usize>());
    let (mut done, mut by) = (0, Vec::with_capacity(blocks.len()));
    let ended = |out: &mut String| {
        if !out.is_empty() && !out.ends_with('\n') {
            out.push_str(text.usual_ending());
        }
    };
    for block in &blocks {
        out.push_str(body.get(done..block.bytes.start).unwrap_or(""));
        if block.bytes.start == body.len() && !block.text.is_empty() {
            ended(&mut out);
        }
        by.push((out.len()..out.len() + block.text.len(), block.edit));
        out.push_str(&block.text);
        done = block.bytes.end;
    }
    out.push_str(body.get(done..).unwrap_or(""));
    let newline = final_newline.unwrap_or(body.is_empty() || body.ends_with('\n'));
    if newline {
        ended(&mut out);
    } else if let Some(len) = out.strip_suffix("\r\n").or_else(|| out.strip_suffix('\n')).map(str::len) {
        out.truncate(len);
    }
    Ok(Written { text: out, by })
}
