//! Zig.

use crate::syntax::{Bodies, Language, Lexis};

pub const LANGUAGE: Language = Language {
    name: "zig",
    extensions: &["zig"],
    lexis: Some(Lexis { line: &["//"], ..Lexis::PLAIN }),
    bodies: Some(Bodies::Braces { keyword: true }),
    ..Language::NONE
};
