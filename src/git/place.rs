//! Our places below the common git directory: `<common dir>/implement/…`.
//!
//! Everything there is written, swept and removed without a question, so nothing on the way may lead elsewhere. Whoever
//! packs a repository into an archive can put a link there that leads to somebody's own folders.

use super::{GitError, Repository};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The name of our folder in the common git directory.
const OURS: &str = "implement";

impl Repository {
    /// The folder `<common dir>/implement/<below>`, which need not exist; `below` may be empty. Ask here before anything
    /// in it is written or removed.
    ///
    /// # Errors
    /// If `implement`, or a part of `below`, is a link.
    pub(super) fn place(&self, below: impl AsRef<Path>) -> Result<PathBuf, GitError> {
        let mut place = self.common_dir().to_owned();
        for part in Path::new(OURS).join(below).components() {
            place.push(part);
            match fs::symlink_metadata(&place) {
                Ok(data) if data.is_symlink() => {
                    let message = "it is a symbolic link, and what lies there may be somebody else's".to_owned();
                    return Err(GitError::Io { doing: "use".to_owned(), path: place, message });
                }
                // A file in the way is found by whoever wants to make a folder there.
                Ok(_) => {}
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
                Err(error) => return Err(GitError::io("look at", &place, &error)),
            }
        }
        Ok(place)
    }
}
