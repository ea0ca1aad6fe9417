//! Erlang, by tree-sitter.

use super::{Language, Parsed, tree};

pub const LANGUAGE: Language = Language {
    file_names: &["rebar.config", "rebar.lock"],
    programs: &["escript"],
    ..tree::language("erlang", &["erl", "hrl"], parse)
};

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_erlang::LANGUAGE, text)
}
