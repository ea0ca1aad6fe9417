//! Lines of two texts side by side: the checks that judge lines judge only the new ones.

use std::collections::HashMap;

/// Lines of `text` for which `test` holds, with their numbers counted from 1, less as many of the same wording as
/// `base` has: moving such a line, or indenting it, is not writing it.
pub(super) fn new_lines<'a>(base: Option<&str>, text: &'a str, test: fn(&str) -> bool) -> Vec<(usize, &'a str)> {
    let mut had: HashMap<&str, usize> = HashMap::new();
    for line in base.unwrap_or("").lines().filter(|line| test(line)) {
        *had.entry(line.trim()).or_default() += 1;
    }
    let is_new = |line: &str| match had.get_mut(line.trim()) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    let mut is_new = is_new;
    text.lines().enumerate().filter(|(_, line)| test(line) && is_new(line)).map(|(at, line)| (at + 1, line)).collect()
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
