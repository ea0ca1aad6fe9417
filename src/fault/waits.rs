//! Errors that are none yet: what they miss is to come with a file that the plan makes later.

use crate::syntax::words;
use std::collections::HashSet;

/// Names that files are to bring which are not made yet.
#[derive(Debug, Clone, Default)]
pub struct Awaited(HashSet<String>);

impl Awaited {
    /// `later`: the paths of the files to come, each with what the design says of it.
    pub fn new<'a>(later: impl IntoIterator<Item = (&'a str, &'a str)>) -> Awaited {
        let mut names = HashSet::new();
        for (path, said) in later {
            let stem = |part: &str| part.split('.').next().unwrap_or(part).to_owned();
            let parts = path.split('/').rev();
            // A package is named by its folder: `tally/__init__.py`, `tally/index.ts`, `tally/mod.rs`.
            names.extend(parts.take(2).map(stem).filter(|name| name.len() > 1));
            let spans = said.split('`').enumerate();
            let named = spans.flat_map(|(at, text)| names_in(text).filter(move |name| at % 2 == 1 || is_name(name)));
            names.extend(named.map(str::to_owned));
        }
        Awaited(names)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// May the error `message` be about something that is yet to come? Rather yes than no: it is asked about once more when all
/// files are there, and a model that is told of it too early bends what is right.
pub fn waits(message: &str, awaited: &Awaited) -> bool {
    !awaited.is_empty() && quoted(message).flat_map(names_in).any(|name| awaited.0.contains(name))
}

/// What stands between quotation marks, or in all of it if nothing does.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    let pieces: Vec<&str> = message.split(['"', '\'', '`', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}']).collect();
    let all = pieces.len() < 3;
    pieces.into_iter().enumerate().filter(move |(at, _)| all || at % 2 == 1).map(|(_, piece)| piece)
}

fn names_in(text: &str) -> impl Iterator<Item = &str> {
    words(text).map(|(_, word)| word).filter(|word| word.len() > 1)
}

/// Is the word a program's rather than a sentence's?
fn is_name(word: &str) -> bool {
    word.trim_matches('_').contains('_') || word.chars().skip(1).any(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_about_a_module_or_a_name_of_a_later_file_waits() {
        let later = [("src/pkg/ledger.py", "`open_account(name)` makes an `Account`"), ("web/tally/index.ts", "")];
        let awaited = Awaited::new(later);
        assert!(waits("Import \"pkg.ledger\" could not be resolved", &awaited));
        assert!(waits("\"open_account\" is unknown import symbol", &awaited));
        assert!(waits("Cannot find module './tally' or its corresponding type declarations.", &awaited));
        assert!(!waits("\"int\" is not assignable to \"str\"", &awaited));
        assert!(!waits("Argument missing for parameter \"limit\"", &awaited));
        assert!(!waits("Import \"pkg.ledger\" could not be resolved", &Awaited::default()));
    }
}
