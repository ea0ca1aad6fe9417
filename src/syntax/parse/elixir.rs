//! Elixir, by tree-sitter.

use super::{Parsed, Parser, tree};

pub(in crate::syntax) const PARSER: Parser = tree::parser(parse);

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_elixir::LANGUAGE, text)
}
