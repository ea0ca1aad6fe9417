//! Names of Python's modules, read from `python_names.txt`: what no manifest needs to name, and whose distribution has
//! another name.

use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A name, and the names that belong to it.
type Entry = (&'static str, Vec<&'static str>);

/// The lists of `python_names.txt`, which says what each of them is.
#[derive(Default)]
pub(super) struct Names {
    pub own: BTreeSet<&'static str>,
    pub hosts: BTreeSet<&'static str>,
    pub other: Vec<Entry>,
    pub brought: Vec<Entry>,
}

pub(super) static NAMES: LazyLock<Names> = LazyLock::new(|| read(include_str!("python_names.txt")));

/// Reads a list that has sections in brackets, and on each line a name, or a name, a colon and the names that belong to it.
fn read(text: &'static str) -> Names {
    let mut names = Names::default();
    let mut section = "";
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let entry = || {
            let (name, rest) = line.split_once(": ")?;
            Some((name, rest.split(' ').collect()))
        };
        match section {
            _ if line.starts_with('[') => section = line,
            "[own]" => _ = names.own.insert(line),
            "[hosts]" => _ = names.hosts.insert(line),
            "[other]" => names.other.extend(entry()),
            _ => names.brought.extend(entry()),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::NAMES;

    #[test]
    fn every_line_of_the_list_is_read() {
        let text = include_str!("python_names.txt");
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '[']));
        let sizes = [NAMES.own.len(), NAMES.hosts.len(), NAMES.other.len(), NAMES.brought.len()];
        assert_eq!(sizes.iter().sum::<usize>(), lines.count());
        let sections: Vec<&str> = text.lines().filter(|line| line.starts_with('[')).collect();
        assert_eq!(sections, ["[own]", "[hosts]", "[other]", "[brought]"]);
        assert!(NAMES.own.contains("asyncio") && NAMES.hosts.contains("AppKit"));
        assert!(NAMES.other.contains(&("PIL", vec!["pillow"])) && NAMES.brought.contains(&("torch", vec!["numpy"])));
    }

    #[test]
    fn names_are_words_and_every_entry_has_some() {
        let is_word = |name: &str| !name.is_empty() && !name.contains([' ', ':', '[', '"', ',']);
        assert!(NAMES.own.iter().chain(&NAMES.hosts).all(|name| is_word(name)));
        for (name, rest) in NAMES.other.iter().chain(&NAMES.brought) {
            assert!(is_word(name) && !rest.is_empty() && rest.iter().all(|name| is_word(name)), "{name}: {rest:?}");
        }
    }
}
