//! XML and the formats that are XML, by roxmltree: well-formed, and its prefixes declared.

use super::{Parsed, Parser, Trust, broken};
use roxmltree::{Document, Error, ParsingOptions};

pub(in crate::syntax) const PARSER: Parser = Parser { trust: Trust::Error, parse, stack_per_token: 0, links: None };

fn parse(_path: &str, text: &str) -> Parsed {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    match Document::parse_with_options(text, options) {
        Ok(_) => Parsed::Clean,
        // Those of HTML, say, are declared in a document type that lies elsewhere.
        Err(Error::UnknownEntityReference(..)) if text.contains("<!DOCTYPE") || text.contains("<!ENTITY") => {
            Parsed::NotApplicable("its entities are declared elsewhere")
        }
        Err(Error::NodesLimitReached | Error::AttributesLimitReached | Error::NamespacesLimitReached) => {
            Parsed::Unknown("it is too large".to_owned())
        }
        Err(error) => {
            let message = error.to_string();
            let message = message.rsplit_once(" at ").map_or(message.as_str(), |(message, _)| message);
            broken(error.pos().row as usize, message)
        }
    }
}
