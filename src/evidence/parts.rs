//! What stands where in code: remarks and strings as the masks of the gates know them, for every language that they know, and the
//! words that languages have for themselves.

use crate::syntax;
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Remark,
    String,
    Number,
    Word,
}

/// Words that some language has for itself. One that another has not is marked there, too: it is a help for the eye.
const WORDS: &str = include_str!("words.txt");

/// For each line of a text, its parts, in order. Linear.
pub(super) fn parts(path: &str, text: &str) -> Vec<Vec<(Range<usize>, Part)>> {
    let Some(mask) = syntax::mask(path, text).filter(|mask| mask.len() == text.len()) else { return Vec::new() };
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let end = start + bare.len();
        found.push(of_line(bare, mask.as_bytes().get(start..end).unwrap_or_default()));
        start += line.len();
    }
    found
}

fn of_line(line: &str, mask: &[u8]) -> Vec<(Range<usize>, Part)> {
    let bytes = line.as_bytes();
    let masked = |at: usize| match (bytes.get(at), mask.get(at)) {
        (Some(was), Some(b' ')) if *was != b' ' => Some(Part::Remark),
        (Some(was), Some(b'_')) if *was != b'_' => Some(Part::String),
        _ => None,
    };
    let mut parts: Vec<(Range<usize>, Part)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let from = at;
        if let Some(part) = masked(at) {
            // Blanks in a remark are its own.
            while at < bytes.len() && (masked(at) == Some(part) || bytes[at] == b' ' || bytes[at] == b'_') {
                at += 1;
            }
            let end = from + line.get(from..at).map_or(0, |text| text.trim_end().len());
            parts.push((from..end.max(from + 1), part));
            continue;
        }
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        if !is_word(&bytes[at]) {
            at += 1;
            continue;
        }
        while at < bytes.len() && is_word(&bytes[at]) && masked(at).is_none() {
            at += 1;
        }
        let word = line.get(from..at).unwrap_or_default();
        let part = match bytes[from] {
            first if first.is_ascii_digit() => Some(Part::Number),
            _ => WORDS.split_ascii_whitespace().any(|known| known == word).then_some(Part::Word),
        };
        parts.extend(part.map(|part| (from..at, part)));
    }
    parts.retain(|(range, _)| line.get(range.clone()).is_some());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_strings_numbers_and_words_are_known_in_any_language_with_a_mask() {
        let shown = |path: &str, text: &str| -> Vec<(String, Part)> {
            let lines: Vec<&str> = text.lines().collect();
            let found = parts(path, text).into_iter().zip(lines);
            found
                .flat_map(|(parts, line)| parts.into_iter().map(move |(at, part)| (line[at].to_owned(), part)))
                .collect()
        };
        let python = shown("a.py", "def f(x): # so it is\n    return 'a b' + 12\n");
        assert_eq!(
            python.iter().map(|(text, part)| (text.as_str(), *part)).collect::<Vec<_>>(),
            [
                ("def", Part::Word),
                ("# so it is", Part::Remark),
                ("return", Part::Word),
                ("a b", Part::String),
                ("12", Part::Number)
            ]
        );
        assert!(shown("a.rs", "/* ä\n ö */ let x = \"ß\";\n").contains(&("let".to_owned(), Part::Word)));
        assert!(parts("a.unknown", "def x\n").is_empty());
    }
}
