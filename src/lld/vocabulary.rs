//! The words by which designs say what they mean, in lists read from `vocabulary.txt`, which says what each of them is for.
//!
//! Words only: where they stand, and what they stand beside, is for whoever asks.

use super::Change;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A list, in its order and for looking words up.
#[derive(Default)]
struct List {
    words: Vec<&'static str>,
    known: HashSet<&'static str>,
}

static LISTS: LazyLock<HashMap<&str, List>> = LazyLock::new(|| read(include_str!("vocabulary.txt")));

fn read(text: &'static str) -> HashMap<&'static str, List> {
    let mut lists: HashMap<&str, List> = HashMap::new();
    let mut names: Vec<&str> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words = match line.split_once(": ").filter(|_| !line.starts_with(' ')) {
            Some((head, words)) => {
                names = head.split(' ').collect();
                words
            }
            None => line,
        };
        for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            for name in &names {
                let list = lists.entry(name).or_default();
                list.words.push(word);
                list.known.insert(word);
            }
        }
    }
    lists
}

/// The words of the list of this name, in its order.
pub(super) fn list(name: &str) -> &'static [&'static str] {
    LISTS.get(name).map_or(&[], |list| &list.words)
}

/// Is `word`, in lower case, in the list of this name?
pub(super) fn has(name: &str, word: &str) -> bool {
    LISTS.get(name).is_some_and(|list| list.known.contains(word))
}

/// The words of a text.
pub(super) fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()).collect()
}

/// The lists of verbs by what they ask for. `Change::None`: to look at the file, or to leave it as it is.
const VERBS: [(&str, Change); 5] = [
    ("add", Change::Add),
    ("modify", Change::Modify),
    ("delete", Change::Delete),
    ("rename", Change::Rename),
    ("nothing", Change::None),
];

/// What `word`, in lower case, asks for.
pub(super) fn asked(word: &str) -> Option<Change> {
    VERBS.into_iter().find(|(name, _)| has(name, word)).map(|(_, change)| change)
}

/// Does `word`, in lower case, ask for a change?
pub(super) fn writes(word: &str) -> bool {
    asked(word).is_some_and(|change| change != Change::None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All code of this room.
    fn code() -> String {
        let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lld")];
        let mut code = String::new();
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                match path.is_dir() {
                    true => folders.push(path),
                    false => code.push_str(&std::fs::read_to_string(path).unwrap()),
                }
            }
        }
        code
    }

    #[test]
    fn every_list_that_is_asked_for_has_words_and_every_list_is_asked_for() {
        let code = code();
        for call in ["has(\"", "list(\""] {
            let asked = code.match_indices(call).filter_map(|(at, call)| code[at + call.len()..].split('"').next());
            asked.for_each(|name| assert!(LISTS.contains_key(name), "{name}"));
        }
        for name in LISTS.keys() {
            assert!(code.contains(&format!("\"{name}\"")), "{name}");
        }
    }

    #[test]
    fn no_list_has_a_word_twice_and_no_verb_asks_for_two_things() {
        for (name, list) in LISTS.iter() {
            assert_eq!(list.words.len(), list.known.len(), "{name}");
        }
        let verbs: Vec<_> = VERBS.iter().flat_map(|(name, _)| list(name)).collect();
        assert_eq!(verbs.len(), verbs.iter().collect::<HashSet<_>>().len());
    }
}
