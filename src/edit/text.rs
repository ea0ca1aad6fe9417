//! [`Text`]: a text as lines, and the forms of a line under which two of them count as the same.
//!
//! Knows no edits. The index of a form is made when it is first asked for, in one pass over the bytes; a search in
//! it is linear however often the same line occurs.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use unicode_normalization::UnicodeNormalization;

/// What of a line must be the same, from strict to loose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Everything but the line's end.
    Plain,
    /// Everything but white space at the end.
    Trailing,
    /// Everything but white space and the typography of quotes and dashes; blank lines are left out.
    Key,
}

/// An immutable text and its lines.
pub(super) struct Text<'a> {
    body: &'a str,
    /// Where each line begins, and where the last one ends.
    starts: Vec<usize>,
    indexes: [OnceCell<Index>; 3],
}

impl<'a> Text<'a> {
    pub fn new(body: &'a str) -> Text<'a> {
        let mut starts = Vec::with_capacity(body.len() / 32 + 2);
        starts.push(0);
        starts.extend(memchr::memchr_iter(b'\n', body.as_bytes()).map(|at| at + 1));
        if starts.last() != Some(&body.len()) {
            starts.push(body.len());
        }
        Text { body, starts, indexes: Default::default() }
    }
    pub fn body(&self) -> &'a str {
        self.body
    }
    /// How many lines there are; the last need not be ended.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
    /// The byte at which line `index` (from 0) begins; the end of the text for every index past the last line.
    pub fn start(&self, index: usize) -> usize {
        self.starts.get(index).copied().unwrap_or(self.body.len())
    }
    /// The line that holds the byte at `offset`, from 0.
    pub fn line_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }
    fn raw(&self, index: usize) -> &'a str {
        self.body.get(self.start(index)..self.start(index + 1)).unwrap_or("")
    }
    /// Line `index` without its end.
    pub fn line(&self, index: usize) -> &'a str {
        let raw = self.raw(index);
        raw.strip_suffix("\r\n").or_else(|| raw.strip_suffix('\n')).unwrap_or(raw)
    }
    /// How line `index` ends: `"\n"`, `"\r\n"`, or `""` for an unended last line.
    pub fn ending(&self, index: usize) -> &'a str {
        let raw = self.raw(index);
        raw.get(self.line(index).len()..).unwrap_or("")
    }
    /// The line ending that most of the first lines have.
    pub fn usual_ending(&self) -> &'static str {
        let sample = 0..self.len().min(2000);
        let crlf = sample.clone().filter(|line| self.ending(*line) == "\r\n").count();
        if crlf * 2 > sample.filter(|line| !self.ending(*line).is_empty()).count() { "\r\n" } else { "\n" }
    }

    /// The runs of lines that are the same as `pattern` under `form`, at most `limit` of them: for each the lines
    /// that the pattern's lines stand at. A pattern's blank line stands nowhere under [`Form::Key`].
    pub fn find(&self, form: Form, pattern: &[&str], limit: usize) -> Vec<Vec<Option<usize>>> {
        let wanted: Vec<usize> = (0..pattern.len()).filter(|i| form != Form::Key || !is_blank(pattern[*i])).collect();
        if wanted.is_empty() || wanted.len() > self.len() {
            return Vec::new();
        }
        if form == Form::Plain && !self.body.contains('\r') {
            return self.find_bytes(pattern, limit);
        }
        let index = self.index(form);
        let mut buffer = Vec::new();
        let tokens: Vec<u64> = wanted.iter().map(|i| token(form, pattern[*i], &mut buffer)).collect();
        let same = |at: usize| {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            wanted.iter().enumerate().all(|(n, i)| {
                fold(form, pattern[*i], &mut ours);
                fold(form, self.line(index.line(at + n)), &mut theirs);
                ours == theirs
            })
        };
        let place = |at: usize| {
            let mut lines = vec![None; pattern.len()];
            for (n, i) in wanted.iter().enumerate() {
                lines[*i] = Some(index.line(at + n));
            }
            lines
        };
        // Equal tokens are equal lines but for a collision, which the comparison of the lines themselves rules out.
        index.find(&tokens, limit).into_iter().filter(|at| same(*at)).map(place).collect()
    }

    /// Whole lines by bytes, for a text without carriage returns: a plain search is many times faster than an index.
    fn find_bytes(&self, pattern: &[&str], limit: usize) -> Vec<Vec<Option<usize>>> {
        let needle = format!("\n{}\n", pattern.join("\n"));
        let block = &needle[1..needle.len() - 1];
        let mut offsets = Vec::new();
        if self.body.strip_prefix(block).is_some_and(|rest| rest.is_empty() || rest.starts_with('\n')) {
            offsets.push(0);
        }
        let finder = memchr::memmem::Finder::new(needle.as_bytes());
        let mut from = 0;
        while let Some(at) = finder.find(&self.body.as_bytes()[from..]) {
            offsets.push(from + at + 1);
            from += at + 1;
            if offsets.len() >= limit {
                break;
            }
        }
        if self.body.strip_suffix(block).is_some_and(|rest| rest.ends_with('\n')) {
            offsets.push(self.body.len() - block.len());
        }
        offsets.dedup();
        let lines = |offset| {
            let first = self.line_at(offset);
            (first..first + pattern.len()).map(Some).collect()
        };
        offsets.into_iter().take(limit).map(lines).collect()
    }

    /// The lines that are the same as `line` under [`Form::Key`], at most `limit` of them.
    pub fn same_key(&self, line: &str, limit: usize) -> Vec<usize> {
        let found = self.find(Form::Key, &[line], limit);
        found.into_iter().filter_map(|place| place.first().copied().flatten()).collect()
    }

    /// The lines that are not blank, by their keys.
    pub fn solid(&self) -> &Index {
        self.index(Form::Key)
    }

    fn index(&self, form: Form) -> &Index {
        self.indexes[form as usize].get_or_init(|| {
            let mut buffer = Vec::new();
            let kept = (0..self.len()).filter(|line| form != Form::Key || !is_blank(self.line(*line)));
            Index::new(kept.map(|line| (line, token(form, self.line(line), &mut buffer))))
        })
    }
}

