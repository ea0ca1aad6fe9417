//! Files of a working tree, or of any directory, exchanged all or not at all.
//!
//! New texts are written to temporary files beside where they belong, and are renamed into place; what they replace is
//! kept under another name until all is done. Knows neither git nor formats: paths and bytes.

use crate::git::GitError;
use crate::path::RepoPath;
use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempPath};

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

/// What is to become of a path.
pub(super) struct Change<'a> {
    pub path: &'a RepoPath,
    /// What was there when it was decided; `None`: no file.
    pub was: Option<&'a [u8]>,
    /// `None`: it goes.
    pub becomes: Option<New<'a>>,
}

pub(super) struct New<'a> {
    pub bytes: &'a [u8],
    pub executable: bool,
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

/// Carries out all `changes` under `root`, or none. They hold once the result is told to [`Swapped::keep`]; until then,
/// dropping it takes them back.
pub(super) fn swap(root: &Path, changes: &[Change]) -> Result<Swapped, GitError> {
    // Whatever may fail for want of room or permission fails here, where nothing has been touched.
    let mut staged = Vec::new();
    for change in changes {
        staged.push(match &change.becomes {
            Some(new) => Some(stage(root, change.path, new, change.was.is_some())?),
            None => None,
        });
    }
    let mut swapped = Swapped { root: root.to_owned(), done: Vec::new(), emptied: Vec::new() };
    // What goes makes room for what comes.
    for change in changes.iter().filter(|change| change.becomes.is_none()) {
        swapped.remove(change, changes)?;
    }
    for (change, new) in changes.iter().zip(staged) {
        match (new, change.was) {
            (Some(new), Some(was)) => swapped.replace(change.path, new, was)?,
            (Some(new), None) => swapped.add(change.path, new)?,
            (None, _) => {}
        }
    }
    Ok(swapped)
}

/// Writes a new text near its place: on the same file system, and so that renaming it is all that is left to do.
fn stage(root: &Path, path: &RepoPath, new: &New, exists: bool) -> Result<NamedTempFile, GitError> {
    let place = root.join(path.as_str());
    let present = path.directories().map(|directory| root.join(directory)).take_while(|directory| directory.is_dir());
    let near = present.last().unwrap_or_else(|| root.to_owned());
    let failed = |error: std::io::Error| GitError::io("write", &place, &error);
    let mut file = fresh(&mut temporary(), new.executable).tempfile_in(near).map_err(failed)?;
    file.write_all(new.bytes).map_err(failed)?;
    if exists {
        // Of the file that it replaces, all but what the edit says of its mode.
        let found = place.symlink_metadata().map_err(failed)?;
        file.as_file().set_permissions(kept(&found, new.executable)).map_err(failed)?;
    }
    Ok(file)
}

fn temporary() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".git-implement-").rand_bytes(12);
    builder
}

/// What has been done so far, and how to take it back.
pub(super) struct Swapped {
    root: PathBuf,
    done: Vec<Done>,
    /// Directories that something was removed from.
    emptied: Vec<PathBuf>,
}

enum Done {
    /// A file was moved away, or replaced; `aside` is what it was.
    Took {
        place: PathBuf,
        aside: TempPath,
    },
    Placed(PathBuf),
    Made(PathBuf),
    Removed(PathBuf),
}

impl Swapped {
    /// It is to stay. Directories that are empty now go, as git has them go; never `here`, in which somebody is.
    pub fn keep(mut self, here: &Path) {
        // The old texts are deleted as they are dropped.
        self.done.clear();
        for directory in std::mem::take(&mut self.emptied) {
            let up = directory.ancestors().take_while(|up| *up != self.root && *up != here);
            up.take_while(|up| fs::remove_dir(up).is_ok()).for_each(drop);
        }
    }

    fn remove(&mut self, change: &Change, changes: &[Change]) -> Result<(), GitError> {
        let place = self.place(change.path)?;
        // Not in a directory that is to become a file.
        let within = |directory: &&str| changes.iter().any(|other| other.path.as_str() == *directory);
        let parent = match change.path.directories().find(within) {
            Some(directory) => self.root.join(directory).parent().map(Path::to_owned),
            None => place.parent().map(Path::to_owned),
        };
        let moved = temporary().make_in(parent.unwrap_or_default(), |aside| fs::rename(&place, aside));
        let aside = moved.map_err(|error| GitError::io("remove", &place, &error))?.into_temp_path();
        let same = is_as_it_was(&aside, change.was.unwrap_or_default());
        self.emptied.extend(place.parent().map(Path::to_owned));
        self.done.push(Done::Took { place: place.clone(), aside });
        if same { Ok(()) } else { Err(meddled(&place)) }
    }

