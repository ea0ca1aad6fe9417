//! Solidity.

use crate::syntax::{Bodies, Language, Lexis};

parser!("solidity", solidity);

pub const LANGUAGE: Language = Language {
    name: "solidity",
    extensions: &["sol"],
    parser: PARSER,
    lexis: Some(Lexis { single: true, ..Lexis::C }),
    bodies: Some(Bodies::Braces { keyword: true }),
    ..Language::NONE
};
