//! Dart, by tree-sitter.

use super::{Language, Parsed, tree};

pub const LANGUAGE: Language = tree::language("dart", &["dart"], parse);

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_dart::LANGUAGE, text)
}
