//! HCL: Terraform and its relatives, by tree-sitter.

use super::{Language, Parsed, tree};

pub const LANGUAGE: Language = Language {
    file_names: &[".terraform.lock.hcl", ".terraformrc"],
    ..tree::language("hcl", &["tf", "tfvars", "hcl", "tofu"], parse)
};

fn parse(_path: &str, text: &str) -> Parsed {
    tree::parse(tree_sitter_hcl::LANGUAGE, text)
}
