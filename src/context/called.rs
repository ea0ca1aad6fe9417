//! What other files declare by the names that a change calls: what it hands over must be what is taken there.

use super::Excerpt;
use super::cut;
use super::fit::{Piece, fit};
use super::named::declaring;
use super::search::search;
use super::tree::Tree;
use super::words::{Name, is_telling};

/// As many names are looked for, of as many letters at least.
const MOST_NAMES: usize = 60;
const SHORTEST: usize = 3;

/// The declarations of `names` in files that are not `changed`, where a name is telling enough to mean one of them, as far
/// as `budget` tokens go.
pub fn declared(tree: &Tree, names: &[&str], changed: &[&str], budget: u64) -> Vec<Excerpt> {
    let is_name = |name: &&&str| name.chars().count() >= SHORTEST && !name.starts_with("__");
    let name = |name: &&str| Name { name: (*name).to_owned(), line: 0, plain: !is_telling(name), changes: None };
    let names: Vec<Name> = names.iter().filter(is_name).take(MOST_NAMES).map(name).collect();
    let found = search(tree, &names, changed);
    let mut pieces = Vec::new();
    for (at, name) in names.iter().enumerate() {
        for (source, line) in declaring(tree, name, found.declaring.get(&at)) {
            let Some(declared) = source.declared().iter().find(|declared| declared.line == line) else { continue };
            let (lines, reason) = (cut::interface(&source, declared), format!("declares `{}`", name.name));
            pieces.push(Piece { lines, reason, source: source.clone() });
        }
    }
    fit(pieces, budget)
}

#[cfg(test)]
mod tests {
    use super::super::tree::Reading;
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn what_another_file_declares_by_a_telling_name_is_shown_and_a_word_that_many_have_is_not() {
        let texts = BTreeMap::from([
            ("a.py", "def on_error(exc):\n    pass\n"),
            (
                "b.py",
                "class Log(Base):\n    def on_error(self, exc):\n        print(exc)\n\n    def write(self):\n        pass\n",
            ),
            ("c.py", "class Out:\n    def write(self):\n        pass\n"),
        ]);
        let one = |path: &str| texts.get(path).map(|text| (*text).to_owned());
        let many = |paths: &[&str], look: &mut super::super::Look| {
            for (at, path) in paths.iter().enumerate() {
                look(at, texts[path]);
            }
        };
        let tree = Tree::new(texts.keys().copied().collect(), Reading { one: &one, many: &many });
        let found = declared(&tree, &["on_error", "write", "__init__"], &["a.py"], 500);
        let [shown] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((shown.path.as_str(), shown.reason.as_str()), ("b.py", "declares `on_error`"));
        assert_eq!(shown.text, "class Log(Base):\n    def on_error(self, exc):\n        print(exc)\n");
        assert_eq!(declared(&tree, &["on_error"], &["a.py"], 5), []);
    }
}
