//! Shell scripts for bash and the POSIX shells, by two parsers: refused is what both refuse. Each alone refuses scripts
//! that run (one in three hundred, one in fifty).

use super::{Language, Parsed, Trust, broken, guard, tree};
use brush_parser::{ParseError, Parser, ParserOptions, SourceInfo};

pub const LANGUAGE: Language = Language {
    name: "bash",
    extensions: &["sh", "bash"],
    file_names: &[".bashrc", ".bash_profile", ".bash_aliases", ".bash_logout", ".profile"],
    programs: &["sh", "bash", "dash", "ash"],
    trust: Trust::Error,
    parse,
    stack_per_token: 6_000,
    links: Some(links),
};

fn parse(_path: &str, text: &str) -> Parsed {
    if super::program(text).is_some_and(|program| !LANGUAGE.programs.contains(&program)) {
        return Parsed::NotApplicable("it is for another shell");
    }
    // A program that the shell only starts, written so that both can read it.
    if text.lines().take(20).any(|line| line.trim_start().starts_with("exec wish ") || line.contains("-*- tcl -*-")) {
        return Parsed::NotApplicable("it is Tcl");
    }
    let Some(error) = first_error(text) else { return Parsed::Clean };
    match tree::parse(tree_sitter_bash::LANGUAGE, text) {
        Parsed::Broken(_) => broken(line(&error, text), &error.to_string()),
        parsed => parsed,
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
