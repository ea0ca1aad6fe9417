//! PowerShell.

use crate::syntax::{Bodies, Language, Lexis};

pub const LANGUAGE: Language = Language {
    name: "powershell",
    extensions: &["ps1", "psm1"],
    programs: &["pwsh"],
    lexis: Some(Lexis { blocks: &[("<#", "#>")], long: true, ..Lexis::HASH }),
    bodies: Some(Bodies::Braces { keyword: true }),
    ..Language::NONE
};
