//! Files that a text takes in by relative names: `import "./x"`, `from .x import y`, `mod x;`. Such a name says where the
//! file must be, unlike that of a package, which may come from anywhere.

use super::{extension, file_name, mask};

/// An import of a file by its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// As it is written: `./x`, `..a.b`, `x`.
    pub name: String,
    /// Counted from 1.
    pub line: usize,
    /// Paths of which one must be there. One that ends in `/` stands for a folder with anything in it.
    pub places: Vec<String>,
}

/// No text that people write has more.
const MOST: usize = 500;

/// Reads a line of the file at a path, as it is and masked: the name and the places of what it imports.
type Read = fn(path: &str, line: &str, code: &str) -> Option<(String, Vec<String>)>;

/// The relative imports of `text`; none for languages that are not known here, nor where the name is no plain one.
pub fn imports(path: &str, text: &str) -> Vec<Import> {
    let read: Read = match extension(path).as_str() {
        "py" => python,
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => javascript,
        "rs" => rust,
        _ => return Vec::new(),
    };
    let Some(code) = mask(path, text) else { return Vec::new() };
    let lines = text.lines().zip(code.lines()).enumerate();
    let imports = lines.filter_map(|(at, (line, code))| {
        let (name, places) = read(path, line, code)?;
        Some(Import { name, line: at + 1, places: places.into_iter().flatten_paths().collect() })
    });
    imports.filter(|import| !import.places.is_empty()).take(MOST).collect()
}

/// Takes `.` and `..` out of paths; one that leads out of the tree is dropped.
trait FlattenPaths: Iterator<Item = String> + Sized {
    fn flatten_paths(self) -> impl Iterator<Item = String> {
        self.filter_map(|path| {
            let mut parts: Vec<&str> = Vec::new();
            for part in path.split('/') {
                match part {
                    "." => {}
                    ".." => {
                        parts.pop()?;
                    }
                    part => parts.push(part),
                }
            }
            Some(parts.join("/"))
        })
    }
}

impl<I: Iterator<Item = String>> FlattenPaths for I {}

fn folder(path: &str) -> &str {
    path.strip_suffix(file_name(path)).unwrap_or("")
}

/// What a name without an extension may be.
const SCRIPTS: &[&str] =
    &["js", "ts", "tsx", "jsx", "mjs", "cjs", "mts", "cts", "d.ts", "json", "vue", "svelte", "node", "css"];

/// `from "./x"`, `import "./x"`, `import("./x")`, `require("./x")`: one a line, the first.
fn javascript(path: &str, line: &str, code: &str) -> Option<(String, Vec<String>)> {
    let quote = code.find(['"', '\''])?;
    let before = code.get(..quote)?.trim_end();
    let leads = ["from", "import", "import(", "require("].iter().any(|word| {
        before
            .strip_suffix(word)
            .is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$')))
    });
    let mark = line.get(quote..)?.chars().next()?;
    let name = line.get(quote + 1..)?.split(mark).next()?;
    if !leads || !name.starts_with("./") && !name.starts_with("../") || name.contains(['?', '#', '*', '$', '\\']) {
        return None;
    }
    let place = format!("{}{}", folder(path), name.trim_end_matches('/'));
    let known = extension(name);
    let (stem, is_script) = match known.as_str() {
        "js" | "jsx" | "mjs" | "cjs" => (place.strip_suffix(&format!(".{known}")).unwrap_or(&place), true),
        "" | "ts" | "tsx" | "mts" | "cts" | "json" | "vue" | "svelte" => (place.as_str(), true),
        // `./x.service` is one, `./x.svg` is a loader's business.
        _ => (
            place.as_str(),
            !matches!(known.as_str(), "css" | "scss" | "less" | "svg" | "png" | "wasm" | "md" | "mdx" | "html" | "txt"),
        ),
    };
    if !is_script {
        return None;
    }
    let mut places = vec![place.clone()];
    places.extend(SCRIPTS.iter().map(|kind| format!("{stem}.{kind}")));
    places.extend(SCRIPTS.iter().map(|kind| format!("{stem}/index.{kind}")));
    places.push(format!("{stem}/package.json"));
    Some((name.to_owned(), places))
}

