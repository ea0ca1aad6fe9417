//! Rust: `mod x;`, `use x::y;` and `extern crate x;`, at the outermost level of a file.

use super::{Import, Imports, Line, folder, is_name};
use crate::syntax::file_name;
use std::cell::LazyCell;
use std::collections::HashSet;

/// Any line may give a name to something else.
pub const IMPORTS: Imports = Imports { words: &[], words_of_packages: &[], end: b';', find };

fn find(path: &str, lines: &[Line]) -> Vec<Import> {
    let mut imports = Vec::new();
    // With `use super::*` any name may come.
    let globs = ["use super::*", "use self::*", "use crate::*", "use super::super::*", "#[macro_use]"];
    let is_open = lines.iter().any(|(_, code)| globs.iter().any(|glob| code.contains(glob)));
    let bound = LazyCell::new(|| bound(lines));
    for (at, (_, code)) in lines.iter().enumerate() {
        if code.starts_with(char::is_whitespace) {
            continue;
        }
        let item = without_visibility(code);
        if let Some(name) = item.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
            imports.extend(module(path, at, name.trim()).filter(|_| !is_placed(lines, at)));
        } else if let Some(rest) = item.strip_prefix("extern crate ") {
            let (name, _) = head(rest);
            imports.extend(is_crate(name).then(|| Import::package(at, name)));
        } else if let Some(rest) = item.strip_prefix("use ") {
            let (name, rest) = head(rest.trim_start().trim_start_matches("::"));
            // `use x;` hands on what is here, a macro.
            if !is_crate(name) || !rest.starts_with("::") || is_open {
                continue;
            }
            if !bound.contains(name) {
                imports.push(Import::package(at, name));
            }
        }
    }
    imports
}

/// `pub(crate) mod x;` as `mod x;`.
fn without_visibility(code: &str) -> &str {
    let Some(rest) = code.strip_prefix("pub").map(str::trim_start) else { return code };
    rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest).trim_start()
}

/// The name at the front and what follows it.
fn head(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !is_of_a_word(c)).unwrap_or(text.len()))
}

/// Crates are in lower case, types are not.
fn is_crate(name: &str) -> bool {
    is_name(name)
        && !name.starts_with('_')
        && !name.contains(|c: char| c.is_uppercase())
        && !matches!(name, "self" | "super" | "crate")
}

/// The names that lines give to something else: `mod x`, `as x`, `{x, y}`, `a::x`. One pass, however many are asked about.
fn bound<'t>(lines: &[Line<'t>]) -> HashSet<&'t str> {
    let words = |code: &'t str| {
        let starts = code.char_indices().scan(false, |within, (at, c)| {
            let starts = is_of_a_word(c) && !*within;
            *within = is_of_a_word(c);
            Some(starts.then_some(at))
        });
        starts.flatten().map(move |at| (code, at, head(code.get(at..).unwrap_or_default()).0))
    };
    let all = lines.iter().flat_map(|(_, code)| words(code));
    all.filter(|(code, at, name)| binds(code, *at, name)).map(|(_, _, name)| name).collect()
}

/// Does the line give the name at this place to something else?
fn binds(code: &str, at: usize, name: &str) -> bool {
    let before = code.get(..at).unwrap_or_default().trim_end();
    let after = code.get(at + name.len()..).unwrap_or_default();
    let is_after = |word: &str| before.strip_suffix(word).is_some_and(|rest| !rest.ends_with(is_of_a_word));
    if ["mod", "as", "fn", "macro_rules!"].into_iter().any(is_after) {
        return true;
    }
    // `use ::x` is a crate for sure, and so is the head of a longer path.
    let is_path = before.strip_suffix("::").is_some_and(|rest| rest.ends_with(is_of_a_word));
    let is_listed = before.is_empty() || before.ends_with(['{', ',']);
    match after.strip_prefix("::") {
        Some(rest) => (is_path || is_listed) && (rest.starts_with("{self") || rest == "{"),
        None => is_path || (is_listed && (after.is_empty() || after.trim_start().starts_with([',', '}']))),
    }
}

fn is_of_a_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Does an attribute say where the module is, or that it is not always there?
fn is_placed(lines: &[Line], at: usize) -> bool {
    let before = lines.get(..at).unwrap_or_default().iter().rev();
    let mut attributes = before.map(|(_, code)| code.trim()).take_while(|code| code.starts_with("#["));
    attributes.any(|code| code.starts_with("#[path") || code.contains("path ="))
}

/// `mod x;` at the outermost level.
fn module(path: &str, at: usize, name: &str) -> Option<Import> {
    let stem = file_name(path).strip_suffix(".rs").filter(|_| is_name(name))?;
    // Roots of crates lie in these folders under names of their own.
    let may_be_root = ["tests/", "examples/", "benches/", "bin/"].iter().any(|root| folder(path).ends_with(root));
    let beside = (may_be_root || matches!(stem, "mod" | "lib" | "main" | "build")).then(|| folder(path).to_owned());
    let below = (beside.is_none() || may_be_root).then(|| format!("{}{stem}/", folder(path)));
    let places = beside
        .into_iter()
        .chain(below)
        .flat_map(|within| [format!("{within}{name}.rs"), format!("{within}{name}/mod.rs")]);
    Some(Import::places(at, name, places))
}
