//! A scratch worktree outside of the git directory.
//!
//! Tools look away from everything below a `.git`: pyright hears of no new file there, and test runners leave it out. So a
//! worktree that is to be looked at lies in a temporary folder, which no one else can read. Where it is stands in the run's
//! directory before it is made, so that the next run clears it away if this one is killed.

use super::{GitError, Repository, Scratch};
use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// The file of the run's directory that says where it is.
pub(super) const RECORD: &str = "outside";
/// How the names of such folders begin; the run's name follows.
const PREFIX: &str = "git-implement-";
/// Kept on disk, unlike `/tmp` on many machines: it holds a whole checkout.
const ON_DISK: &str = "/var/tmp";

impl Scratch<'_> {
    /// Moves the worktree, in which nothing is checked out yet, out of the git directory. Where that is not possible it stays
    /// where it is.
    pub fn go_outside(&mut self) -> Result<(), GitError> {
        let named = self.repository.environment().get("TMPDIR").map(PathBuf::from).filter(|path| path.is_absolute());
        for place in named.into_iter().chain([PathBuf::from(ON_DISK), std::env::temp_dir()]) {
            let Ok(place) = place.canonicalize() else { continue };
            let folder = place.join(format!("{PREFIX}{}", self.run()));
            let record = self.directory().join(RECORD);
            let text = folder.as_os_str().as_encoded_bytes();
            fs::write(&record, text).map_err(|error| GitError::io("write", &record, &error))?;
            // Nobody else's: one that is there already is not taken.
            if DirBuilder::new().mode(0o700).create(&folder).is_ok() {
                return self.take(&folder);
            }
            fs::remove_file(&record).map_err(|error| GitError::io("remove", &record, &error))?;
        }
        Ok(())
    }

    /// Sees to it that the worktree's `.git` leads to its repository, whatever has been put in its place.
    pub(super) fn put_link(&self) -> Result<(), GitError> {
        let link = self.worktree().join(".git");
        let wanted = [b"gitdir: ", self.admin_dir().as_os_str().as_encoded_bytes(), b"\n"].concat();
        let is_file = fs::symlink_metadata(&link).is_ok_and(|data| data.is_file() && data.len() == wanted.len() as u64);
        if is_file && fs::read(&link).is_ok_and(|text| text == wanted) {
            return Ok(());
        }
        let gone = match fs::symlink_metadata(&link) {
            Ok(data) if data.is_dir() => fs::remove_dir_all(&link),
            Ok(_) => fs::remove_file(&link),
            Err(_) => Ok(()),
        };
        gone.and_then(|()| fs::write(&link, &wanted)).map_err(|error| GitError::io("write", &link, &error))
    }

    fn take(&mut self, folder: &Path) -> Result<(), GitError> {
        let entry = self.admin_dir().to_owned();
        let link = folder.join(".git");
        let write = |path: &Path, before: &[u8], name: &Path| {
            let text = [before, name.as_os_str().as_encoded_bytes(), b"\n"].concat();
            fs::write(path, text).map_err(|error| GitError::io("write", path, &error))
        };
        write(&link, b"gitdir: ", &entry)?;
        let (aside, place) = (entry.join("gitdir.new"), entry.join("gitdir"));
        write(&aside, b"", &link)?;
        fs::rename(&aside, &place).map_err(|error| GitError::io("write", &place, &error))?;
        let former = self.worktree();
        self.moved_to(folder);
        // Git looks at the link of the one that counts.
        let _ = fs::remove_dir_all(&former);
        Ok(())
    }
}

/// The folder of a run's worktree outside, if it has one, and if that is ours: it says so itself, or is empty.
pub(super) fn of(repository: &Repository, directory: &Path) -> Option<PathBuf> {
    let record = directory.join(RECORD);
    // A pipe that somebody has put there is never opened.
    fs::symlink_metadata(&record).ok().filter(|data| data.is_file() && data.len() < 4_096)?;
    let folder = PathBuf::from(OsString::from_vec(fs::read(&record).ok()?));
    let run = directory.file_name()?.to_str()?;
    let named = folder.is_absolute() && folder.file_name()?.to_str()? == format!("{PREFIX}{run}");
    let real = fs::symlink_metadata(&folder).is_ok_and(|data| data.is_dir());
    let entry = repository.common_dir().join("worktrees").join(format!("implement-{run}"));
    let link = folder.join(".git");
    let says = |text: &[u8]| text == [b"gitdir: ", entry.as_os_str().as_encoded_bytes(), b"\n"].concat();
    let files = || fs::read_dir(&folder).map_or(usize::MAX, Iterator::count);
    // What runs in the worktree may change the link, and never what git knows of it.
    let known = fs::read(entry.join("gitdir")).unwrap_or_default();
    let is_known = known.trim_ascii_end() == link.as_os_str().as_encoded_bytes();
    let is_link = fs::symlink_metadata(&link).is_ok_and(|data| data.is_file() && data.len() < 4_096);
    let link = if is_link { fs::read(&link) } else { Err(std::io::ErrorKind::NotFound.into()) };
    let ours = match link {
        _ if is_known => true,
        // Cut short while the link was written, there is nothing else yet.
        Ok(text) => says(&text) || text.is_empty() && files() == 1,
        Err(_) => files() == 0,
    };
    (named && real && ours).then_some(folder)
}

/// Removes the folder; last the link that says whose it is. Says whether nothing of it is left.
pub(super) fn remove(folder: &Path) -> bool {
    let mut gone = true;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| entry.file_name() != ".git") {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let removed = if is_folder { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
        gone &= removed.is_ok();
    }
    // Something else may stand in its place.
    let link = folder.join(".git");
    let _ = fs::remove_file(&link).or_else(|_| fs::remove_dir_all(&link));
    let _ = fs::remove_dir(folder);
    gone && !folder.exists()
}
