//! GraphQL, by tree-sitter.

use super::{Language, Parsed, tree};

pub const LANGUAGE: Language = tree::language("graphql", &["graphql", "gql", "graphqls"], parse);

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_graphql::LANGUAGE, text)
}
