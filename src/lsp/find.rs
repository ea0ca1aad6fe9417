//! Where a program is: on the PATH, but never in the folders that are worked on.

use crate::environment::Environment;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// The folders of the PATH in which a program may lie: absolute ones that are not below one of `outside`, whatever links
/// lead there. Whoever can write into a repository could put a program there.
pub(super) fn folders(environment: &Environment, outside: &[PathBuf]) -> Vec<PathBuf> {
    let path = environment.get("PATH").unwrap_or_default();
    let is_ours = |folder: &PathBuf| {
        let real = folder.canonicalize();
        folder.is_absolute() && real.is_ok_and(|real| !outside.iter().any(|outside| real.starts_with(outside)))
    };
    std::env::split_paths(path).filter(is_ours).collect()
}

/// The first program of this name that can be run, if it is not a link into one of `outside`.
pub(super) fn program(folders: &[PathBuf], name: &str, outside: &[PathBuf]) -> Option<PathBuf> {
    let can_run = |file: &PathBuf| {
        let found = file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0);
        found && file.canonicalize().is_ok_and(|real| !outside.iter().any(|outside| real.starts_with(outside)))
    };
    folders.iter().map(|folder| folder.join(name)).find(can_run)
}

/// The PATH of a server: what it starts is looked for where it was.
pub(super) fn joined(folders: &[PathBuf]) -> OsString {
    std::env::join_paths(folders).unwrap_or_default()
}
