//! C and C++: `#include "x/y.h"`, beside the file or below some folder of the tree.

use super::{Resolver, Taken, What};
use crate::context::source::Source;
use crate::context::tree::{Tree, folder, joined};

pub(super) const RESOLVER: Resolver = Resolver { languages: &["c", "cpp", "objective_c"], taken, faces: &[] };

fn taken(tree: &Tree, source: &Source) -> Vec<Taken> {
    let mut found = Vec::new();
    for line in 0..source.count() {
        if !source.code_line(line).trim_start().starts_with('#') {
            continue;
        }
        let text = source.line(line).trim_start().trim_start_matches('#').trim_start();
        let Some(rest) = text.strip_prefix("include").or_else(|| text.strip_prefix("import")) else { continue };
        let rest = rest.trim_start();
        let name = match rest.strip_prefix('<') {
            Some(rest) => rest.split('>').next(),
            None => rest.strip_prefix('"').and_then(|rest| rest.split('"').next()),
        };
        let Some(name) = name.filter(|name| !name.is_empty()) else { continue };
        let beside = joined(folder(&source.path), name).and_then(|file| tree.find(&file));
        // The system's headers have names that a tree may have, too.
        let elsewhere = || (rest.starts_with('"') || name.contains('/')).then(|| tree.ending(name, &source.path))?;
        let file = beside.or_else(elsewhere);
        found.extend(file.map(|file| Taken { line, files: vec![file.to_owned()], what: What::All }));
    }
    found
}
