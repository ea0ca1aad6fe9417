//! What is asked of the operating system about files: modes, and whether two names are one file or on one device.

use crate::git::files::disk::is_executable;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// As git makes new files: the umask takes off what nobody else may do.
pub(super) fn fresh(place: &Path, executable: bool) -> io::Result<File> {
    let mode = if executable { 0o777 } else { 0o666 };
    OpenOptions::new().write(true).create_new(true).mode(mode).open(place)
}

/// The permissions of the file that was there. Who may read it may run it, if it is made executable.
pub(super) fn kept(found: &Metadata, executable: bool) -> Permissions {
    let mode = found.permissions().mode() & 0o7777;
    Permissions::from_mode(match (executable, is_executable(found)) {
        (true, false) => mode | (mode & 0o444) >> 2,
        (false, true) => mode & !0o111,
        _ => mode,
    })
}

/// Are these two names of one file?
pub(super) fn same_file(a: &Path, b: &Path) -> bool {
    let id = |place: &Path| place.symlink_metadata().ok().map(|found| (found.dev(), found.ino()));
    id(a).is_some_and(|a| id(b) == Some(a))
}

/// Can a file be renamed from one directory into the other?
pub(super) fn same_device(a: &Path, b: &Path) -> bool {
    let device = |place: &Path| place.metadata().ok().map(|found| found.dev());
    device(a) == device(b)
}
