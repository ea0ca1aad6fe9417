//! Rust: `use crate::a::{B, c}`, `use super::x`, `use member::y`, `mod x;`, and paths that begin with `crate::`.

use super::{Resolver, Taken, What};
use crate::context::source::Source;
use crate::context::tree::{Tree, folder, joined};
use crate::context::words::is_identifier;
use crate::syntax::file_name;

pub(super) const RESOLVER: Resolver = Resolver { languages: &["rust"], taken, faces: &["mod.rs", "lib.rs"] };

fn taken(tree: &Tree, source: &Source) -> Vec<Taken> {
    let mut found = Vec::new();
    for line in 0..source.count() {
        let code = source.code_line(line);
        let item = without_visibility(code.trim_start());
        if let Some(rest) = item.strip_prefix("use ") {
            let statement = statement(source, line);
            let tree_of_use = statement.split_once("use ").map_or(rest, |(_, rest)| rest);
            for path in flat(tree_of_use) {
                found.extend(resolved(tree, &source.path, line, &path));
            }
        } else if let Some(name) = item.strip_prefix("mod ").and_then(|rest| rest.trim_end().strip_suffix(';')) {
            let path = Path { parts: vec!["self".to_owned(), name.trim().to_owned()], alias: None };
            found.extend(resolved(tree, &source.path, line, &path));
        } else {
            for (at, _) in code.match_indices("crate::") {
                let rest = code.get(at..).unwrap_or_default();
                let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':'))).unwrap_or(rest.len());
                let parts = rest.get(..end).unwrap_or_default().split("::").filter(|part| is_identifier(part));
                let path = Path { parts: parts.map(str::to_owned).collect(), alias: None };
                found.extend(resolved(tree, &source.path, line, &path));
            }
        }
    }
    found
}

/// The lines up to the semicolon, as one.
fn statement(source: &Source, line: usize) -> String {
    let end = (line..source.count().min(line + 100)).find(|at| source.code_line(*at).contains(';')).unwrap_or(line);
    source.code_of(&(line..end + 1)).split(';').next().unwrap_or_default().to_owned()
}

fn without_visibility(code: &str) -> &str {
    let Some(rest) = code.strip_prefix("pub") else { return code };
    let rest = rest.trim_start();
    rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest).trim_start()
}

/// `a::b as c`
struct Path {
    parts: Vec<String>,
    alias: Option<String>,
}

/// `a::{b, c::{d, self}}` as `a::b`, `a::c::d`, `a::c`.
fn flat(text: &str) -> Vec<Path> {
    let (mut found, mut open): (Vec<Path>, Vec<usize>) = (Vec::new(), Vec::new());
    let (mut parts, mut word, mut alias): (Vec<String>, String, Option<String>) = Default::default();
    let mut depth = 0;
    for c in text.chars().chain([',']) {
        match c {
            '{' => {
                open.push(depth);
                depth = parts.len();
            }
            ',' | '}' => {
                let last = word.trim();
                if let Some((name, other)) = last.split_once(" as ") {
                    alias = Some(other.trim().to_owned());
                    parts.push(name.trim().to_owned());
                } else if !last.is_empty() {
                    parts.push(last.to_owned());
                }
                if parts.len() > depth {
                    let whole =
                        if parts.last().is_some_and(|part| part == "self") { parts.len() - 1 } else { parts.len() };
                    let parts = parts.get(..whole.max(1)).unwrap_or_default().to_vec();
                    found.push(Path { parts, alias: alias.take() });
                }
                word.clear();
                parts.truncate(depth);
                if c == '}' {
                    depth = open.pop().unwrap_or_default();
                    parts.truncate(depth);
                }
            }
            ':' => {
                if !word.trim().is_empty() {
                    parts.push(word.trim().to_owned());
                }
                word.clear();
            }
            c => word.push(if c.is_whitespace() { ' ' } else { c }),
        }
        if found.len() > super::MOST {
            break;
        }
    }
    found
}

