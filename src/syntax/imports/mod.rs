//! What a text takes in by name: files by relative names (`import "./x"`, `from .x import y`, `mod x;`), which say where
//! the file must be, and packages (`import x`, `from "x"`, `use x::y`), which may come from elsewhere. One file a language.
//!
//! By lines of masked code, not by parsing. Packages are told only where the import is plain and at the outermost level:
//! what is tried, done on a condition or made by a macro may be meant to fail.

pub(super) mod go;
pub(super) mod javascript;
pub(super) mod python;
pub(super) mod rust;

use super::mask::masked;
use super::{file_name, language_of};

/// One thing that is imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// As it is written: `./x`, `..a.b`, `x`, `react-dom/client`.
    pub name: String,
    /// Counted from 1.
    pub line: usize,
    pub from: Origin,
}

/// Where what is imported must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Paths of which one must be there. One that ends in `/` stands for a folder with anything in it.
    Places(Vec<String>),
    /// In a package: of the language, of the project or of somebody else.
    Package,
}

/// No text that people write has more.
const MOST: usize = 500;

/// A line as it is, and masked.
pub(super) type Line<'t> = (&'t str, &'t str);

/// How a language writes what it takes in.
#[derive(Debug, Clone, Copy)]
pub struct Imports {
    /// Behind the last of these words no import begins; without any all of a text is looked at. One with a newline in front
    /// counts at the beginning of a line, also of the first.
    pub words: &'static [&'static str],
    /// The same for packages alone.
    pub words_of_packages: &'static [&'static str],
    /// What ends the statement of one, at the latest.
    pub end: u8,
    /// The imports in the lines of the file at `path`, in order.
    pub find: fn(path: &str, lines: &[Line]) -> Vec<Import>,
}

/// As much of the text as may hold any: whole lines.
fn head<'t>(text: &'t str, words: &[&str], end: u8) -> &'t str {
    let bytes = text.as_bytes();
    if words.is_empty() {
        return text;
    }
    // Forwards, since only that search is quick.
    let last = words.iter().filter_map(|word| {
        let first = word.strip_prefix('\n').filter(|word| text.starts_with(word)).map(|_| 0);
        memchr::memmem::find_iter(bytes, word.as_bytes()).last().or(first)
    });
    let behind = |byte, at: usize| memchr::memchr(byte, &bytes[at..]).map_or(text.len(), |end| at + end);
    // The line may begin with what was found.
    last.max().and_then(|at| text.get(..behind(b'\n', behind(end, at + 1)))).unwrap_or_default()
}

/// The imports of `text`; none for languages that are not known here, nor where the name is no plain one.
pub fn imports(path: &str, text: &str) -> Vec<Import> {
    found(path, text, |language| language.words)
}

/// Those of packages alone, in less time.
pub fn packages(path: &str, text: &str) -> Vec<Import> {
    let mut imports = found(path, text, |language| language.words_of_packages);
    imports.retain(|import| import.from == Origin::Package);
    imports
}

fn found(path: &str, text: &str, words: impl FnOnce(&Imports) -> &[&str]) -> Vec<Import> {
    let Some(language) = language_of(path, text) else { return Vec::new() };
    let (Some(of_language), Some(lexis)) = (language.imports, language.lexis) else { return Vec::new() };
    let text = head(text, words(&of_language), of_language.end);
    let code = masked(lexis, text);
    let lines: Vec<Line> = text.lines().zip(code.lines()).collect();
    let mut imports = (of_language.find)(path, &lines);
    imports.retain(|import| import.from != Origin::Places(Vec::new()));
    imports.truncate(MOST);
    imports
}

impl Import {
    /// Of the line that is counted from 0.
    fn package(at: usize, name: &str) -> Import {
        Import { name: name.to_owned(), line: at + 1, from: Origin::Package }
    }

    fn places(at: usize, name: &str, places: impl IntoIterator<Item = String>) -> Import {
        let places = places.into_iter().filter_map(|place| flat(&place)).collect();
        Import { name: name.to_owned(), line: at + 1, from: Origin::Places(places) }
    }
}

/// The path without `.` and `..`; `None` if it leads out of the tree.
fn flat(path: &str) -> Option<String> {
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
}

