//! Lines of two texts side by side: the checks that judge lines judge only the new ones.

use super::words::Words;
use std::collections::HashMap;
use std::ops::Range;

/// The lines of a text by their numbers, which count from 1. They are found once: whoever counts from the top for each
/// of many findings takes quadratic time.
pub struct Lines<'t> {
    text: &'t str,
    /// The offset after each line feed.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub fn of(text: &'t str) -> Lines<'t> {
        Lines { text, starts: memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1).collect() }
    }

    /// The line without its end; `None` if there is none of that number.
    pub fn get(&self, number: usize) -> Option<&'t str> {
        let start = match number.checked_sub(2) {
            None => {
                if number == 1 {
                    0
                } else {
                    return None;
                }
            }
            Some(before) => *self.starts.get(before)?,
        };
        let line = self.text.get(start..*self.starts.get(number - 1).unwrap_or(&self.text.len()))?;
        let line = line.strip_suffix('\n').unwrap_or(line);
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// The number of the line that the byte at `offset` is on.
    pub fn number(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset) + 1
    }
}

/// Lines of `text` with one of the `marks` for which `test` holds, with their numbers counted from 1, less as many of the
/// same wording as `base` has: moving such a line, or indenting it, is not writing it.
pub(super) fn new_lines<'a>(
    base: Option<&'a str>,
    text: &'a str,
    marks: &[&Words<()>],
    test: fn(&str) -> bool,
) -> Vec<(usize, &'a str)> {
    let of = |text| {
        let mut lines = marked(text, marks);
        lines.retain(|(_, line)| test(line));
        lines
    };
    let mut found = of(text);
    if !found.is_empty() {
        let mut had: HashMap<&str, usize> = HashMap::new();
        of(base.unwrap_or("")).into_iter().for_each(|(_, line)| *had.entry(line.trim()).or_default() += 1);
        found.retain(|(_, line)| match had.get_mut(line.trim()) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        });
    }
    found
}

/// The lines that hold one of the marks, with their numbers.
fn marked<'a>(text: &'a str, marks: &[&Words<()>]) -> Vec<(usize, &'a str)> {
    let bytes = text.as_bytes();
    let mut places: Vec<Range<usize>> = Vec::new();
    for words in marks {
        words.hits(text, 0..text.len(), |(), hit| {
            if places.last().is_none_or(|last| !last.contains(&hit.start)) {
                let start = memchr::memrchr(b'\n', &bytes[..hit.start]).map_or(0, |end| end + 1);
                let end = memchr::memchr(b'\n', &bytes[hit.start..]).map_or(text.len(), |end| hit.start + end);
                places.push(start..end);
            }
        });
    }
    places.sort_unstable_by_key(|line| line.start);
    places.dedup();
    let (mut counted, mut number) = (0, 1);
    let line = |place: Range<usize>| {
        number += memchr::memchr_iter(b'\n', &bytes[counted..place.start]).count();
        counted = place.start;
        text.get(place).map(|line| (number, line.strip_suffix('\r').unwrap_or(line)))
    };
    places.into_iter().filter_map(line).collect()
}

/// Lines that hold anything, with their numbers counted from 1.
pub(super) fn filled(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(|(at, line)| (at + 1, line))
}

/// The last of them.
pub(super) fn last_filled(text: &str) -> Option<(usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_end();
    let line = text.lines().next_back()?;
    Some((memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1, line))
}

/// A line of somebody else's, short enough to quote in a message and without anything but text in it.
pub(super) fn quote(line: &str) -> String {
    let clean: String = line.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match clean.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", clean.get(..at).unwrap_or("")),
        None => clean,
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn lines_are_found_by_number_and_by_offset_as_a_walk_from_the_top_finds_them() {
        for text in ["", "a", "a\n", "a\r\nb", "\n\nc\n", "é\r\r\nb\n\n"] {
            let lines = Lines::of(text);
            for (at, line) in text.lines().enumerate() {
                assert_eq!(lines.get(at + 1), Some(line), "{text:?}");
            }
            assert_eq!((lines.get(0), lines.get(text.lines().count() + 2)), (None, None), "{text:?}");
            for offset in 0..text.len() {
                let before = text.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count();
                assert_eq!(lines.number(offset), before + 1, "{text:?}");
            }
        }
    }
}
