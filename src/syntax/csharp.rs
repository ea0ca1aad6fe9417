//! C#, by tree-sitter.
//!
//! The newest syntax (collection expressions, `a?[i] = b`), `async` as a name and conditional compilation within
//! expressions are more than the grammar knows.

use super::{Language, Parsed, Trust, tree};

pub const LANGUAGE: Language = Language {
    trust: Trust::Warning("its grammar does not know the newest C#"),
    ..tree::language("csharp", &["cs", "csx"], parse)
};

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_c_sharp::LANGUAGE, text)
}
