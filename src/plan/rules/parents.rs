//! The directories on the way to a file: they must be directories, in the tree, or be free to become some.

use super::{about, verb};
use crate::finding::Finding;
use crate::plan::EntryKind;
use crate::plan::decide::{Case, Ground};

pub(super) fn judge(case: &Case, ground: &Ground, findings: &mut Vec<Finding>) {
    let sources = case.spec.from.as_ref().filter(|_| case.change == crate::lld::Change::Rename);
    for path in sources.into_iter().chain([&case.spec.path]) {
        if let Some((parent, kind)) = ground.snapshot.blocked(path) {
            let what = match kind {
                EntryKind::Symlink => "is a symbolic link",
                EntryKind::Submodule => "is a submodule",
                EntryKind::File | EntryKind::Executable | EntryKind::Directory => "is a file",
            };
            let message = format!("cannot {} '{}': '{parent}' {what}", verb(case), case.path());
            let hint = match kind {
                EntryKind::Symlink => "name the file by the path that the link leads to",
                EntryKind::Submodule => "implement the design in the submodule's own repository",
                EntryKind::File | EntryKind::Executable | EntryKind::Directory => {
                    "a file cannot hold others: choose another directory"
                }
            };
            return findings.push(about(case, Finding::error("parent", message).hint(hint)));
        }
    }
    // git makes directories by itself; it is told once, because a slip in a directory's name looks just like it.
    let Some(missing) = ground.snapshot.first_missing(&case.spec.path).filter(|_| case.appears()) else { return };
    if !ground.appears_below(missing, case) && !ground.lists_directory(missing) {
        findings.push(about(case, Finding::note("new-directory", format!("directory '{missing}' is new"))));
    }
}
