//! Swift.

use crate::syntax::stubs::{Mark, Means, Stubs};
use crate::syntax::{Bodies, Language, Lexis};

pub const LANGUAGE: Language = Language {
    name: "swift",
    extensions: &["swift"],
    lexis: Some(Lexis { nested: true, ..Lexis::JAVA }),
    bodies: Some(Bodies::Braces { keyword: true }),
    stubs: Stubs::Marks(&[Mark { word: "fatalError", means: Means::AsItsMessage, keyword: "func" }]),
    ..Language::NONE
};
