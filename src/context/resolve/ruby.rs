//! Ruby: `require_relative "x"`, and `require "a/b"` of what lies below `lib`.

use super::{Resolver, Taken, What, quoted};
use crate::context::source::Source;
use crate::context::tree::{Tree, folder, joined};

pub(super) const RESOLVER: Resolver = Resolver { languages: &["ruby"], taken, faces: &[] };

fn taken(tree: &Tree, source: &Source) -> Vec<Taken> {
    let mut found = Vec::new();
    for line in 0..source.count() {
        let code = source.code_line(line);
        let start = code.trim_start();
        if !start.starts_with("require") {
            continue;
        }
        let Some(name) = quoted(source.line(line), code, 0) else { continue };
        let file = if name.ends_with(".rb") { name.to_owned() } else { format!("{name}.rb") };
        let found_at = match start.starts_with("require_relative") {
            true => joined(folder(&source.path), &file).and_then(|file| tree.find(&file)),
            false => tree.ending(&format!("lib/{file}"), &source.path),
        };
        found.extend(found_at.map(|file| Taken { line, files: vec![file.to_owned()], what: What::All }));
    }
    found
}
