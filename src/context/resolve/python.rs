//! Python: `from .a import b as c`, `from a.b import c`, `import a.b as c`, at any depth.

use super::{Resolver, Taken, What};
use crate::context::source::Source;
use crate::context::tree::{Tree, folder, joined};

pub(super) const RESOLVER: Resolver = Resolver { languages: &["python"], taken, faces: &["__init__.py"] };

/// Folders that packages lie in without being part of their names.
const ROOTS: &[&str] = &["", "src", "lib", "python"];

fn taken(tree: &Tree, source: &Source) -> Vec<Taken> {
    let mut found = Vec::new();
    for line in 0..source.count() {
        let start = source.code_line(line).trim_start();
        if !(start.starts_with("from ") || start.starts_with("import ")) {
            continue;
        }
        let statement = source.code_of(&source.statement(line)).replace(['(', ')', '\\'], " ");
        let statement = statement.split(';').next().unwrap_or_default().trim();
        if let Some(rest) = statement.strip_prefix("import ") {
            for item in rest.split(',') {
                let mut words = item.split_whitespace();
                let Some(module) = words.next() else { continue };
                let alias = words.nth(1);
                let file = module_at(tree, &source.path, module);
                let word = alias.unwrap_or(module.rsplit('.').next().unwrap_or(module));
                found.extend(file.map(|file| within(line, file, word)));
            }
        } else if let Some((module, names)) =
            statement.strip_prefix("from ").and_then(|rest| rest.split_once(" import "))
        {
            let module = module.trim();
            let file = module_at(tree, &source.path, module);
            let mut of_file = Vec::new();
            for item in names.split(',') {
                let mut words = item.split_whitespace();
                let Some(name) = words.next() else { continue };
                let here = words.nth(1).unwrap_or(name);
                let dot = if module.ends_with('.') { "" } else { "." };
                match module_at(tree, &source.path, &format!("{module}{dot}{name}")) {
                    // The face may give the name to something else, as people who read it find out.
                    Some(submodule) if file.as_ref().is_none_or(|file| !hands_on(tree, file, name)) => {
                        found.push(within(line, submodule, here));
                    }
                    _ => of_file.push((name.to_owned(), here.to_owned())),
                }
            }
            let Some(file) = file.filter(|_| !of_file.is_empty()) else { continue };
            let what = if of_file.iter().any(|(name, _)| name == "*") { What::All } else { What::Names(of_file) };
            found.push(Taken { line, files: vec![file], what });
        }
    }
    found
}

fn within(line: usize, file: String, word: &str) -> Taken {
    Taken { line, files: vec![file], what: What::Within(word.to_owned()) }
}

/// Does the face of a package give this name to something in its own lines?
fn hands_on(tree: &Tree, face: &str, name: &str) -> bool {
    let Some(face) = tree.source(face) else { return false };
    face.declares(name).is_some() || super::words(&face.code).any(|(_, word)| word == name)
}

/// The file of a module, `..a.b` or `a.b`, as `path` would import it.
fn module_at(tree: &Tree, path: &str, module: &str) -> Option<String> {
    let name = module.trim_start_matches('.');
    let dots = module.len() - name.len();
    if !name.is_empty() && !name.split('.').all(crate::context::words::is_identifier) {
        return None;
    }
    let name = name.replace('.', "/");
    if dots > 0 {
        return file_of(tree, &joined(folder(path), &format!("{}{name}", "../".repeat(dots - 1)))?);
    }
    // From the file's own directory up to the root: programs run where they lie, and projects lie in a folder of a tree.
    let mut directory = folder(path);
    loop {
        let found = ROOTS.iter().find_map(|root| file_of(tree, &joined(directory, &format!("{root}/{name}"))?));
        if found.is_some() {
            return found;
        }
        if directory.is_empty() {
            break;
        }
        directory = folder(directory);
    }
    // A folder that somebody puts into the search path.
    tree.ending(&format!("{name}.py"), path).map(str::to_owned)
}

fn file_of(tree: &Tree, place: &str) -> Option<String> {
    let kinds = [".py", "/__init__.py", ".pyi", "/__init__.pyi"];
    let place = if place.is_empty() { "." } else { place };
    kinds.iter().map(|kind| format!("{place}{kind}").trim_start_matches("./").to_owned()).find(|file| tree.has(file))
}
