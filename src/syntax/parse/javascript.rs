//! JavaScript and JSX, by oxc.
//!
//! Nothing in a `.js` file says whether it is a module, a script or JSX: it is right if it is right as one of them.
//! Redeclarations and stray `break`s are found later than parsing, and not here.

use super::{MAX_ERRORS, Parsed, SyntaxError, Trust, line_at, wording};
use crate::syntax::extension;
use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

pub(in crate::syntax) const PARSER: super::Parser =
    super::Parser { trust: Trust::Error, parse, stack_per_token: 3000, links: None };

fn parse(path: &str, text: &str) -> Parsed {
    let module = SourceType::mjs();
    let common = SourceType::cjs();
    let kinds = match extension(path).as_str() {
        "mjs" => vec![module, module.with_jsx(true)],
        "cjs" => vec![common, common.with_jsx(true)],
        _ => vec![module, common, module.with_jsx(true), common.with_jsx(true)],
    };
    match any_of(&kinds, text, |_, _| None) {
        Parsed::Broken(errors) if extension(path) == "js" => wrapped(text, errors),
        parsed => parsed,
    }
}

/// What some program runs as the body of a function: `return` beside `await`, which neither a module nor a script has.
fn wrapped(text: &str, errors: Vec<SyntaxError>) -> Parsed {
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, text, SourceType::mjs()).with_options(options).parse();
    let is_right = !parsed.panicked && parsed.diagnostics.errors().next().is_none();
    if is_right { Parsed::Clean } else { Parsed::Broken(errors) }
}

/// A `a<` may begin type arguments: oxc tries that and goes back, and takes quadratic time and memory for many of them
/// within each other.
const MAX_OPEN_ANGLES: usize = 500;

/// How many `a<` are open at once at most, by a count that need not be right: no real file comes near the bound.
fn open_angles(text: &str) -> usize {
    let (mut open, mut most, mut before) = (0usize, 0, b' ');
    for &byte in text.as_bytes() {
        match byte {
            b'<' if before.is_ascii_alphanumeric() || before == b'_' => open += 1,
            b'>' if before != b'=' => open = open.saturating_sub(1),
            b';' => open = 0,
            _ => {}
        }
        most = most.max(open);
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
    }
    most
}

/// The offset of something wrong in a tree that the parser took.
type Look = fn(&Program, &str) -> Option<usize>;

/// Clean if `text` is as one of `kinds` and to `look` as well; else the errors of the kind that came furthest.
pub(super) fn any_of(kinds: &[SourceType], text: &str, look: Look) -> Parsed {
    if open_angles(text) > MAX_OPEN_ANGLES {
        return Parsed::Unknown("it nests type arguments too deep".to_owned());
    }
    let mut furthest = (0, Parsed::Clean);
    for kind in kinds {
        match one(*kind, text, look) {
            Parsed::Broken(errors) => {
                let line = errors.first().map_or(0, |error| error.line);
                if line > furthest.0 {
                    furthest = (line, Parsed::Broken(errors));
                }
            }
            parsed => return parsed,
        }
    }
    furthest.1
}

fn one(kind: SourceType, text: &str, look: Look) -> Parsed {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, text, kind).parse();
    if kind.is_javascript() && parsed.is_flow_language {
        return Parsed::NotApplicable("it is Flow");
    }
    let mut errors: Vec<SyntaxError> = parsed
        .diagnostics
        .errors()
        .take(MAX_ERRORS)
        .map(|error| {
            let offset = error.labels.first().map_or(0, |label| label.offset() as usize);
            SyntaxError { line: line_at(text, offset), message: wording(&error.message) }
        })
        .collect();
    errors.sort_by_key(|error| error.line);
    if errors.is_empty() && parsed.panicked {
        errors.push(SyntaxError { line: 1, message: "it does not parse".to_owned() });
    }
    if errors.is_empty()
        && let Some(offset) = look(&parsed.program, text)
    {
        errors.push(SyntaxError { line: line_at(text, offset), message: "expected ',' or ';'".to_owned() });
    }
    if errors.is_empty() { Parsed::Clean } else { Parsed::Broken(errors) }
}
