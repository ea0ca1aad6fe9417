//! A checkout that one run leaves for the next: to bring it to another tree costs a look at each file, a new one costs
//! writing them all.
//!
//! It lies in `<common dir>/implement/spare/`, where git does not know of it. A run takes it by renaming it into its own folder,
//! and leaves it by renaming it back: so one run has it at a time, and what a killed run had goes with all else of that
//! run. What is taken is never believed: git compares each file with what the index says of it, the time of its last change
//! included, and what the index does not have is removed. It is not used where the files would be others in a new
//! checkout, and not kept where programs have a part in that.
//!
//! Only of worktrees that hooks see, which are the person's own programs. Where commands run what a model wrote, the
//! worktree lies elsewhere, and goes.

use super::index::Index;
use super::{GitError, Oid, Repository, Scratch};
use rustix::process::geteuid;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of its folder, also where a run has it.
pub(super) const SPARE: &str = "spare";
/// The files, the index, and what the files on disk depend on beside the tree.
const FILES: &str = "worktree";
const INDEX: &str = "index";
const MADE_WITH: &str = "made-with";
/// Where in the run's folder files lie that are not used.
const ODD: &str = "odd";

/// With fewer files a new checkout takes no time.
const FEWEST_FILES: usize = 1_000;
/// It takes this part of the room that is left on the disk at most.
const PART_OF_DISK: u64 = 10;
/// After so long without a run it goes.
const OLDEST: Duration = Duration::from_hours(14 * 24);

impl Scratch<'_> {
    /// Puts the checkout that an earlier run has left, if there is one, in the place of the worktree, in which nothing is yet.
    /// It is to be filled by git, and then [`Scratch::tidy`].
    pub(super) fn take_spare(&mut self) -> Result<bool, GitError> {
        let (worktree, taken) = (self.worktree(), self.directory().join(SPARE));
        let Ok(spare) = self.repository.place(SPARE) else { return Ok(false) };
        let is_empty = fs::read_dir(&worktree).is_ok_and(|entries| entries.count() == 1);
        if !is_empty || !self.is_inside() || !is_ours(&spare) {
            return Ok(false);
        }
        let files = taken.join(FILES);
        let is_whole = fs::rename(&spare, &taken).is_ok()
            && fs::symlink_metadata(&files).is_ok_and(|data| data.is_dir())
            && fs::symlink_metadata(taken.join(INDEX)).is_ok_and(|data| data.is_file())
            && fs::symlink_metadata(files.join(".git")).is_err();
        if !is_whole {
            return Ok(false);
        }
        let rename =
            |from: PathBuf, to: PathBuf| fs::rename(&from, to).map_err(|error| GitError::io("move", &from, &error));
        rename(worktree.join(".git"), files.join(".git"))?;
        rename(taken.join(INDEX), self.admin_dir().join(INDEX))?;
        fs::remove_dir(&worktree).map_err(|error| GitError::io("remove", &worktree, &error))?;
        rename(files, worktree)?;
        Ok(true)
    }

    /// Removes from the worktree what `index` does not have. False if the files are not what a new checkout would have written,
    /// or that cannot be told: then there are none any more.
    pub(super) fn tidy(&self, index: Option<&Index>) -> Result<bool, GitError> {
        let root = self.worktree();
        let made_with = fs::read_to_string(self.directory().join(SPARE).join(MADE_WITH)).unwrap_or_default();
        let is_same = match index {
            Some(index) => self.made_with(index).is_some_and(|now| now.to_string() == made_with),
            None => false,
        };
        if is_same && index.is_some_and(|index| remove_unknown(&root, index).is_ok()) {
            return Ok(true);
        }
        // What cannot be removed now is tried again with all else of the run.
        let odd = self.directory().join(ODD);
        let anew = fs::rename(&root, &odd).and_then(|()| fs::create_dir(&root));
        let anew = anew.and_then(|()| fs::rename(odd.join(".git"), root.join(".git")));
        anew.map_err(|error| GitError::io("make anew", &root, &error))?;
        for file in [INDEX, "index.lock"].map(|name| self.admin_dir().join(name)) {
            let removed = fs::remove_file(&file);
            removed.or_else(ignore_missing).map_err(|error| GitError::io("remove", &file, &error))?;
        }
        Ok(false)
    }

    /// Leaves the worktree for the next run, if that is worth it. What goes wrong is what becomes of any worktree: it is removed
    /// with all else.
    pub(super) fn leave_spare(&mut self) {
        let Some((made_with, index)) = self.made_with.zip(self.filled.take().and_then(|filled| filled.index)) else {
            return;
        };
        let now = index.reread().and_then(|index| self.made_with(&index));
        let (ours, theirs) = (self.directory().join(SPARE), self.repository.place(SPARE));
        let (Ok(theirs), true) = (theirs, now == Some(made_with)) else { return };
        let leave = || -> io::Result<()> {
            fs::create_dir_all(&ours)?;
            fs::write(ours.join(MADE_WITH), made_with.to_string())?;
            fs::rename(self.admin_dir().join(INDEX), ours.join(INDEX))?;
            fs::remove_file(self.worktree().join(".git"))?;
            fs::rename(self.worktree(), ours.join(FILES))?;
            // Another run may have left its own.
            fs::rename(&ours, &theirs)
        };
        let _ = leave();
    }

    /// Takes note that a checkout is new, or as good as new, and of what it depends on, if it is to be left.
    pub(super) fn may_be_left(&mut self) {
        let index = self.filled.as_ref().and_then(|filled| filled.index.as_ref());
        let Some(index) = index.filter(|index| index.len() >= FEWEST_FILES && self.is_inside()) else { return };
        let disk = rustix::fs::statvfs(self.directory());
        let room = disk.map_or(0, |disk| disk.f_bavail.saturating_mul(disk.f_frsize));
        if index.bytes() <= room / PART_OF_DISK {
            self.made_with = self.made_with(index);
        }
    }

    fn made_with(&self, index: &Index) -> Option<Oid> {
        self.repository.conversions(index).ok().flatten()
    }

    /// Does the worktree lie in the run's directory?
    fn is_inside(&self) -> bool {
        self.worktree().parent() == Some(self.directory())
    }
}

