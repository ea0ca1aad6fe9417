//! Words that forbid: "do not touch", "never change", "leave as it is".

use super::vocabulary::{has, list, writes};

/// Do these words, in lower case, forbid to change what they are about: "do not touch", "never change", "leave as it is"?
pub(super) fn forbid(words: &[&str]) -> bool {
    let negation =
        |word: &str| has("negation", word) || list("negation-within").iter().any(|within| word.contains(within));
    let mut negated = false;
    for (at, &word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        if word.contains(|c: char| !c.is_ascii()) && list("negation-within").iter().any(|within| word.contains(within))
        {
            return true;
        }
        if negation(word) && !has("forgetting", next) {
            negated = true;
        } else if writes(word) {
            // "Modify, but do not touch the interface" asks for something first.
            return negated;
        }
    }
    leave(words)
}

fn leave(words: &[&str]) -> bool {
    let text = words.join(" ");
    list("leaving").iter().any(|phrase| has_word(&text, phrase))
}

/// Does `phrase` stand in `text` as words of their own?
pub(super) fn has_word(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, phrase)| {
        let edge = |c: Option<char>| c.is_none_or(|c| !(c.is_alphanumeric() || c == '_'));
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + phrase.len()..).unwrap_or_default());
        edge(before.chars().next_back()) && edge(after.chars().next())
    })
}

/// The same of the file as a whole: not "do not change the interface".
pub(super) fn forbid_file(words: &[&str]) -> bool {
    let whole = words
        .last()
        .is_some_and(|word| writes(word) || matches!(*word, "it" | "this" | "file" | "files" | "them" | "anything"));
    let foreign = || words.iter().any(|word| !word.is_ascii());
    forbid(words) && (whole || foreign() || leave(words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lld::vocabulary::words;

    fn forbids(text: &str) -> bool {
        forbid(&words(&text.to_lowercase()))
    }

    #[test]
    fn what_must_stay_as_it_is_is_told_in_many_words() {
        #[rustfmt::skip]
        let texts = [
            "Do not touch", "DO NOT MODIFY", "Must not change", "Never change", "Don't edit", "Leave as it is",
            "Leave unchanged", "No changes to", "read-only", "off-limits", "nicht ändern", "ne pas modifier",
            "no modificar", "変更しない", "请勿修改", "수정하지", "не изменить",
        ];
        for text in texts {
            assert!(forbids(text), "{text}");
        }
        for text in
            ["Modify", "Do not forget to update", "Create if it does not exist", "Not only update", "New", "変更"]
        {
            assert!(!forbids(text), "{text}");
        }
    }
}
