//! Scala, 2 and 3, by tree-sitter.

use super::{Language, Parsed, tree};

pub const LANGUAGE: Language = tree::language("scala", &["scala", "sc", "sbt"], parse);

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_scala::LANGUAGE, text)
}
