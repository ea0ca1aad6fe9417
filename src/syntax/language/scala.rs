//! Scala.

use crate::syntax::{Bodies, Language, Lexis};

parser!("jvm", scala);

pub const LANGUAGE: Language = Language {
    name: "scala",
    extensions: &["scala", "sc", "sbt"],
    parser: PARSER,
    lexis: Some(Lexis::JAVA),
    bodies: Some(Bodies::Braces { keyword: true }),
    ..Language::NONE
};
