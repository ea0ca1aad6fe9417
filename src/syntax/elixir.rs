//! Elixir, by tree-sitter.

use super::{Language, Parsed, tree};

pub const LANGUAGE: Language =
    Language { file_names: &["mix.lock"], programs: &["elixir"], ..tree::language("elixir", &["ex", "exs"], parse) };

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_elixir::LANGUAGE, text)
}
