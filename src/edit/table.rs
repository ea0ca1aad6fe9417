//! [`Table`]: all lines of a text that are not blank, by what they look like, for many searches in one text.
//!
//! One pass over the bytes. Lines that are the same under the loosest form look the same; the reverse must be checked
//! by whoever asks.

use super::text::{bare, is_blank, key};

const NONE: u32 = u32::MAX;

/// A text of more bytes is not for a table, whose numbers have 32 bits.
pub(super) const MOST_BYTES: usize = u32::MAX as usize - 1;

pub(super) struct Table {
    /// Where each line begins.
    starts: Vec<u32>,
    looks: Vec<u64>,
    /// For each hash the first line that has it, and for each line the next one with the same hash.
    heads: Vec<u32>,
    next: Vec<u32>,
}

impl Table {
    pub fn new(body: &str) -> Table {
        let lines = body.len() / 24 + 8;
        let (mut starts, mut looks) = (Vec::with_capacity(lines), Vec::with_capacity(lines));
        let ascii = body.is_ascii();
        let mut start = 0;
        let ends = memchr::memchr_iter(b'\n', body.as_bytes()).map(|at| at + 1);
        for end in ends.chain([body.len()]) {
            let line = body.get(start..end).unwrap_or("");
            if !is_blank(line) {
                starts.push(start as u32);
                looks.push(if ascii { look_of(line.as_bytes()) } else { look(line) });
            }
            start = end;
        }
        let mut table = Table {
            heads: vec![NONE; (looks.len() * 2).next_power_of_two()],
            next: vec![NONE; looks.len()],
            starts,
            looks,
        };
        for at in (0..table.looks.len()).rev() {
            let bucket = table.bucket(table.looks[at]);
            table.next[at] = std::mem::replace(&mut table.heads[bucket], at as u32);
        }
        table
    }
    fn bucket(&self, look: u64) -> usize {
        look as usize & (self.heads.len() - 1)
    }
    /// Where the line with this number (of those that are not blank, from 0) begins.
    pub fn start(&self, line: usize) -> Option<usize> {
        self.starts.get(line).map(|start| *start as usize)
    }
    pub fn look(&self, line: usize) -> Option<u64> {
        self.looks.get(line).copied()
    }
    /// The numbers of the lines that look like `look`, in order.
    pub fn like(&self, look: u64) -> impl Iterator<Item = usize> {
        let mut at = self.heads[self.bucket(look)];
        std::iter::from_fn(move || {
            while at != NONE {
                let line = at as usize;
                at = self.next[line];
                if self.looks[line] == look {
                    return Some(line);
                }
            }
            None
        })
    }
    /// The numbers at which `looks` occur one after the other, overlapping places too, in linear time (Knuth, Morris
    /// and Pratt).
    pub fn runs(&self, looks: &[u64]) -> impl Iterator<Item = usize> {
        let mut border = vec![0; looks.len()];
        let mut matched = 0;
        for i in 1..looks.len() {
            while matched > 0 && looks[i] != looks[matched] {
                matched = border[matched - 1];
            }
            matched += usize::from(looks[i] == looks[matched]);
            border[i] = matched;
        }
        let mut matched = 0;
        self.looks.iter().enumerate().filter_map(move |(line, look)| {
            while matched > 0 && *look != looks[matched] {
                matched = border[matched - 1];
            }
            matched += usize::from(looks.get(matched) == Some(look));
            if matched == 0 || matched < looks.len() {
                return None;
            }
            matched = border[matched - 1];
            Some(line + 1 - looks.len())
        })
    }
}

/// What a line looks like: the first and the last letters and digits of what the loosest form keeps of it.
pub(super) fn look(line: &str) -> u64 {
    if line.is_ascii() { look_of(line.as_bytes()) } else { look_of(key(bare(line)).as_bytes()) }
}

fn look_of(line: &[u8]) -> u64 {
    let (first, last) = (eight(line.iter()), eight(line.iter().rev()));
    let wide = u128::from(first ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(u128::from(last ^ 0xd6e8_feb8_6659_fd93));
    (wide as u64) ^ ((wide >> 64) as u64)
}

/// The first eight bytes that are part of a word. Without a branch for each byte, which nothing could foresee.
fn eight<'a>(bytes: impl Iterator<Item = &'a u8>) -> u64 {
    let (mut word, mut count) = (0, 0);
    for byte in bytes {
        let part = IS_WORD[usize::from(*byte)];
        word = word << (8 * part) | u64::from(*byte * part);
        count += part;
        if count == 8 {
            break;
        }
    }
    word
}

/// 1 for each byte that is part of a word, else 0.
const IS_WORD: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let ascii = byte as u8;
        table[byte] = (ascii.is_ascii_alphanumeric() || ascii == b'_' || !ascii.is_ascii()) as u8;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_the_same_by_key_look_the_same() {
        for (a, b) in [("f( a,b )", "  f(a, b)"), ("\u{201c}x\u{201d}", "\"x\""), ("cafe\u{301}", "caf\u{e9} ")] {
            assert_eq!(look(a), look(b), "{a} {b}");
        }
        assert_ne!(look("ab"), look("ba"));
        assert_ne!(look("first_line(1)"), look("first_line(2)"));
    }

    #[test]
    fn lines_are_found_by_their_look_and_runs_by_theirs() {
        let table = Table::new("x\n\ny\n x\n  \nx\nx");
        assert_eq!(table.like(look("x")).collect::<Vec<_>>(), [0, 2, 3, 4]);
        assert_eq!(table.like(look("z")).count(), 0);
        assert_eq!(table.runs(&[look("x"), look("x")]).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(table.runs(&[look("y"), look("x"), look("x")]).collect::<Vec<_>>(), [1]);
        assert_eq!([0, 1, 4].map(|line| table.start(line)), [Some(0), Some(3), Some(13)]);
        assert_eq!(table.start(5), None);
    }

    #[test]
    fn runs_are_those_that_a_search_at_every_line_finds() {
        let word = |bits: usize, len: usize| -> Vec<&str> {
            (0..len).map(|n| if bits >> n & 1 == 1 { "a" } else { "b" }).collect()
        };
        for body in (0..1 << 8).map(|bits| word(bits, 8)) {
            let table = Table::new(&body.join("\n"));
            for run in (1..=4).flat_map(|len| (0..1 << len).map(move |bits| word(bits, len))) {
                let looks: Vec<u64> = run.iter().map(|line| look(line)).collect();
                let found: Vec<usize> = (0..=8 - run.len()).filter(|at| body[*at..].starts_with(&run)).collect();
                assert_eq!(table.runs(&looks).collect::<Vec<_>>(), found, "{body:?} {run:?}");
            }
        }
    }

    #[test]
    fn a_text_without_lines_has_none() {
        for body in ["", "\n", " \r\n\t"] {
            let table = Table::new(body);
            assert_eq!((table.start(0), table.like(look("x")).count(), table.runs(&[1]).count()), (None, 0, 0));
        }
    }
}
