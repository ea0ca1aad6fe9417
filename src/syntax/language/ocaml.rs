//! OCaml.

use crate::syntax::{Language, Lexis};

pub const LANGUAGE: Language = Language {
    name: "ocaml",
    extensions: &["ml", "mli"],
    lexis: Some(Lexis { blocks: &[("(*", "*)")], nested: true, ..Lexis::PLAIN }),
    ..Language::NONE
};
