//! Words and phrases in prose, as wholes: "incorrectly" holds no "correctly".

/// Does `text`, in lower case, hold `phrase` between ends of words? Underscores belong to words.
pub(super) fn has_phrase(text: &str, phrase: &str) -> bool {
    find_phrase(text, phrase).is_some()
}

pub(super) fn find_phrase(text: &str, phrase: &str) -> Option<usize> {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(phrase).map(|(at, _)| at).find(|&at| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + phrase.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(in_word) && !after.is_some_and(in_word)
    })
}

/// Does the text hold something exact: code, a number, a quotation, a comparison, a name from a program?
pub(super) fn has_literal(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit() || "`\"“=<>≥≤≠→_{}[]/%".contains(c))
        || text.contains("()")
        || text.contains(" '")
        || text.starts_with('\'')
        || text.split(|c: char| !c.is_alphanumeric()).any(is_name)
}

/// `ValueError`, `isPending`, `HTTP`: capitals that no sentence puts there.
fn is_name(word: &str) -> bool {
    let capitals = word.chars().filter(|c| c.is_uppercase()).count();
    let first = word.chars().next().is_some_and(char::is_uppercase);
    word.len() > 2 && (capitals > 1 || (capitals == 1 && !first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_as_whole_words_only() {
        assert!(has_phrase("it works correctly.", "works correctly"));
        assert!(!has_phrase("networks correctly", "works correctly"));
        assert!(!has_phrase("reworks", "works") && !has_phrase("works_", "works"));
        assert_eq!(find_phrase("networks, works", "works"), Some(10));
    }

    #[test]
    fn code_numbers_quotations_and_names_are_literals_and_words_are_not() {
        for text in ["`a`", "is 3", "says \"no\"", "a = b", "ValueError", "isPending", "HTTP fails", "a_b", "f()"] {
            assert!(has_literal(text), "{text}");
        }
        for text in ["", "Works as expected", "It is fine", "the user's own"] {
            assert!(!has_literal(text), "{text}");
        }
    }
}
