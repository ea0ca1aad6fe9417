//! Protocol Buffers, by tree-sitter.

use super::{Language, Parsed, tree};

pub const LANGUAGE: Language = tree::language("protobuf", &["proto"], parse);

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_proto::LANGUAGE, text)
}
