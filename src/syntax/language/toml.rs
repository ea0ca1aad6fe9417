//! TOML.

use crate::syntax::{Language, Lexis, parse};

pub const LANGUAGE: Language = Language {
    name: "toml",
    extensions: &["toml"],
    file_names: &["Cargo.lock", "Pipfile", "poetry.lock", "uv.lock", "pdm.lock"],
    parser: Some(parse::toml::PARSER),
    lexis: Some(Lexis { line: &["#"], single: true, triple: true, ..Lexis::PLAIN }),
    ..Language::NONE
};
