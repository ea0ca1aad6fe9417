//! R.

use crate::syntax::{Language, Lexis};

parser!("scripting", r);

pub const LANGUAGE: Language = Language {
    name: "r",
    extensions: &["r"],
    file_names: &[".Rprofile"],
    programs: &["Rscript"],
    parser: PARSER,
    lexis: Some(Lexis::HASH),
    ..Language::NONE
};
