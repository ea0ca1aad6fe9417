//! CSS, SCSS, Sass and Less.

use crate::syntax::{Language, Lexis};

parser!("css", css);

pub const LANGUAGE: Language = Language {
    name: "css",
    extensions: &["css", "scss", "sass", "less"],
    parser: PARSER,
    lexis: Some(Lexis { line: &["//"], spaced: true, single: true, ..Lexis::C }),
    ..Language::NONE
};
