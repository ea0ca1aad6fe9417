//! Which rows are made: those that the task list has open, that the command line names, and not too many.

use super::{Options, decide};
use crate::finding::Finding;
use crate::lld::{Change, FileSpec, Lld};
use std::collections::BTreeSet;

/// For each row whether it is made; a path of the command line that names none is an error.
pub(super) fn select(files: &[FileSpec], options: &Options, findings: &mut Vec<Finding>) -> Vec<bool> {
    let named = |spec: &FileSpec, path: &str| {
        spec.path.starts_with(path) || spec.from.as_ref().is_some_and(|from| from.as_str() == path)
    };
    let only: Vec<Option<&str>> = options.only.iter().map(|path| plain(path)).collect();
    for (path, written) in only.iter().zip(&options.only) {
        let meant = |spec: &&FileSpec| decide::asks(spec) && path.is_some_and(|path| named(spec, path));
        let mut rows = files.iter().filter(meant).peekable();
        if rows.peek().is_none() {
            findings.push(
                Finding::error("pathspec", format!("pathspec '{written}' did not match any planned file"))
                    .path(written.as_str())
                    .hint(
                        "paths after '--' are relative to the root of the repository; 'plan' lists the planned files",
                    ),
            );
        } else if !rows.any(|spec| spec.selected) {
            findings.push(
                Finding::warning("pathspec", format!("'{written}' is planned, but its tasks are done or not chosen"))
                    .path(written.as_str()),
            );
        }
    }
    let chosen = |spec: &FileSpec| only.is_empty() || only.iter().flatten().any(|path| named(spec, path));
    files.iter().map(|spec| spec.selected && decide::asks(spec) && chosen(spec)).collect()
}

/// A path of the command line without the `./` and `/` that shells and people add; `""` is the root. Nothing is not a
/// path, and neither is one from the root of the file system.
fn plain(path: &str) -> Option<&str> {
    if path.is_empty() || path.starts_with('/') {
        return None;
    }
    let path = path.trim_end_matches('/');
    let path = path.strip_prefix("./").unwrap_or(path);
    Some(if path == "." { "" } else { path })
}

/// More files than one run may write is an error, never a cut. `parts`: what to give for less of a task list.
pub(super) fn cap(selected: usize, max_files: usize, parts: impl FnOnce() -> Vec<String>, findings: &mut Vec<Finding>) {
    if selected > max_files {
        let message = format!("the design lists {selected} files, more than {max_files}");
        let parts = parts();
        let hint = match parts.is_empty() {
            true => {
                "split the design, name some of the files after '--', or raise the limit with --max-files".to_owned()
            }
            false => format!("make it in parts: {}; or raise the limit with --max-files", parts.join(", ")),
        };
        findings.push(Finding::error("too-many-files", message).hint(hint));
    }
}

/// Directories come and go with their files, so that their rows are informational; one that asks for the end of a
/// directory none of whose files go would be dropped without a word.
pub(super) fn directories(files: &[FileSpec], selected: &[bool], findings: &mut Vec<Finding>) {
    let goes =
        files.iter().zip(selected).filter(|(_, selected)| **selected).filter_map(|(spec, _)| match spec.change {
            Change::Delete => Some(spec.path.as_str()),
            Change::Rename => spec.from.as_ref().map(|from| from.as_str()),
            _ => None,
        });
    let going: BTreeSet<&str> = goes.collect();
    let goes_below = |directory: &str| {
        let below = format!("{directory}/");
        going.contains(directory) || going.range(below.as_str()..).next().is_some_and(|next| next.starts_with(&below))
    };
    for row in files.iter().filter(|row| row.directory && row.selected) {
        let verb = match row.change {
            Change::Delete => "delete",
            Change::Rename => "rename",
            Change::Add | Change::Modify | Change::AddOrModify | Change::None => continue,
        };
        let directory = row.from.as_ref().filter(|_| row.change == Change::Rename).unwrap_or(&row.path);
        if !goes_below(directory.as_str()) {
            findings.push(
                Finding::error("directory", format!("cannot {verb} '{directory}': it is a directory"))
                    .path(directory.as_str())
                    .line(row.line)
                    .hint("list its files, one row each"),
            );
        }
    }
}

/// A design without a file list is nothing to implement. The dialect says so better where it can.
pub(super) fn listed(lld: &Lld, findings: &mut Vec<Finding>) {
    if lld.files.is_empty() && lld.dialect.is_none() && !lld.findings.iter().any(Finding::is_error) {
        findings.push(
            Finding::error("no-file-list", "the design has no list of files").hint(
                "list them in a table under '### 2.1 Files Changed', with columns File, Change Type, Description",
            ),
        );
    }
}
