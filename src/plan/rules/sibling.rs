//! A new file beside one of nearly the same name: calling a change an addition is how a path gate is fooled, mostly
//! by mistake.

use super::about;
use crate::finding::Finding;
use crate::path::RepoPath;
use crate::plan::Kind;
use crate::plan::decide::{Case, Ground};

/// Names that every directory may have.
const COMMON: &[&str] = &[
    "__init__",
    "__main__",
    "conftest",
    "index",
    "main",
    "mod",
    "lib",
    "readme",
    "changelog",
    "package",
    "makefile",
    "doc",
];

/// Files that share a stem because they belong together: `page.tsx` and `page.css` are no two versions of one thing.
const FAMILIES: &[&[&str]] = &[
    &["md", "rst", "txt", "adoc", "mdx"],
    &["json", "yaml", "yml", "toml", "ini", "cfg", "jsonl", "jsonc"],
    &["css", "scss", "sass", "less"],
    &["html", "htm", "svg", "vue", "svelte"],
    &["csv", "tsv", "sql", "xml", "snap", "golden", "expected", "out", "in"],
    &["h", "hh", "hpp", "hxx"],
    &["pyi"],
];

pub(super) fn judge(case: &Case, ground: &Ground, findings: &mut Vec<Finding>) {
    if case.change != crate::lld::Change::Add {
        return;
    }
    let path = &case.spec.path;
    let Some(other) = beside(path, ground).or_else(|| above(path, ground)) else { return };
    let message = format!("'{path}' is added, but '{other}' exists");
    findings.push(about(case, Finding::warning("same-stem", message).hint(format!("did you mean Modify '{other}'?"))));
}

/// In the same directory: the same stem, if the extensions are of one family.
fn beside(path: &RepoPath, ground: &Ground) -> Option<String> {
    let stem = loose(path.file_stem());
    let twin = |other: &RepoPath| {
        loose(other.file_stem()) == stem && other != path && family(other.extension()) == family(path.extension())
    };
    files(path.parent(), ground).find(twin).map(|p| p.to_string())
}

/// In the directory above: the same name, unless it is one that every directory has.
fn above(path: &RepoPath, ground: &Ground) -> Option<String> {
    let name = loose(path.file_name());
    if path.parent().is_empty()
        || path.file_name().starts_with('.')
        || COMMON.contains(&loose(path.file_stem()).as_str())
    {
        return None;
    }
    let (above, _) = path.parent().rsplit_once('/').unwrap_or(("", path.parent()));
    files(above, ground).find(|other| loose(other.file_name()) == name).map(|p| p.to_string())
}

/// The files of a directory that are there when the run is over.
fn files<'g>(directory: &'g str, ground: &'g Ground) -> impl Iterator<Item = RepoPath> + 'g {
    let entries = ground.snapshot.directories.get(directory).into_iter().flatten();
    entries
        .filter(|(_, kind)| matches!(kind, Kind::File | Kind::Executable))
        .filter_map(move |(name, _)| match directory {
            "" => RepoPath::new(name).ok(),
            _ => RepoPath::new(&format!("{directory}/{name}")).ok(),
        })
        .filter(|path| !ground.vacated.contains_key(path.as_str()))
}

/// A name without the differences that people make by mistake.
fn loose(name: &str) -> String {
    name.to_lowercase().replace('-', "_")
}

/// Which family an extension is of; all that are in none (sources) are one.
fn family(extension: Option<&str>) -> usize {
    let extension = extension.unwrap_or_default().to_lowercase();
    FAMILIES.iter().position(|family| family.contains(&extension.as_str())).unwrap_or(FAMILIES.len())
}
