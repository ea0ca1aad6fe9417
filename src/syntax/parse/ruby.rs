//! Ruby, by prism, which is Ruby's own parser since 3.4.

use super::{MAX_ERRORS, Parsed, Parser, SyntaxError, Trust, wording};

// The parser bounds its depth itself.
pub(in crate::syntax) const PARSER: Parser =
    Parser { trust: Trust::Error, parse, stack_per_token: 2_000, links: Some(|_| Some(10_000)) };

fn parse(_path: &str, text: &str) -> Parsed {
    let parsed = ruby_prism::parse(text.as_bytes());
    let mut errors = Vec::new();
    for error in parsed.errors().take(MAX_ERRORS) {
        let message = String::from_utf8_lossy(error.message()).into_owned();
        // The parser's own bound on depth.
        if message.contains("too deep") {
            return Parsed::Unknown("it nests too deep".to_owned());
        }
        let line = usize::try_from(error.location().start_line()).unwrap_or(1).max(1);
        errors.push(SyntaxError { line, message: wording(&message) });
    }
    if errors.is_empty() { Parsed::Clean } else { Parsed::Broken(errors) }
}
