//! The paths that a statement names one after the other.

use super::noted::clause;
use super::statement::plain;
use crate::lld::Change;
use crate::lld::sentence::{Looks, Seen, Word, is_at_the_root};
use crate::lld::target::Target;
use crate::lld::vocabulary::asked;
use crate::lld::wording;

/// The most paths that one line names.
const MAX_LISTED: usize = 64;

/// The paths that stand one after the other from `at` on, with arrows for renames; what is said of each in parentheses;
/// patterns among them; and the index after the last one.
pub(super) fn listed(words: &[Word], at: usize) -> (Vec<Target>, Vec<Option<Change>>, Vec<String>, usize) {
    let (mut targets, mut each, mut patterns): (Vec<Target>, Vec<Option<Change>>, Vec<String>) = Default::default();
    let moves = plain(words, 0, at).iter().any(|word| asked(word) == Some(Change::Rename) || *word == "copy");
    let (mut end, mut arrow, mut depth) = (at, false, 0usize);
    for (index, word) in words.iter().enumerate().skip(at) {
        match word {
            Word::Mark('(') if index == end => {
                depth += 1;
                let said = wording::read(&clause(words, index + 1).join(" "));
                if let Some(last) = each.last_mut().filter(|_| said.exact) {
                    *last = said.change;
                }
            }
            Word::Mark(')') if depth > 0 => {
                depth -= 1;
                end = index + 1;
            }
            _ if depth > 0 => {}
            Word::Seen(Seen { looks, written }) if targets.len() < MAX_LISTED => {
                end = index + 1;
                let mut from = if arrow { targets.pop().map(|target| target.path) } else { None };
                arrow = false;
                each.truncate(targets.len());
                match looks {
                    Looks::Files(files) => {
                        let beside = targets.last().and_then(|target| beside(&target.path, files));
                        for path in beside.as_ref().unwrap_or(files) {
                            targets.push(Target { path: path.clone(), directory: false, from: from.take() });
                        }
                    }
                    Looks::Directory(path) => targets.push(Target { path: path.clone(), directory: true, from }),
                    Looks::Glob | Looks::Placeholder => patterns.push(written.clone()),
                    Looks::Slashed(_) | Looks::Extension(_) => break,
                }
                each.resize(targets.len(), None);
            }
            Word::Mark(',' | '+' | '/') => end = end.max(index),
            Word::Mark('→') => arrow = true,
            Word::Plain(word)
                if moves && matches!(word.as_str(), "to" | "into" | "as" | "nach" | "a" | "vers" | "para") =>
            {
                arrow = true;
            }
            Word::Plain(word)
                if matches!(word.as_str(), "and" | "und" | "et" | "y" | "e" | "と" | "和" | "및" | "и") => {}
            _ => break,
        }
    }
    (targets, each, patterns, end)
}

/// Bare names after a path of their kind lie in its directory: "`src/a.ts`, `b.ts`".
fn beside(before: &str, files: &[String]) -> Option<Vec<String>> {
    let (directory, name) = before.rsplit_once('/')?;
    let kind = |name: &str| name.rsplit_once('.').map(|(_, kind)| kind.to_owned());
    let bare = |file: &String| !file.contains('/') && kind(file) == kind(name) && !is_at_the_root(file);
    files.iter().all(bare).then(|| files.iter().map(|file| format!("{directory}/{file}")).collect())
}
