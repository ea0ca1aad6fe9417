//! Shell scripts for bash and the POSIX shells, by brush. Of some constructs (quotes within quotes, patterns in
//! brackets) it refuses what runs: where it stumbles there, tree-sitter's grammar has to agree.

use super::{Parsed, Trust, broken, guard, tree};
use crate::syntax::language::bash::LANGUAGE;
use brush_parser::{ParseError, Parser, ParserOptions, SourceInfo, Token};

pub(in crate::syntax) const PARSER: super::Parser =
    super::Parser { trust: Trust::Error, parse, stack_per_token: 6_000, links: Some(links) };

fn parse(_path: &str, text: &str) -> Parsed {
    if crate::syntax::program(text).is_some_and(|program| !LANGUAGE.programs.contains(&program)) {
        return Parsed::NotApplicable("it is for another shell");
    }
    // A program that the shell only starts, written so that both can read it.
    if text.lines().take(20).any(|line| line.trim_start().starts_with("exec wish ") || line.contains("-*- tcl -*-")) {
        return Parsed::NotApplicable("it is Tcl");
    }
    let Some(error) = first_error(text) else { return Parsed::Clean };
    let refused = broken(line(&error, text), &error.to_string());
    if is_sure(&error) {
        return refused;
    }
    match tree::parse(tree_sitter_bash::LANGUAGE, text) {
        Parsed::Broken(_) => refused,
        parsed => parsed,
    }
}

/// The script ends too early, or there is an operator or the end of a line where there should be a command: brush is
/// right about that. Of `case` within `$(…)` it takes the bracket of a pattern for the end.
fn is_sure(error: &ParseError) -> bool {
    match error {
        ParseError::ParsingAtEndOfInput => true,
        ParseError::ParsingNearToken(Token::Operator(operator, _)) => !operator.starts_with(['(', ')', ';']),
        _ => false,
    }
}

/// Words that open a command within a command.
const OPENERS: &[&str] = &["if", "elif", "else", "then", "case", "for", "while", "until", "select", "do", "function"];

/// Only brackets, quotes and compound commands nest. What chains (`a && b`, `a; b`) takes a tenth of the stack.
fn links(text: &str) -> Option<usize> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| OPENERS.contains(word)).count();
    Some(words + text.bytes().filter(|byte| b"([{`!".contains(byte)).count() + guard::tokens(text) / 10)
}

fn first_error(text: &str) -> Option<ParseError> {
    Parser::new(text.as_bytes(), &ParserOptions::default(), &SourceInfo::default()).parse_program().err()
}

fn line(error: &ParseError, text: &str) -> usize {
    match error {
        ParseError::ParsingNearToken(token) => token.location().start.line,
        ParseError::Tokenizing { position: Some(position), .. } => position.line,
        _ => text.lines().count(),
    }
}
