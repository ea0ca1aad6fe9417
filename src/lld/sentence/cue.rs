//! The word before a path that says what is done with it: how it is found, and what it is worth.

use super::looks::Looks;
use super::roles::{Line, REACH, Role, is_reference};
use super::words::{Word, is_ideograph};
use crate::lld::vocabulary::has;

/// The nearest word before a path that says something about it.
pub(super) enum Cue {
    /// It stands in a list after the path at this index.
    Listed(usize),
    Mention,
    Place,
    From,
    Weak,
    Verb,
    Add,
    Delete,
    Rename,
    /// The line, a clause, a parenthesis begins.
    Start(usize),
    Colon,
    Parenthesis,
    Clause,
    Dot,
}

impl Line<'_> {
    /// Goes back to the nearest word that says something.
    pub(super) fn cue(&self, at: usize) -> Cue {
        let mut neutral = 0;
        let mut back = at;
        let mut depth = 0usize;
        while let Some(before) = back.checked_sub(1).filter(|_| at - back < REACH + 8 && neutral <= REACH) {
            back = before;
            let word = match self.words.get(back) {
                Some(Word::Mark(')')) => {
                    depth += 1;
                    continue;
                }
                Some(Word::Mark('(')) if depth > 0 => {
                    depth -= 1;
                    continue;
                }
                _ if depth > 0 => continue,
                Some(Word::Mark('(')) => return Cue::Parenthesis,
                Some(Word::Mark(':')) => {
                    return if self.before(back).is_some_and(is_reference) { Cue::Mention } else { Cue::Colon };
                }
                Some(Word::Mark(',' | '+' | '/')) => return self.listed(back).map_or(Cue::Clause, Cue::Listed),
                Some(Word::Mark('"')) => continue,
                Some(Word::Mark('·')) => return Cue::Dot,
                Some(Word::Mark('→')) => {
                    let from = self.listed(back).filter(|&from| self.role(from) == Some(Role::RenameFrom));
                    return if from.is_some() { Cue::Verb } else { Cue::Clause };
                }
                Some(Word::Mark(_)) => return Cue::Clause,
                Some(Word::Code) => {
                    neutral += 1;
                    continue;
                }
                Some(Word::Seen(seen)) if matches!(seen.looks, Looks::Slashed(_)) => {
                    neutral += 1;
                    continue;
                }
                // Two paths with nothing between them.
                Some(Word::Seen(_)) => return Cue::Clause,
                Some(Word::Plain(word)) => word.as_str(),
                None => break,
            };
            if matches!(word, "and" | "or" | "und" | "et" | "y" | "と" | "和" | "及" | "、" | "以及") {
                let earlier = || self.earlier(back).filter(|_| neutral == 0);
                match self.listed(back).filter(|_| neutral <= 3).or_else(earlier) {
                    Some(before) => return Cue::Listed(before),
                    None => {
                        neutral += 1;
                        continue;
                    }
                }
            }
            if has("place", word) {
                return if self.defined(back) { Cue::Mention } else { Cue::Place };
            }
            if word == "from" || word == "depuis" || word == "desde" {
                return Cue::From;
            }
            let first = back == 0;
            if has("mention", word) && !(first && has("write", word)) {
                return Cue::Mention;
            }
            if has("weak", word) {
                return Cue::Weak;
            }
            if has("deletes", word) {
                let plain = (back + 1..at).all(|at| self.plain(at).is_some_and(|word| has("article", word)));
                return if plain { Cue::Delete } else { Cue::Verb };
            }
            if has("renames", word) {
                return Cue::Rename;
            }
            if has("write", word) {
                return if has("object", word) { Cue::Verb } else { Cue::Add };
            }
            neutral += 1;
        }
        Cue::Start(neutral)
    }

    /// The path that stands right before the mark or word at `at`, parentheses after it left out.
    pub(super) fn listed(&self, at: usize) -> Option<usize> {
        let mut back = at;
        let mut depth = 0usize;
        while let Some(before) = back.checked_sub(1).filter(|_| at - back < 24) {
            back = before;
            match self.words.get(back)? {
                Word::Mark(')') => depth += 1,
                Word::Mark('(') => depth = depth.checked_sub(1)?,
                _ if depth > 0 => {}
                Word::Seen(_) => return Some(back),
                Word::Mark(',') => {}
                _ => return None,
            }
        }
        None
    }

    /// The last path before `at` in the same sentence.
    pub(super) fn earlier(&self, at: usize) -> Option<usize> {
        let back = (at.saturating_sub(40)..at).rev();
        let mut sentence = back.take_while(|&back| !matches!(self.words.get(back), Some(Word::Mark('.' | ';' | '→'))));
        sentence.find(
            |&back| matches!(self.words.get(back), Some(Word::Seen(seen)) if matches!(seen.looks, Looks::Files(_))),
        )
    }

    /// "defined in X", "link to X", "to read the list in X": a reference, not a place to write.
    pub(super) fn defined(&self, at: usize) -> bool {
        let before = self.before(at).unwrap_or_default();
        // "The same pattern as in X" is one to look at.
        let same = matches!(before, "pattern" | "style" | "way" | "approach" | "structure" | "format" | "convention")
            && at.checked_sub(1).and_then(|at| self.before(at)).is_some_and(|word| matches!(word, "same" | "existing"));
        if has("defined", before) || same {
            return true;
        }
        let follows = |at: usize| {
            self.plain(at).is_some_and(|word| matches!(word, "follow" | "following" | "mirroring" | "copied"))
        };
        if (at.saturating_sub(5)..at).any(follows) {
            return true;
        }
        // Something must be written.
        if !self.roles.iter().rev().take(REACH).any(|&(_, role)| role == Role::Write) {
            return false;
        }
        // A verb that looks, in a clause that began with another verb.
        for back in (at.saturating_sub(7)..at).rev() {
            match self.words.get(back) {
                Some(Word::Plain(word)) if has("write", word) && !has("mention", word) => return false,
                Some(Word::Plain(word)) if back > 0 && has("mention", word) && word != "by" && word != "via" => {
                    let verb = self.before(back).is_some_and(|before| before == "to");
                    if verb {
                        return true;
                    }
                }
                Some(Word::Seen(_) | Word::Mark('.' | ';' | '(' | ',' | ':')) => return false,
                _ => {}
            }
        }
        false
    }

    /// Does the verb before "from" change what follows?
    pub(super) fn writes_from(&self, at: usize) -> bool {
        let from = (at.saturating_sub(REACH)..at).rev().find(|&back| self.plain(back) == Some("from")).unwrap_or(at);
        let clause = (from.saturating_sub(REACH)..from)
            .rev()
            .take_while(|&back| !matches!(self.words.get(back), Some(Word::Mark('.' | ';' | '→'))));
        clause.into_iter().any(|back| self.plain(back).is_some_and(|word| has("from-writes", word)))
    }

    /// Is the path all that the verb is about? Not in "create config.json parser".
    pub(super) fn is_whole(&self, at: usize) -> bool {
        // "settings.json file management", but "Makefile targets".
        let named = matches!(self.words.get(at), Some(Word::Seen(seen)) if !seen.written.contains('.'));
        let file = matches!(self.plain(at + 1), Some("file" | "files"));
        match self.words.get(if file { at + 2 } else { at + 1 }) {
            _ if named => true,
            Some(Word::Plain(word)) => has("after-file", word) || word.starts_with(is_ideograph),
            _ => true,
        }
    }

    /// Does the rename say what to?
    pub(super) fn leads_on(&self, at: usize) -> bool {
        let rest = self.words.iter().skip(at + 1).take(REACH);
        let mut arrow = false;
        for word in rest {
            match word {
                Word::Plain(word) if matches!(word.as_str(), "to" | "into" | "as" | "vers" | "a") => arrow = true,
                Word::Mark('→') => arrow = true,
                Word::Mark('.' | ';') => return false,
                Word::Seen(seen) => return arrow && matches!(seen.looks, Looks::Files(_) | Looks::Directory(_)),
                _ => {}
            }
        }
        false
    }
}
