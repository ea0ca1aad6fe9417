//! C++ and its dialects.

use crate::syntax::{Bodies, Language, Lexis, parse};

pub const LANGUAGE: Language = Language {
    name: "cpp",
    extensions: &["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "ipp", "tpp", "inl", "mm", "cu", "cuh", "ino"],
    parser: Some(parse::cpp::PARSER),
    lexis: Some(Lexis::C),
    bodies: Some(Bodies::Braces { keyword: false }),
    ..Language::NONE
};
