//! A reply that was refused, and the one that mends it: what of the first has its place stands, and the second need not say
//! it again.

use super::engine::{EditTarget, plain, without_mark};
use super::format::{Asked, Parsed};
use super::hunk::{Hunk, Line};
use super::{Applied, Edit, Format, Refusal, answer};
use std::collections::{BTreeSet, HashSet};

/// Where more changes have no place than this, it is another file that the reply means.
const MOST_MISSING: usize = 16;

/// The changes of a refused reply that have their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The base with these changes made.
    pub text: String,
    /// Their numbers, from 1, in order.
    pub changes: Vec<usize>,
    /// Why each of the others has no place.
    pub missing: Vec<Refusal>,
    /// Where the changes that stand went.
    edits: Vec<Edit>,
    format: Format,
    reply: String,
}

impl Standing {
    /// All changes of a reply that applied, and that something else refused. `None` for a whole file.
    pub fn all(applied: &Applied, reply: &str) -> Option<Standing> {
        let (format, text) = (applied.format, applied.text.clone());
        let changes = (1..=applied.edits.len()).collect();
        (format != Format::Whole).then(|| Standing {
            text,
            changes,
            missing: Vec::new(),
            edits: applied.edits.clone(),
            format,
            reply: reply.to_owned(),
        })
    }

    /// The form that the reply was in.
    pub fn format(&self) -> Format {
        self.format
    }

    /// How many changes the reply had.
    fn count(&self) -> usize {
        self.changes.len() + self.missing.len()
    }
}

/// What of a refused reply has its place in `base`. `None` if that is nothing, or if it cannot be told from the rest: the
/// reply is in another form than `asked`, or its changes contradict each other.
///
/// ```
/// use git_implement::edit::{Format, amend, standing};
///
/// let base = "x = 1\ny = 1\nx = 1\n";
/// let change = |old: &str, new: &str| format!("FIND:\n```\n{old}\n```\nREPLACE WITH:\n```\n{new}\n```\n");
/// let first = change("y = 1", "y = 2") + &change("x = 1", "x = 2");
/// let stands = standing(Format::FindReplace, "a.py", base, &first).unwrap();
/// assert_eq!((stands.text.as_str(), &stands.changes[..]), ("x = 1\ny = 2\nx = 1\n", &[1][..]));
/// assert_eq!(stands.missing[0].id, "edit-ambiguous");
///
/// let second = change("y = 2\nx = 1", "y = 2\nx = 2");
/// let applied = amend(Format::FindReplace, "a.py", base, &stands, &second)?;
/// assert_eq!((applied.text.as_str(), applied.edits.len()), ("x = 1\ny = 2\nx = 2\n", 2));
/// # Ok::<(), git_implement::edit::Refusal>(())
/// ```
pub fn standing(asked: Format, target: &str, base: &str, reply: &str) -> Option<Standing> {
    let spec = asked.spec();
    let (body, plain) = (without_mark(base), plain(reply));
    let edits = edits(asked, target, body.is_empty(), &plain)?;
    let mut left_out = BTreeSet::new();
    let mut missing = Vec::new();
    while left_out.len() < edits.len() && missing.len() <= MOST_MISSING {
        match (EditTarget { spec, target }).apply(body, &edits, &left_out) {
            Ok((text, placed)) => {
                let changes = (0..edits.len()).filter(|number| !left_out.contains(number)).map(|number| number + 1);
                let text = format!("{}{text}", &base[..base.len() - body.len()]);
                let changes = changes.collect();
                return Some(Standing {
                    text,
                    changes,
                    missing,
                    edits: placed,
                    format: asked,
                    reply: reply.to_owned(),
                });
            }
            Err(refusal) => {
                if !left_out.insert(refusal.change?.checked_sub(1)?) {
                    return None;
                }
                missing.push(refusal);
            }
        }
    }
    None
}

/// Applies the reply that mends one of which a part is `standing`. It is made in the text that stands. A reply that says again
/// what stands, or as much as the first did, is the whole answer, to `base`.
///
/// # Errors
///
/// As [`answer`]; of what fits neither text, the refusal is that of the text that stands.
pub fn amend(asked: Format, target: &str, base: &str, standing: &Standing, reply: &str) -> Result<Applied, Refusal> {
    let plain = plain(reply);
    let edits = edits(standing.format, target, without_mark(base).is_empty(), &plain);
    let whole = || answer(asked, target, Some(base), reply);
    if edits.as_ref().is_some_and(|edits| says_again(standing, target, edits)) {
        return whole();
    }
    let (wanted, given) = (standing.missing.len(), edits.as_ref().map_or(0, Vec::len));
    if wanted > 0 && given > wanted {
        return either(answer(asked, target, Some(&standing.text), reply), whole(), target, (wanted, given));
    }
    match answer(asked, target, Some(&standing.text), reply) {
        Err(refusal) if edits.is_some_and(|edits| edits.len() >= standing.count()) => whole().map_err(|_| refusal),
        Ok(applied) if applied.format != Format::Whole => {
            let edits = standing.edits.iter().chain(&applied.edits).cloned().collect();
            Ok(Applied { edits, ..applied })
        }
        result => result,
    }
}

/// Of a reply with more changes than were asked for: it may say some again in other words, so that they would be made twice,
/// or make several of one. Where it applies to both texts, only if the same comes of it.
fn either(
    further: Result<Applied, Refusal>,
    whole: Result<Applied, Refusal>,
    target: &str,
    (wanted, given): (usize, usize),
) -> Result<Applied, Refusal> {
    match (further, whole) {
        (Ok(further), Ok(whole)) if further.text != whole.text => {
            let message =
                format!("cannot apply the reply to '{target}': {given} changes, where {wanted} was to be mended");
            Err(Refusal::new("edit-two-readings", message)
                .hint("say all changes again, or the one that is asked for alone"))
        }
        (Ok(further), _) => Ok(further),
        (Err(refusal), whole) => whole.map_err(|_| refusal),
    }
}

