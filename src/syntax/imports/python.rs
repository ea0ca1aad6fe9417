//! Python: `from .a import b`, `import a.b as c, d`, `from a.b import c`.

use super::{Import, Imports, Line, folder, is_name};

pub const IMPORTS: Imports =
    Imports { words: &["import"], words_of_packages: &["\nimport ", "\nfrom "], end: b'\n', find };

fn find(path: &str, lines: &[Line]) -> Vec<Import> {
    let mut imports = Vec::new();
    // A script that names what it needs has a manifest of its own.
    let is_alone = lines.iter().any(|(line, _)| line.starts_with("# /// script"));
    // Further in it may be tried, depend on something, or be of what few need.
    let is_meant = |code: &str| !is_alone && !code.starts_with(char::is_whitespace);
    for (at, (_, code)) in lines.iter().enumerate() {
        let start = code.trim_start();
        if let Some(rest) = start.strip_prefix("from ") {
            let Some((name, rest)) = rest.trim_start().split_once(char::is_whitespace) else { continue };
            if name.starts_with('.') {
                imports.extend(relative(path, at, name));
            } else if rest.trim_start().starts_with("import") && is_module(name) && is_meant(code) {
                imports.push(Import::package(at, name));
            }
        } else if let Some(rest) = start.strip_prefix("import ") {
            let rest = rest.split(';').next().unwrap_or_default();
            let names: Vec<&str> =
                rest.split(',').map(|item| item.split_whitespace().next().unwrap_or_default()).collect();
            if names.iter().all(|name| is_module(name) || *name == "\\") && is_meant(code) {
                imports.extend(names.iter().filter(|name| is_module(name)).map(|name| Import::package(at, name)));
            }
        }
    }
    imports
}

fn is_module(name: &str) -> bool {
    name.split('.').all(is_name)
}

/// `from .a.b import c`. `from . import c` may mean anything in the package.
fn relative(path: &str, at: usize, name: &str) -> Option<Import> {
    let module = name.trim_start_matches('.');
    let dots = name.len() - module.len();
    if !is_module(module) {
        return None;
    }
    let place = format!("{}{}{}", folder(path), "../".repeat(dots - 1), module.replace('.', "/"));
    let kinds = [".py", ".pyi", ".pyx", ".so", ".pyd", "/"];
    Some(Import::places(at, name, kinds.iter().map(|kind| format!("{place}{kind}"))))
}
