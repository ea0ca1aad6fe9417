//! Controls that a terminal obeys: what a text looks like there is not what it is.

use super::Line;
use crate::finding::Severity;

/// A line whose end is overwritten by what follows: the text goes on after a carriage return. Files whose lines all
/// end so are of old Macs.
pub(super) fn is_overwritten(line: &str) -> bool {
    line.trim_end_matches('\r').split('\r').nth(1).is_some_and(|after| !after.is_empty())
}

/// Does the text have more line feeds than carriage returns without one?
pub(super) fn has_lines(text: &str) -> bool {
    let bytes = text.as_bytes();
    let lone = memchr::memchr_iter(b'\r', bytes).filter(|at| bytes.get(at + 1) != Some(&b'\n')).count();
    lone > 0 && lone <= memchr::memchr_iter(b'\n', bytes).count()
}

/// An escape sequence that moves, erases or conceals; how much that says depends on where it stands.
pub(super) fn escape(line: &Line) -> Option<(char, Severity)> {
    let mut found = None;
    for (at, c) in line.text.char_indices() {
        let rest = &line.text[at + c.len_utf8()..];
        let hides = match c {
            '\u{1b}' => rest.strip_prefix('[').is_some_and(hides) || rest.starts_with(']'),
            '\u{9b}' => hides(rest),
            // What is struck over twice is bold or underlined.
            '\u{8}' => {
                let before = line.text[..at].chars().next_back();
                line.is_known() && before.is_some_and(|c| c != '_') && before != rest.chars().next()
            }
            _ => false,
        };
        if hides {
            let is_string = !line.is_known() || line.is_string(at);
            if !is_string {
                return Some((c, Severity::Error));
            }
            // Programs write to terminals, too.
            if c != '\u{8}' {
                found = Some((c, Severity::Warning));
            }
        }
    }
    found
}

/// Does a sequence of which this is the rest move the cursor, erase, or conceal what follows?
fn hides(rest: &str) -> bool {
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';' && c != '?').unwrap_or(rest.len());
    match rest[end..].chars().next() {
        Some('A'..='H' | 'J' | 'K' | 'S' | 'T' | 'f' | 'u') => true,
        Some('m') => rest[..end].split(';').any(|number| number == "8"),
        _ => false,
    }
}

/// Any other control in a remark, which is for nobody.
pub(super) fn stray(line: &Line) -> Option<char> {
    let is_stray = |c: char| matches!(c, '\u{1}'..='\u{7}' | '\u{e}'..='\u{19}' | '\u{1c}'..='\u{1f}' | '\u{7f}');
    line.outside_strings().find(|(at, c)| is_stray(*c) && !line.is_code(*at)).map(|(_, c)| c)
}
