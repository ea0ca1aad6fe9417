//! Python, by ruff's parser: the newest grammar, which takes older code (of Python 3) as well.
//!
//! What the compiler refuses after parsing (`return` outside of a function) is not seen here.

use super::{Language, MAX_ERRORS, Parsed, SyntaxError, line_at, wording};
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};

pub const LANGUAGE: Language = Language {
    name: "python",
    extensions: &["py", "pyi", "pyw"],
    file_names: &["SConstruct", "SConscript", "wscript"],
    parse,
    stack_per_token: 2000,
    links: None,
};

fn parse(_path: &str, text: &str) -> Parsed {
    let first = text.lines().next().unwrap_or("");
    if first.starts_with("#!") && first.contains("python2") {
        return Parsed::NotApplicable("it is Python 2");
    }
    // Errors of the language's version (`unsupported_syntax_errors`) are kept apart by ruff, and are not ours to judge.
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
    let errors: Vec<SyntaxError> = parsed
        .errors()
        .iter()
        .take(MAX_ERRORS)
        .map(|error| SyntaxError {
            line: line_at(text, error.location.start().into()),
            message: wording(&error.error.to_string()),
        })
        .collect();
    if errors.is_empty() { Parsed::Clean } else { Parsed::Broken(errors) }
}