    fn replace(&mut self, path: &RepoPath, new: NamedTempFile, was: &[u8]) -> Result<(), GitError> {
        let place = self.place(path)?;
        let failed = |error: std::io::Error| GitError::io("write", &place, &error);
        let keep = |aside: &Path| match fs::hard_link(&place, aside) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => fs::copy(&place, aside).map(drop),
            linked => linked,
        };
        let parent = place.parent().unwrap_or(&self.root);
        let aside = temporary().make_in(parent, keep).map_err(failed)?.into_temp_path();
        if !is_as_it_was(&aside, was) {
            return Err(meddled(&place));
        }
        new.persist(&place).map_err(|error| failed(error.error))?;
        self.done.push(Done::Took { place, aside });
        Ok(())
    }

    fn add(&mut self, path: &RepoPath, new: NamedTempFile) -> Result<(), GitError> {
        let place = self.place(path)?;
        for directory in path.directories().map(|directory| self.root.join(directory)) {
            if !directory.is_dir() {
                fs::create_dir(&directory).map_err(|error| GitError::io("create", &directory, &error))?;
                self.done.push(Done::Made(directory));
            }
        }
        self.clear(&place).map_err(|error| GitError::io("write", &place, &error))?;
        new.persist_noclobber(&place).map_err(|error| GitError::io("write", &place, &error.error))?;
        self.done.push(Done::Placed(place));
        Ok(())
    }

    /// Removes a directory in which there are but directories.
    fn clear(&mut self, place: &Path) -> std::io::Result<()> {
        if !place.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            return Ok(());
        }
        for entry in fs::read_dir(place)? {
            self.clear(&entry?.path())?;
        }
        fs::remove_dir(place)?;
        self.done.push(Done::Removed(place.to_owned()));
        Ok(())
    }

    /// Where `path` is, if no link has come in between.
    fn place(&self, path: &RepoPath) -> Result<PathBuf, GitError> {
        match path.directories().map(|directory| self.root.join(directory)).find(|place| place.is_symlink()) {
            Some(link) => Err(meddled(&link)),
            None => Ok(self.root.join(path.as_str())),
        }
    }
}

impl Drop for Swapped {
    /// The other way round, the last first. There is nobody to tell what fails now.
    fn drop(&mut self) {
        while let Some(done) = self.done.pop() {
            match done {
                // Where it cannot go back, it stays under its other name rather than nowhere.
                Done::Took { place, aside } => drop(aside.persist(place).map_err(|error| error.path.keep())),
                Done::Placed(place) => drop(fs::remove_file(place)),
                Done::Made(place) => drop(fs::remove_dir(place)),
                Done::Removed(place) => drop(fs::create_dir(place)),
            }
        }
    }
}

fn is_as_it_was(aside: &Path, was: &[u8]) -> bool {
    aside.symlink_metadata().is_ok_and(|found| found.is_file()) && fs::read(aside).is_ok_and(|bytes| bytes == was)
}

fn meddled(place: &Path) -> GitError {
    let message = "somebody else changed it meanwhile".to_owned();
    GitError::Io { doing: "write".to_owned(), path: place.to_owned(), message }
}

#[cfg(unix)]
mod mode {
    use super::{Builder, Metadata};
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    pub fn is_executable(found: &Metadata) -> bool {
        found.permissions().mode() & 0o100 != 0
    }
    /// As git makes new files: the umask takes off what nobody else may do.
    pub fn fresh<'b>(
        builder: &'b mut Builder<'static, 'static>,
        executable: bool,
    ) -> &'b mut Builder<'static, 'static> {
        builder.permissions(Permissions::from_mode(if executable { 0o777 } else { 0o666 }))
    }
    /// Those of the file that was there. Who may read it may run it, if it is made executable.
    pub fn kept(found: &Metadata, executable: bool) -> Permissions {
        let mode = found.permissions().mode() & 0o7777;
        Permissions::from_mode(match (executable, is_executable(found)) {
            (true, false) => mode | (mode & 0o444) >> 2,
            (false, true) => mode & !0o111,
            _ => mode,
        })
    }
}

#[cfg(not(unix))]
mod mode {
    use super::{Builder, Metadata};
    use std::fs::Permissions;

    pub fn is_executable(_: &Metadata) -> bool {
        false
    }
    pub fn fresh<'b>(builder: &'b mut Builder<'static, 'static>, _: bool) -> &'b mut Builder<'static, 'static> {
        builder
    }
    pub fn kept(found: &Metadata, _: bool) -> Permissions {
        found.permissions()
    }
}

use mode::{fresh, is_executable, kept};
