//! Folders of ours among everybody's temporary files. Each is known by a file in it that its process holds locked as long as
//! it lives, so that what a killed one has left is found without believing in names or numbers of processes.

use rustix::process::geteuid;
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How their names begin.
const PREFIX: &str = "git-implement-";
/// The file that says whose they are, and what it says.
const OWNER: &str = "owner";
const SAYS: &str = "a folder of git implement, removed with its process or by the next one\n";
/// What lies in one for its user: whoever may write there cannot reach the other.
const INSIDE: &str = "in";

/// A folder that only we can read. Dropped, it is gone.
#[derive(Debug)]
pub struct Temporary {
    outer: TempDir,
    inside: PathBuf,
    /// Held until the end.
    _owner: File,
}

impl Temporary {
    pub fn new() -> io::Result<Temporary> {
        let ours = Permissions::from_mode(0o700);
        let outer = tempfile::Builder::new().prefix(PREFIX).permissions(ours).tempdir()?;
        let inside = outer.path().join(INSIDE);
        make(&inside)?;
        let mut owner = File::create_new(outer.path().join(OWNER))?;
        // Without its words it is nobody's, so that nobody takes it between its making and its lock.
        owner.lock()?;
        owner.write_all(SAYS.as_bytes())?;
        Ok(Temporary { outer, inside, _owner: owner })
    }

    /// The folder, in which there is nothing yet.
    pub fn path(&self) -> &Path {
        &self.inside
    }
}

/// A folder that only we can read.
pub(super) fn make(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(folder)
}

impl Drop for Temporary {
    fn drop(&mut self) {
        remove(self.outer.path());
    }
}

/// Removes those of this user that processes have left which are gone. Best effort.
pub fn sweep() {
    for entry in fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            let folder = entry.path();
            let _abandoned = abandoned(&folder).inspect(|_| remove(&folder));
        }
    }
}

/// The owner's lock, if the folder is ours, and nobody holds it.
fn abandoned(folder: &Path) -> Option<File> {
    let is_mine = |data: &fs::Metadata| data.uid() == geteuid().as_raw();
    fs::symlink_metadata(folder).ok().filter(|data| data.is_dir() && is_mine(data))?;
    let owner = folder.join(OWNER);
    // A pipe that somebody has put there is never opened.
    fs::symlink_metadata(&owner).ok().filter(|data| data.is_file() && is_mine(data))?;
    let mut file = File::open(&owner).ok()?;
    file.try_lock().ok()?;
    let mut said = String::new();
    Read::take(&mut file, SAYS.len() as u64 + 1).read_to_string(&mut said).ok()?;
    (said == SAYS).then_some(file)
}

/// The owner goes last: what could not be removed is found again.
fn remove(folder: &Path) {
    let inside = folder.join(INSIDE);
    if fs::remove_dir_all(&inside).is_ok() || !inside.exists() {
        let _ = fs::remove_file(folder.join(OWNER)).and_then(|()| fs::remove_dir(folder));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_that_say_whose_they_are_and_that_nobody_holds_are_abandoned() {
        let alive = Temporary::new().unwrap();
        let outer = alive.outer.path().to_owned();
        assert!(abandoned(&outer).is_none(), "its process lives");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&outer), mode(alive.path())), (0o700, 0o700));
        drop(alive);
        assert!(!outer.exists());

        let other = tempfile::Builder::new().prefix(PREFIX).tempdir().unwrap();
        assert!(abandoned(other.path()).is_none(), "by its name alone");
        fs::write(other.path().join(OWNER), "somebody else\n").unwrap();
        assert!(abandoned(other.path()).is_none());
        fs::write(other.path().join(OWNER), SAYS).unwrap();
        assert!(abandoned(other.path()).is_some());
        let link = other.path().join("link");
        std::os::unix::fs::symlink(other.path(), &link).unwrap();
        assert!(abandoned(&link).is_none());
    }
}
