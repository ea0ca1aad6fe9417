//! Scala.

use super::Nature;
use crate::syntax::{Bodies, Language, Lexis};

parser!("jvm", scala);

pub const LANGUAGE: Language = Language {
    name: "scala",
    extensions: &["scala", "sc", "sbt"],
    // Linkers' scripts, shaders and SuperCollider's classes are called so as well.
    nature: Some(Nature {
        extensions: &["sc"],
        begins: &[
            "import ",
            "object ",
            "def ",
            "val ",
            "case ",
            "class ",
            "trait ",
            "package ",
            "//>",
            "@main",
            "println(",
            "extension ",
        ],
        holds: &["=>"],
    }),
    parser: PARSER,
    lexis: Some(Lexis::JAVA),
    bodies: Some(Bodies::Braces { keyword: true }),
    ..Language::NONE
};
