//! TypeScript and TSX, by oxc, with tree-sitter's grammar as the second opinion: oxc takes some texts that the
//! compiler refuses (`interface A {foo bar}`).

use super::{Language, Parsed, javascript, tree};
use oxc_span::SourceType;
use tree_sitter_typescript::{LANGUAGE_TSX, LANGUAGE_TYPESCRIPT};

pub const LANGUAGE: Language = Language {
    name: "typescript",
    extensions: &["ts", "mts", "cts", "tsx"],
    file_names: &[],
    parse,
    stack_per_token: 3000,
};

/// Above this tree-sitter takes seconds for an opinion that differs in one file of a thousand.
const MAX_SECOND_OPINION: usize = 1_000_000;

fn parse(path: &str, text: &str) -> Parsed {
    // Qt's translations are called `.ts` too.
    if text.trim_start().starts_with("<?xml") || text.trim_start().starts_with("<!DOCTYPE") {
        return Parsed::NotApplicable("it is XML");
    }
    let kind = SourceType::from_path(super::file_name(path)).unwrap_or(SourceType::ts());
    match javascript::any_of(&[kind, kind.with_script(true)], text) {
        Parsed::Clean if text.len() <= MAX_SECOND_OPINION => {
            let grammar = if kind.is_jsx() { LANGUAGE_TSX } else { LANGUAGE_TYPESCRIPT };
            tree::parse(&grammar.into(), text)
        }
        parsed => parsed,
    }
}
