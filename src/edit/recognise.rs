//! In which format a reply is: the one that it looks like, or the one that was asked for and else another.

use super::engine::apply_as;
use super::{Applied, FORMATS, Format, FormatSpec, Refusal};
use std::collections::HashSet;

/// In which format a reply is read.
#[derive(Clone, Copy)]
pub(super) enum Read {
    /// In the one that it looks like.
    Any,
    As(Format),
    /// In this one, or in another one that it is complete in.
    Rather(Format),
}

/// Tries the formats that the reply looks like. The file decides between several; if two of them fit, neither is sure.
pub(super) fn recognise<'s>(
    formats: impl Iterator<Item = &'s FormatSpec>,
    target: &str,
    base: Option<&str>,
    reply: &str,
) -> Result<Applied, Refusal> {
    let mut applied: Option<Applied> = None;
    let mut refused = None;
    for spec in formats.filter(|spec| (spec.looks)(reply)) {
        match apply_as(spec, target, base, reply) {
            Ok(new) => match &applied {
                Some(old) if old.text != new.text => {
                    let message =
                        format!("the reply for '{target}' reads both as {} and as {}", old.format.name(), spec.name);
                    return Err(Refusal::new("reply-two-formats", message).hint("say which with --format"));
                }
                Some(_) => {}
                None => applied = Some(new),
            },
            // It is in this format, and the others would see something else in it.
            Err(refusal) if spec.format != Format::Whole && refusal.id.starts_with("reply-") => return Err(refusal),
            Err(refusal) => refused = refused.or(Some(refusal)),
        }
    }
    let unknown = || Refusal::new("reply-no-format", format!("the reply for '{target}' is in no known format"));
    applied.ok_or_else(|| refused.unwrap_or_else(unknown))
}

/// Reads a reply as it was asked for. One that has nothing of that form may be complete in another.
pub(super) fn answer(asked: &FormatSpec, target: &str, base: Option<&str>, reply: &str) -> Result<Applied, Refusal> {
    let whole = |spec: &FormatSpec| spec.format == Format::Whole;
    let refusal = match apply_as(asked, target, base, reply) {
        Err(refusal) if !whole(asked) && (asked.looks)(reply) => return Err(refusal),
        Err(refusal) if whole(asked) && !NOT_WHOLE.contains(&refusal.id) => return Err(refusal),
        Err(refusal) => refusal,
        applied => return applied,
    };
    let others = || FORMATS.iter().filter(|spec| spec.format != asked.format && !whole(spec));
    if others().any(|spec| (spec.looks)(reply)) {
        return recognise(others(), target, base, reply);
    }
    if whole(asked) {
        return Err(refusal);
    }
    // A block could be the part of the file that changes as well.
    match apply_as(Format::Whole.spec(), target, base, reply) {
        Ok(applied) if is_all_of(base.unwrap_or(""), &applied.text) => Ok(applied),
        Ok(_) => Err(refusal.hint("its block may be the whole file or a part of it; edits were asked for")),
        Err(_) => Err(refusal),
    }
}

/// Refusals of what is no whole file, but may be edits.
const NOT_WHOLE: [&str; 3] = ["reply-not-whole", "reply-no-fence", "reply-two-blocks"];

/// Does a text begin and end as the file does, with at least half of its lines?
fn is_all_of(base: &str, text: &str) -> bool {
    fn solid(text: &str) -> impl DoubleEndedIterator<Item = &str> {
        text.lines().map(str::trim_end).filter(|line| !line.is_empty())
    }
    let lines: HashSet<&str> = solid(text).collect();
    let kept = solid(base).filter(|line| lines.contains(line)).count();
    solid(base).next() == solid(text).next()
        && solid(base).next_back() == solid(text).next_back()
        && kept * 2 >= solid(base).count()
}
