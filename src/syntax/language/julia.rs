//! Julia.

use crate::syntax::{Bodies, Language, Lexis};

pub const LANGUAGE: Language = Language {
    name: "julia",
    extensions: &["jl"],
    lexis: Some(Lexis { line: &["#"], blocks: &[("#=", "=#")], triple: true, long: true, ..Lexis::PLAIN }),
    bodies: Some(Bodies::End),
    ..Language::NONE
};
