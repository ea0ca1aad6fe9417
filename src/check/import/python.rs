//! Python: a module of the language, of the tree (in a source folder of any name), or of a distribution that a manifest
//! of the tree names, which may be called otherwise.

use super::Ground;
use super::python_names::NAMES;
use crate::syntax::file_name;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Kinds of files that can be a module.
const KINDS: &[&str] = &[".py", ".pyi", ".pyx", ".so", ".pyd", ".ipynb", "/"];

/// Does the module come with the language, or with the program that it runs in?
pub(super) fn is_own(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default();
    // What is made by a build is often called so.
    first.starts_with('_') || NAMES.own.contains(first) || NAMES.hosts.contains(first) || first.ends_with("_pb2")
}

pub(super) fn is_known(ground: &Ground, name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default();
    if is_own(name) {
        return true;
    }
    let Some(named) = named(ground) else { return true };
    let plain = first.to_lowercase().replace('_', "-");
    let others = NAMES.other.iter().filter(|(module, _)| *module == first).flat_map(|(_, names)| names.iter().copied());
    let is_named = named.contains(&plain)
        || others.into_iter().any(|other| named.contains(other))
        || NAMES.brought.iter().any(|(by, what)| what.contains(&first) && named.contains(*by))
        || named.iter().any(|known| is_part(known, &plain));
    // Folders are named after what they are for: `airflow/`.
    let is_other = NAMES.other.iter().any(|(module, _)| *module == first);
    is_named || (ground.has_name(first) && (is_other || is_in_package(ground, name)))
}

/// Is `a.b` in the package `a` of the tree, as far as one can tell? Only where all that is called so is a package that is
/// in no other: that of `a/b/a` is `a.b.a`.
fn is_in_package(ground: &Ground, name: &str) -> bool {
    let mut parts = name.split('.');
    let (Some(first), Some(second)) = (parts.next(), parts.next()) else { return true };
    let (init, file) = (format!("{first}/__init__.py"), format!("{first}.py"));
    let mut places = Vec::new();
    for path in ground.files() {
        // A folder without `__init__.py` is a package, too, but may be one of several.
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_bare = file_name(folder) == first && !ground.has(&format!("{folder}/__init__.py"));
        if is_bare || file_name(path) == file {
            return true;
        }
        let before = path.strip_suffix(&init).filter(|before| before.is_empty() || before.ends_with('/'));
        places.extend(
            before
                .filter(|before| !ground.has(&format!("{before}__init__.py")))
                .map(|before| format!("{before}{first}/")),
        );
    }
    let is_made = |place: &String| ground.text(&format!("{place}__init__.py")).contains(second);
    places.is_empty()
        || second.starts_with('_')
        || second.ends_with("_pb2")
        || places.iter().any(|place| KINDS.iter().any(|kind| ground.has(&format!("{place}{second}{kind}"))))
        || places.iter().any(is_made)
}

/// Is one the other with words around it: `yaml` in `types-yaml`, `google` in `google-cloud-storage`, `jose` in
/// `python-jose`, `magic` in `pymagic`?
fn is_part(known: &str, plain: &str) -> bool {
    let rest = |rest: &str, mark: fn(&str) -> bool| rest.is_empty() || mark(rest);
    let begins = known.strip_prefix(plain).is_some_and(|after| rest(after, |after| after.starts_with('-')));
    let ends = known.strip_suffix(plain).is_some_and(|before| rest(before, |before| before.ends_with('-')));
    let bare = |name: &str| name.replace('-', "");
    let python = ["py", "python"].iter().any(|word| {
        bare(known).strip_prefix(word) == Some(&bare(plain)) || bare(known).strip_suffix(word) == Some(&bare(plain))
    });
    begins || ends || python || known.contains(&format!("-{plain}-")) || bare(known) == bare(plain)
}

pub(super) fn is_manifest(path: &str) -> bool {
    let name = file_name(path);
    let lists = [".txt", ".in", ".pip"].iter().any(|end| name.ends_with(end));
    let is_kept_with_others = path.split('/').rev().skip(1).any(|folder| folder.contains("require"));
    matches!(name, "pyproject.toml" | "setup.py" | "setup.cfg" | "Pipfile" | "environment.yml" | "environment.yaml")
        || matches!(
            name,
            "tox.ini" | "noxfile.py" | "poetry.lock" | "uv.lock" | "Pipfile.lock" | "pdm.lock" | "pixi.toml"
        )
        || (lists
            && (["require", "constraint", "dependenc"].iter().any(|word| name.contains(word)) || is_kept_with_others))
}

/// The distributions that the manifests of the tree name; `None` where there is no manifest.
fn named(ground: &Ground) -> Option<Rc<BTreeSet<String>>> {
    let read = || {
        let manifests = ground.manifests(is_manifest);
        let mut names = BTreeSet::new();
        for file in &manifests {
            match file_name(file) {
                "pyproject.toml" => names.extend(ground.named(file).iter().cloned()),
                _ => names.extend(words(&ground.text(file))),
            }
        }
        (!manifests.is_empty()).then(|| Rc::new(names))
    };
    ground.python.get_or_init(read).clone()
}

/// All words as the index writes names. These manifests are programs and lists of many kinds.
fn words(text: &str) -> impl Iterator<Item = String> {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    text.split(move |c: char| !part(c))
        .map(|word| word.trim_matches(['-', '_', '.']))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
        .map(|word| word.to_lowercase().replace(['_', '.'], "-"))
}
