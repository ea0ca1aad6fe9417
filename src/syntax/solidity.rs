//! Solidity, by tree-sitter.

use super::{Language, Parsed, tree};

pub const LANGUAGE: Language = tree::language("solidity", &["sol"], parse);

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_solidity::LANGUAGE, text)
}