pub(super) fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Are two lines the same under `form`?
pub(super) fn same(form: Form, a: &str, b: &str) -> bool {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    fold(form, a, &mut left);
    fold(form, b, &mut right);
    left == right
}

/// What `form` keeps of `line`, into `into`.
fn fold(form: Form, line: &str, into: &mut Vec<u8>) {
    into.clear();
    match form {
        Form::Plain => into.extend_from_slice(line.as_bytes()),
        Form::Trailing => into.extend_from_slice(line.trim_end().as_bytes()),
        Form::Key if line.is_ascii() => into.extend(line.bytes().filter(|byte| !byte.is_ascii_whitespace())),
        Form::Key => {
            let mut utf8 = [0; 4];
            for c in line.nfc().filter(|c| !c.is_whitespace()) {
                into.extend_from_slice(fold_char(c).encode_utf8(&mut utf8).as_bytes());
            }
        }
    }
}

fn fold_char(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{201c}'..='\u{201f}' => '"',
        c => c,
    }
}

/// The token of a line under [`Form::Key`]. Equal lines have equal tokens; the reverse is all but sure.
pub(super) fn key_token(line: &str) -> u64 {
    token(Form::Key, line, &mut Vec::new())
}

fn token(form: Form, line: &str, buffer: &mut Vec<u8>) -> u64 {
    fold(form, line, buffer);
    let mut hash = Mix(buffer.len() as u64);
    hash.write(buffer);
    hash.finish()
}

/// A fast hash. Equal hashes are always checked, so that all it must be is quick and well spread.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u64(&mut self, word: u64) {
        let wide =
            u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xd6e8_feb8_6659_fd93_a3b1_9535_4a39_b70d);
        self.0 = (wide as u64) ^ ((wide >> 64) as u64);
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

/// The tokens of a text's lines, and where each token occurs.
pub(super) struct Index {
    tokens: Vec<u64>,
    lines: Vec<u32>,
    /// For each token its first position and how often it occurs.
    heads: HashMap<u64, (u32, u32), BuildHasherDefault<Mix>>,
    /// For each position the next one of the same token.
    next: Vec<u32>,
}

