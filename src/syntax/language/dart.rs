//! Dart.

use crate::syntax::stubs::{Mark, Means, Stubs};
use crate::syntax::{Bodies, Language, Lexis};

parser!("mobile", dart);

pub const LANGUAGE: Language = Language {
    name: "dart",
    extensions: &["dart"],
    parser: PARSER,
    lexis: Some(Lexis::JAVA),
    bodies: Some(Bodies::Braces { keyword: false }),
    stubs: Stubs::Marks(&[Mark { word: "throw UnimplementedError", means: Means::Missing, keyword: "" }]),
    ..Language::NONE
};
