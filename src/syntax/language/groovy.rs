//! Groovy.

use crate::syntax::stubs::{Mark, Means, Stubs};
use crate::syntax::{Bodies, Language, Lexis};

pub const LANGUAGE: Language = Language {
    name: "groovy",
    extensions: &["groovy", "gradle"],
    lexis: Some(Lexis::JAVA),
    bodies: Some(Bodies::Braces { keyword: false }),
    stubs: Stubs::Marks(&[
        Mark { word: "throw new UnsupportedOperationException", means: Means::AsItsMessage, keyword: "" },
        Mark { word: "throw new RuntimeException", means: Means::AsItsMessage, keyword: "" },
    ]),
    ..Language::NONE
};
