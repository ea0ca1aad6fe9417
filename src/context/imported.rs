//! The interface of what planned files take in: each name that they import, where it is declared.

use super::cut;
use super::fit::Piece;
use super::resolve::{self, What};
use super::source::Source;
use super::tree::Tree;
use std::collections::HashSet;
use std::rc::Rc;

/// As many names of one file are followed.
const MOST: usize = 1_000;

/// What is imported by `source`, as pieces; `reason` says by whom. Files for which `is_shown` says yes are shown elsewhere.
/// Names of which `is_named` says that the design names them come first.
pub(super) fn imported(
    tree: &Tree,
    source: &Source,
    reason: &str,
    is_shown: &dyn Fn(&str) -> bool,
    is_named: &dyn Fn(&str) -> bool,
) -> Vec<Piece> {
    let mut found: Vec<(bool, Piece)> = Vec::new();
    let mut seen: HashSet<(String, usize)> = HashSet::new();
    for taken in resolve::taken(tree, source) {
        let used = resolve::used(source, &taken.what);
        for file in taken.files.iter().filter_map(|file| tree.source(file)) {
            for (name, (source, line)) in declared(tree, &file, &taken.what, &used) {
                if found.len() >= MOST || is_shown(&source.path) || !seen.insert((source.path.clone(), line)) {
                    continue;
                }
                let Some(declared) = source.declared().iter().find(|declared| declared.line == line) else { continue };
                let lines = cut::interface(&source, declared);
                found.push((is_named(&name), Piece { lines, reason: reason.to_owned(), source: source.clone() }));
            }
        }
    }
    found.sort_by_key(|(is_named, _)| !is_named);
    found.into_iter().map(|(_, piece)| piece).collect()
}

/// Where the names that are used of `file` are declared.
fn declared(tree: &Tree, file: &Rc<Source>, what: &What, used: &[String]) -> Vec<(String, (Rc<Source>, usize))> {
    if *what == What::All {
        // Any word of the text may be one: those count that the file declares for everybody.
        let used: HashSet<&str> = used.iter().map(String::as_str).collect();
        let own = file.declared().iter().filter(|declared| used.contains(&*declared.name) && file.is_open(declared));
        return own.map(|declared| (declared.name.clone(), (file.clone(), declared.line))).collect();
    }
    let here = |name: &str| match what {
        What::Names(names) if name == "default" => names.iter().find(|(there, _)| there == name).map(|(_, here)| here),
        _ => None,
    };
    let of = |name: &String| {
        let found = resolve::declaring(tree, file, name);
        let found = found.or_else(|| resolve::declaring(tree, file, here(name)?)).or_else(|| exported(file, name));
        Some((name.clone(), found?))
    };
    used.iter().filter_map(of).collect()
}

/// What a file of JavaScript exports as its default.
fn exported(file: &Rc<Source>, name: &str) -> Option<(Rc<Source>, usize)> {
    let line =
        (0..file.count()).find(|line| name == "default" && file.code_line(*line).starts_with("export default"))?;
    let word = super::source::words(file.code_line(line)).map(|(_, word)| word).last()?;
    let declared = file.declared().iter().find(|declared| declared.line == line).or_else(|| file.declares(word))?;
    Some((file.clone(), declared.line))
}
