//! Go: the packages of the same module by the path that `go.mod` gives it, and the other files of the package.

use super::{Resolver, Taken, What, quoted};
use crate::context::source::Source;
use crate::context::tree::{Tree, folder, joined};

pub(super) const RESOLVER: Resolver = Resolver { languages: &["go"], taken, faces: &["doc.go"] };

/// A package has no more files that are looked at.
const MOST_FILES: usize = 60;

fn taken(tree: &Tree, source: &Source) -> Vec<Taken> {
    let own = package(tree, folder(&source.path), &source.path);
    let mut found: Vec<Taken> = Vec::new();
    let modules = modules(tree, &source.path);
    let mut block = false;
    for line in 0..source.count() {
        let code = source.code_line(line);
        let start = code.trim_start();
        if ["func ", "type ", "var ", "const "].iter().any(|word| code.starts_with(word)) {
            break;
        }
        let is_spec = match start.strip_prefix("import") {
            Some(rest) if rest.trim_start().starts_with('(') => {
                block = true;
                false
            }
            Some(rest) => rest.starts_with(char::is_whitespace),
            None => block && !start.starts_with(')'),
        };
        block &= !start.starts_with(')');
        let Some(path) = quoted(source.line(line), code, 0).filter(|_| is_spec) else { continue };
        let alias = start.trim_start_matches("import").trim_start().split(['"', '`']).next().unwrap_or_default().trim();
        let directory = modules.iter().find_map(|(module, directory)| {
            let rest = path.strip_prefix(module.as_str())?;
            (rest.is_empty() || rest.starts_with('/')).then(|| joined(directory, rest.trim_start_matches('/')))?
        });
        let Some(directory) = directory else { continue };
        let files = package(tree, &directory, "");
        let what = match alias {
            "" => What::Within(path.rsplit('/').next().unwrap_or(path).to_owned()),
            "." => What::All,
            alias => What::Within(alias.to_owned()),
        };
        found.push(Taken { line, files, what });
    }
    found.push(Taken { line: 0, files: own, what: What::All });
    found
}

/// The files of a package; tests only for a test.
fn package(tree: &Tree, directory: &str, of: &str) -> Vec<String> {
    let is_test = |path: &str| path.ends_with("_test.go");
    let files = tree.files_in(directory).filter(|path| path.ends_with(".go") && (!is_test(path) || is_test(of)));
    files.take(MOST_FILES).map(str::to_owned).collect()
}

/// The modules of the tree that the file may mean, with their directories: its own, and those that stand higher up.
fn modules(tree: &Tree, path: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut directory = folder(path);
    loop {
        let manifest = joined(directory, "go.mod").and_then(|file| tree.source(&file));
        let name = manifest.and_then(|manifest| {
            let line = manifest.text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
            Some(line.split("//").next()?.trim().trim_matches('"').to_owned())
        });
        found.extend(name.filter(|name| !name.is_empty()).map(|name| (name, directory.to_owned())));
        if directory.is_empty() {
            return found;
        }
        directory = folder(directory);
    }
}
