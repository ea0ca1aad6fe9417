//! CMake.

use crate::syntax::{Language, Lexis};

parser!("infrastructure", cmake);

pub const LANGUAGE: Language = Language {
    name: "cmake",
    extensions: &["cmake"],
    file_names: &["CMakeLists.txt"],
    parser: PARSER,
    lexis: Some(Lexis { line: &["#"], blocks: &[("#[[", "]]")], long: true, ..Lexis::PLAIN }),
    ..Language::NONE
};
