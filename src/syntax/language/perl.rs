//! Perl.

use crate::syntax::{Bodies, Language, Lexis};

pub const LANGUAGE: Language = Language {
    name: "perl",
    extensions: &["pl", "pm"],
    programs: &["perl"],
    lexis: Some(Lexis { spaced: true, long: true, heredoc: true, ..Lexis::HASH }),
    bodies: Some(Bodies::Braces { keyword: true }),
    ..Language::NONE
};
