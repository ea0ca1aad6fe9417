//! A package that section 2.2 names as needed is in a manifest, or a manifest is among the files to change.

use super::listed;
use crate::check::design::dependency::{Ecosystem, dependencies};
use crate::check::design::{Rule, ground::Ground};
use crate::finding::Finding;
use crate::lld::Change;
use std::collections::HashSet;

pub(super) const RULE: Rule = Rule { id: "design-dependency", run };

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let Some(tree) = ground.tree else { return };
    let named = dependencies(ground.text, ground.lld);
    for ecosystem in [Ecosystem::Cargo, Ecosystem::Go, Ecosystem::Npm, Ecosystem::Python] {
        let of = |path: &str| Ecosystem::of_manifest(path) == Some(ecosystem);
        let manifests: Vec<_> = tree.manifests.iter().filter(|(path, _)| of(path)).collect();
        let changed = ground.lld.files.iter().any(|row| row.change != Change::None && of(row.path.as_str()));
        // Without a manifest of the kind there is nothing to compare with: it may be kept in some other form.
        let Some((manifest, _)) = manifests.first().filter(|_| !changed) else { continue };
        let known: HashSet<String> = manifests.iter().flat_map(|(_, text)| ecosystem.words(text)).collect();
        let is_new = |name: &str| !known.contains(&ecosystem.folded(name));
        let mut new = named.iter().filter(|found| found.ecosystem == ecosystem && is_new(&found.name)).peekable();
        let Some(line) = new.peek().map(|first| first.line) else { continue };
        let mut names: Vec<&str> = new.map(|found| found.name.as_str()).collect();
        names.dedup();
        let message = format!("the design needs {}, which no manifest names, and changes no manifest", listed(&names));
        let hint = format!("list '{manifest}' for Modify among the files, or drop what is not needed");
        findings.push(Finding::warning(RULE.id, message).line(line).hint(hint));
    }
}
