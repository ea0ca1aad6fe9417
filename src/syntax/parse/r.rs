//! R, by tree-sitter, and a look at the tree for what its grammar takes and the language does not: expressions next to
//! each other on a line.

use super::{Parsed, Parser, tree};
use tree_sitter::Node;

pub(in crate::syntax) const PARSER: Parser = tree::parser(parse);

fn parse(_path: &str, text: &str) -> Parsed {
    let judge = |text: &str| tree::parse_and_look(tree_sitter_r::LANGUAGE, text, first_unparted);
    match judge(text) {
        Parsed::Broken(errors) => match without_marks(text).map(|text| judge(&text)) {
            Some(Parsed::Clean) => Parsed::Clean,
            _ => Parsed::Broken(errors),
        },
        parsed => parsed,
    }
}

/// Examples that manual pages take in say of a block when it is to be run. `None` if there is nothing of that.
fn without_marks(text: &str) -> Option<String> {
    let plain = ["\\dontrun{", "\\donttest{", "\\dontshow{", "\\testonly{"]
        .iter()
        .fold(text.to_owned(), |text, mark| text.replace(mark, "{"));
    (plain != text).then_some(plain)
}

/// Where the first expression begins that neither `;` nor a line break parts from the one before it.
fn first_unparted(root: Node, text: &str) -> Option<usize> {
    let mut cursor = root.walk();
    // For each level of the tree, where the expression before ended.
    let mut ends: Vec<Option<usize>> = vec![None];
    loop {
        let node = cursor.node();
        let in_block = node.parent().is_some_and(|parent| matches!(parent.kind(), "program" | "braced_expression"));
        if in_block && node.is_named() && node.kind() != "comment" {
            let start = node.start_byte();
            if let Some(Some(end)) = ends.last()
                && text.get(*end..start).is_some_and(|between| between.chars().all(|c| c == ' ' || c == '\t'))
            {
                return Some(start);
            }
            *ends.last_mut()? = Some(node.end_byte());
        }
        if cursor.goto_first_child() {
            ends.push(None);
            continue;
        }
        while !cursor.goto_next_sibling() {
            ends.pop();
            if !cursor.goto_parent() {
                return None;
            }
        }
    }
}
