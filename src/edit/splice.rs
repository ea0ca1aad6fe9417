//! Writing: located hunks into blocks of bytes to replace, and the blocks into the new text.
//!
//! Bytes outside the blocks are the base's own. Context is in no block, so that it is never written.

use super::Tier;
use super::hunk::{Hunk, Tag};
use super::indent::{self, Indentation};
use super::locate::Place;
use super::text::{Text, is_blank};
use std::ops::Range;

/// Bytes of the base that are replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub bytes: Range<usize>,
    pub text: String,
    /// The edit that wants it, from 0.
    pub edit: usize,
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
        return Ok(vec![Block { bytes: part.clone(), text: new, edit }]);
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
    let mut out: Vec<(Range<usize>, Vec<String>)> = Vec::new();
    let mut open = false; // the last block may still grow
    let mut leading = true; // no line of the file's new text has been seen
    let first = place.lines.iter().flatten().next().copied().unwrap_or(place.span.start);
    let mut next = first; // the line of the file that comes next
    for (n, (line, at)) in hunk.lines.iter().zip(&place.lines).enumerate() {
        match (line.tag, at) {
            // It stands for lines of the file: what comes after it comes before the line that is next matched.
            (Tag::Context, None) if !is_blank(line.text) => {
                next = place.lines[n..].iter().flatten().next().copied().unwrap_or(next);
                open = false;
            }
            (Tag::Context, Some(at)) => {
                (next, open, leading) = (at + 1, false, false);
            }
            (Tag::Minus, Some(at)) => {
                let gap = (next..*at).all(|line| is_blank(text.line(line)));
                match out.last_mut() {
                    // Blank lines that the edit left out go with the lines round them.
                    Some((range, _)) if open && gap && range.end == next => range.end = at + 1,
                    _ => out.push((*at..at + 1, Vec::new())),
                }
                (next, open) = (at + 1, true);
            }
            (Tag::Plus, _) => {
                let new = if !loose {
                    line.text.to_owned()
                } else if is_blank(line.text) {
                    String::new()
                } else {
                    let carried = indentation.carry(&plain_indent(line.text), leading);
                    carried.ok_or(Unclear(line.text))? + indent::split(line.text).1
                };
                match out.last_mut() {
                    Some((range, plus)) if open && range.end == next => plus.push(new),
                    _ => out.push((next..next, vec![new])),
                }
                (open, leading) = (true, false);
            }
            (_, None) => {}
        }
    }
    let render = |(range, plus): (Range<usize>, Vec<String>)| {
        let mut new = String::new();
        for (n, line) in plus.iter().enumerate() {
            let like =
                if range.is_empty() { range.start.saturating_sub(1) } else { (range.start + n).min(range.end - 1) };
            let ending = match text.ending(like) {
                "" => text.usual_ending(),
                ending => ending,
            };
            new.push_str(line);
            new.push_str(ending);
        }
        Block { bytes: text.start(range.start)..text.start(range.end), text: new, edit }
    };
    Ok(out.into_iter().map(render).collect())
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

/// The new text: every block in its place, the final newline as the base has it unless `final_newline` says.
pub(super) fn write(text: &Text, mut blocks: Vec<Block>, final_newline: Option<bool>) -> Result<String, Conflict> {
    blocks.sort_by_key(|block| (block.bytes.start, block.bytes.end, block.edit));
    // Edits that agree on a place are one.
    blocks.dedup_by(|b, a| a.bytes == b.bytes && a.text == b.text && a.edit != b.edit);
    for pair in blocks.windows(2) {
        let [a, b] = pair else { continue };
        let both_insert = a.bytes == b.bytes && a.bytes.is_empty() && a.edit != b.edit;
        if b.bytes.start < a.bytes.end || both_insert {
            return Err(Conflict { edits: (a.edit.min(b.edit), a.edit.max(b.edit)), at: b.bytes.start });
        }
    }
    let body = text.body();
    let mut out = String::with_capacity(body.len() + blocks.iter().map(|block| block.text.len()).sum::<usize>());
    let mut done = 0;
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
    Ok(out)
}
