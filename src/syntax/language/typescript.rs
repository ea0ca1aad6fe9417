//! TypeScript and TSX.

use crate::syntax::stubs::{Mark, Means, Stubs};
use crate::syntax::{Bodies, Language, Lexis, imports, tested};

parser!("javascript", typescript);

pub const LANGUAGE: Language = Language {
    name: "typescript",
    extensions: &["ts", "mts", "cts", "tsx"],
    programs: &["ts-node", "tsx"],
    parser: PARSER,
    lexis: Some(Lexis::JAVASCRIPT),
    bodies: Some(Bodies::Braces { keyword: false }),
    tests: Some(tested::javascript::FAMILY),
    imports: Some(imports::javascript::IMPORTS),
    stubs: Stubs::Marks(&[Mark { word: "throw new Error", means: Means::AsItsMessage, keyword: "" }]),
    ..Language::NONE
};
