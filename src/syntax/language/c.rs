//! C, and headers of any language of its family.

use crate::syntax::{Bodies, Language, Lexis, parse};

pub const LANGUAGE: Language = Language {
    name: "c",
    extensions: &["c", "h"],
    parser: Some(parse::c::PARSER),
    lexis: Some(Lexis::C),
    bodies: Some(Bodies::Braces { keyword: false }),
    ..Language::NONE
};
