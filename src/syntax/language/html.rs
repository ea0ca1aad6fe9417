//! HTML and templates of it.

use crate::syntax::{Language, Lexis};

pub const LANGUAGE: Language = Language {
    name: "html",
    extensions: &["html", "htm", "vue", "svelte", "astro"],
    lexis: Some(Lexis { blocks: &[("<!--", "-->")], double: false, ..Lexis::PLAIN }),
    ..Language::NONE
};
