//! Languages: which one a path is in, and what can be said of a text in it without knowing what it is for.
//!
//! A language is one file in [`language`] and one line of [`LANGUAGES`]: its names, its parser ([`parse`]), how it writes
//! remarks and strings ([`mask`]), what bounds its definitions ([`definitions`]), its test frameworks ([`tests`]), its
//! imports and its stubs. A cargo feature a family keeps day-to-day builds short. Nothing here knows of a base, of findings
//! or of who may permit what: that is [`crate::check`].

mod definitions;
mod imports;
mod language;
mod mask;
mod outline;
mod parse;
mod stubs;
mod tested;
#[cfg(test)]
mod tests;

pub use definitions::{Bodies, Definition, DefinitionKind, definitions};
pub use imports::{Import, Origin, imports, packages};
pub use language::{LANGUAGES, Language};
pub use mask::{Lexis, mask};
pub use outline::outline;
pub use parse::{Parsed, Parser, SyntaxError, Trust, is_left_behind, parse, parse_all};
pub use stubs::{Stub, stubs};
pub use tested::{Assertion, Test, Tests, tests, words};

/// The language of a path alone.
pub fn language(path: &str) -> Option<&'static Language> {
    let name = file_name(path);
    let extension = extension(path);
    LANGUAGES
        .iter()
        .find(|language| language.file_names.contains(&name))
        .or_else(|| LANGUAGES.iter().find(|language| language.extensions.iter().any(|known| *known == extension)))
}

/// The language of a file: by its path, where that is sure or the text agrees (`language::Nature`), or for a path that
/// says nothing (`bin/deploy`) by the program that its first line names.
pub fn language_of(path: &str, text: &str) -> Option<&'static Language> {
    let by_program = || {
        let program = if extension(path).is_empty() { program(text)? } else { return None };
        LANGUAGES.iter().find(|language| language.programs.contains(&program))
    };
    match language(path) {
        Some(language) => {
            Some(language).filter(|language| language.nature.is_none_or(|nature| nature.fits(path, text)))
        }
        None => by_program(),
    }
}

/// The program in whose name a script begins, without folders and version: `python` for `#!/usr/bin/env python3.12`.
pub(crate) fn program(text: &str) -> Option<&str> {
    let line = text.strip_prefix('\u{feff}').unwrap_or(text).lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_ascii_whitespace().map(file_name);
    let mut program = words.next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    Some(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-'))
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
