//! Rows that cannot both be carried out: one path twice, a file that is also a directory, a file that is taken away
//! and needed.

use super::about;
use crate::finding::Finding;
use crate::lld::Change;
use crate::plan::decide::{Case, Ground};

pub(super) fn judge(case: &Case, ground: &Ground, findings: &mut Vec<Finding>) {
    let path = case.path();
    let mut clash =
        |message: String, hint: &str| findings.push(about(case, Finding::error("conflict", message).hint(hint)));

    if let Some(other) = ground.twin(case) {
        let (first, second) = (other.spec.line, case.spec.line);
        return clash(format!("'{path}' is planned twice: lines {first} and {second}"), "make it one row");
    }
    if case.stays() {
        if let Some(other) = case.spec.path.directories().find(|directory| ground.staying.contains(directory)) {
            return clash(
                format!("'{other}' is planned as a file and as the directory of '{path}'"),
                "rename one of them",
            );
        }
        // A listed directory may be informational; that it is one is still the design's word.
        if ground.has_directory(path) {
            return clash(format!("'{path}' is listed as a file and as a directory"), "make it one of them");
        }
    }
    let needs = match case.change {
        Change::Modify | Change::Delete => Some(path),
        Change::Rename => case.spec.from.as_ref().map(|from| from.as_str()),
        Change::Add | Change::AddOrModify | Change::None => None,
    };
    if let Some(other) = needs.and_then(|needs| ground.vacates(needs, case)) {
        let (needs, line) = (needs.unwrap_or(path), other.spec.line);
        let taken = if other.change == Change::Delete { "deleted" } else { "renamed" };
        clash(format!("'{needs}' is {taken} by line {line} and needed by another row"), "keep one of the two rows");
    }
}
