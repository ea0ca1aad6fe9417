//! A Markdown fence left over: the first or the last line that holds anything is one.

use super::{Base, Change, Check, Design, Settings, Verdict, Weight, kind, lines};
use crate::finding::Finding;

pub const CHECK: Check =
    Check { id: "fence", allowable: true, design: Design::Never, weight: Weight::ALWAYS, base: Base::Excuses, run };

fn run(candidate: &Change, _: &Settings) -> Verdict {
    if kind::is_prose(candidate.path) {
        return Verdict::Pass;
    }
    let (first, last) = ends(candidate.text);
    let (had_first, had_last) = candidate.base.map_or((None, None), ends);
    let first = first.filter(|_| had_first.is_none());
    // One that closes another was meant.
    let is_paired = || candidate.text.lines().filter(|line| is_fence(line, true)).count() % 2 == 0;
    let last = last.filter(|_| had_last.is_none() && (first.is_some() || !is_paired()));
    let found = match (first, last) {
        // Plain text, templates, snapshots may well begin or end with an example; only what wraps all was not meant.
        (None, _) | (_, None) if !kind::is_formal(candidate.path) => None,
        (Some(at), Some(_)) => Some((at, "begins and ends")),
        (first, last) => first.map(|at| (at, "begins")).or(last.map(|at| (at, "ends"))),
    };
    let finding = |(at, how): (usize, &str)| {
        Finding::error(CHECK.id, format!("'{}' {how} with a Markdown fence", candidate.path))
            .line(at)
            .hint("the fence belongs to the reply, not to the file")
    };
    found.map_or(Verdict::Pass, |found| Verdict::Fail(vec![finding(found)]))
}

/// The lines of the fences with which a text begins and ends.
pub(super) fn ends(text: &str) -> (Option<usize>, Option<usize>) {
    let first = lines::filled(text).next();
    let last = lines::last_filled(text).filter(|last| Some(*last) != first);
    let first = first.filter(|(_, line)| is_fence(line, true)).map(|(at, _)| at);
    let last = last.filter(|(_, line)| is_fence(line, false)).map(|(at, _)| at);
    (first, last)
}

/// Three or more backticks or tildes; an opening one may name a language.
fn is_fence(line: &str, opening: bool) -> bool {
    let line = line.trim();
    ['`', '~'].into_iter().any(|mark| {
        let info = line.trim_start_matches(mark);
        line.len() - info.len() >= 3 && (info.trim().is_empty() || (opening && !info.contains(mark)))
    })
}
