//! CSS, SCSS, Sass and Less, by raffia, which formatters use.
//!
//! Tree-sitter's grammar for CSS refuses one real file in eight, and knows the other three not at all.

use super::{Parsed, Parser, Trust, broken, guard, line_at};
use crate::syntax::extension;
use raffia::ast::Stylesheet;
use raffia::{ParserBuilder, Syntax};

pub(in crate::syntax) const PARSER: Parser = Parser {
    trust: Trust::Warning("browsers forgive what its parser does not"),
    parse,
    stack_per_token: 12_000,
    links: Some(links),
};

fn parse(path: &str, text: &str) -> Parsed {
    let syntax = match extension(path).as_str() {
        "scss" => Syntax::Scss,
        "sass" => Syntax::Sass,
        "less" => Syntax::Less,
        _ => Syntax::Css,
    };
    // Errors that browsers pass over are kept apart (`recoverable_errors`), and are not ours to judge.
    let first_error = |text: &str| ParserBuilder::new(text).syntax(syntax).build().parse::<Stylesheet>().err();
    let Some(error) = first_error(text) else { return Parsed::Clean };
    if without_hacks(text).is_some_and(|text| first_error(&text).is_none()) {
        return Parsed::Clean;
    }
    broken(line_at(text, error.span.start), &error.kind.to_string())
}

/// Only brackets nest. What chains (`not not a`, `1 + 1`) takes a twentieth of the stack.
fn links(text: &str) -> Option<usize> {
    Some(text.bytes().filter(|byte| b"([{".contains(byte)).count() + guard::tokens(text) / 20)
}

/// Declarations that only old browsers should see begin with a star (`*zoom: 1`): without the stars, every other byte
/// where it was. `None` if there are none.
fn without_hacks(text: &str) -> Option<String> {
    let mut plain = text.to_owned();
    let mut before = b'{';
    for (at, byte) in text.bytes().enumerate() {
        let name = || text.get(at + 1..).and_then(|rest| rest.split(|c: char| c != '-' && !c.is_alphanumeric()).next());
        if byte == b'*'
            && matches!(before, b'{' | b';' | b'/')
            && name().is_some_and(|name| {
                !name.is_empty()
                    && text.get(at + 1 + name.len()..).is_some_and(|rest| rest.trim_start().starts_with(':'))
            })
        {
            plain.replace_range(at..=at, " ");
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
    }
    (plain != text).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::without_hacks;

    #[test]
    fn stars_before_declarations_are_blanked_and_those_of_selectors_stay() {
        let text = "* { a: b } a * b { *zoom: 1; c: d;\n*color : red }";
        let plain = "* { a: b } a * b {  zoom: 1; c: d;\n color : red }";
        assert_eq!(without_hacks(text).as_deref(), Some(plain));
        assert_eq!(without_hacks("* { a: calc(1 * 2) } /* b: c */"), None);
    }
}
