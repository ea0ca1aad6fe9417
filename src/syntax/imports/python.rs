//! Python: `from .a import b`, `import a.b as c, d`, `from a.b import c`.

use super::{Import, Line, depth, folder, is_name};
use crate::syntax::file_name;

pub(super) fn find(path: &str, lines: &[Line]) -> Vec<Import> {
    let mut imports = Vec::new();
    // A script that names what it needs has a manifest of its own.
    let is_alone = lines.iter().any(|(line, _)| line.starts_with("# /// script"));
    // Tests make modules to import them.
    let is_test = file_name(path).starts_with("test_") || path.split('/').any(|part| part == "tests");
    let is_meant = |at: usize, code: &str| {
        let is_made = is_test && depth(code) > 0;
        !(is_alone || is_made || is_conditional(lines, at))
    };
    for (at, (_, code)) in lines.iter().enumerate() {
        let start = code.trim_start();
        if let Some(rest) = start.strip_prefix("from ") {
            let Some((name, rest)) = rest.trim_start().split_once(char::is_whitespace) else { continue };
            if name.starts_with('.') {
                imports.extend(relative(path, at, name));
            } else if rest.trim_start().starts_with("import")
                && is_module(name)
                && !is_alone
                && !is_conditional(lines, at)
            {
                imports.push(Import::package(at, name));
            }
        } else if let Some(rest) = start.strip_prefix("import ") {
            let rest = rest.split(';').next().unwrap_or_default();
            let names: Vec<&str> =
                rest.split(',').map(|item| item.split_whitespace().next().unwrap_or_default()).collect();
            if names.iter().all(|name| is_module(name) || *name == "\\") && is_meant(at, code) {
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

/// Lines that are looked through for what a line stands in.
const FAR: usize = 400;

/// Does the line stand in anything but functions and classes?
fn is_conditional(lines: &[Line], at: usize) -> bool {
    let mut within = lines.get(at).map_or(0, |(_, code)| depth(code));
    let before = lines.get(at.saturating_sub(FAR)..at).unwrap_or_default();
    for (_, code) in before.iter().rev().filter(|(_, code)| !code.trim().is_empty()) {
        if within == 0 {
            return false;
        }
        if depth(code) < within {
            within = depth(code);
            let word = code.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            if !matches!(word, "def" | "class" | "async" | "") {
                return true;
            }
        }
    }
    within > 0
}
