//! JavaScript and JSX.

use crate::syntax::stubs::{Mark, Means, Stubs};
use crate::syntax::{Bodies, Language, Lexis, imports, tested};

parser!("javascript", javascript);

pub const LANGUAGE: Language = Language {
    name: "javascript",
    extensions: &["js", "mjs", "cjs", "jsx"],
    file_names: &["Jakefile"],
    programs: &["node", "nodejs", "deno", "bun"],
    parser: PARSER,
    lexis: Some(Lexis::JAVASCRIPT),
    bodies: Some(Bodies::Braces { keyword: false }),
    tests: Some(tested::javascript::FAMILY),
    imports: Some(imports::javascript::IMPORTS),
    stubs: Stubs::Marks(&[Mark { word: "throw new Error", means: Means::AsItsMessage, keyword: "" }]),
    ..Language::NONE
};
