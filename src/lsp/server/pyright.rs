//! pyright: types of Python.

use super::{PLAIN, Place, Server, absent};
use serde_json::{Value, json};
use std::path::PathBuf;

pub(super) const LANGUAGES: &[(&str, &str)] = &[("py", "python"), ("pyi", "python")];

pub(super) const SERVER: Server = Server {
    name: "pyright",
    program: "pyright-langserver",
    arguments: &["--stdio"],
    languages: LANGUAGES,
    // The package on PyPI asks for a newer version of itself otherwise.
    variables: &[("PYRIGHT_PYTHON_IGNORE_WARNINGS", "1")],
    settings,
    weigh: absent::python,
    ..PLAIN
};

/// What is installed in the workspace's own environment is found without its interpreter being run.
pub(super) fn settings(place: &Place) -> Value {
    let packages: Vec<PathBuf> = [".venv", "venv"].iter().flat_map(|name| packages(place, name)).collect();
    let analysis = json!({
        "diagnosticMode": "openFilesOnly", "autoSearchPaths": true, "useLibraryCodeForTypes": true, "extraPaths": packages,
    });
    json!({"python": {"analysis": &analysis}, "basedpyright": {"analysis": &analysis}})
}

/// `.venv/lib/python3.*/site-packages`
fn packages(place: &Place, environment: &str) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(place.root.join(environment).join("lib")).into_iter().flatten().flatten();
    let is_python = |folder: &std::fs::DirEntry| folder.file_name().to_string_lossy().starts_with("python3");
    let mut found: Vec<PathBuf> = folders.filter(is_python).map(|folder| folder.path().join("site-packages")).collect();
    found.retain(|folder| folder.is_dir());
    found.sort();
    found
}
