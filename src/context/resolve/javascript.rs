//! JavaScript and TypeScript: `import … from`, `export … from`, `require(…)` and `import(…)`, of relative paths, of the
//! names that `tsconfig.json` gives to folders, and of the packages of the same tree.

mod places;

use super::{Resolver, Taken, What, quoted};
use crate::context::source::Source;
use crate::context::tree::Tree;
use places::Places;

pub(super) const RESOLVER: Resolver = Resolver {
    languages: &["javascript", "typescript"],
    taken,
    faces: &["index.ts", "index.tsx", "index.js", "index.jsx", "index.mjs", "index.mts"],
};

fn taken(tree: &Tree, source: &Source) -> Vec<Taken> {
    let places = Places::of(tree, &source.path);
    let mut found = Vec::new();
    let mut line = 0;
    while line < source.count() {
        let first = line;
        line += 1;
        let start = source.code_line(first).trim_start();
        let begins = |words: &[&str]| words.iter().any(|word| start.starts_with(word));
        if begins(&[
            "import ",
            "import{",
            "import\"",
            "import'",
            "export {",
            "export{",
            "export *",
            "export*",
            "export type {",
        ]) {
            // The statement ends on the line of the quotes.
            let last =
                (first..source.count().min(first + LONGEST)).find(|at| source.code_line(*at).contains(['"', '\'']));
            let Some(last) = last else { continue };
            line = last + 1;
            let code = source.code_line(last);
            let quote = code.find(['"', '\'']).unwrap_or_default();
            let Some(name) = quoted(source.line(last), code, quote) else { continue };
            let head = source.code_of(&(first..last)).to_owned() + code.get(..quote).unwrap_or_default();
            let Some(clause) = head.trim().strip_suffix("from") else { continue };
            let files = places.files(name);
            found.extend(clauses(clause).into_iter().map(|what| Taken { line: first, files: files.clone(), what }));
        } else {
            found.extend(call(source, first, &places));
        }
    }
    found
}

/// No import is longer, in lines.
const LONGEST: usize = 100;

/// `const { a, b: c } = require('x')`, `const x = await import('x')`.
fn call(source: &Source, line: usize, places: &Places) -> Option<Taken> {
    let code = source.code_line(line);
    let at = ["require(", "import("].iter().find_map(|word| code.find(word).map(|at| at + word.len()))?;
    let name = quoted(source.line(line), code, at)?;
    let files = places.files(name);
    let before = code.get(..at)?.split_once('=').map_or("", |(before, _)| before).trim();
    let target = before.trim_start_matches("export ").trim_start();
    let target = ["const ", "let ", "var "].iter().find_map(|word| target.strip_prefix(word)).unwrap_or(target).trim();
    let what = match target.strip_prefix('{') {
        Some(names) => What::Names(names_in(names.trim_end_matches('}'), ':')),
        None if target.is_empty() => return None,
        None => What::Within(target.to_owned()),
    };
    Some(Taken { line, files, what })
}

/// `import A, { b as c }`, `import * as d`, `export *`.
fn clauses(clause: &str) -> Vec<What> {
    let clause = clause.trim();
    let clause = clause.strip_prefix("import").or_else(|| clause.strip_prefix("export")).unwrap_or(clause).trim_start();
    let clause = clause.strip_prefix("type ").map_or(clause, str::trim_start);
    let (bare, names) = match clause.split_once('{') {
        Some((bare, names)) => (bare, names.split('}').next()),
        None => (clause, None),
    };
    let mut found: Vec<What> = names.map(|names| What::Names(names_in(names, ' '))).into_iter().collect();
    for item in bare.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        found.push(match item.strip_prefix('*').map(str::trim) {
            Some("") => What::All,
            Some(alias) => What::Within(alias.strip_prefix("as ").unwrap_or(alias).trim().to_owned()),
            None => What::Names(vec![("default".to_owned(), item.to_owned())]),
        });
    }
    found
}

/// `a, type b as c` (`between` is a blank), `a, b: c`.
fn names_in(names: &str, between: char) -> Vec<(String, String)> {
    let of = |item: &str| {
        let item = item.trim();
        let item = item.strip_prefix("type ").unwrap_or(item).trim();
        let (there, here) = match between {
            ' ' => item.split_once(" as ").unwrap_or((item, item)),
            between => item.split_once(between).unwrap_or((item, item)),
        };
        (!there.trim().is_empty()).then(|| (there.trim().to_owned(), here.trim().to_owned()))
    };
    names.split(',').filter_map(of).collect()
}
