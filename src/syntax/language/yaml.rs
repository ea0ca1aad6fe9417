//! YAML.

use crate::syntax::{Language, Lexis, parse};

pub const LANGUAGE: Language = Language {
    name: "yaml",
    extensions: &["yaml", "yml", "cff"],
    file_names: &[".clang-format", ".clang-tidy", ".yamllint"],
    parser: Some(parse::yaml::PARSER),
    lexis: Some(Lexis { line: &["#"], spaced: true, single: false, double: false, ..Lexis::PLAIN }),
    ..Language::NONE
};
