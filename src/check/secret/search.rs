//! Where in a text secrets may stand, found without asking each rule.
//!
//! A token is a long word, and these are few in what people write: only beside them are the providers' prefixes looked
//! for, so that more providers cost next to nothing. What else gives a secret away (names of variables, addresses, heads
//! of keys) is looked for in the whole text, all at once.

use std::ops::Range;

/// Letters and digits of a word that may be a token. The shortest token of all has as many.
const LONG: usize = 20;
/// Long words without a digit are names, up to this length, unless they are all of capital letters.
const NAME: usize = 30;
/// Bytes before a long word that may be the beginning of its token.
const BEFORE: usize = 64;

/// The long words of a text, each with what stands before it. The ranges do not overlap.
pub(super) fn long_words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let (mut at, mut last) = (0, 0);
    std::iter::from_fn(move || {
        while at + LONG <= bytes.len() {
            // From the end of where the next long word would be: most of the bytes before need not be looked at.
            let short = bytes[at..at + LONG].iter().rposition(|byte| !IS_OF_WORD[usize::from(*byte)]);
            if let Some(other) = short {
                at += other + 1;
                continue;
            }
            let more = bytes[at + LONG..].iter().position(|byte| !IS_OF_WORD[usize::from(*byte)]);
            let end = more.map_or(bytes.len(), |more| at + LONG + more);
            let word = at..end;
            at = end;
            let letters = &bytes[word.clone()];
            let is_name = letters.len() < NAME && !letters.iter().any(u8::is_ascii_digit);
            if !is_name || letters.iter().all(u8::is_ascii_uppercase) {
                let start = text.floor_char_boundary(word.start.saturating_sub(BEFORE)).max(last);
                last = end;
                return Some(start..end);
            }
        }
        None
    })
}

static IS_OF_WORD: [bool; 256] = {
    let mut is = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        is[byte] = (byte as u8).is_ascii_alphanumeric() || byte == b'_' as usize || byte == b'-' as usize;
        byte += 1;
    }
    is
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_found_with_what_is_before_them_wherever_they_stand() {
        let word = "k".repeat(19) + "7";
        let found = |text: &str| long_words(text).map(|range| text[range].to_owned()).collect::<Vec<String>>();
        assert_eq!(found(&word), [word.as_str()]);
        assert_eq!(found(&format!("a b {word} c")), [format!("a b {word}")]);
        assert_eq!(found(&format!("ä.{word}{word} {word}")), [format!("ä.{word}{word}"), format!(" {word}")]);
        assert_eq!(found(&format!("{} {}", "k".repeat(29), &word[1..])), Vec::<String>::new());
        let far = found(&format!("{} {word}", "é ".repeat(100)));
        assert!(far.len() == 1 && far[0].len() <= word.len() + BEFORE + 1 && far[0].ends_with(&word));
    }
}
