//! Haskell.

use crate::syntax::{Language, Lexis};

pub const LANGUAGE: Language = Language {
    name: "haskell",
    extensions: &["hs"],
    lexis: Some(Lexis { line: &["--"], blocks: &[("{-", "-}")], nested: true, ..Lexis::PLAIN }),
    ..Language::NONE
};
