//! HCL: Terraform's language.

use crate::syntax::{Language, Lexis};

parser!("infrastructure", hcl);

pub const LANGUAGE: Language = Language {
    name: "hcl",
    extensions: &["tf", "tfvars", "hcl", "tofu"],
    file_names: &[".terraform.lock.hcl", ".terraformrc"],
    parser: PARSER,
    lexis: Some(Lexis { line: &["#", "//"], heredoc: true, ..Lexis::C }),
    ..Language::NONE
};
