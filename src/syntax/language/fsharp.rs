//! F#.

use crate::syntax::{Language, Lexis};

pub const LANGUAGE: Language = Language {
    name: "fsharp",
    extensions: &["fs", "fsx"],
    lexis: Some(Lexis { line: &["//"], blocks: &[("(*", "*)")], triple: true, ..Lexis::PLAIN }),
    ..Language::NONE
};
