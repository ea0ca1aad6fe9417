//! YAML, event by event: aliases are not followed, values not built, so neither depth nor repetition costs anything.

use super::{Language, Parsed, broken};
use saphyr_parser::Parser;

pub const LANGUAGE: Language = Language {
    name: "yaml",
    extensions: &["yaml", "yml", "cff"],
    file_names: &[".clang-format", ".clang-tidy", ".yamllint"],
    parse,
    stack_per_token: 0,
};

fn parse(_path: &str, text: &str) -> Parsed {
    match Parser::new_from_str(text).find_map(Result::err) {
        None => Parsed::Clean,
        Some(error) => broken(error.marker().line().max(1), error.info()),
    }
}