impl Repository {
    /// What files on disk depend on beside what is in git: settings and attributes, as an id. `None` if a program may have a part in
    /// it, which can do something else each time.
    fn conversions(&self, index: &Index) -> Result<Option<Oid>, GitError> {
        let mut attributes = Vec::new();
        for name in ["GIT_ATTR_SYSTEM", "GIT_ATTR_GLOBAL"] {
            let place = self.git().args(["var", name]).output()?;
            let place = String::from_utf8_lossy(&place.stdout).trim_end().to_owned();
            attributes.push(fs::read(place).unwrap_or_default());
        }
        attributes.push(fs::read(self.common_dir().join("info/attributes")).unwrap_or_default());
        for id in index.ids_of(".gitattributes") {
            attributes.push(self.read(id, "blob", ".gitattributes")?);
        }
        if attributes.iter().any(|text| memchr::memmem::find(text, b"filter").is_some()) {
            return Ok(None);
        }
        attributes.push(self.config()?.all_of("core.").into_bytes());
        let id = Oid::hash_object(git2::ObjectType::Blob, &attributes.join(&0));
        id.map(Some).map_err(GitError::libgit2("name the attributes"))
    }
}

fn ignore_missing(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// Is it a folder of this user?
fn is_ours(spare: &Path) -> bool {
    fs::symlink_metadata(spare).is_ok_and(|data| data.is_dir() && data.uid() == geteuid().as_raw())
}

/// Has nobody taken it for long?
pub(super) fn is_old(spare: &Path) -> bool {
    let age = fs::symlink_metadata(spare).and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
    is_ours(spare) && age.is_some_and(|age| age > OLDEST)
}

/// Removes what the index does not have below `root`; never through a link.
fn remove_unknown(root: &Path, index: &Index) -> io::Result<()> {
    let folders = index.folders().ok_or(io::ErrorKind::InvalidData)?;
    let mut to_read = vec![String::new()];
    while let Some(folder) = to_read.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = entry.file_name();
            let path =
                name.to_str().map(|name| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") });
            let path = path.filter(|path| path != ".git");
            let is_folder = entry.file_type()?.is_dir();
            match path {
                Some(path) if is_folder && folders.contains(path.as_str()) => to_read.push(path),
                Some(path) if !is_folder && index.has(&path) => {}
                // A submodule is an empty folder.
                Some(path) if is_folder && index.has(&path) => {
                    fs::remove_dir_all(entry.path())?;
                    fs::create_dir(entry.path())?;
                }
                None if name == ".git" && folder.is_empty() => {}
                _ if is_folder => fs::remove_dir_all(entry.path())?,
                _ => fs::remove_file(entry.path())?,
            }
        }
    }
    Ok(())
}
