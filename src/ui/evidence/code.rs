//! Lines of code, with what is no code in it marked: remarks, strings, numbers, and the words of its language.

use super::foreign::foreign_lines;
use crate::evidence::{Line, Part};
use maud::{Markup, html};

/// A line as the elements of its parts. Without parts, as it is. A carriage return at its end is seen, as git shows it.
pub(super) fn code(line: &Line) -> Markup {
    let bare = line.text.strip_suffix('\r').unwrap_or(&line.text);
    let mut at = 0;
    let mut pieces: Vec<(Option<Part>, &str)> = Vec::new();
    for (range, part) in &line.parts {
        pieces.push((None, bare.get(at..range.start).unwrap_or_default()));
        pieces.push((Some(*part), bare.get(range.clone()).unwrap_or_default()));
        at = range.end;
    }
    pieces.push((None, bare.get(at..).unwrap_or_default()));
    html! {
        @for (part, text) in pieces {
            @match part {
                None => (foreign_lines(text)),
                Some(part) => span class=(class(part)) { (foreign_lines(text)) },
            }
        }
        @if bare.len() < line.text.len() { span class="cr" title="carriage return" { "^M" } }
    }
}

fn class(part: Part) -> &'static str {
    match part {
        Part::Remark => "c",
        Part::String => "s",
        Part::Number => "m",
        Part::Word => "k",
    }
}
