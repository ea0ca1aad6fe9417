//! What is at the path itself must be a regular file, or nothing.

use super::{about, verb};
use crate::finding::Finding;
use crate::plan::EntryKind;
use crate::plan::decide::{Case, Ground};

pub(super) fn judge(case: &Case, ground: &Ground, findings: &mut Vec<Finding>) {
    let from = case.spec.from.as_ref().filter(|_| case.change == crate::lld::Change::Rename);
    let source = from.and_then(|from| Some((from.as_str(), ground.snapshot.kind(from.as_str())?)));
    for (path, kind) in source.into_iter().chain(case.kind.map(|kind| (case.path(), kind))) {
        let (id, what, hint) = match kind {
            EntryKind::File | EntryKind::Executable => continue,
            EntryKind::Directory => ("directory", "a directory", "list the files in it, or end the path with '/'"),
            EntryKind::Symlink => ("symlink", "a symbolic link", "name the file that the link leads to"),
            EntryKind::Submodule => {
                ("submodule", "a submodule", "implement the design in the submodule's own repository")
            }
        };
        let message = match path == case.path() {
            true => format!("cannot {} '{path}': it is {what}", verb(case)),
            false => format!("cannot rename '{path}' to '{}': it is {what}", case.path()),
        };
        return findings.push(about(case, Finding::error(id, message).hint(hint)));
    }
}
