//! Imports of what is nowhere: files that are not in the tree, packages that no manifest of it names. One file a language
//! knows where packages may come from. Only new imports are judged; and since a build may make the file, or an
//! environment have the package, it is a warning.

mod go;
mod ground;
mod javascript;
mod python;
mod python_names;
mod rust;

use super::settle::{Settled, Terms, matters, settle};
use super::{Author, Candidate, Change, Settings, kind};
use crate::finding::Finding;
use crate::syntax::{self, Import, Origin, extension};
pub use ground::Ground;
use std::collections::HashSet;

pub(super) const TERMS: Terms = Terms::warning("import");

/// A word for every new import of the file at `path` of which nothing is on the ground.
pub fn imported(path: &str, (base, text): (Option<&str>, &str), ground: &Ground, settings: &Settings) -> Settled {
    let candidate = Candidate { path, base, text, ..Candidate::default() };
    let change = Change::of(&candidate);
    // What a fixture imports is there when it is used, or never.
    if kind::is_data_or_fixture(path) || settings.exclude.has(path) || !matters(&TERMS, &change, settings) {
        return Settled::default();
    }
    let judged = judged(settings);
    let had = base.map(|base| judged(path, base)).unwrap_or_default();
    let mut seen: HashSet<String> = had.into_iter().map(|import| import.name).collect();
    let new = judged(path, text).into_iter().filter(|import| seen.insert(import.name.clone()));
    let missing = new.filter(|import| match &import.from {
        Origin::Places(places) => !places.iter().any(|place| ground.has(place) || ground.is_built(place)),
        Origin::Package => !is_known(ground, path, &import.name),
    });
    settle(vec![(TERMS, missing.map(|import| finding(path, &import)).collect())], &change, settings)
}

/// Does the file import anything new that is not the language's own? Only then is its tree to be known.
pub fn wants_ground(path: &str, (base, text): (Option<&str>, &str), settings: &Settings) -> bool {
    let candidate = Candidate { path, base, text, ..Candidate::default() };
    if kind::is_data_or_fixture(path)
        || settings.exclude.has(path)
        || !matters(&TERMS, &Change::of(&candidate), settings)
    {
        return false;
    }
    let judged = judged(settings);
    let asked = |import: &Import| import.from != Origin::Package || !is_own(path, &import.name);
    let asked: Vec<Import> = judged(path, text).into_iter().filter(asked).collect();
    if asked.is_empty() {
        return false;
    }
    let had = base.map(|base| judged(path, base)).unwrap_or_default();
    let had: HashSet<&str> = had.iter().map(|import| import.name.as_str()).collect();
    asked.iter().any(|import| !had.contains(import.name.as_str()))
}

/// Finds the imports that are judged: files that people import may come with a later commit, or be made by a build; a
/// model was told which files there are.
fn judged(settings: &Settings) -> fn(&str, &str) -> Vec<Import> {
    match settings.author {
        Author::Model => syntax::imports,
        Author::Anyone => syntax::packages,
    }
}

/// Does the package come with the language?
fn is_own(path: &str, name: &str) -> bool {
    match extension(path).as_str() {
        "py" | "pyi" | "pyw" => python::is_own(name),
        "rs" => rust::OWN.contains(&name),
        "go" => go::OWN.contains(&name.split('/').next().unwrap_or_default()),
        _ => javascript::OWN.contains(&name.split('/').next().unwrap_or_default()),
    }
}

fn is_known(ground: &Ground, path: &str, name: &str) -> bool {
    match extension(path).as_str() {
        "py" | "pyi" | "pyw" => python::is_known(ground, name),
        "rs" => rust::is_known(ground, path, name),
        "go" => go::is_known(ground, path, name),
        _ => javascript::is_known(ground, path, name),
    }
}

fn finding(path: &str, import: &Import) -> Finding {
    let (where_not, hint) = match &import.from {
        Origin::Places(places) => {
            let place = places.first().map(String::as_str).unwrap_or_default();
            ("which is nowhere in the tree", format!("it should be at '{place}'"))
        }
        Origin::Package => (
            "which is neither in the tree nor in a manifest of it",
            "name its package in the manifest, or check how it is written".to_owned(),
        ),
    };
    let message = format!("'{path}' imports '{}', {where_not}", import.name);
    Finding::error(TERMS.id, message).path(path).line(import.line).hint(hint)
}

#[cfg(test)]
mod tests;
