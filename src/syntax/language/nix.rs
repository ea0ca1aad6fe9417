//! Nix.

use crate::syntax::{Language, Lexis};

parser!("infrastructure", nix);

pub const LANGUAGE: Language = Language {
    name: "nix",
    extensions: &["nix"],
    parser: PARSER,
    lexis: Some(Lexis { line: &["#"], blocks: &[("/*", "*/")], long: true, ..Lexis::PLAIN }),
    ..Language::NONE
};
