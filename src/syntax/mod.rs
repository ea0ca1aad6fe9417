//! Languages: which one a path is in, and what its parser says of a text.
//!
//! A language is one file and one line of [`LANGUAGES`]; a cargo feature a family keeps day-to-day builds short. Ask
//! [`parse`] rather than a language's own function: it is what keeps hostile input from killing the program. How far a
//! language's parser can be trusted was measured: `doc/LANGUAGES.md`. Nothing here knows of a base, of findings or of
//! who may permit what: that is [`crate::check`].

#[cfg(feature = "shell")]
mod bash;
mod brackets;
mod c;
#[cfg(feature = "infrastructure")]
mod cmake;
mod cpp;
#[cfg(feature = "css")]
mod css;
#[cfg(feature = "mobile")]
mod dart;
#[cfg(feature = "beam")]
mod elixir;
#[cfg(feature = "beam")]
mod erlang;
#[cfg(feature = "go")]
mod go;
#[cfg(feature = "interface")]
mod graphql;
mod guard;
#[cfg(feature = "infrastructure")]
mod hcl;
mod imports;
#[cfg(feature = "jvm")]
mod java;
#[cfg(feature = "javascript")]
mod javascript;
mod json;
#[cfg(feature = "scripting")]
mod lua;
mod mask;
#[cfg(feature = "infrastructure")]
mod nix;
mod outline;
#[cfg(feature = "php")]
mod php;
#[cfg(feature = "interface")]
mod protobuf;
#[cfg(feature = "python")]
mod python;
#[cfg(feature = "scripting")]
mod r;
#[cfg(feature = "ruby")]
mod ruby;
#[cfg(feature = "rust")]
mod rust;
#[cfg(feature = "jvm")]
mod scala;
#[cfg(feature = "solidity")]
mod solidity;
mod stubs;
mod template;
mod tested;
#[cfg(test)]
mod tests;
mod toml;
#[cfg(feature = "tree-sitter")]
mod tree;
#[cfg(feature = "javascript")]
mod typescript;
#[cfg(feature = "xml")]
mod xml;
mod yaml;

use guard::Text;
pub use guard::is_left_behind;
pub use imports::{Import, Origin, imports};
pub use mask::mask;
pub use outline::outline;
pub use stubs::{Stub, stubs};
pub use tested::{Test, tests};

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

/// One language.
pub struct Language {
    /// `python`; findings are called `syntax-python`.
    pub name: &'static str,
    /// In lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole file names, which go before extensions.
    pub file_names: &'static [&'static str],
    /// Programs in whose name a file without an extension begins (`#!/usr/bin/env python3`), without version numbers.
    pub programs: &'static [&'static str],
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

pub const LANGUAGES: &[Language] = &[
    #[cfg(feature = "shell")]
    bash::LANGUAGE,
    c::LANGUAGE,
    #[cfg(feature = "infrastructure")]
    cmake::LANGUAGE,
    cpp::LANGUAGE,
    #[cfg(feature = "css")]
    css::LANGUAGE,
    #[cfg(feature = "mobile")]
    dart::LANGUAGE,
    #[cfg(feature = "beam")]
    elixir::LANGUAGE,
    #[cfg(feature = "beam")]
    erlang::LANGUAGE,
    #[cfg(feature = "go")]
    go::LANGUAGE,
    #[cfg(feature = "interface")]
    graphql::LANGUAGE,
    #[cfg(feature = "infrastructure")]
    hcl::LANGUAGE,
    #[cfg(feature = "jvm")]
    java::LANGUAGE,
    #[cfg(feature = "javascript")]
    javascript::LANGUAGE,
    json::LANGUAGE,
    #[cfg(feature = "scripting")]
    lua::LANGUAGE,
    #[cfg(feature = "infrastructure")]
    nix::LANGUAGE,
    #[cfg(feature = "php")]
    php::LANGUAGE,
    #[cfg(feature = "interface")]
    protobuf::LANGUAGE,
    #[cfg(feature = "python")]
    python::LANGUAGE,
    #[cfg(feature = "scripting")]
    r::LANGUAGE,
    #[cfg(feature = "ruby")]
    ruby::LANGUAGE,
    #[cfg(feature = "rust")]
    rust::LANGUAGE,
    #[cfg(feature = "jvm")]
    scala::LANGUAGE,
    #[cfg(feature = "solidity")]
    solidity::LANGUAGE,
    toml::LANGUAGE,
    #[cfg(feature = "javascript")]
    typescript::LANGUAGE,
    #[cfg(feature = "xml")]
    xml::LANGUAGE,
    yaml::LANGUAGE,
];

/// The language of a path alone, if this build has a parser for it.
pub fn language(path: &str) -> Option<&'static Language> {
    let name = file_name(path);
    let extension = extension(path);
    LANGUAGES
        .iter()
        .find(|language| language.file_names.contains(&name))
        .or_else(|| LANGUAGES.iter().find(|language| language.extensions.iter().any(|known| *known == extension)))
}

/// The language of a file: by its path, or for a path that says nothing (`bin/deploy`) by the program that its first
/// line names.
pub fn language_of(path: &str, text: &str) -> Option<&'static Language> {
    language(path).or_else(|| {
        let program = if extension(path).is_empty() { program(text)? } else { return None };
        LANGUAGES.iter().find(|language| language.programs.contains(&program))
    })
}

/// The program in whose name a script begins, without folders and version: `python` for `#!/usr/bin/env python3.12`.
fn program(text: &str) -> Option<&str> {
    let line = text.strip_prefix('\u{feff}').unwrap_or(text).lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_ascii_whitespace().map(file_name);
    let mut program = words.next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    Some(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-'))
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
        Some((Text { language, path, text: text.strip_prefix('\u{feff}').unwrap_or(text) }, template::by_path(path)))
    });
    let known: Vec<Option<(Text, Option<&'static str>)>> = known.collect();
    let asked: Vec<Text> = known.iter().flatten().filter(|(_, other)| other.is_none()).map(|(text, _)| *text).collect();
    let mut answers = guard::run_all(&asked).into_iter();
    let parsed = known.into_iter().map(|known| {
        let (Text { language, text, .. }, other) = known?;
        if let Some(reason) = other {
            return Some(Parsed::NotApplicable(reason));
        }
        let parsed = answers.next()?;
        let other = match &parsed {
            Parsed::Broken(errors) => template::by_text(language.name, text, errors),
            _ => None,
        };
        Some(other.map_or(parsed, Parsed::NotApplicable))
    });
    parsed.collect()
}

/// The last component of a path with either kind of slash.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// What follows the last dot of the file name, in lower case; empty for a name without, or a mere dot file.
pub(crate) fn extension(path: &str) -> String {
    match file_name(path).rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension.to_ascii_lowercase(),
        _ => String::new(),
    }
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
