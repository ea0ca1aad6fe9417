//! Errors that say what is not installed rather than what is wrong with a text. A workspace may be without its packages, and
//! what is imported from them is then no mistake of whoever imports it: such errors are kept as information.

use super::Place;
use crate::diagnostic::{Diagnostic, Severity};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

/// A longer manifest is not read.
const MOST_MANIFEST: u64 = 1 << 20;

/// Of Python: a module whose first name is nothing of the workspace's. Whether a package of such a name is to be had, and
/// declared, is judged without a server (`check::imported`).
pub(super) fn python(place: &Place, mut found: Vec<Diagnostic>) -> Result<Vec<Diagnostic>, &'static str> {
    const UNRESOLVED: [&str; 2] = ["reportMissingImports", "unresolved-import"];
    let folders = [place.root.to_owned(), place.root.join("src"), place.folder()];
    let is_ours = |name: &str| {
        folders.iter().any(|folder| folder.join(name).is_dir() || folder.join(format!("{name}.py")).is_file())
    };
    lower(&mut found, |it| {
        let code = it.code.as_deref().is_some_and(|code| UNRESOLVED.contains(&code));
        let name = quoted(&it.message).and_then(|name| name.split('.').next()).unwrap_or_default();
        code && !name.is_empty() && is_plain(name) && !is_ours(name)
    });
    Ok(found)
}

/// Of TypeScript: a package that a `package.json` names and no `node_modules` has, and types that the compiler asks for.
pub(super) fn node(place: &Place, mut found: Vec<Diagnostic>) -> Result<Vec<Diagnostic>, &'static str> {
    const UNRESOLVED: [&str; 2] = ["ts2307", "ts7016"];
    let mut named = None;
    lower(&mut found, |it| {
        if it.message.contains("Do you need to install type definitions") {
            return true;
        }
        let code = it.code.as_deref().is_some_and(|code| UNRESOLVED.contains(&code));
        let Some(package) = quoted(&it.message).filter(|_| code).map(package) else { return false };
        let named = named.get_or_insert_with(|| packages(place));
        let is_there = || place.folders().any(|folder| folder.join("node_modules").join(&package).exists());
        named.contains(&package) && !is_there()
    });
    Ok(found)
}

fn lower(found: &mut [Diagnostic], mut is_absent: impl FnMut(&Diagnostic) -> bool) {
    for diagnostic in found.iter_mut().filter(|diagnostic| diagnostic.is_error()) {
        if is_absent(diagnostic) {
            diagnostic.severity = Severity::Information;
        }
    }
}

/// What a message quotes first.
fn quoted(message: &str) -> Option<&str> {
    let (at, quote) = message.char_indices().find(|(_, c)| matches!(c, '\'' | '"' | '`'))?;
    message.get(at + 1..)?.split(quote).next()
}

fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// `@scope/name` of `@scope/name/part`, `name` of `name/part`.
fn package(module: &str) -> String {
    let parts = if module.starts_with('@') { 2 } else { 1 };
    module.split('/').take(parts).collect::<Vec<_>>().join("/")
}

/// All packages that the manifests of the file's folders name.
fn packages(place: &Place) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    for manifest in place.folders().filter_map(|folder| manifest(&folder.join("package.json"))) {
        for kind in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
            let packages = manifest.get(kind).and_then(Value::as_object);
            named.extend(packages.into_iter().flat_map(|packages| packages.keys().cloned()));
        }
    }
    named
}

fn manifest(path: &Path) -> Option<Value> {
    let mut text = Vec::new();
    path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    std::fs::File::open(path).ok()?.take(MOST_MANIFEST).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: &str, message: &str) -> Diagnostic {
        let (message, code) = (message.to_owned(), Some(code.to_owned()));
        Diagnostic { line: 1, column: 1, severity: Severity::Error, message, code, source: None }
    }

    fn world(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let file = root.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        root
    }

    /// Which of them stay errors.
    fn stay(
        of: fn(&Place, Vec<Diagnostic>) -> Result<Vec<Diagnostic>, &'static str>,
        root: &Path,
        all: &[Diagnostic],
    ) -> Vec<bool> {
        let place = Place { program: Path::new("/bin/x"), root, path: "app/src/a" };
        of(&place, all.to_vec()).unwrap().iter().map(Diagnostic::is_error).collect()
    }

    #[test]
    fn a_python_module_is_missing_only_if_the_workspace_should_have_it() {
        let root = world(&[("src/ours/__init__.py", ""), ("app/src/beside.py", "")]);
        let all = [
            error("reportMissingImports", "Import \"requests.api\" could not be resolved"),
            error("reportMissingImports", "Import \"ours.gone\" could not be resolved"),
            error("unresolved-import", "Cannot resolve imported module `beside.gone`"),
            error("unresolved-import", "Cannot resolve imported module `numpy`"),
            error("reportMissingImports", "Import \".gone\" could not be resolved"),
            error("reportArgumentType", "Argument of type \"requests\" is wrong"),
        ];
        assert_eq!(stay(python, root.path(), &all), [false, true, true, false, true, true]);
    }

    #[test]
    fn a_package_is_not_missed_where_it_is_named_and_not_installed() {
        let manifest = r#"{"dependencies": {"react": "1", "there": "1"}, "devDependencies": {"@a/b": "1"}}"#;
        let root = world(&[("app/package.json", manifest), ("node_modules/there/package.json", "{}")]);
        let missing = |name: &str| {
            error("ts2307", &format!("Cannot find module '{name}' or its corresponding type declarations."))
        };
        let all = [
            missing("react/jsx-runtime"),
            missing("@a/b"),
            missing("made-up"),
            missing("there/made-up"),
            missing("./made-up"),
            error("ts2591", "Cannot find name 'fs'. Do you need to install type definitions for node?"),
            error("ts2304", "Cannot find name 'react'."),
        ];
        assert_eq!(stay(node, root.path(), &all), [false, false, true, true, true, false, true]);
    }
}
