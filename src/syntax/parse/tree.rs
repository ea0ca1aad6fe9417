//! Languages whose parser is a tree-sitter grammar, or whose second opinion it is.
//!
//! It parses on the heap, so depth does no harm; it is slow on long lines, so it is told when its time is up. It never
//! gives up: what it could not make sense of is marked in the tree.

use super::{Parsed, Trust, broken, guard, line_at};
use std::ops::{ControlFlow, Range};
use tree_sitter::{Node, ParseOptions, Parser};

/// A parser that is a grammar alone.
pub(super) const fn parser(parse: fn(&str, &str) -> Parsed) -> super::Parser {
    super::Parser { trust: Trust::Error, parse, stack_per_token: 0, links: None }
}

pub(super) fn parse(grammar: impl Into<tree_sitter::Language>, text: &str) -> Parsed {
    parse_and_look(grammar, text, |_, _| None)
}

/// [`parse`], and of what the grammar refuses once more with what it is known not to know written otherwise: right is
/// what is right then. `rewrite` gives `None` where there is nothing of that.
pub(super) fn parse_or(
    grammar: impl Into<tree_sitter::Language> + Copy,
    text: &str,
    rewrite: fn(&str) -> Option<String>,
) -> Parsed {
    match parse(grammar, text) {
        Parsed::Broken(errors) => match rewrite(text).map(|text| parse(grammar, &text)) {
            Some(Parsed::Clean) => Parsed::Clean,
            _ => Parsed::Broken(errors),
        },
        parsed => parsed,
    }
}

/// The byte of something wrong in a tree that the grammar made without complaint.
pub(super) type Look = fn(Node, &str) -> Option<usize>;

pub(super) fn parse_and_look(grammar: impl Into<tree_sitter::Language>, text: &str, look: Look) -> Parsed {
    let mut parser = Parser::new();
    if parser.set_language(&grammar.into()).is_err() {
        return Parsed::Unknown("the grammar does not fit the parser".to_owned());
    }
    let mut progress = |_: &tree_sitter::ParseState| {
        if guard::is_left_behind() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut read = |offset: usize, _| text.as_bytes().get(offset..).unwrap_or(&[]);
    let options = ParseOptions::new().progress_callback(&mut progress);
    let Some(tree) = parser.parse_with_options(&mut read, None, Some(options)) else {
        return Parsed::Unknown("the parser took too long".to_owned());
    };
    // True of missing nodes as well, of which a tree may have no other sign.
    if !tree.root_node().has_error() {
        return match look(tree.root_node(), text) {
            Some(offset) => unexpected(text, offset..text.len()),
            None => Parsed::Clean,
        };
    }
    // An error with no place is one of a hidden rule, such as an end of statement that the grammar would have liked.
    let Some(node) = first_error(tree.root_node()) else { return Parsed::Clean };
    if node.is_missing() {
        return broken(node.start_position().row + 1, &format!("expected '{}'", node.kind()));
    }
    if let Some(open) = unclosed(node) {
        return broken(open.start_position().row + 1, &format!("unclosed '{}'", open.kind()));
    }
    unexpected(text, node.byte_range())
}

fn unexpected(text: &str, range: Range<usize>) -> Parsed {
    let line = line_at(text, range.start);
    let found = text.get(range).unwrap_or("").lines().next().unwrap_or("").trim();
    broken(line, &format!("unexpected '{}'", found.chars().take(40).collect::<String>()))
}

/// The first node that is wrong, and of those within each other the innermost: one that holds half of the text says
/// little. Walks with a cursor: trees nest as deep as texts.
fn first_error(root: Node) -> Option<Node> {
    let mut cursor = root.walk();
    let mut found: Option<Node> = None;
    loop {
        let node = cursor.node();
        if found.is_some_and(|outer| node.start_byte() >= outer.end_byte()) {
            return found;
        }
        if node.is_missing() {
            return Some(node);
        }
        if node.is_error() {
            found = Some(node);
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// The last bracket within a wrong node that nothing there closes.
fn unclosed(error: Node) -> Option<Node> {
    let mut cursor = error.walk();
    let mut open: Vec<Node> = Vec::new();
    let mut more = cursor.goto_first_child();
    while more {
        let node = cursor.node();
        match node.kind() {
            "(" | "[" | "{" => open.push(node),
            ")" | "]" | "}" => _ = open.pop(),
            _ => {}
        }
        more = cursor.goto_next_sibling();
    }
    open.pop()
}
