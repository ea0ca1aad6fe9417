//! PHP.

use crate::syntax::stubs::{Mark, Means, Stubs};
use crate::syntax::{Bodies, Language, Lexis, tested};

parser!("php", php);

pub const LANGUAGE: Language = Language {
    name: "php",
    extensions: &["php", "phtml"],
    programs: &["php"],
    parser: PARSER,
    lexis: Some(Lexis { line: &["//", "#"], single: true, heredoc: false, ..Lexis::C }),
    bodies: Some(Bodies::Braces { keyword: true }),
    tests: Some(tested::php::FAMILY),
    stubs: Stubs::Marks(&[Mark { word: "throw new", means: Means::AsItsMessage, keyword: "function" }]),
    ..Language::NONE
};
