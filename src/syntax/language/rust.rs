//! Rust.

use crate::syntax::stubs::{Mark, Means, Stubs};
use crate::syntax::{Bodies, Language, Lexis, imports, tested};

parser!("rust", rust);

pub const LANGUAGE: Language = Language {
    name: "rust",
    extensions: &["rs"],
    parser: PARSER,
    lexis: Some(Lexis { nested: true, long: true, raw: true, ..Lexis::C }),
    bodies: Some(Bodies::Braces { keyword: true }),
    tests: Some(tested::rust::FAMILY),
    imports: Some(imports::rust::IMPORTS),
    stubs: Stubs::Marks(&[
        Mark { word: "todo!", means: Means::Unwritten, keyword: "fn" },
        Mark { word: "unimplemented!", means: Means::Missing, keyword: "fn" },
    ]),
    ..Language::NONE
};
