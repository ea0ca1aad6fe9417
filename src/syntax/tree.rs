//! A tree-sitter grammar's opinion, for languages in which it is the second one.
//!
//! It runs on the heap, so depth does no harm; it is slow on long lines, so its steps are counted.

use super::{Parsed, broken};
use std::ops::ControlFlow;
use tree_sitter::{Node, ParseOptions, Parser};

/// Calls of the progress callback, one every hundred or so steps of the parser: about ten seconds' worth.
const MAX_CALLS: usize = 2_000_000;

pub(super) fn parse(grammar: &tree_sitter::Language, text: &str) -> Parsed {
    let mut parser = Parser::new();
    if parser.set_language(grammar).is_err() {
        return Parsed::Unknown("the grammar does not fit the parser".to_owned());
    }
    let mut calls = 0;
    let mut progress = |_: &tree_sitter::ParseState| {
        calls += 1;
        if calls > MAX_CALLS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut read = |offset: usize, _| text.as_bytes().get(offset..).unwrap_or(&[]);
    let options = ParseOptions::new().progress_callback(&mut progress);
    let Some(tree) = parser.parse_with_options(&mut read, None, Some(options)) else {
        return Parsed::Unknown("the parser took too long".to_owned());
    };
    let root = tree.root_node();
    if !root.has_error() {
        return Parsed::Clean;
    }
    match first_error(root) {
        Some(node) => {
            let line = node.start_position().row + 1;
            let message = if node.is_missing() {
                format!("expected '{}'", node.kind())
            } else {
                let found = text.get(node.byte_range()).unwrap_or("").lines().next().unwrap_or("").trim();
                format!("unexpected '{}'", found.chars().take(40).collect::<String>())
            };
            broken(line, &message)
        }
        None => broken(1, "it does not parse"),
    }
}

/// The innermost first node that is wrong. Walks down with a cursor: trees nest as deep as texts.
fn first_error(root: Node) -> Option<Node> {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            return Some(node);
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return None;
            }
        }
    }
}
