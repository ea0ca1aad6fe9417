//! Objective-C.

use crate::syntax::{Language, Lexis};

pub const LANGUAGE: Language =
    Language { name: "objective_c", extensions: &["m"], lexis: Some(Lexis::C), ..Language::NONE };
