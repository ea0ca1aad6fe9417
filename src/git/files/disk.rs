//! What is at the paths of a working tree, or of any directory, and what is in the way of a new file there.
//!
//! Knows neither git nor formats: paths and bytes.

use crate::git::GitError;
use crate::git::input::{MOST_BYTES, size};
use crate::path::RepoPath;
use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::path::Path;

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Seen {
    Nothing,
    Directory,
    File {
        bytes: Vec<u8>,
        executable: bool,
    },
    /// Words for why it is no file to work on: `it is a symbolic link`.
    Unfit(String),
}

/// Looks at `path` under `root`, without following links.
pub(super) fn look(root: &Path, path: &RepoPath) -> Result<Seen, GitError> {
    for directory in path.directories() {
        let place = root.join(directory);
        match metadata(&place)? {
            Some(found) if found.is_symlink() => {
                return Ok(Seen::Unfit(format!("it is beyond the symbolic link '{directory}'")));
            }
            Some(found) if found.is_dir() => {}
            _ => return Ok(Seen::Nothing),
        }
        if metadata(&place.join(".git"))?.is_some() {
            return Ok(Seen::Unfit(format!("it is in another repository, '{directory}'")));
        }
    }
    let place = root.join(path.as_str());
    Ok(match metadata(&place)? {
        None => Seen::Nothing,
        Some(found) if found.is_symlink() => Seen::Unfit("it is a symbolic link".to_owned()),
        Some(found) if found.is_dir() => Seen::Directory,
        Some(found) if found.is_file() && found.len() > MOST_BYTES => {
            Seen::Unfit(format!("it is larger than {}", size(MOST_BYTES)))
        }
        Some(found) if found.is_file() => {
            let bytes = fs::read(&place).map_err(|error| GitError::io("read", &place, &error))?;
            Seen::File { bytes, executable: is_executable(&found) }
        }
        Some(_) => Seen::Unfit("it is not a regular file".to_owned()),
    })
}

/// `None`: nothing is there.
fn metadata(place: &Path) -> Result<Option<Metadata>, GitError> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    match place.symlink_metadata() {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(None),
        Err(error) => Err(GitError::io("look at", place, &error)),
    }
}

/// Why `path` cannot be made under `root`, even when the files of `gone` are: a file is where a directory must be, or
/// a directory with other files where the file must be.
pub(super) fn in_the_way(root: &Path, path: &RepoPath, gone: &BTreeSet<&str>) -> Result<Option<String>, GitError> {
    for directory in path.directories() {
        if !gone.contains(directory) && metadata(&root.join(directory))?.is_some_and(|found| !found.is_dir()) {
            return Ok(Some(format!("'{directory}' is not a directory")));
        }
    }
    let place = root.join(path.as_str());
    let stays = metadata(&place)?.is_some_and(|found| found.is_dir()) && holds_more(&place, path.as_str(), gone)?;
    Ok(stays.then(|| "it is a directory".to_owned()))
}

fn holds_more(directory: &Path, path: &str, gone: &BTreeSet<&str>) -> Result<bool, GitError> {
    let failed = |error: std::io::Error| GitError::io("look at", directory, &error);
    for entry in fs::read_dir(directory).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let inside = format!("{path}/{}", entry.file_name().to_string_lossy());
        let more = match entry.file_type().map_err(failed)?.is_dir() {
            true => holds_more(&entry.path(), &inside, gone)?,
            false => !gone.contains(inside.as_str()),
        };
        if more {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(super) fn is_executable(found: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & 0o100 != 0
}
