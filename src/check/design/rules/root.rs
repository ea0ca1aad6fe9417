//! New files under `src/`, `lib/` or `app/` where the repository keeps its code elsewhere: a habit of whoever wrote the
//! design, more often than a decision.

use crate::check::design::{Rule, Tree, ground::Ground};
use crate::finding::Finding;
use crate::lld::Change;

pub(super) const RULE: Rule = Rule { id: "design-root", run };

const HABITS: &[&str] = &["src", "lib", "app"];
/// Directories in a root that do not hold a project's code.
const OTHERS: &[&str] = &[
    "assets",
    "bench",
    "benches",
    "benchmarks",
    "bin",
    "build",
    "ci",
    "config",
    "contrib",
    "data",
    "dist",
    "doc",
    "docs",
    "examples",
    "hooks",
    "images",
    "licenses",
    "scripts",
    "spec",
    "specs",
    "static",
    "test",
    "tests",
    "tools",
    "vendor",
];

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let Some(tree) = ground.tree else { return };
    for habit in HABITS.iter().filter(|habit| !tree.directories.contains(**habit)) {
        let first = |row: &&crate::lld::FileSpec| row.path.components().next() == Some(habit);
        let meant = ground.lld.files.iter().any(|row| row.directory && row.path.as_str() == *habit);
        let added = ground.lld.files.iter().filter(first).find(|row| row.change == Change::Add && !row.directory);
        let (Some(row), false, Some(code)) = (added, meant, code(tree)) else { continue };
        let message = format!("'{}' is added under '{habit}/', which does not exist; there is '{code}/'", row.path);
        let hint = format!("did you mean '{code}/'? if '{habit}/' is to be new, give it a row 'Add (Directory)'");
        findings.push(Finding::warning(RULE.id, message).line(row.line).hint(hint));
    }
}

/// The directory in which the repository has its code, if there is one that may be it and not several.
fn code(tree: &Tree) -> Option<&str> {
    let habit = HABITS.iter().find(|habit| tree.directories.contains(**habit)).copied();
    let may_be = |name: &&String| !name.starts_with('.') && !OTHERS.contains(&name.to_lowercase().as_str());
    let mut others = tree.directories.iter().filter(may_be).map(String::as_str);
    let only = others.next().filter(|_| others.next().is_none());
    habit.or(only)
}
