//! GraphQL, by tree-sitter.

use super::{Language, Parsed, Trust, tree};

pub const LANGUAGE: Language = Language {
    trust: Trust::Warning("its grammar was tried on few real files"),
    ..tree::language("graphql", &["graphql", "gql", "graphqls"], parse)
};

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_graphql::LANGUAGE, text)
}
