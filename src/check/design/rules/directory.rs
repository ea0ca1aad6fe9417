//! A directory's row stands before the rows of the files in it: the list is carried out, and read, from the top.

use crate::check::design::{Rule, ground::Ground};
use crate::finding::Finding;
use crate::lld::{Change, FileSpec};
use std::collections::HashMap;

pub(super) const RULE: Rule = Rule { id: "design-directory", run };

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    // The first file in each directory, by its line.
    let mut first: HashMap<&str, &FileSpec> = HashMap::new();
    for file in ground.lld.files.iter().filter(|file| !file.directory) {
        for directory in file.path.directories() {
            let known = first.entry(directory).or_insert(file);
            *known = if file.line < known.line { file } else { known };
        }
    }
    for row in ground.lld.files.iter().filter(|row| row.directory && row.change == Change::Add) {
        let early = first.get(row.path.as_str()).filter(|file| file.line < row.line);
        if let Some(file) = early {
            let message = format!("'{}/' is added after '{}', which lies in it", row.path, file.path);
            let finding = Finding::warning(RULE.id, message).line(row.line);
            findings
                .push(finding.hint("move the directory's row up, or leave it out: git makes directories by itself"));
        }
    }
}
