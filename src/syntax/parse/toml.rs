//! TOML.

use super::{Parsed, Parser, Trust, broken, line_at};

pub(in crate::syntax) const PARSER: Parser = Parser { trust: Trust::Error, parse, stack_per_token: 0, links: None };

fn parse(_path: &str, text: &str) -> Parsed {
    match toml::from_str::<toml::Table>(text) {
        Ok(_) => Parsed::Clean,
        // The parser's own bound on depth.
        Err(error) if error.message().contains("recursion limit") => Parsed::Unknown("it nests too deep".to_owned()),
        Err(error) => broken(line_at(text, error.span().map_or(0, |span| span.start)), error.message()),
    }
}
