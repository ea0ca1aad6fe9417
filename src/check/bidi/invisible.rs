//! Characters that nobody sees: in names, in code between them, and as texts of their own.

use super::Line;

/// A variation selector follows what it varies; sloppy editors double it. Nobody but a smuggler writes so many.
const SELECTORS: usize = 4;
/// Characters without a width, of more than one kind, side by side. Words have single ones, of one kind.
const RUN: usize = 3;

/// Tags other than those of a flag; more variation selectors than anything has variants; a run of characters without a
/// width that are not all the same, which is how bits are written in them.
pub(super) fn smuggled(line: &str) -> Option<char> {
    let mut flag = false;
    let mut selectors = 0;
    // The first of a run, its length, and whether there are others among them.
    let mut run: (Option<char>, usize, bool) = (None, 0, false);
    for c in line.chars() {
        let tag = matches!(c, '\u{e0000}'..='\u{e007f}');
        if tag && !flag {
            return Some(c);
        }
        // A flag of a region is a black flag, tags, and a cancel tag.
        flag = c == '\u{1f3f4}' || (tag && c != '\u{e007f}');
        selectors = if matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}') { selectors + 1 } else { 0 };
        if selectors >= SELECTORS {
            return Some(c);
        }
        run = match run {
            _ if !carries_bits(c) => (None, 0, false),
            (None, ..) => (Some(c), 1, false),
            (Some(first), length, others) => (Some(first), length + 1, others || c != first),
        };
        if run.1 >= RUN && run.2 {
            return run.0;
        }
    }
    None
}

/// Without a width, and no mark of a direction, of which texts have several side by side.
fn carries_bits(c: char) -> bool {
    matches!(c, '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// An invisible character between two characters of a name of ASCII, or one that is itself a letter to a compiler.
pub(super) fn in_name(line: &str) -> Option<char> {
    let (mut before, mut hidden) = (None::<char>, None::<char>);
    for c in line.chars() {
        if is_invisible(c) {
            hidden = hidden.or(Some(c));
            continue;
        }
        if let Some(found) = hidden.take()
            && before.is_some_and(is_of_name)
            && is_of_name(c)
        {
            return Some(found);
        }
        before = Some(c);
    }
    None
}

/// One that is neither in a string nor in a remark: there nothing invisible means anything good, and what is a letter or
/// the end of a line to a compiler is so to no reader.
pub(super) fn in_code(line: &Line) -> Option<char> {
    line.in_code().map(|(_, c)| c).find(|c| is_candidate(*c))
}

/// May the character be wrong in code?
pub(super) fn is_candidate(c: char) -> bool {
    is_invisible(c) && !matches!(c, '\u{200e}' | '\u{200f}') || is_line_end(c)
}

/// Ends a remark of JavaScript, and no line that anybody sees.
pub(super) fn ends_remark(line: &Line) -> Option<char> {
    line.outside_strings().map(|(_, c)| c).find(|c| is_line_end(*c))
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// Without a width, and without a use between letters of ASCII.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}')
}
