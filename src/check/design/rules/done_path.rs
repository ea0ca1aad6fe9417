//! The files that the definition of done names, and those that it traces, are files of the list.

use crate::check::design::{Rule, ground::Ground, mention, words};
use crate::finding::Finding;
use crate::lld::FileSpec;
use crate::path::RepoPath;
use std::collections::HashSet;

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
const LEAVING: &[&str] =
    &["not", "no", "or", "unchanged", "existing", "still", "n/a", "optional", "if", "via", "without"];

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let Some(done) = ground.done().filter(|_| !ground.lld.files.is_empty()) else { return };
    let listed = Listed::new(&ground.lld.files);
    let mut told: HashSet<&str> = HashSet::new();
    for (number, line) in ground.under(done) {
        let lower = line.to_lowercase();
        let traced = lower.contains("section 2.1") || lower.contains("2.1)");
        let asks = ASKING.iter().any(|word| words::has_phrase(&lower, word));
        if !(traced || asks) || LEAVING.iter().any(|word| words::has_phrase(&lower, word)) {
            continue;
        }
        // Reports are written about the work when it is done.
        let is_report = |path: &str| path.split('/').any(|folder| matches!(folder, "report" | "reports"));
        for path in mention::paths(line).into_iter().filter(|path| !is_report(path)) {
            if !listed.has(path) && told.insert(path) {
                let message = format!("the definition of done names '{path}', which is not in the file list");
                let finding = Finding::warning(RULE.id, message).line(number);
                findings.push(finding.hint("give the file a row in section 2.1, or take it out here"));
            }
        }
    }
}

/// The file list, to be asked whether it has a path.
struct Listed<'a> {
    /// Every listed path, and every end of it.
    ends: HashSet<&'a str>,
    whole: HashSet<&'a str>,
    directories: HashSet<&'a str>,
}

impl<'a> Listed<'a> {
    fn new(files: &'a [FileSpec]) -> Self {
        let whole: HashSet<&str> =
            files.iter().flat_map(|row| row.from.iter().chain([&row.path])).map(RepoPath::as_str).collect();
        let ends = whole.iter().flat_map(|path| ends(path)).collect();
        let directories = files.iter().filter(|row| row.directory).map(|row| row.path.as_str()).collect();
        Listed { ends, whole, directories }
    }

    /// Is it a file of the list, also with less or more before it, or in a directory of the list?
    fn has(&self, path: &str) -> bool {
        let mut above = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
        self.ends.contains(path)
            || ends(path).any(|end| self.whole.contains(end))
            || above.any(|directory| self.directories.contains(directory))
    }
}

/// The path itself, and what is left of it without its first directories.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    let shorter = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
    std::iter::once(path).chain(shorter)
}
