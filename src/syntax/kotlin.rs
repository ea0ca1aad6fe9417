//! Kotlin, by tree-sitter.
//!
//! Names that are keywords elsewhere (`where?.let`), and comparisons of casts (`as? A<*>) == b`) confuse the grammar.

use super::{Language, Parsed, Trust, tree};

pub const LANGUAGE: Language = Language {
    trust: Trust::Warning("its grammar takes some names for keywords"),
    ..tree::language("kotlin", &["kt", "kts"], parse)
};

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_kotlin_ng::LANGUAGE, text)
}
