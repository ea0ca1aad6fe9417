//! YAML, event by event: aliases are not followed, values not built, so neither depth nor repetition costs anything.

use super::{Language, Parsed, Trust, broken};
use saphyr_parser::{Parser, ScanError};

pub const LANGUAGE: Language = Language {
    name: "yaml",
    extensions: &["yaml", "yml", "cff"],
    file_names: &[".clang-format", ".clang-tidy", ".yamllint"],
    programs: &[],
    trust: Trust::Error,
    parse,
    stack_per_token: 0,
    links: None,
};

/// How many lines inside of brackets may be indented less than the specification wants.
const MAX_OUTDENTED: usize = 50;
/// Longer texts are not tried again for it.
const MAX_BYTES_AGAIN: usize = 200_000;

/// The specification wants lines inside of brackets indented deeper than what the brackets belong to. Every other
/// parser takes a closing bracket in the first column, and people write it: such lines are moved right, and it is
/// tried again. Inside of brackets white space means nothing.
fn parse(_path: &str, text: &str) -> Parsed {
    let Some(error) = first_error(text) else { return Parsed::Clean };
    let mut error = error;
    let mut lines: Vec<String> = Vec::new();
    for _ in 0..MAX_OUTDENTED {
        if error.info() != "invalid indentation" || text.len() > MAX_BYTES_AGAIN {
            break;
        }
        if lines.is_empty() {
            lines = text.lines().map(str::to_owned).collect();
        }
        let Some(line) = lines.get_mut(error.marker().line().saturating_sub(1)) else { break };
        line.insert_str(0, &" ".repeat(100));
        match first_error(&lines.join("\n")) {
            None => return Parsed::Clean,
            Some(next) if next.marker().line() < error.marker().line() => break,
            Some(next) => error = next,
        }
    }
    broken(error.marker().line().max(1), error.info())
}

fn first_error(text: &str) -> Option<ScanError> {
    Parser::new_from_str(text).find_map(Result::err)
}
