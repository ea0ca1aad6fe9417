//! Lines of two texts side by side: the checks that judge lines judge only the new ones.

use std::collections::HashMap;

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

/// Lines of `text` for which `test` holds, with their numbers counted from 1, less as many of the same wording as
/// `base` has: moving such a line, or indenting it, is not writing it. Asked are those whose first byte, but for blanks, is
/// one of `firsts`, or not of ASCII.
pub(super) fn new_lines<'a>(
    base: Option<&'a str>,
    text: &'a str,
    firsts: &[u8],
    test: fn(&str) -> bool,
) -> Vec<(usize, &'a str)> {
    let found = lines_where(text, firsts, test);
    if found.is_empty() {
        return found;
    }
    let mut had: HashMap<&str, usize> = HashMap::new();
    for (_, line) in lines_where(base.unwrap_or(""), firsts, test) {
        *had.entry(line.trim()).or_default() += 1;
    }
    let mut is_new = |line: &str| match had.get_mut(line.trim()) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    found.into_iter().filter(|(_, line)| is_new(line)).collect()
}

/// In one plain loop, since every line of every text goes through it.
fn lines_where<'a>(text: &'a str, firsts: &[u8], test: fn(&str) -> bool) -> Vec<(usize, &'a str)> {
    let mut is_asked = [false; 256];
    is_asked[0x80..].fill(true);
    firsts.iter().for_each(|byte| is_asked[usize::from(*byte)] = true);
    let bytes = text.as_bytes();
    let (mut found, mut at, mut number) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        let start = at;
        number += 1;
        at += bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let asked = bytes.get(at).is_some_and(|byte| is_asked[usize::from(*byte)]);
        // Lines are too short for a search with vectors to pay.
        at += bytes[at..].iter().take_while(|byte| **byte != b'\n').count();
        let line = text.get(start..at).filter(|line| asked && test(line));
        found.extend(line.map(|line| (number, line.strip_suffix('\r').unwrap_or(line))));
        at += 1;
    }
    found
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
