//! Go: the import declarations at the head of a file.

use super::{Import, Imports, Line};

pub const IMPORTS: Imports = Imports { words: &["import"], words_of_packages: &["import"], end: b')', find };

fn find(_: &str, lines: &[Line]) -> Vec<Import> {
    let is_ignored = |line: &str| matches!(line.trim_end(), "//go:build ignore" | "// +build ignore");
    if lines.iter().take(50).any(|(line, _)| is_ignored(line)) {
        return Vec::new();
    }
    let (mut imports, mut block) = (Vec::new(), false);
    for (at, (line, code)) in lines.iter().enumerate() {
        let start = code.trim_start();
        if ["func ", "type ", "var ", "const "].iter().any(|word| code.starts_with(word)) {
            break;
        }
        match start.strip_prefix("import") {
            Some(rest) if rest.trim_start().starts_with('(') => block = true,
            Some(rest) if rest.starts_with(char::is_whitespace) => imports.extend(spec(at, line, code)),
            _ if block && start.starts_with(')') => block = false,
            _ if block => imports.extend(spec(at, line, code)),
            _ => {}
        }
    }
    imports
}

/// `name "path"`
fn spec(at: usize, line: &str, code: &str) -> Option<Import> {
    let quote = code.find(['"', '`'])?;
    let mark = code.get(quote..)?.chars().next()?;
    let path = line.get(quote + 1..)?.split(mark).next()?;
    (!path.is_empty() && !path.starts_with('.')).then(|| Import::package(at, path))
}
