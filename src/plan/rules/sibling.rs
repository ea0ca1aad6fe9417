//! A new file beside one of nearly the same name: calling a change an addition is how a path gate is fooled, mostly
//! by mistake.

use super::about;
use crate::finding::Finding;
use crate::path::RepoPath;
use crate::plan::decide::{Case, Ground};
use crate::plan::neighbours::loose;

/// Names, less what follows the dot, of files that every directory may have.
pub(in crate::plan) const COMMON: &[&str] = &[
    "__init__",
    "__main__",
    "build",
    "changelog",
    "cmakelists",
    "conftest",
    "doc",
    "index",
    "lib",
    "license",
    "main",
    "makefile",
    "mod",
    "package",
    "readme",
];

/// Extensions that are two ways to write one thing. Others under one stem belong together: a page and its style, a
/// case and its expectation, a source and its header.
const FAMILIES: &[&[&str]] = &[
    &["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "coffee"],
    &["c", "cc", "cpp", "cxx", "m", "mm"],
    &["h", "hh", "hpp", "hxx"],
    &["java", "kt", "scala", "groovy"],
    &["md", "mdx", "rst", "adoc"],
    &["yaml", "yml"],
    &["json", "jsonc", "json5"],
    &["css", "scss", "sass", "less"],
    &["htm", "html"],
    &["sh", "bash", "zsh"],
    &["py", "pyx"],
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
    let found = ground.neighbours.of(path.parent());
    let names = found.stems.get(&loose(path.file_stem()))?;
    let twin = |other: &RepoPath| other != path && related(other.extension(), path.extension());
    staying(path.parent(), names, ground).find(twin).map(|other| other.to_string())
}

/// In the directory above: the same name, unless it is one that every directory has.
fn above(path: &RepoPath, ground: &Ground) -> Option<String> {
    if path.parent().is_empty()
        || path.file_name().starts_with('.')
        || COMMON.contains(&loose(path.file_stem()).as_str())
    {
        return None;
    }
    let (above, _) = path.parent().rsplit_once('/').unwrap_or(("", path.parent()));
    let found = ground.neighbours.of(above);
    let names = found.names.get(&loose(path.file_name()))?;
    staying(above, names, ground).next().map(|other| other.to_string())
}

/// Of these files of a directory those that are there when the run is over.
fn staying<'g>(directory: &'g str, names: &'g [&str], ground: &'g Ground) -> impl Iterator<Item = RepoPath> + 'g {
    let path = move |name: &&str| match directory {
        "" => RepoPath::new(name).ok(),
        _ => RepoPath::new(&format!("{directory}/{name}")).ok(),
    };
    names.iter().filter_map(path).filter(|path| !ground.vacated.contains_key(path.as_str()))
}

/// Are these the same extension, or two of one family?
fn related(a: Option<&str>, b: Option<&str>) -> bool {
    let (a, b) = (a.unwrap_or_default().to_lowercase(), b.unwrap_or_default().to_lowercase());
    a == b || FAMILIES.iter().any(|family| family.contains(&a.as_str()) && family.contains(&b.as_str()))
}
