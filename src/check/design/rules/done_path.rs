//! The files that the definition of done names, and those that it traces, are files of the list.

use crate::check::design::{Rule, ground::Ground, mention, words};
use crate::finding::Finding;

pub(super) const RULE: Rule = Rule { id: "design-done-path", run };

/// With these words a line asks for a file to be made or changed.
const ASKING: &[&str] = &[
    "added",
    "complete",
    "completed",
    "created",
    "deleted",
    "documented",
    "extended",
    "implemented",
    "includes",
    "modified",
    "refactored",
    "removed",
    "renamed",
    "updated",
    "written",
];
/// With these it does not.
const LEAVING: &[&str] = &["not", "no", "unchanged", "existing", "still", "n/a", "optional", "if", "via", "without"];

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let Some(done) = ground.done().filter(|_| !ground.lld.files.is_empty()) else { return };
    let mut told: Vec<&str> = Vec::new();
    for (number, line) in ground.under(done) {
        let lower = line.to_lowercase();
        let traced = lower.contains("section 2.1") || lower.contains("2.1)");
        let asks = ASKING.iter().any(|word| words::has_phrase(&lower, word));
        if !(traced || asks) || LEAVING.iter().any(|word| words::has_phrase(&lower, word)) {
            continue;
        }
        for path in mention::paths(line) {
            if !told.contains(&path) && !is_listed(ground, path) {
                told.push(path);
                let message = format!("the definition of done names '{path}', which is not in the file list");
                let finding = Finding::warning(RULE.id, message).line(number);
                findings.push(finding.hint("give the file a row in section 2.1, or take it out here"));
            }
        }
    }
}

/// Is it a file of the list, under the end of its path too, or in a directory of the list?
fn is_listed(ground: &Ground, path: &str) -> bool {
    let ends =
        |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    ground.lld.files.iter().any(|row| {
        let is = |listed: &str| ends(listed, path) || ends(path, listed);
        is(row.path.as_str())
            || row.from.as_ref().is_some_and(|from| is(from.as_str()))
            || (row.directory && path.strip_prefix(row.path.as_str()).is_some_and(|rest| rest.starts_with('/')))
    })
}
