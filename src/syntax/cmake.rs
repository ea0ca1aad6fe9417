//! CMake, by tree-sitter.

use super::{Language, Parsed, tree};

pub const LANGUAGE: Language =
    Language { file_names: &["CMakeLists.txt"], ..tree::language("cmake", &["cmake"], parse) };

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_cmake::LANGUAGE, text)
}