/// What a path means: the file of the longest part of it that is a module, and the name in that.
fn resolved(tree: &Tree, from: &str, line: usize, path: &Path) -> Option<Taken> {
    let mut parts = path.parts.iter().map(String::as_str).peekable();
    let first = parts.next()?;
    let (mut file, mut below) = match first {
        "crate" => root(tree, from)?,
        "self" => (from.to_owned(), below(from)),
        "super" => parent(tree, from)?,
        name => {
            let inner = module(tree, &below(from), name);
            inner.or_else(|| member(tree, name, from))?
        }
    };
    while parts.next_if_eq(&"super").is_some() {
        (file, below) = parent(tree, &file)?;
    }
    while let Some(name) = parts.peek() {
        let Some(inner) = module(tree, &below, name) else { break };
        (file, below) = inner;
        parts.next();
    }
    let what = match (parts.next(), &path.alias) {
        (Some("*"), _) => What::All,
        (Some(name), alias) => What::Names(vec![(name.to_owned(), alias.clone().unwrap_or(name.to_owned()))]),
        (None, Some(alias)) => What::Within(alias.clone()),
        (None, None) => What::Within(path.parts.last()?.clone()),
    };
    Some(Taken { line, files: vec![file], what })
}

/// The folder in which the modules of a file lie.
fn below(path: &str) -> String {
    let name = file_name(path);
    let stem = name.strip_suffix(".rs").unwrap_or(name);
    match stem {
        "mod" | "lib" | "main" | "build" => folder(path).to_owned(),
        stem => joined(folder(path), stem).unwrap_or_default(),
    }
}

fn module(tree: &Tree, below: &str, name: &str) -> Option<(String, String)> {
    let inner = joined(below, name)?;
    let files = [format!("{inner}.rs"), format!("{inner}/mod.rs")];
    files.into_iter().find(|file| is_identifier(name) && tree.has(file)).map(|file| (file, inner))
}

fn root(tree: &Tree, from: &str) -> Option<(String, String)> {
    let mut directory = folder(from);
    loop {
        for name in ["lib.rs", "main.rs"] {
            let file = joined(directory, name)?;
            if tree.has(&file) {
                return Some((file, directory.to_owned()));
            }
        }
        if directory.is_empty() {
            return None;
        }
        directory = folder(directory);
    }
}

/// The module that holds a file's module.
fn parent(tree: &Tree, from: &str) -> Option<(String, String)> {
    let directory = if file_name(from) == "mod.rs" { folder(folder(from)) } else { folder(from) };
    let beside = (!directory.is_empty()).then(|| format!("{directory}.rs"));
    let within = ["mod.rs", "lib.rs", "main.rs"].iter().filter_map(|name| joined(directory, name));
    beside.into_iter().chain(within).find(|file| tree.has(file)).map(|file| (file, directory.to_owned()))
}

/// The root of another crate of the tree, `some_name` in a folder `some-name` or `some_name`.
fn member(tree: &Tree, name: &str, from: &str) -> Option<(String, String)> {
    let names = [name.to_owned(), name.replace('_', "-")];
    let found = names.iter().find_map(|name| tree.ending(&format!("{name}/src/lib.rs"), from));
    // A package's own tests and programs name it.
    let own = || {
        let mut directory = folder(from);
        loop {
            let manifest = tree.source(&joined(directory, "Cargo.toml")?);
            if let Some(manifest) = manifest {
                let is_own = manifest.text.lines().any(|line| {
                    let value = line.trim().strip_prefix("name").and_then(|rest| rest.trim_start().strip_prefix('='));
                    value.is_some_and(|value| names.iter().any(|name| value.trim() == format!("\"{name}\"")))
                });
                let file = joined(directory, "src/lib.rs")?;
                return tree.find(&file).filter(|_| is_own);
            }
            if directory.is_empty() {
                return None;
            }
            directory = folder(directory);
        }
    };
    let file = found.or_else(own)?;
    Some((file.to_owned(), folder(file).to_owned()))
}
