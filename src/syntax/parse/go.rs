//! Go, by two parsers: each lets through what the other refuses, and what both take is right.

use super::{Parsed, Parser, SyntaxError, Trust, broken, tree, wording};

pub(in crate::syntax) const PARSER: Parser = Parser { trust: Trust::Error, parse, stack_per_token: 3000, links: None };

fn parse(_path: &str, text: &str) -> Parsed {
    match judge(text) {
        // Since Go 1.26 `new` takes expressions, which both parsers know as a call of any other function only.
        Parsed::Broken(errors) => match renamed(text).map(|text| judge(&text)) {
            Some(Parsed::Clean) => Parsed::Clean,
            _ => Parsed::Broken(errors),
        },
        parsed => parsed,
    }
}

fn judge(text: &str) -> Parsed {
    match gosyn::parse_source(text) {
        Ok(_) => tree::parse(tree_sitter_go::LANGUAGE, text),
        Err(error) => match error.downcast_ref::<gosyn::Error>() {
            Some(gosyn::Error::UnexpectedToken { location, expect, actual, .. }) => {
                let found = actual.as_ref().map_or("the end of the file".to_owned(), |token| format!("{token:?}"));
                let wanted = expect.first().map_or(String::new(), |kind| format!(", expected {kind:?}"));
                let message = wording(&format!("unexpected {found}{wanted}"));
                Parsed::Broken(vec![SyntaxError { line: location.0.max(1), message }])
            }
            // Its own bound, which real code can exceed: the other parser has none.
            Some(gosyn::Error::Else { reason, .. }) if reason == "too many depth" => {
                tree::parse(tree_sitter_go::LANGUAGE, text)
            }
            Some(gosyn::Error::Else { location, reason, .. }) => broken(location.0.max(1), reason),
            _ => broken(1, &error.to_string()),
        },
    }
}

/// `new(` as a name that no parser treats specially, of the same length.
fn renamed(text: &str) -> Option<String> {
    text.contains("new(").then(|| text.replace("new(", "neW("))
}
