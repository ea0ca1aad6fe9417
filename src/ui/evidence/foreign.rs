//! Text from outside on the page: as it is, and a character that would hide or turn others as its number in a frame, which
//! the same letters in the text have not.

use crate::ui::plain::pieces;
use maud::{Markup, html};

/// In one line: line ends and tabs are numbers, too.
pub(super) fn foreign(text: &str) -> Markup {
    shown(text, &[])
}

/// In lines: their ends and tabs stay.
pub(super) fn foreign_lines(text: &str) -> Markup {
    shown(text, &['\n', '\t'])
}

fn shown(text: &str, kept: &[char]) -> Markup {
    html! {
        @for piece in pieces(text, kept) {
            @match piece {
                Ok(text) => (text),
                Err(c) => span class="number" title="a character, not these letters" { (c.escape_unicode()) },
            }
        }
    }
}
