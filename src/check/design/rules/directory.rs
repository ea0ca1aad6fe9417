//! A directory's row stands before the rows of the files in it: the list is carried out, and read, from the top.

use crate::check::design::{Rule, ground::Ground};
use crate::finding::Finding;
use crate::lld::Change;

pub(super) const RULE: Rule = Rule { id: "design-directory", run };

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let files = &ground.lld.files;
    for row in files.iter().filter(|row| row.directory && row.change == Change::Add) {
        let inside = |path: &str| path.strip_prefix(row.path.as_str()).is_some_and(|rest| rest.starts_with('/'));
        let early = files.iter().find(|file| !file.directory && file.line < row.line && inside(file.path.as_str()));
        if let Some(file) = early {
            let message = format!("'{}/' is added after '{}', which lies in it", row.path, file.path);
            let finding = Finding::warning(RULE.id, message).line(row.line);
            findings
                .push(finding.hint("move the directory's row up, or leave it out: git makes directories by itself"));
        }
    }
}
