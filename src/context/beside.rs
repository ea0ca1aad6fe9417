//! What stands beside the planned files: the face of their package, files that the design names, and a test that is a
//! model for a planned one.

use super::cut;
use super::fit::Piece;
use super::resolve::{self, What, faces};
use super::search::{Found, is_test};
use super::source::{Source, words};
use super::tree::{Tree, folder, nearness};
use super::words::Name;
use crate::plan::estimate_tokens;
use crate::syntax::{self, file_name};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// A face of so many lines is shown whole.
const SHORT_FACE: usize = 80;
/// A file of so many lines that the design names is shown whole.
const SHORT_FILE: usize = 60;
const MOST_FILES: usize = 12;
/// As many tokens of one test are shown.
const MOST_OF_A_TEST: u64 = 2_500;

/// The faces of the packages that planned files are in, with what is to be said of each.
pub(super) fn package_faces(
    tree: &Tree,
    planned: &[&str],
    is_shown: &dyn Fn(&str) -> bool,
) -> Vec<(Piece, Vec<String>)> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for path in planned {
        let names = faces(path).iter();
        let face = names.filter_map(|name| super::tree::joined(folder(path), name)).find_map(|face| tree.find(&face));
        let Some(face) = face.filter(|face| !is_shown(face) && seen.insert(*face)) else { continue };
        let says = |source: &Rc<Source>| !source.declared().is_empty() || !resolve::taken(tree, source).is_empty();
        let Some(source) = tree.source(face).filter(says) else { continue };
        let lines = if source.count() <= SHORT_FACE {
            std::iter::once(0..source.count()).collect()
        } else {
            let taken = resolve::taken(tree, &source).iter().map(|taken| source.statement(taken.line));
            taken.chain(source.declares("__all__").map(|all| all.lines.clone())).collect()
        };
        let notes = shadows(tree, &source);
        found.push((Piece { source, lines, reason: "the face of a package that the change is in".to_owned() }, notes));
    }
    found
}

/// Names of a Python package that hide its modules of that name.
fn shadows(tree: &Tree, face: &Rc<Source>) -> Vec<String> {
    let package = folder(&face.path).rsplit('/').next().unwrap_or_default();
    if file_name(&face.path) != "__init__.py" || package.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for taken in resolve::taken(tree, face) {
        let What::Names(names) = &taken.what else { continue };
        for (_, here) in names {
            let module = format!("{}/{here}.py", folder(&face.path));
            if tree.has(&module) && resolve::declaring(tree, face, here).is_some() {
                found.push(format!("`{package}.{here}` is what `{here}.py` declares by that name, not the module."));
            }
        }
    }
    found
}

/// Files of code that the design names and does not plan.
pub(super) fn files(tree: &Tree, named: &[String], near: &str, is_shown: &dyn Fn(&str) -> bool) -> Vec<Piece> {
    let mut seen = BTreeSet::new();
    let known = named.iter().filter_map(|word| tree.ending(word, near));
    let is_code = |path: &&str| syntax::language(path).is_some_and(|language| language.bodies.is_some());
    let mut wanted = known.filter(is_code).filter(|path| !is_shown(path) && seen.insert(*path)).take(MOST_FILES);
    std::iter::from_fn(|| wanted.next())
        .filter_map(|path| tree.source(path))
        .map(|source| {
            let all = 0..source.count();
            let lines = if source.count() <= SHORT_FILE { vec![all] } else { cut::outline(&source, &all) };
            Piece { source, lines, reason: "the design names the file".to_owned() }
        })
        .collect()
}

/// The test that mentions most of the names that exist, for a planned test that does not: of several the nearest.
pub(super) fn test(
    tree: &Tree,
    planned: &[&str],
    (names, existing): (&[Name], &BTreeSet<usize>),
    found: &Found,
    is_shown: &dyn Fn(&str) -> bool,
) -> Option<Piece> {
    let new = planned.iter().find(|path| is_test(path) && !tree.has(path))?;
    let same = |path: &str| syntax::extension(path) == syntax::extension(new);
    let tests = found.tests.iter().filter(|(path, _)| !is_shown(path) && same(path));
    let (_, path, mentioned) = tests
        .map(|(path, mentioned)| {
            let mentioned: Vec<usize> = mentioned.intersection(existing).copied().collect();
            ((mentioned.len(), nearness(path, new)), *path, mentioned)
        })
        .filter(|((count, _), ..)| *count > 0)
        // The first of those that are alike.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    let source = tree.source(path)?;
    let names: Vec<&str> = mentioned.iter().filter_map(|at| names.get(*at)).map(|name| name.name.as_str()).collect();
    let shown = names.iter().take(3).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let reason = format!("a test that uses {shown}");
    Some(Piece { lines: of_test(tree, &source, &names), source, reason })
}

/// A short test whole; of a long one its imports, and what mentions the names, as far as there is room.
fn of_test(tree: &Tree, source: &Source, names: &[&str]) -> Vec<Range<usize>> {
    if estimate_tokens(&source.text) <= MOST_OF_A_TEST {
        return std::iter::once(0..source.count()).collect();
    }
    let first = source.declared().iter().find(|declared| declared.kind != super::declared::Kind::Value);
    let head = first.map_or(0, |first| first.lines.start).min(60);
    let taken = resolve::taken(tree, source).iter().map(|taken| source.statement(taken.line));
    let mut lines: Vec<Range<usize>> =
        std::iter::once(0..head).chain(taken.filter(|lines| lines.start >= head)).collect();
    let mut left = MOST_OF_A_TEST;
    let outer: BTreeSet<usize> = source.declared().iter().filter_map(|it| it.within).collect();
    for declared in source.declared() {
        let is_outer = outer.contains(&declared.line);
        // What a test puts something else in the place of, it names in a string.
        let mut words = words(source.lines(&declared.lines));
        let mentions = !is_outer && words.any(|(_, word)| names.contains(&word));
        let size = estimate_tokens(source.lines(&declared.lines));
        if mentions && size <= left {
            left -= size;
            lines.extend(cut::whole(source, declared));
        }
    }
    lines
}
