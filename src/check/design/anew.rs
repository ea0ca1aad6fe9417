//! Which findings a commit answers for. A design stays in the repository when its files are made: what was true of it
//! before, or is true only because it was implemented, is no fault of whoever touches it today.

use super::words::has_phrase;
use crate::finding::Finding;
use crate::lld::Lld;
use std::collections::{BTreeMap, BTreeSet};

/// Ids of the plan's findings that depend on what the tree has, and so change when a design is implemented.
pub fn existence_ids() -> &'static [&'static str] {
    &[
        "case-collision",
        "directory",
        "ignored",
        "missing",
        "new-directory",
        "overwrite",
        "parent",
        "placeholder",
        "rename-target",
        "same-stem",
        "uncommitted",
    ]
}

/// Of the findings of a design (its own, the plan's, the rules') those that its commit answers for.
///
/// `before` are the findings of the version that the design had, judged against the same tree: what was there is not
/// new. `paths` are the other files of the commit: that a planned file exists, or is gone, by the same commit is as it
/// should be. A design that says that it was implemented or given up is not held against the tree.
///
/// All of them come back with the design's own path, for their lines are lines of the design.
pub fn new_findings(
    path: &str,
    lld: &Lld,
    found: Vec<Finding>,
    before: &[Finding],
    paths: &BTreeSet<&str>,
) -> Vec<Finding> {
    let key = |finding: &Finding| (finding.id.to_string(), finding.message.clone());
    let mut had: BTreeMap<(String, String), usize> = BTreeMap::new();
    for finding in before {
        *had.entry(key(finding)).or_default() += 1;
    }
    let over = is_over(path, lld);
    let mut is_new = |finding: &Finding| {
        // Lines move with every edit; the words name what is meant.
        if let Some(count) = had.get_mut(&key(finding)).filter(|count| **count > 0) {
            *count -= 1;
            return false;
        }
        let depends = existence_ids().contains(&finding.id.as_ref());
        let here = || finding.path.as_deref().is_some_and(|path| paths.contains(path));
        !(depends && (over || here()))
    };
    let new = found.into_iter().filter(|finding| is_new(finding));
    new.map(|finding| finding.path(path)).collect()
}

/// Does the design say, by its status or the directory that it lies in, that nobody will implement it any more?
fn is_over(path: &str, lld: &Lld) -> bool {
    const OVER: &[&str] = &[
        "abandoned",
        "archived",
        "cancelled",
        "canceled",
        "closed",
        "complete",
        "completed",
        "deprecated",
        "done",
        "implemented",
        "merged",
        "obsolete",
        "rejected",
        "released",
        "shipped",
        "superseded",
        "withdrawn",
    ];
    let status = lld.status.as_deref().unwrap_or_default().to_lowercase();
    // "Draft | In Progress | Complete" says nothing, "not implemented" the contrary.
    let said = !status.contains(['|', '{']) && !has_phrase(&status, "not") && !has_phrase(&status, "to be");
    let folders = path.split('/').rev().skip(1).map(str::to_lowercase);
    (said && OVER.iter().any(|word| has_phrase(&status, word)))
        || folders
            .into_iter()
            .any(|folder| matches!(folder.as_str(), "archive" | "archived") || OVER.contains(&folder.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(path: &str, status: &str, before: &[Finding], paths: &[&str]) -> Vec<String> {
        let lld = Lld { status: Some(status.into()), ..Lld::default() };
        let found = vec![
            Finding::error("overwrite", "cannot add 'a.py': it exists").path("a.py").line(9),
            Finding::error("lld-path-glob", "'*.py' is a pattern").path(path).line(10),
        ];
        let left = new_findings(path, &lld, found, before, &paths.iter().copied().collect());
        assert!(left.iter().all(|finding| finding.path.as_deref() == Some(path)));
        left.into_iter().map(|finding| finding.id.into_owned()).collect()
    }

    #[test]
    fn a_design_is_held_against_the_tree_until_it_is_implemented() {
        let both = ["overwrite", "lld-path-glob"];
        assert_eq!(left("docs/lld/1.md", "Draft", &[], &["b.py"]), both);
        assert_eq!(left("docs/lld/1.md", "Draft", &[], &["a.py"]), both[1..], "the file comes with it");
        assert_eq!(left("docs/lld/1.md", "Implemented (2026)", &[], &[]), both[1..]);
        assert_eq!(left("docs/lld/done/1.md", "Approved", &[], &[]), both[1..]);
        for status in ["Draft | Done", "not implemented", "Approved", "undone"] {
            assert_eq!(left("docs/lld/1.md", status, &[], &[]), both, "{status}");
        }
    }

    #[test]
    fn what_its_last_version_was_found_to_be_is_not_found_again_in_another_line() {
        let before = [Finding::error("overwrite", "cannot add 'a.py': it exists").path("a.py").line(3)];
        assert_eq!(left("docs/lld/1.md", "Draft", &before, &[]), ["lld-path-glob"]);
        let other = [Finding::error("overwrite", "cannot add 'b.py': it exists")];
        assert_eq!(left("docs/lld/1.md", "Draft", &other, &[]).len(), 2);
    }
}
