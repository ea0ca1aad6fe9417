//! R.

use super::Nature;
use crate::syntax::{Language, Lexis};

parser!("scripting", r);

pub const LANGUAGE: Language = Language {
    name: "r",
    extensions: &["r"],
    file_names: &[".Rprofile"],
    // Rebol, Ratfor and resources of old Macintoshes are called so as well.
    nature: Some(Nature {
        extensions: &["r"],
        begins: &["library(", "require(", "source(", "#'", "setwd(", "print(", "cat("],
        holds: &["<-", "function(", "function ("],
    }),
    programs: &["Rscript"],
    parser: PARSER,
    lexis: Some(Lexis::HASH),
    ..Language::NONE
};