impl Index {
    fn new(lines: impl Iterator<Item = (usize, u64)>) -> Index {
        let mut index = Index { tokens: Vec::new(), lines: Vec::new(), heads: HashMap::default(), next: Vec::new() };
        for (line, token) in lines {
            index.lines.push(line as u32);
            index.tokens.push(token);
        }
        index.next = vec![u32::MAX; index.tokens.len()];
        for (at, token) in index.tokens.iter().enumerate().rev() {
            let head = index.heads.entry(*token).or_insert((u32::MAX, 0));
            index.next[at] = head.0;
            *head = (at as u32, head.1 + 1);
        }
        index
    }
    fn line(&self, position: usize) -> usize {
        self.lines.get(position).map_or(0, |line| *line as usize)
    }
    /// The number in the text of each line.
    pub fn lines(&self) -> &[u32] {
        &self.lines
    }
    pub fn tokens(&self) -> &[u64] {
        &self.tokens
    }
    /// The positions at which `pattern` occurs, at most `limit` of them, in order.
    pub fn find(&self, pattern: &[u64], limit: usize) -> Vec<usize> {
        let count = |token: &u64| self.heads.get(token).map_or(0, |head| head.1 as usize);
        let Some(rarest) = (0..pattern.len()).min_by_key(|i| count(&pattern[*i])) else { return Vec::new() };
        let candidates = count(&pattern[rarest]);
        if candidates == 0 {
            return Vec::new();
        }
        if candidates * pattern.len() > 2 * (self.tokens.len() + pattern.len()) {
            return find_all(&self.tokens, pattern, limit);
        }
        let mut found = Vec::new();
        let mut at = self.heads.get(&pattern[rarest]).map_or(u32::MAX, |head| head.0);
        while at != u32::MAX && found.len() < limit {
            if let Some(from) = (at as usize).checked_sub(rarest)
                && self.tokens.get(from..from + pattern.len()) == Some(pattern)
            {
                found.push(from);
            }
            at = self.next[at as usize];
        }
        found
    }
}

/// All places of `pattern`, overlapping ones too, in linear time (Knuth, Morris and Pratt).
fn find_all(tokens: &[u64], pattern: &[u64], limit: usize) -> Vec<usize> {
    let mut border = vec![0; pattern.len()];
    let mut matched = 0;
    for i in 1..pattern.len() {
        while matched > 0 && pattern[i] != pattern[matched] {
            matched = border[matched - 1];
        }
        matched += usize::from(pattern[i] == pattern[matched]);
        border[i] = matched;
    }
    let mut found = Vec::new();
    matched = 0;
    for (i, token) in tokens.iter().enumerate() {
        while matched > 0 && *token != pattern[matched] {
            matched = border[matched - 1];
        }
        matched += usize::from(*token == pattern[matched]);
        if matched == pattern.len() {
            found.push(i + 1 - matched);
            matched = border[matched - 1];
            if found.len() >= limit {
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, form: Form, pattern: &[&str]) -> Vec<usize> {
        Text::new(text).find(form, pattern, 10).iter().map(|place| place.iter().flatten().next().unwrap() + 1).collect()
    }

    #[test]
    fn whole_lines_are_found_at_the_start_in_the_middle_and_at_an_unended_end() {
        assert_eq!(lines("a\nb\na\nba\na", Form::Plain, &["a"]), [1, 3, 5]);
        assert_eq!(lines("a\r\nb\r\na", Form::Plain, &["a"]), [1, 3]);
        assert_eq!(lines("a", Form::Plain, &["a"]), [1]);
        assert_eq!(lines("", Form::Plain, &["a"]), [0; 0]);
    }

    #[test]
    fn overlapping_places_are_all_found() {
        assert_eq!(lines("x\nx\nx\n", Form::Plain, &["x", "x"]), [1, 2]);
        assert_eq!(lines("x\nx \nx\n", Form::Trailing, &["x", "x"]), [1, 2]);
    }

    #[test]
    fn the_key_of_a_line_has_no_white_space_and_plain_quotes() {
        assert_eq!(lines("say( \u{201c}hi\u{201d} )\n", Form::Key, &["\tsay(\"hi\")"]), [1]);
        assert_eq!(lines("a\n\n\nb\n", Form::Key, &["a", "", "b"]), [1]);
        assert!(lines("ab\n", Form::Key, &["ac"]).is_empty());
    }
}
