//! Which errors were not there before.

use super::Diagnostic;
use std::borrow::Cow;
use std::collections::HashMap;

/// The errors of a text that its base did not have, in the order in which they come. Each text is given with what was said
/// of it.
///
/// An error is the same when code, message and the text of its line are, as often as they were: a line that moved is not
/// new, one that was copied is.
pub fn new_against<'a>(base: (&'a str, &'a [Diagnostic]), now: (&'a str, &'a [Diagnostic])) -> Vec<&'a Diagnostic> {
    let mut texts = HashMap::new();
    let base_lines = numbered(base.0, &mut texts);
    let now_lines = numbered(now.0, &mut texts);
    let mut known: HashMap<Key, usize> = HashMap::new();
    for diagnostic in base.1.iter().filter(|diagnostic| diagnostic.is_error()) {
        *known.entry(key(diagnostic, &base_lines)).or_default() += 1;
    }
    let mut is_new = |diagnostic: &'a Diagnostic| match known.get_mut(&key(diagnostic, &now_lines)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    now.1.iter().filter(|&diagnostic| diagnostic.is_error() && is_new(diagnostic)).collect()
}

/// What makes two errors the same: code, message, and which text their line has.
type Key<'a> = (Option<&'a str>, Cow<'a, str>, Option<usize>);

fn key<'a>(diagnostic: &'a Diagnostic, lines: &[usize]) -> Key<'a> {
    let line = diagnostic.line.checked_sub(1).and_then(|line| lines.get(line)).copied();
    (diagnostic.code.as_deref(), without_places(&diagnostic.message), line)
}

/// For each line of a text the number of what stands in it, the same for equal lines: so that a long line with many errors
/// is looked at once.
fn numbered<'a>(text: &'a str, texts: &mut HashMap<&'a str, usize>) -> Vec<usize> {
    let mut number = |line: &'a str| {
        let next = texts.len();
        *texts.entry(line.trim()).or_insert(next)
    };
    text.lines().map(&mut number).collect()
}

/// A message without the numbers that say where something else is (`a.cpp:12:5`, `line 12`): these change when lines are
/// added above.
fn without_places(message: &str) -> Cow<'_, str> {
    let is_digit = |c: char| c.is_ascii_digit();
    let mut kept = String::new();
    let mut rest = message;
    while let Some(at) = rest.find(is_digit) {
        let (before, from) = rest.split_at(at);
        let length = from.find(|c| !is_digit(c)).unwrap_or(from.len());
        let (number, after) = from.split_at(length);
        kept.push_str(before);
        if !(before.ends_with(':') || before.ends_with("line ")) {
            kept.push_str(number);
        }
        rest = after;
    }
    if kept.is_empty() { Cow::Borrowed(message) } else { Cow::Owned(kept + rest) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;

    const NONE: [usize; 0] = [];

    fn error(line: usize, message: &str) -> Diagnostic {
        let (message, code) = (message.to_owned(), Some("E1".to_owned()));
        Diagnostic { line, column: 1, severity: Severity::Error, message, code, source: None }
    }

    fn new_lines(base: (&str, &[Diagnostic]), now: (&str, &[Diagnostic])) -> Vec<usize> {
        new_against(base, now).into_iter().map(|diagnostic| diagnostic.line).collect()
    }

    #[test]
    fn an_error_on_a_line_that_moved_is_not_new_and_one_on_a_line_that_changed_is() {
        let base = ("a = x\nb\n", &[error(1, "no x")][..]);
        assert_eq!(new_lines(base, ("\n\na = x\nb\n", &[error(3, "no x")])), NONE);
        assert_eq!(new_lines(base, ("    a = x\nb\n", &[error(1, "no x")])), NONE);
        assert_eq!(new_lines(base, ("a = x + 1\nb\n", &[error(1, "no x")])), [1]);
        assert_eq!(new_lines(base, ("a = x\nb\n", &[error(1, "no y")])), [1]);
    }

    #[test]
    fn a_copy_of_a_line_with_an_error_has_a_new_one() {
        let base = ("a = x\n", &[error(1, "no x")][..]);
        assert_eq!(new_lines(base, ("a = x\na = x\n", &[error(1, "no x"), error(2, "no x")])), [2]);
    }

    #[test]
    fn only_errors_count_on_either_side() {
        let warning = Diagnostic { severity: Severity::Warning, ..error(1, "no x") };
        assert_eq!(new_lines(("a\n", &[]), ("a\n", std::slice::from_ref(&warning))), NONE);
        assert_eq!(new_lines(("a\n", &[warning]), ("a\n", &[error(1, "no x")])), [1]);
    }

    #[test]
    fn another_code_is_another_error() {
        let other = Diagnostic { code: None, ..error(1, "no x") };
        assert_eq!(new_lines(("a\n", &[error(1, "no x")]), ("a\n", &[other])), [1]);
    }

    #[test]
    fn numbers_of_places_in_a_message_do_not_make_it_another_and_other_numbers_do() {
        let (was, is) = (error(1, "first seen at a.c:12:5 (line 3)"), error(1, "first seen at a.c:14:5 (line 4)"));
        assert_eq!(new_lines(("a\n", &[was]), ("a\n", &[is])), NONE);
        let (was, is) = (error(1, "takes 1 argument"), error(1, "takes 2 arguments"));
        assert_eq!(new_lines(("a\n", &[was]), ("a\n", &[is])), [1]);
        assert_eq!(without_places("x"), "x");
    }

    #[test]
    fn a_line_that_is_not_in_the_text_is_no_reason_to_fail() {
        assert_eq!(new_lines(("", &[error(0, "m")]), ("", &[error(99, "m")])), NONE);
    }
}
