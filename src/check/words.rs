//! Many words looked for at once in a text.

use aho_corasick::{AhoCorasick, Match, packed};
use std::ops::Range;

/// Finds many words at once, and says what each is for.
pub(super) struct Words<T> {
    parts: Vec<(Finder, Vec<T>)>,
}

enum Finder {
    /// With vectors, several times as fast, for as many patterns as fit and on processors that have them.
    Packed(packed::Searcher),
    Any(AhoCorasick),
}

/// A packed finder compares where the first bytes of a word are: as many as this, or as the shortest of its words has. So
/// shorter words have finders of their own.
const LOOKED_AT: usize = 4;
/// Patterns of one packed finder: for more it looks at half as many bytes at once, and a second pass is quicker.
const PACKED: usize = 32;

impl<T: Copy> Words<T> {
    /// Of words that begin with each other the first counts.
    pub fn new(words: &[(&str, T)]) -> Words<T> {
        let (short, long): (Vec<_>, Vec<_>) = words.iter().partition(|(word, _)| word.len() < LOOKED_AT);
        let part = |part: &[(&str, T)]| {
            let (words, what): (Vec<&str>, Vec<T>) = part.iter().copied().unzip();
            let packed = packed::Searcher::new(&words).map(Finder::Packed);
            (packed.unwrap_or_else(|| Finder::Any(AhoCorasick::new(&words).expect("a few constants"))), what)
        };
        let parts = |words: &[(&str, T)]| {
            // As many in each.
            let share = words.len().div_ceil(words.len().div_ceil(PACKED).max(1)).max(1);
            words.chunks(share).map(part).collect::<Vec<_>>()
        };
        Words { parts: [parts(&long), parts(&short)].into_iter().flatten().collect() }
    }

    /// The words within a part of `text`.
    pub fn hits(&self, text: &str, part: Range<usize>, mut hit: impl FnMut(T, Range<usize>)) {
        let Some(part_text) = text.get(part.clone()) else { return };
        for (finder, all) in &self.parts {
            let mut each = |found: Match| {
                if let Some(what) = all.get(found.pattern().as_usize()) {
                    hit(*what, part.start + found.start()..part.start + found.end());
                }
            };
            match finder {
                Finder::Packed(finder) => finder.find_iter(part_text).for_each(&mut each),
                Finder::Any(finder) => finder.find_iter(part_text).for_each(&mut each),
            }
        }
    }
}

#[cfg(test)]
impl<T> Words<T> {
    pub fn passes(&self) -> usize {
        self.parts.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_and_more_words_than_one_finder_takes_are_found_with_what_they_are_for() {
        let many: Vec<String> = (0..100).map(|n| format!("word{n:03}")).collect();
        let all: Vec<(&str, usize)> = many.iter().map(String::as_str).chain(["://", "pw"]).zip(0..).collect();
        let words = Words::new(&all);
        let text = "é pw word007x://word099 word1";
        let mut found = Vec::new();
        words.hits(text, "é ".len()..text.len(), |what, at| found.push((what, &text[at])));
        found.sort_unstable();
        assert_eq!(found, [(7, "word007"), (99, "word099"), (100, "://"), (101, "pw")]);
    }
}
