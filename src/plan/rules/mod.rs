//! The rules by which a row is judged against the tree. One small file each, and one line here.

use super::decide::{Case, Ground};
use crate::finding::Finding;

mod allowed;
mod collision;
mod conflict;
mod content;
mod dirty;
mod embedded;
mod existence;
mod ignored;
mod lock;
mod parents;
mod place;
mod placeholder;
mod protected;
mod sibling;

pub(super) use sibling::COMMON;

/// One rule. It adds what it finds to the list.
type Rule = fn(&Case, &Ground, &mut Vec<Finding>);

/// In order: a row is judged until a rule refuses it, so that one mistake is told once.
const RULES: &[Rule] = &[
    conflict::judge,
    parents::judge,
    embedded::judge,
    place::judge,
    existence::judge,
    collision::judge,
    protected::judge,
    lock::judge,
    ignored::judge,
    content::judge,
    sibling::judge,
    placeholder::judge,
    dirty::judge,
    allowed::judge,
];

pub(super) fn judge(ground: &Ground, findings: &mut Vec<Finding>) {
    for case in ground.cases {
        let before = findings.len();
        for rule in RULES {
            rule(case, ground, findings);
            if findings.iter().skip(before).any(Finding::is_error) {
                break;
            }
        }
    }
}

/// A finding about a row: with its path, and its line in the design.
fn about(case: &Case, finding: Finding) -> Finding {
    finding.path(case.path()).line(case.spec.line)
}

/// What the row wants to do, for messages: `cannot <this> 'src/a.py'`.
fn verb(case: &Case) -> &'static str {
    use crate::lld::Change::*;
    match case.change {
        Add => "add",
        Delete => "delete",
        Rename => "rename to",
        Modify | AddOrModify | None => "modify",
    }
}

#[cfg(test)]
mod tests {
    use super::RULES;

    #[test]
    fn every_file_of_the_folder_is_a_rule_in_the_list() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/plan/rules");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder of rules")
            .map(|entry| entry.expect("an entry").path().file_stem().expect("a name").to_string_lossy().into_owned())
            .filter(|name| name != "mod")
            .collect();
        files.sort();
        let listed = include_str!("mod.rs").lines().filter_map(|line| line.trim().strip_suffix("::judge,"));
        let mut listed: Vec<&str> = listed.collect();
        listed.sort();
        assert_eq!(listed, files);
        assert_eq!(RULES.len(), files.len());
    }
}
