//! Nix, by tree-sitter.

use super::{Language, Parsed, tree};

pub const LANGUAGE: Language = tree::language("nix", &["nix"], parse);

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_nix::LANGUAGE, text)
}
