//! What is said of paths right after them: `(new)`, `[DELETE]`, "— verify that …", "(already exists)".

use super::statement::plain;
use crate::lld::Change;
use crate::lld::sentence::Word;
use crate::lld::target::Target;
use crate::lld::verbs::forbid_file;
use crate::lld::vocabulary::{has, list, writes};
use crate::lld::wording;

pub(super) enum Noted {
    Look,
    Forbid,
    Change(Change),
    /// What is done suggests it.
    Hint(Change),
}

/// What the words right after the paths say of them: `(new)`, `[DELETE]`, "— verify that …", "(already exists)".
pub(super) fn noted(words: &[Word], end: usize, targets: &[Target]) -> Option<Noted> {
    // The parenthesis after the last path, and the words after a dash or a colon.
    let open = (0..end).rev().find(|&at| matches!(words.get(at), Some(Word::Mark('('))));
    let closed = end > 0 && matches!(words.get(end - 1), Some(Word::Mark(')')));
    let inside = open.filter(|_| closed && targets.len() == 1).map(|open| clause(words, open + 1)).unwrap_or_default();
    let start = (end..words.len()).find(|&at| !matches!(words.get(at), Some(Word::Mark(_)))).unwrap_or(words.len());
    let goes_on = matches!(words.get(end), Some(Word::Mark(',' | ';' | '.')));
    let after = if goes_on { Vec::new() } else { clause(words, start) };
    let later = (end..words.len()).filter(|&at| matches!(words.get(at), Some(Word::Mark('(')))).take(MAX_NOTES);
    let later: Vec<Vec<&str>> = later.map(|at| clause(words, at + 1)).collect();
    for clause in [&inside, &after].into_iter().chain(&later) {
        let pair =
            |first: &str, second: &str| clause.windows(2).any(|pair| pair[0] == first && pair[1].starts_with(second));
        if pair("already", "exist")
            || pair("for", "reference")
            || pair("reference", "only")
            || pair("read", "only")
            || pair("no", "change")
        {
            return Some(Noted::Look);
        }
        if forbid_file(clause) && clause.len() <= 6 {
            return Some(Noted::Forbid);
        }
    }
    // Words that code or a path cuts off are about that.
    let whole = |from: usize, clause: &[&str]| {
        let end =
            (from..words.len()).find(|&at| matches!(words.get(at), Some(Word::Mark(_) | Word::Seen(_) | Word::Code)));
        !clause.is_empty() && !matches!(end.and_then(|end| words.get(end)), Some(Word::Seen(_) | Word::Code))
    };
    for (from, clause) in [(open.unwrap_or(end) + 1, &inside), (start, &after)] {
        let wording = wording::read(&clause.join(" "));
        match wording.change {
            Some(Change::None) if wording.exact => return Some(Noted::Look),
            Some(change) if wording.exact && whole(from, clause) => return Some(Noted::Change(change)),
            _ => {}
        }
    }
    let asserts = |word: &str| matches!(word, "verify" | "confirm" | "check" | "review" | "inspect");
    // "- the client (existing)", "- the server (new)": a note at the end, of what the words before it do not change.
    for said in later.iter().map(|clause| wording::read(&clause.join(" "))).filter(|said| said.exact) {
        match said.change {
            Some(Change::None) if !after.iter().any(|word| writes(word)) => return Some(Noted::Look),
            Some(change) if change != Change::None => return Some(Noted::Change(change)),
            _ => {}
        }
    }
    let rest = plain(words, start, words.len());
    let is_done =
        |word: &&str| has("already", word) || list("already-begin").iter().any(|begin| word.starts_with(begin));
    if rest.first().is_some_and(is_done) && !rest.iter().any(|word| writes(word)) {
        return Some(Noted::Look);
    }
    match (after.first().copied(), after.get(1).copied().unwrap_or_default()) {
        (Some("reference" | "references" | "see" | "unchanged"), _) => Some(Noted::Look),
        // "Verify that nothing breaks", but "verify the token" is what the code is to do.
        (Some(word), "that" | "no" | "whether" | "if" | "it" | "existing" | "still" | "nothing" | "all")
            if asserts(word) =>
        {
            Some(Noted::Look)
        }
        (Some("new"), _) => Some(Noted::Hint(Change::Add)),
        // "Add a flag", "remove the call": to the file, from it.
        (Some(word), _) if writes(word) => Some(Noted::Hint(Change::Modify)),
        _ if matches!(inside.first(), Some(&"new")) => Some(Noted::Change(Change::Add)),
        _ => None,
    }
}

/// The most parentheses of a line that are looked into.
const MAX_NOTES: usize = 8;

/// The words from `at` to the next mark.
pub(super) fn clause(words: &[Word], at: usize) -> Vec<&str> {
    let end = (at..words.len()).find(|&at| matches!(words.get(at), Some(Word::Mark(_) | Word::Seen(_) | Word::Code)));
    plain(words, at, end.unwrap_or(words.len()))
}
