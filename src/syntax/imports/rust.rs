//! Rust: `mod x;`, `use x::y;` and `extern crate x;`, at the outermost level of a file.

use super::{Import, Imports, Line, MOST, folder, is_name};
use crate::syntax::file_name;

/// Any line may give a name to something else.
pub const IMPORTS: Imports = Imports { words: &[], words_of_packages: &[], end: b';', find };

fn find(path: &str, lines: &[Line]) -> Vec<Import> {
    let mut imports = Vec::new();
    // With `use super::*` any name may come.
    let globs = ["use super::*", "use self::*", "use crate::*", "use super::super::*", "#[macro_use]"];
    let is_open = lines.iter().any(|(_, code)| globs.iter().any(|glob| code.contains(glob)));
    // Each is looked for in all lines.
    let mut asked = 0;
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
            if !is_crate(name) || !rest.starts_with("::") || is_open || asked == MOST {
                continue;
            }
            asked += 1;
            if !lines.iter().any(|(_, code)| binds(code, name)) {
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
    text.split_at(text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len()))
}

/// Crates are in lower case, types are not.
fn is_crate(name: &str) -> bool {
    is_name(name)
        && !name.starts_with('_')
        && !name.contains(|c: char| c.is_uppercase())
        && !matches!(name, "self" | "super" | "crate")
}

/// Does the line give the name to something else: `mod x`, `as x`, `{x, y}`, `a::x`?
fn binds(code: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(name).any(|(at, _)| {
        let (before, after) = (code.get(..at).unwrap_or_default(), code.get(at + name.len()..).unwrap_or_default());
        if before.ends_with(is_word) || after.starts_with(is_word) {
            return false;
        }
        let before = before.trim_end();
        let word = before.rsplit(|c: char| !is_word(c)).next().unwrap_or_default();
        if matches!(word, "mod" | "as" | "fn" | "macro_rules!") {
            return true;
        }
        // `use ::x` is a crate for sure, and so is the head of a longer path.
        let is_path = before.strip_suffix("::").is_some_and(|rest| rest.ends_with(is_word));
        let is_listed = before.is_empty() || before.ends_with(['{', ',']);
        match after.strip_prefix("::") {
            Some(rest) => (is_path || is_listed) && (rest.starts_with("{self") || rest == "{"),
            None => is_path || (is_listed && (after.is_empty() || after.trim_start().starts_with([',', '}']))),
        }
    })
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
