//! One file of a checkout, written or removed as git does it: never through a link, and never into a file that is there, which
//! somebody may have open.

use crate::path::RepoPath;
use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Writes the file below `root`, with the folders that it needs. `None` if something else is in its way, or in that of its
/// folders.
pub(super) fn write(root: &Path, path: &RepoPath, bytes: &[u8], executable: bool) -> io::Result<Option<Metadata>> {
    if !make_folders(root, path)? {
        return Ok(None);
    }
    let place = root.join(path.as_str());
    match fs::symlink_metadata(&place) {
        Ok(data) if data.is_dir() => return Ok(None),
        Ok(_) => fs::remove_file(&place)?,
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mode = if executable { 0o777 } else { 0o666 };
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(&place)?;
    file.write_all(bytes)?;
    file.metadata().map(Some)
}

/// Removes it, if it is there, and the folders that are empty then. False if it is something else than a file or a link, or
/// one of its folders is.
pub(super) fn remove(root: &Path, path: &RepoPath) -> io::Result<bool> {
    let (place, folders) = (root.join(path.as_str()), folders(root, path));
    for place in folders.iter().chain([&place]) {
        match fs::symlink_metadata(place) {
            Ok(data) if data.is_dir() != folders.contains(place) => return Ok(false),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
            Err(error) => return Err(error),
        }
    }
    fs::remove_file(&place)?;
    // As long as nothing else is in them.
    let _ = folders.iter().rev().try_for_each(fs::remove_dir);
    Ok(true)
}

/// The file's data, if it is a regular one and its folders are folders.
pub(super) fn data(root: &Path, path: &RepoPath) -> Option<Metadata> {
    let is_folder = |folder: &PathBuf| fs::symlink_metadata(folder).is_ok_and(|data| data.is_dir());
    let found = folders(root, path).iter().all(is_folder);
    fs::symlink_metadata(root.join(path.as_str())).ok().filter(|data| found && data.is_file())
}

/// False if one of them is something else.
fn make_folders(root: &Path, path: &RepoPath) -> io::Result<bool> {
    for folder in folders(root, path) {
        match fs::symlink_metadata(&folder) {
            Ok(data) if data.is_dir() => {}
            Ok(_) => return Ok(false),
            Err(error) if error.kind() == ErrorKind::NotFound => fs::create_dir(&folder)?,
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

/// The folders between the root and the file, the outermost first.
fn folders(root: &Path, path: &RepoPath) -> Vec<PathBuf> {
    let ends = path.as_str().match_indices('/').filter_map(|(end, _)| path.as_str().get(..end));
    ends.map(|folder| root.join(folder)).collect()
}