/// With the slash at its end; empty for the root.
fn folder(path: &str) -> &str {
    path.strip_suffix(file_name(path)).unwrap_or("")
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first place of each relative import, with its line.
    fn placed(path: &str, text: &str) -> Vec<(usize, String)> {
        let first = |import: Import| match import.from {
            Origin::Places(places) => Some((import.line, places.into_iter().next().unwrap())),
            Origin::Package => None,
        };
        imports(path, text).into_iter().filter_map(first).collect()
    }

    /// The names of packages with their lines, as `1 a`.
    fn packages(path: &str, text: &str) -> Vec<String> {
        let of = |imports: Vec<Import>| -> Vec<String> {
            let packages = imports.into_iter().filter(|import| import.from == Origin::Package);
            packages.map(|import| format!("{} {}", import.line, import.name)).collect()
        };
        let found = of(imports(path, text));
        assert_eq!(of(super::packages(path, text)), found, "{text}");
        found
    }

    fn places(path: &str, text: &str) -> Vec<String> {
        match imports(path, text).into_iter().next().map(|import| import.from) {
            Some(Origin::Places(places)) => places,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn relative_imports_say_where_their_files_must_be() {
        let text = "import { a } from './a';\nimport b from \"../b.js\";\nexport * from './c/';\nconst d = require('./d');\n\
                    import './e.css';\nimport x from 'react';\n// import './no';\nconst s = \"from './no'\";\nimport f from './f.svg?raw';\n";
        let want = [(1, "src/x/a"), (2, "src/b.js"), (3, "src/x/c"), (4, "src/x/d")];
        assert_eq!(placed("src/x/y.ts", text), want.map(|(line, place)| (line, place.to_owned())));
        assert!(places("src/y.ts", "import b from './b.js';\n").contains(&"src/b.tsx".to_owned()));
        let text = "from .a.b import c\nfrom . import d\nfrom ..e import (\n    f,\n)\nimport os\n    from .g import h\n\"from .no import x\"\n";
        let want = [(1, "p/q/a/b.py"), (3, "p/e.py"), (7, "p/q/g.py")];
        assert_eq!(placed("p/q/m.py", text), want.map(|(line, place)| (line, place.to_owned())));
        assert_eq!(placed("m.py", "from ..e import f\n"), [], "out of the tree");
        let text = "mod a;\npub(crate) mod b;\n    mod no;\nmod inline {\n}\n#[path = \"x.rs\"]\nmod y;\n";
        assert_eq!(placed("src/lib.rs", text), [(1, "src/a.rs".to_owned()), (2, "src/b.rs".to_owned())]);
        assert_eq!(places("src/edit/x.rs", "pub mod y;\n"), ["src/edit/x/y.rs", "src/edit/x/y/mod.rs"]);
        assert_eq!(
            places("src/tests/x.rs", "mod y;\n")[..3],
            ["src/tests/y.rs", "src/tests/y/mod.rs", "src/tests/x/y.rs"]
        );
        assert_eq!(placed("a.go", "import \"./x\"\n"), []);
    }

    #[test]
    fn packages_of_python_are_those_that_are_imported_come_what_may() {
        let text = "\"\"\"import no\n\"\"\"\nimport os, yaml as y\nfrom google.cloud import storage\nfrom . import a\n\
                    try:\n    import simplejson\nexcept ImportError:\n    import json\n\nif WINDOWS:\n    import winreg\n\n\
                    def f():\n    import lazy.b; f()\n    with suppress(ImportError):\n        import perhaps\n\n\
                    important = 1\nimport (\n";
        assert_eq!(packages("a.py", text), ["3 os", "3 yaml", "4 google.cloud"]);
        let alone = "# /// script\n# dependencies = ['x']\n# ///\nimport x\nfrom .y import z\n";
        assert_eq!(packages("a.py", alone), [""; 0], "it has a manifest of its own");
    }

    #[test]
    fn packages_of_javascript_are_those_of_whole_statements() {
        let text = "import a, { b } from 'react-dom/client';\nimport {\n  c,\n} from \"@scope/x/y\";\nimport 'side';\n\
                    export * from 'd';\nimport type { E } from 'e';\nconst f = require('f');\n  const g = require('g');\n\
                    try { require('h') } catch {}\nconst i = await import('i');\nconst s = `\nimport x from 'no'\n`;\n\
                    <p>taken from 'it'</p>\n";
        let want = ["1 react-dom/client", "4 @scope/x/y", "5 side", "6 d", "7 e", "8 f"];
        assert_eq!(packages("a.tsx", text), want);
    }

    #[test]
    fn packages_of_rust_are_the_heads_of_uses_that_nothing_else_binds() {
        let text = "use serde::Serialize;\npub use tokio::{io, net};\nuse std::fmt;\nuse crate::a;\nuse io::Read;\n\
                    use Kind::*;\nmod inner;\nuse inner::X;\nuse ::abs::Y;\nextern crate old;\nuse old::Z;\n\
                    use {b::c, d::e};\nuse anyhow::Error as any;\n    use nested::F;\nuse any::G;\npub(crate) use made_here;\n";
        assert_eq!(
            packages("src/a.rs", text),
            ["1 serde", "2 tokio", "3 std", "9 abs", "10 old", "11 old", "13 anyhow"]
        );
        let glob = "use super::*;\nuse inner::X;\n";
        assert_eq!(packages("src/a.rs", glob), [""; 0], "it may come with all the rest");
    }

    #[test]
    fn packages_of_go_are_the_paths_of_its_import_declarations() {
        let text = "package a\n\nimport \"fmt\"\n\nimport (\n\t\"a.org/b\" // c\n\t. \"c.org/d/v2\"\n\t// \"no.org/x\"\n\t_ `e.org/f`\n)\n\n\
                    var x = `\nimport \"no.org/y\"\n`\n";
        assert_eq!(packages("a.go", text), ["3 fmt", "6 a.org/b", "7 c.org/d/v2", "9 e.org/f"]);
        assert_eq!(packages("a.go", &format!("//go:build ignore\n\n{text}")), [""; 0], "built by hand, if at all");
    }
}
