//! Kotlin.

use crate::syntax::stubs::{Mark, Means, Stubs};
use crate::syntax::{Bodies, Language, Lexis, tested};

pub const LANGUAGE: Language = Language {
    name: "kotlin",
    extensions: &["kt", "kts"],
    lexis: Some(Lexis::JAVA),
    bodies: Some(Bodies::Braces { keyword: true }),
    tests: Some(tested::attributed::KOTLIN),
    stubs: Stubs::Marks(&[Mark { word: "TODO", means: Means::Unwritten, keyword: "fun" }]),
    ..Language::NONE
};
