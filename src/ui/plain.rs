//! Makes foreign text safe to show. Paths, designs and replies may hold what moves a terminal's cursor, sets its
//! title, or turns the order of reading round; everything that is printed goes through here.

use std::borrow::Cow;
use std::fmt::Write;

/// One line: every control character, line ends and tabs too, is shown as `\u{…}`.
pub fn neutralise(text: &str) -> Cow<'_, str> {
    escape(text, is_control)
}

/// Several lines: line feeds and tabs stay, all other control characters are shown as `\u{…}`.
pub fn neutralise_lines(text: &str) -> Cow<'_, str> {
    escape(text, |c| is_control(c) && c != '\n' && c != '\t')
}

/// Why the system did not do it, less the number, which says nothing that the words do not.
pub fn reason(error: &std::io::Error) -> String {
    let words = error.to_string();
    words.split(" (os error").next().unwrap_or_default().to_owned()
}

/// A line of a patch: tabs stay, and the carriage return that ends the line of a file, so that the patch still applies.
pub fn neutralise_patch_line(line: &str) -> Cow<'_, str> {
    match line.strip_suffix('\r') {
        Some(bare) => Cow::Owned(format!("{}\r", neutralise_lines(bare))),
        None => neutralise_lines(line),
    }
}

fn escape(text: &str, unwanted: impl Fn(char) -> bool) -> Cow<'_, str> {
    let Some(first) = text.find(&unwanted) else { return Cow::Borrowed(text) };
    let (clean, rest) = text.split_at(first);
    let mut shown = String::with_capacity(text.len() + 16);
    shown.push_str(clean);
    for c in rest.chars() {
        if unwanted(c) {
            // Writing to a string does not fail.
            let _ = write!(shown, "{}", c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// C0, DEL and C1; line and paragraph separators; what steers the direction of writing; what has no width.
fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_passed_through_without_a_copy() {
        for text in ["", "plain", "über 文件 🧪 «x»", r"back\slash 'quote'"] {
            assert!(matches!(neutralise(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn nothing_that_steers_a_terminal_is_left() {
        assert_eq!(neutralise("a\u{1b}[31mb\u{7}"), r"a\u{1b}[31mb\u{7}");
        assert_eq!(neutralise("\u{9b}2J\r\u{7f}\u{0}"), r"\u{9b}2J\u{d}\u{7f}\u{0}");
        assert_eq!(neutralise("a\nb\tc"), r"a\u{a}b\u{9}c");
        assert_eq!(neutralise("a\u{85}b\u{2028}c"), r"a\u{85}b\u{2028}c");
    }

    #[test]
    fn a_line_of_a_patch_keeps_what_the_file_ends_it_with() {
        assert_eq!(neutralise_patch_line("+\ta\r"), "+\ta\r");
        assert_eq!(neutralise_patch_line("+a\rb\u{1b}"), r"+a\u{d}b\u{1b}");
    }

    #[test]
    fn hidden_and_turning_characters_are_shown() {
        assert_eq!(neutralise("exe\u{202e}txt\u{2066}\u{200b}\u{feff}"), r"exe\u{202e}txt\u{2066}\u{200b}\u{feff}");
        assert_eq!(neutralise("\u{e0041}"), r"\u{e0041}");
    }

    #[test]
    fn lines_keep_their_ends_and_tabs_only() {
        assert_eq!(neutralise_lines("a\n\tb\r\n\u{1b}c"), "a\n\tb\\u{d}\n\\u{1b}c");
    }
}
