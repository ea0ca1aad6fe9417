//! Lua, by tree-sitter.

use super::{Language, Parsed, tree};

pub const LANGUAGE: Language = Language {
    file_names: &[".luacheckrc"],
    programs: &["lua", "luajit", "texlua"],
    ..tree::language("lua", &["lua", "rockspec"], parse)
};

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_lua::LANGUAGE, text)
}
