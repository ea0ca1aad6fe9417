//! C#.

use crate::syntax::stubs::{Mark, Means, Stubs};
use crate::syntax::{Bodies, Language, Lexis, tested};

pub const LANGUAGE: Language = Language {
    name: "csharp",
    extensions: &["cs", "csx"],
    lexis: Some(Lexis::JAVA),
    bodies: Some(Bodies::Braces { keyword: false }),
    tests: Some(tested::attributed::FAMILY),
    stubs: Stubs::Marks(&[Mark { word: "throw new NotImplementedException", means: Means::Missing, keyword: "" }]),
    ..Language::NONE
};
