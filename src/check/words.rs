//! Many words looked for at once in a text.

use aho_corasick::{AhoCorasick, Match, packed};
use memchr::memmem;
use std::ops::Range;

/// Finds many words at once, and says what each is for.
pub(super) struct Words<T> {
    parts: Vec<(Finder, Vec<T>)>,
}

enum Finder {
    One(memmem::Finder<'static>),
    /// With vectors, several times as fast, for as many patterns as fit and on processors that have them.
    Packed(packed::Searcher),
    Any(AhoCorasick),
}

/// A packed finder looks at as many bytes of a pattern before it compares. It is as if all were as short as the shortest,
/// so that shorter ones are looked for by themselves.
const LOOKED_AT: usize = 4;
/// Patterns of one packed finder: for more it looks at half as many bytes at once, and a second pass is quicker.
const PACKED: usize = 32;

impl<T: Copy> Words<T> {
    /// Of words that begin with each other the first counts.
    pub fn new(words: &[(&str, T)]) -> Words<T> {
        let (short, long): (Vec<_>, Vec<_>) = words.iter().partition(|(word, _)| word.len() < LOOKED_AT);
        let one = |(word, what): &(&str, T)| (Finder::One(memmem::Finder::new(word).into_owned()), vec![*what]);
        let several = |part: &[(&str, T)]| {
            let (words, what): (Vec<&str>, Vec<T>) = part.iter().copied().unzip();
            let packed = packed::Searcher::new(&words).map(Finder::Packed);
            (packed.unwrap_or_else(|| Finder::Any(AhoCorasick::new(&words).expect("a few constants"))), what)
        };
        let share = long.len().div_ceil(long.len().div_ceil(PACKED).max(1)).max(1);
        Words { parts: long.chunks(share).map(several).chain(short.iter().map(one)).collect() }
    }

    /// The words within a part of `text`.
    pub fn hits(&self, text: &str, part: Range<usize>, mut hit: impl FnMut(T, Range<usize>)) {
        let Some(part_text) = text.get(part.clone()) else { return };
        for (finder, all) in &self.parts {
            let mut each = |(pattern, found): (usize, Range<usize>)| {
                if let Some(what) = all.get(pattern) {
                    hit(*what, part.start + found.start..part.start + found.end);
                }
            };
            let of = |found: Match| (found.pattern().as_usize(), found.range());
            match finder {
                Finder::One(finder) => {
                    let length = finder.needle().len();
                    let found = finder.find_iter(part_text.as_bytes()).map(|at| (0, at..at + length));
                    found.for_each(&mut each);
                }
                Finder::Packed(finder) => finder.find_iter(part_text).map(of).for_each(&mut each),
                Finder::Any(finder) => finder.find_iter(part_text).map(of).for_each(&mut each),
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
