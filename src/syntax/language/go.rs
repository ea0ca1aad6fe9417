//! Go.

use crate::syntax::stubs::{Mark, Means, Stubs};
use crate::syntax::{Bodies, Language, Lexis, imports, tested};

parser!("go", go);

pub const LANGUAGE: Language = Language {
    name: "go",
    extensions: &["go"],
    parser: PARSER,
    lexis: Some(Lexis { single: true, backtick: true, ..Lexis::C }),
    bodies: Some(Bodies::Braces { keyword: true }),
    tests: Some(tested::go::FAMILY),
    imports: Some(imports::go::IMPORTS),
    stubs: Stubs::Marks(&[Mark { word: "panic", means: Means::AsItsMessage, keyword: "func" }]),
    ..Language::NONE
};
