//! Bidirectional controls that show a line in another order than it has.

/// An opened direction that nothing closes or, in code, that spans anything but the text of one string or remark.
pub(super) fn control(line: &str, is_code: bool) -> Option<char> {
    // What is open, each with the count of right-to-left letters before it.
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut letters = 0;
    for c in line.chars() {
        match c {
            '\u{202a}' | '\u{202b}' | '\u{202d}' | '\u{202e}' | '\u{2066}'..='\u{2068}' => open.push((c, letters)),
            '\u{202c}' | '\u{2069}' => {
                let closed = open.pop();
                if let Some((opener, before)) = closed
                    && before == letters
                    && is_code
                {
                    return Some(opener);
                }
                // Closes what was never open: nothing is reordered.
            }
            _ if is_code && is_syntax(c) => {
                if let Some((opener, _)) = open.first() {
                    return Some(*opener);
                }
            }
            _ if is_right_to_left(c) => letters += 1,
            _ => {}
        }
    }
    let overriding = |c: char| matches!(c, '\u{202d}' | '\u{202e}');
    open.iter().find(|(c, _)| is_code || overriding(*c)).map(|(c, _)| *c)
}

/// What ends or begins a string, a remark or a block.
fn is_syntax(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '{' | '}' | ';' | '/' | '*' | '#' | '\\')
}

/// Hebrew, Arabic, Syriac, Thaana and on, with their presentation forms.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}
