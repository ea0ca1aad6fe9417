//! PHP: `use A\B\C;` by the file of the class, and `require`d files.

use super::{Resolver, Taken, What, quoted};
use crate::context::source::Source;
use crate::context::tree::{Tree, folder, joined};

pub(super) const RESOLVER: Resolver = Resolver { languages: &["php"], taken, faces: &[] };

fn taken(tree: &Tree, source: &Source) -> Vec<Taken> {
    let mut found = Vec::new();
    for line in 0..source.count() {
        let code = source.code_line(line);
        let start = code.trim_start();
        if let Some(rest) = start.strip_prefix("use ") {
            let rest = rest.split([';', '{', '(']).next().unwrap_or_default();
            let (name, alias) =
                rest.split_once(" as ").map_or((rest, None), |(name, alias)| (name, Some(alias.trim())));
            let name = name.trim().trim_start_matches('\\');
            let class = name.rsplit('\\').next().unwrap_or(name);
            let Some(file) = class_file(tree, name, &source.path) else { continue };
            let what = What::Names(vec![(class.to_owned(), alias.unwrap_or(class).to_owned())]);
            found.push(Taken { line, files: vec![file.to_owned()], what });
        } else if start.starts_with("require") || start.starts_with("include") {
            let Some(name) = quoted(source.line(line), code, 0) else { continue };
            let file = joined(folder(&source.path), name.trim_start_matches('/'));
            let file = file.filter(|file| tree.has(file));
            found.extend(file.map(|file| Taken { line, files: vec![file], what: What::All }));
        }
    }
    found
}

/// The file of a class: namespaces are folders, the first of them often under another name.
fn class_file<'a>(tree: &Tree<'a>, name: &str, from: &str) -> Option<&'a str> {
    let parts: Vec<&str> = name.split('\\').collect();
    (0..parts.len()).find_map(|from_part| {
        let place = format!("{}.php", parts.get(from_part..)?.join("/"));
        tree.ending(&place, from)
    })
}