/// `from .a.b import c`. `from . import c` may mean anything in the package.
fn python(path: &str, _: &str, code: &str) -> Option<(String, Vec<String>)> {
    let name = code.trim_start().strip_prefix("from ")?.trim_start();
    let name = name.get(..name.find(char::is_whitespace)?)?;
    let module = name.trim_start_matches('.');
    let dots = name.len() - module.len();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    if dots == 0 || module.is_empty() || !module.chars().all(plain) {
        return None;
    }
    let place = format!("{}{}{}", folder(path), "../".repeat(dots - 1), module.replace('.', "/"));
    let kinds = [".py", ".pyi", ".pyx", ".so", ".pyd", "/"];
    Some((name.to_owned(), kinds.iter().map(|kind| format!("{place}{kind}")).collect()))
}

/// `mod x;` at the outermost level, without an attribute that says where it is.
fn rust(path: &str, line: &str, code: &str) -> Option<(String, Vec<String>)> {
    let code = code.strip_suffix(';')?;
    let rest = code.strip_prefix("pub").map_or(code, |rest| {
        let rest = rest.trim_start();
        rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest).trim_start()
    });
    let name = rest.strip_prefix("mod ")?.trim();
    if line.starts_with(char::is_whitespace)
        || name.is_empty()
        || !name.chars().all(|c| c.is_alphanumeric() || c == '_')
    {
        return None;
    }
    let stem = file_name(path).strip_suffix(".rs")?;
    // Roots of crates lie in these folders under names of their own.
    let root = matches!(stem, "mod" | "lib" | "main" | "build")
        || ["tests/", "examples/", "benches/", "bin/"].iter().any(|root| folder(path).ends_with(root));
    let within = if root { folder(path).to_owned() } else { format!("{}{stem}/", folder(path)) };
    Some((name.to_owned(), vec![format!("{within}{name}.rs"), format!("{within}{name}/mod.rs")]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<(usize, String)> {
        imports(path, text).into_iter().map(|import| (import.line, import.places.into_iter().next().unwrap())).collect()
    }

    #[test]
    fn relative_imports_say_where_their_files_must_be() {
        let text = "import { a } from './a';\nimport b from \"../b.js\";\nexport * from './c/';\nconst d = require('./d');\n\
                    import './e.css';\nimport x from 'react';\n// import './no';\nconst s = \"from './no'\";\nimport f from './f.svg?raw';\n";
        let found_here = found("src/x/y.ts", text);
        let want = [(1, "src/x/a"), (2, "src/b.js"), (3, "src/x/c"), (4, "src/x/d")];
        assert_eq!(found_here, want.map(|(line, place)| (line, place.to_owned())));
        assert!(imports("src/y.ts", "import b from './b.js';\n")[0].places.contains(&"src/b.tsx".to_owned()));
        let text = "from .a.b import c\nfrom . import d\nfrom ..e import (\n    f,\n)\nimport os\n    from .g import h\n\"from .no import x\"\n";
        let want = [(1, "p/q/a/b.py"), (3, "p/e.py"), (7, "p/q/g.py")];
        assert_eq!(found("p/q/m.py", text), want.map(|(line, place)| (line, place.to_owned())));
        assert_eq!(found("m.py", "from ..e import f\n"), [], "out of the tree");
        let text = "mod a;\npub(crate) mod b;\n    mod no;\nmod inline {\n}\n";
        assert_eq!(found("src/lib.rs", text), [(1, "src/a.rs".to_owned()), (2, "src/b.rs".to_owned())]);
        assert_eq!(imports("src/edit/x.rs", "pub mod y;\n")[0].places, ["src/edit/x/y.rs", "src/edit/x/y/mod.rs"]);
        assert_eq!(found("a.go", "import \"./x\"\n"), []);
    }
}
