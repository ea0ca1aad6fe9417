//! YAML, event by event: aliases are not followed, values not built, so neither depth nor repetition costs anything.

use super::{Parsed, Trust, broken};
use saphyr_parser::{Parser, ScanError};

pub(in crate::syntax) const PARSER: super::Parser =
    super::Parser { trust: Trust::Error, parse, stack_per_token: 0, links: None };

/// How many lines inside of brackets may be indented less than the specification wants.
const MAX_OUTDENTED: usize = 50;
/// Longer texts are not tried again for it.
const MAX_BYTES_AGAIN: usize = 1_000_000;

const MOVED: &str =
    "                                                                                                    ";

/// The specification wants lines inside of brackets and quotes indented deeper than what those belong to. Every other
/// parser takes a closing bracket in the first column, and people write it: such lines are moved right, and it is
/// tried again. Inside of brackets white space means nothing.
fn parse(_path: &str, text: &str) -> Parsed {
    let Some(error) = first_error(text) else { return Parsed::Clean };
    if is_indented_by_tabs(text) {
        return Parsed::NotApplicable("it is indented by tabs, as no YAML is");
    }
    let mut error = error;
    let mut lines: Vec<String> = Vec::new();
    for _ in 0..MAX_OUTDENTED {
        let quoted = error.info() == "invalid indentation in quoted scalar";
        if error.info() != "invalid indentation" && !quoted || text.len() > MAX_BYTES_AGAIN {
            break;
        }
        if lines.is_empty() {
            lines = text.lines().map(str::to_owned).collect();
        }
        // Of a text in quotes the parser points at the first line, of which the rest are the wrong ones.
        let at = error.marker().line().saturating_sub(1);
        let wrong = lines.iter_mut().skip(at + usize::from(quoted)).find(|line| !quoted || !line.starts_with(MOVED));
        let Some(line) = wrong else { break };
        line.insert_str(0, MOVED);
        match first_error(&lines.join("\n")) {
            None => return Parsed::Clean,
            Some(next) if next.marker().line() < error.marker().line() => break,
            Some(next) => error = next,
        }
    }
    broken(error.marker().line().max(1), error.info())
}

/// As many indented lines show how a text is indented.
const INDENTED: usize = 10;

/// Some programs have formats of their own in files of this name.
fn is_indented_by_tabs(text: &str) -> bool {
    let mut indented = text.lines().filter(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
    indented.clone().nth(INDENTED - 1).is_some() && indented.all(|line| line.starts_with('\t'))
}

fn first_error(text: &str) -> Option<ScanError> {
    Parser::new_from_str(text).find_map(Result::err)
}
