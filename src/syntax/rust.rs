//! Rust, by syn.

use super::{Language, Parsed, broken};

pub const LANGUAGE: Language =
    Language { name: "rust", extensions: &["rs"], file_names: &[], parse, stack_per_token: 8000 };

fn parse(_path: &str, text: &str) -> Parsed {
    if has_frontmatter(text) {
        return Parsed::NotApplicable("it is a cargo script with frontmatter");
    }
    match syn::parse_file(text) {
        Ok(_) => Parsed::Clean,
        Err(error) => broken(error.span().start().line.max(1), &error.to_string()),
    }
}

fn has_frontmatter(text: &str) -> bool {
    text.lines()
        .find(|line| !line.starts_with("#!") && !line.trim().is_empty())
        .is_some_and(|line| line.starts_with("---"))
}
