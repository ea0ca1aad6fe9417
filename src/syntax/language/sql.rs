//! SQL.

use crate::syntax::{Language, Lexis};

pub const LANGUAGE: Language = Language {
    name: "sql",
    extensions: &["sql"],
    lexis: Some(Lexis { line: &["--"], blocks: &[("/*", "*/")], single: true, long: true, ..Lexis::PLAIN }),
    ..Language::NONE
};