/// Applies a reply, which mends what is `standing` of those before it in the same conversation, if anything is.
///
/// # Errors
///
/// As [`answer`].
pub fn mended(
    asked: Format,
    target: &str,
    base: Option<&str>,
    standing: Option<&Standing>,
    reply: &str,
) -> Result<Applied, Refusal> {
    match (base, standing) {
        (Some(base), Some(standing)) => amend(asked, target, base, standing, reply),
        _ => answer(asked, target, base, reply),
    }
}

/// What is left standing for the next reply when this one was refused: by the engine, as `applied` says, or by somebody else
/// though it applied.
pub fn left_standing(
    asked: Format,
    target: &str,
    base: Option<&str>,
    standing: Option<&Standing>,
    (reply, applied): (&str, &Result<Applied, Refusal>),
) -> Option<Standing> {
    match (applied, standing, base) {
        (Ok(applied), ..) => Standing::all(applied, reply),
        (Err(_), Some(standing), _) => Some(standing.clone()),
        (Err(_), None, Some(base)) if asked != Format::Whole => self::standing(asked, target, base, reply),
        (Err(_), ..) => None,
    }
}

/// What comes of the last of these replies, of which each was refused and mended by the next: a conversation that was
/// recorded, gone through again.
///
/// ```
/// use git_implement::edit::{Format, conversation};
///
/// let base = "x = 1\ny = 1\nx = 1\n";
/// let change = |old: &str, new: &str| format!("FIND:\n```\n{old}\n```\nREPLACE WITH:\n```\n{new}\n```\n");
/// let first = change("y = 1", "y = 2") + &change("x = 1", "x = 2");
/// let second = change("y = 2\nx = 1", "y = 2\nx = 2");
/// let applied = conversation(Format::FindReplace, "a.py", Some(base), &[&first, &second])?;
/// assert_eq!(applied.text, "x = 1\ny = 2\nx = 2\n");
/// # Ok::<(), git_implement::edit::Refusal>(())
/// ```
///
/// # Errors
///
/// As [`answer`], for the last reply; for none at all, as for an empty one.
pub fn conversation(asked: Format, target: &str, base: Option<&str>, replies: &[&str]) -> Result<Applied, Refusal> {
    let mut standing = None;
    let Some((last, before)) = replies.split_last() else { return answer(asked, target, base, "") };
    for reply in before {
        let applied = mended(asked, target, base, standing.as_ref(), reply);
        standing = left_standing(asked, target, base, standing.as_ref(), (reply, &applied));
    }
    mended(asked, target, base, standing.as_ref(), last)
}

/// Is one of the edits a change that stands already?
fn says_again(standing: &Standing, target: &str, edits: &[Vec<Hunk>]) -> bool {
    fn lines<'h>(readings: &'h [Hunk<'h>]) -> Option<&'h [Line<'h>]> {
        readings.first().map(|hunk| hunk.lines.as_slice())
    }
    let said = plain(&standing.reply);
    let Some(said) = self::edits(standing.format, target, false, &said) else { return false };
    let stand: HashSet<&[Line]> =
        standing.changes.iter().filter_map(|number| said.get(number - 1)).filter_map(|edit| lines(edit)).collect();
    edits.iter().filter_map(|edit| lines(edit)).any(|lines| stand.contains(lines))
}

/// The edits of a reply in this form.
fn edits<'r>(format: Format, target: &'r str, new: bool, reply: &'r str) -> Option<Vec<Vec<Hunk<'r>>>> {
    match (format.spec().parse)(reply, &Asked { target, new }).ok()? {
        Parsed::Edits(edits) => Some(edits),
        Parsed::Whole(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "a\nb\nc\nx\ny\nx\n";

    fn change(old: &str, new: &str) -> String {
        format!("FIND:\n```\n{old}\n```\nREPLACE WITH:\n```\n{new}\n```\n")
    }

    /// What comes of `second`, after a first reply that adds a line behind `a` and has a second change with two places.
    fn amended(second: &str) -> Result<String, &'static str> {
        let first = change("a", "a\nnew") + &change("x", "z");
        let stands = standing(Format::FindReplace, "f", BASE, &first).unwrap();
        let applied = amend(Format::FindReplace, "f", BASE, &stands, second);
        applied.map(|applied| applied.text).map_err(|refusal| refusal.id)
    }

    #[test]
    fn a_change_that_stands_is_never_made_twice_and_none_is_lost() {
        let (mend, right) = (change("y\nx", "y\nz"), Ok("a\nnew\nb\nc\nx\ny\nz\n".to_owned()));
        assert_eq!(amended(&mend), right);
        assert_eq!(amended(&(change("a", "a\nnew") + &mend)), right, "the same again");
        assert_eq!(amended(&(change("a\nb", "a\nnew\nb") + &mend)), right, "in a wider place");
        assert_eq!(amended(&(change("a\nnew", "a\nnew") + &mend)), right, "as it stands now");
        // The same line before the next one, or two changes in place of one: nothing tells which.
        assert_eq!(amended(&(change("b", "new\nb") + &mend)), Err("edit-two-readings"));
        assert_eq!(amended(&(change("c", "d") + &mend)), Err("edit-two-readings"));
    }
}
