//! Java.

use crate::syntax::stubs::{Mark, Means, Stubs};
use crate::syntax::{Bodies, Language, Lexis, tested};

parser!("jvm", java);

pub const LANGUAGE: Language = Language {
    name: "java",
    extensions: &["java"],
    parser: PARSER,
    lexis: Some(Lexis::JAVA),
    bodies: Some(Bodies::Braces { keyword: false }),
    tests: Some(tested::attributed::FAMILY),
    stubs: Stubs::Marks(&[
        Mark { word: "throw new UnsupportedOperationException", means: Means::AsItsMessage, keyword: "" },
        Mark { word: "throw new RuntimeException", means: Means::AsItsMessage, keyword: "" },
    ]),
    ..Language::NONE
};
