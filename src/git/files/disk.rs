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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    /// Everything below a folder, with modes, inodes and times of files.
    fn all(folder: &Path) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let (path, data) = (entry.path(), entry.metadata().unwrap());
            if data.is_dir() {
                found.insert(path.clone(), "directory".to_owned());
                found.extend(all(&path));
            } else {
                let text = fs::read_to_string(&path).unwrap();
                found.insert(path, format!("{:o} {} {} {text}", data.mode(), data.ino(), data.mtime_nsec()));
            }
        }
        found
    }

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for path in ["a", "b", "d/e/f", "d/g"] {
            let place = folder.path().join(path);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, path).unwrap();
        }
        folder
    }

    /// `path`, what it was, what it becomes.
    type Row = (&'static str, Option<&'static str>, Option<&'static str>);

    fn swapped(root: &Path, rows: &[Row]) -> Result<Swapped, GitError> {
        let paths: Vec<RepoPath> = rows.iter().map(|row| RepoPath::new(row.0).unwrap()).collect();
        let new = |text: &'static str| New { bytes: text.as_bytes(), executable: false };
        let changes: Vec<Change> = paths
            .iter()
            .zip(rows)
            .map(|(path, row)| Change { path, was: row.1.map(str::as_bytes), becomes: row.2.map(new) })
            .collect();
        swap(root, &changes)
    }

    #[track_caller]
    fn fails(rows: &[Row], says: &str) {
        let folder = folder();
        let before = all(folder.path());
        let error = swapped(folder.path(), rows).map(drop).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
        assert_eq!(all(folder.path()), before);
    }

    const GOOD: [Row; 4] = [
        ("a", Some("a"), Some("A")),
        ("b", Some("b"), None),
        ("d/e/f", Some("d/e/f"), None),
        ("n/o/p", None, Some("p")),
    ];

    #[test]
    fn what_fails_in_the_middle_takes_everything_back() {
        let with = |row| [&GOOD[..], &[row]].concat();
        fails(&with(("d/g", Some("not so"), Some("x"))), "somebody else changed it meanwhile");
        fails(&with(("d/g", Some("not so"), None)), "somebody else changed it meanwhile");
        fails(&with(("d/g", None, Some("x"))), "File exists");
        fails(&with(("d/g/h", None, Some("x"))), "File exists");
        fails(&with(("d", None, Some("x"))), "cannot write");
        fails(&with(("none", Some("x"), None)), "cannot remove");
    }

    #[test]
    fn a_link_that_came_in_between_is_not_followed() {
        let (folder, outside) = (folder(), tempfile::tempdir().unwrap());
        fs::write(outside.path().join("g"), "d/g").unwrap();
        fs::remove_dir_all(folder.path().join("d")).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("d")).unwrap();
        assert!(swapped(folder.path(), &[("a", Some("a"), Some("A")), ("d/g", Some("d/g"), Some("x"))]).is_err());
        assert!(swapped(folder.path(), &[("d/new", None, Some("x"))]).is_err());
        assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), "a");
        assert_eq!(all(outside.path()).len(), 1);
        assert_eq!(fs::read_to_string(outside.path().join("g")).unwrap(), "d/g");
    }

    #[test]
    fn what_is_not_kept_is_taken_back() {
        let folder = folder();
        let before = all(folder.path());
        let rows = [
            ("a", Some("a"), None),
            ("a/b/c", None, Some("c")),
            ("d/e/f", Some("d/e/f"), None),
            ("d/g", Some("d/g"), None),
            ("d", None, Some("file")),
        ];
        let swapped = swapped(folder.path(), &rows).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("d")).unwrap(), "file");
        assert_eq!(fs::read_to_string(folder.path().join("a/b/c")).unwrap(), "c");
        drop(swapped);
        assert_eq!(all(folder.path()), before);
    }

    #[test]
    fn what_is_kept_leaves_no_empty_directory_but_where_somebody_is() {
        for (here, left) in [("", vec!["A", "d/g", "p"]), ("d/e", vec!["A", "d/e", "d/g", "p"])] {
            let folder = folder();
            let root = folder.path().canonicalize().unwrap();
            swapped(&root, &GOOD).unwrap().keep(&root.join(here));
            let found = all(&root);
            let shown = |path: &&str| match *path {
                "A" => found.get(&root.join("a")).is_some_and(|text| text.ends_with(" A")),
                "p" => found.get(&root.join("n/o/p")).is_some_and(|text| text.ends_with(" p")),
                path => found.contains_key(&root.join(path)),
            };
            assert!(left.iter().all(shown), "{found:?}");
            // With `d`, `n` and `n/o`.
            assert_eq!(found.len(), left.len() + 3, "{found:?}");
        }
    }

    #[test]
    fn a_file_of_the_same_inode_elsewhere_stays_as_it_was_and_permissions_are_kept() {
        let folder = folder();
        fs::hard_link(folder.path().join("a"), folder.path().join("twin")).unwrap();
        fs::set_permissions(folder.path().join("a"), fs::Permissions::from_mode(0o640)).unwrap();
        swapped(folder.path(), &[("a", Some("a"), Some("A"))]).unwrap().keep(folder.path());
        assert_eq!(fs::read_to_string(folder.path().join("twin")).unwrap(), "a");
        assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), "A");
        assert_eq!(folder.path().join("a").metadata().unwrap().mode() & 0o777, 0o640);
    }
}
