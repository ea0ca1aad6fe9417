//! What a language's parser says of a text, and what keeps hostile input from killing the program: ask [`parse`] rather
//! than a parser. A parser is one file; how far each can be trusted was measured: `doc/LANGUAGES.md`.

#[cfg(feature = "shell")]
pub(super) mod bash;
mod brackets;
pub(super) mod c;
#[cfg(feature = "infrastructure")]
pub(super) mod cmake;
pub(super) mod cpp;
#[cfg(feature = "css")]
pub(super) mod css;
#[cfg(feature = "mobile")]
pub(super) mod dart;
#[cfg(feature = "beam")]
pub(super) mod elixir;
#[cfg(feature = "beam")]
pub(super) mod erlang;
#[cfg(feature = "go")]
pub(super) mod go;
#[cfg(feature = "interface")]
pub(super) mod graphql;
mod guard;
#[cfg(feature = "infrastructure")]
pub(super) mod hcl;
#[cfg(feature = "jvm")]
pub(super) mod java;
#[cfg(feature = "javascript")]
pub(super) mod javascript;
pub(super) mod json;
#[cfg(feature = "scripting")]
pub(super) mod lua;
#[cfg(feature = "infrastructure")]
pub(super) mod nix;
#[cfg(feature = "php")]
pub(super) mod php;
#[cfg(feature = "interface")]
pub(super) mod protobuf;
#[cfg(feature = "python")]
pub(super) mod python;
#[cfg(feature = "scripting")]
pub(super) mod r;
#[cfg(feature = "ruby")]
pub(super) mod ruby;
#[cfg(feature = "rust")]
pub(super) mod rust;
#[cfg(feature = "jvm")]
pub(super) mod scala;
#[cfg(feature = "solidity")]
pub(super) mod solidity;
mod template;
pub(super) mod toml;
#[cfg(feature = "tree-sitter")]
mod tree;
#[cfg(feature = "javascript")]
pub(super) mod typescript;
#[cfg(feature = "tree-sitter")]
mod words;
#[cfg(feature = "xml")]
pub(super) mod xml;
pub(super) mod yaml;

use super::language_of;
use guard::Text;
pub use guard::is_left_behind;

/// A place at which a parser gave up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Counted from 1.
    pub line: usize,
    pub message: String,
}

/// One error makes others: of a text that is all wrong nobody wants to see them all.
const MAX_ERRORS: usize = 10;

/// What a parser made of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parsed {
    /// It parses.
    Clean,
    /// At least one place.
    Broken(Vec<SyntaxError>),
    /// It parses in a looser form of the language only, in which some programs read such files (JSON with comments). Its
    /// name does not tell whether this one's does; what was there before may.
    Lenient(Vec<SyntaxError>),
    /// The parser could not judge it (too deep, too large, too slow, died): never a pass, never the code's fault.
    Unknown(String),
    /// It is not in the language that its name says (a template, another dialect), and why: nothing to judge.
    NotApplicable(&'static str),
}

/// What a parser's refusal is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// It refuses next to nothing that is right.
    Error,
    /// It refuses right texts too often to stand in anybody's way, and why: people are told, nothing is held up.
    Warning(&'static str),
}

/// A parser, and how much it can be trusted with.
#[derive(Debug, Clone, Copy)]
pub struct Parser {
    pub trust: Trust,
    /// The bare parser. `path` decides dialects (`.d.ts`, `tsconfig.json`). It may recurse, panic or take for ever:
    /// [`parse`] is the safe way in.
    pub parse: fn(path: &str, text: &str) -> Parsed,
    /// Bytes of stack that one token can cost the parser at worst (nested, or linked in a chain that is freed
    /// recursively), in an optimised build; 0 for a parser that does not recurse or bounds its own depth.
    pub stack_per_token: usize,
    /// For texts of too many tokens: by the language's own lexer, an upper bound of how deep tokens of this text nest or
    /// chain. `None` where it cannot tell. Must neither recurse nor take more than linear time.
    pub links: Option<fn(&str) -> Option<usize>>,
}

/// What the parser for `path` makes of `text`, whatever the text is: bounded in size, depth and time. `None` if this
/// build has no parser for it.
pub fn parse(path: &str, text: &str) -> Option<Parsed> {
    parse_all(&[(path, text)]).pop().flatten()
}

/// [`parse`] for many paths and their texts, which is quicker than one by one.
pub fn parse_all(texts: &[(&str, &str)]) -> Vec<Option<Parsed>> {
    let known = texts.iter().map(|&(path, text)| {
        // Editors put byte order marks where half of the parsers refuse them; none of the languages gives it a meaning.
        let language = language_of(path, text)?;
        let parser = language.parser?;
        Some((
            Text { name: language.name, parser, path, text: text.strip_prefix('\u{feff}').unwrap_or(text) },
            template::by_path(path),
        ))
    });
    let known: Vec<Option<(Text, Option<&'static str>)>> = known.collect();
    let asked: Vec<Text> = known.iter().flatten().filter(|(_, other)| other.is_none()).map(|(text, _)| *text).collect();
    let mut answers = guard::run_all(&asked).into_iter();
    let parsed = known.into_iter().map(|known| {
        let (Text { name, text, .. }, other) = known?;
        if let Some(reason) = other {
            return Some(Parsed::NotApplicable(reason));
        }
        let parsed = answers.next()?;
        let other = match &parsed {
            Parsed::Broken(errors) => template::by_text(name, text, errors),
            _ => None,
        };
        Some(other.map_or(parsed, Parsed::NotApplicable))
    });
    parsed.collect()
}

/// The line, counted from 1, that byte `offset` lies on. Any offset will do: parsers point past the end, and inside
/// of characters.
fn line_at(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    memchr::memchr_iter(b'\n', before).count() + 1
}

/// A parser's wording in ours: one line, no capital at the front, no full stop.
fn broken(line: usize, message: &str) -> Parsed {
    Parsed::Broken(vec![SyntaxError { line, message: wording(message) }])
}

fn wording(message: &str) -> String {
    let line = message.lines().find(|line| !line.trim().is_empty()).unwrap_or("it does not parse").trim();
    let line = line.strip_suffix('.').unwrap_or(line);
    let mut letters = line.chars();
    match (letters.next(), letters.next()) {
        // `Expected` but not `EOF` or `Self`-like names, which are quoted by every parser here.
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => {
            first.to_lowercase().chain(line.chars().skip(1)).collect()
        }
        _ => line.to_owned(),
    }
}
