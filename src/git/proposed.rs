//! What is kept of proposals for a task list, beside the repository: under the hash of the list what the person has agreed
//! to, and the replies that they were shown.
//!
//! ```text
//! <common dir>/implement/proposed/<hash>.json     agreed to
//! <common dir>/implement/proposed/shown/<hash>/    replies, as provider `replay` reads them
//! ```
//! Knows nothing of what is in the files.

use super::sweep::DRAFT;
use super::{GitError, Oid, Repository};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// For how many lists replies are kept that were shown and not agreed to.
const SHOWN_KEPT: usize = 20;

impl Repository {
    /// What was agreed to for the list with this text, if anything was.
    pub fn proposed(&self, list: &str) -> Result<Option<Vec<u8>>, GitError> {
        let file = self.proposed_file(list)?;
        match fs::read(&file) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(GitError::io("read", &file, &error)),
        }
    }

    /// Keeps what is agreed to, in the place of what was before: whole, or not at all.
    pub fn keep_proposed(&self, list: &str, bytes: &[u8]) -> Result<(), GitError> {
        let file = self.proposed_file(list)?;
        let parent = file.parent().unwrap_or(&file);
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(parent)?;
            let mut draft = tempfile::Builder::new().prefix(DRAFT).tempfile_in(parent)?;
            draft.write_all(bytes)?;
            draft.persist(&file)?;
            Ok(())
        };
        write().map_err(|error| GitError::io("write", &file, &error))
    }

    /// Where the replies lie that the person is shown and has not agreed to yet.
    pub fn shown_dir(&self, list: &str) -> Result<PathBuf, GitError> {
        let file = self.proposed_file(list)?;
        self.place(Path::new("proposed/shown").join(file.file_stem().unwrap_or_default()))
    }

    /// The replies that were shown, by their names.
    pub fn shown(&self, list: &str) -> Result<Vec<(String, Vec<u8>)>, GitError> {
        let folder = self.shown_dir(list)?;
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let file = |path: PathBuf| Some((path.file_name()?.to_str()?.to_owned(), fs::read(&path).ok()?));
        let mut files: Vec<_> = entries.filter_map(|entry| file(entry.path())).collect();
        files.sort();
        Ok(files)
    }

    /// Forgets the replies that were shown for this list, and for others but the newest. What cannot be removed is asked
    /// for anew all the same.
    pub fn forget_shown(&self, list: &str) {
        let Ok(folder) = self.shown_dir(list) else { return };
        let _ = fs::remove_dir_all(&folder);
        if let Some(parent) = folder.parent() {
            prune(parent);
            // Only if there is nothing else in it, and nobody has agreed to anything.
            let _ = fs::remove_dir(parent).and_then(|()| parent.parent().map_or(Ok(()), fs::remove_dir));
        }
    }

    fn proposed_file(&self, list: &str) -> Result<PathBuf, GitError> {
        let id =
            Oid::hash_object(git2::ObjectType::Blob, list.as_bytes()).map_err(GitError::libgit2("hash the list"))?;
        Ok(self.place("proposed")?.join(format!("{id}.json")))
    }
}

/// Removes all but the newest [`SHOWN_KEPT`].
fn prune(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let mut others: Vec<_> = entries
        .map(|entry| (entry.metadata().and_then(|data| data.modified()).ok(), entry.file_name(), entry.path()))
        .collect();
    others.sort();
    let surplus = (others.len() + 1).saturating_sub(SHOWN_KEPT);
    for (_, _, path) in others.into_iter().take(surplus) {
        let _ = fs::remove_dir_all(path);
    }
}
