//! GraphQL.

use crate::syntax::{Language, Lexis};

parser!("interface", graphql);

pub const LANGUAGE: Language = Language {
    name: "graphql",
    extensions: &["graphql", "gql", "graphqls"],
    parser: PARSER,
    lexis: Some(Lexis { line: &["#"], triple: true, ..Lexis::PLAIN }),
    ..Language::NONE
};
