//! Files of a working tree, or of any directory, exchanged all or not at all.
//!
//! New texts are written into the journal and renamed into place; what they take the place of is kept there until all is
//! done. What has to be taken back is found by looking: a process that was killed cannot say how far it came.

use super::disk::{self, Seen};
use super::journal::{Journal, ROOM, ignored};
use super::system::{fresh, kept, same_device};
use super::undo::finish;
use crate::git::GitError;
use crate::path::RepoPath;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What a path is to become, together with what must be there still when it is written.
pub(super) struct GuardedUpdate<'a> {
    pub path: &'a RepoPath,
    /// What was there when it was decided; `None`: no file.
    pub was: Option<New<'a>>,
    /// `None`: it goes.
    pub becomes: Option<New<'a>>,
}

#[derive(Clone, Copy)]
pub(super) struct New<'a> {
    pub bytes: &'a [u8],
    pub executable: bool,
}

/// Everything that is about to happen, as it is written down.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    pub root: PathBuf,
    /// The index that is exchanged after the files.
    pub index: Option<PathBuf>,
    pub changes: Vec<Planned>,
    /// Directories that are not there and will be, each after the one that it is in.
    pub made: Vec<PathBuf>,
    /// Directories with nothing but directories in them, which are removed; each before the one that it is in.
    pub cleared: Vec<PathBuf>,
    /// Directories that a file goes from, and that go too if they are empty then.
    pub emptied: Vec<PathBuf>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Planned {
    pub path: String,
    pub was: Option<Fingerprint>,
    pub becomes: Option<Fingerprint>,
    /// Where the new text lies until it is renamed.
    pub staged: PathBuf,
    /// Where the old file lies as soon as something may have happened to it.
    pub aside: PathBuf,
}

/// A file's mode and the digest of its bytes.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fingerprint(bool, String);

impl Fingerprint {
    fn of(new: &New) -> Fingerprint {
        let hex = Sha256::digest(new.bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Fingerprint(new.executable, hex)
    }
}

/// Carries out all `changes` under `root`, or none. They hold once the result is told to [`Exchange::keep`]; until then,
/// dropping it takes them back.
pub(super) fn exchange<'j>(
    journal: &'j Journal,
    root: &Path,
    index: Option<&Path>,
    changes: &[GuardedUpdate],
) -> Result<Exchange<'j>, GitError> {
    let mut plan = Plan::new(root, index, journal, changes)?;
    // Whatever may fail for want of room or permission fails here, where nothing has been touched.
    plan.announce_rooms(journal)?;
    for (change, planned) in changes.iter().zip(&plan.changes) {
        if let Some(new) = &change.becomes {
            stage(&root.join(change.path.as_str()), new, change.was.is_some(), &planned.staged)?;
            journal.flush(&planned.staged)?;
        }
    }
    plan.made.sort();
    plan.made.dedup();
    journal.begin(&plan)?;
    let exchange = Exchange { journal, plan: Some(plan) };
    exchange.carry_out()?;
    Ok(exchange)
}

impl Plan {
    fn new(root: &Path, index: Option<&Path>, journal: &Journal, changes: &[GuardedUpdate]) -> Result<Plan, GitError> {
        let (root, index) = (root.to_owned(), index.map(Path::to_owned));
        let (made, cleared, emptied) = (Vec::new(), Vec::new(), Vec::new());
        let mut plan = Plan { root, index, changes: Vec::new(), made, cleared, emptied };
        for (n, change) in changes.iter().enumerate() {
            let place = plan.root.join(change.path.as_str());
            let present = || change.path.directories().map(|directory| plan.root.join(directory));
            let near = present().take_while(|directory| directory.is_dir()).last().unwrap_or_else(|| plan.root.clone());
            // Renaming is all that is left to do only on the same file system.
            let room = if same_device(&near, journal.home()) { journal.home().to_owned() } else { near.join(ROOM) };
            plan.changes.push(Planned {
                path: change.path.to_string(),
                was: change.was.as_ref().map(Fingerprint::of),
                becomes: change.becomes.as_ref().map(Fingerprint::of),
                staged: room.join(format!("new-{n}")),
                aside: room.join(format!("old-{n}")),
            });
            if change.becomes.is_none() {
                plan.emptied.extend(place.parent().map(Path::to_owned));
            } else if change.was.is_none() {
                plan.made.extend(present().filter(|directory| !directory.is_dir()));
                directories_in(&place, &mut plan.cleared).map_err(|error| GitError::io("write", &place, &error))?;
            }
        }
        Ok(plan)
    }

    /// The rooms among the user's files, which git must not look at.
    fn announce_rooms(&self, journal: &Journal) -> Result<(), GitError> {
        let rooms = self.changes.iter().filter_map(|change| change.staged.parent());
        let mut rooms: Vec<PathBuf> = rooms.filter(|room| *room != journal.home()).map(Path::to_owned).collect();
        rooms.sort();
        rooms.dedup();
        journal.announce(&rooms)?;
        rooms.iter().try_for_each(|room| ignored(room))
    }

    pub fn place(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// What is at the path of a change now; links are not followed.
    pub fn now(&self, change: &Planned) -> Now {
        let Ok(path) = RepoPath::new(&change.path) else { return Now::Other };
        match disk::look(&self.root, &path) {
            Ok(Seen::Nothing | Seen::Directory) => Now::Nothing,
            Ok(Seen::File { bytes, executable }) => Now::File(Fingerprint::of(&New { bytes: &bytes, executable })),
            Ok(Seen::Unfit(_)) | Err(_) => Now::Other,
        }
    }
}

/// What is at a path, as far as it tells what has happened there.
pub(super) enum Now {
    Nothing,
    File(Fingerprint),
    Other,
}

/// The directories under `place`, if nothing else is there; the innermost first.
fn directories_in(place: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !place.symlink_metadata().is_ok_and(|it| it.is_dir()) {
        return Ok(());
    }
    for entry in fs::read_dir(place)? {
        directories_in(&entry?.path(), found)?;
    }
    found.push(place.to_owned());
    Ok(())
}

/// Writes a new text where it waits to be renamed. `exists`: of the file that it replaces it takes all but what the edit
/// says of its mode.
fn stage(place: &Path, new: &New, exists: bool, staged: &Path) -> Result<(), GitError> {
    let failed = |error: std::io::Error| GitError::io("write", place, &error);
    let mut file = fresh(staged, new.executable).map_err(failed)?;
    file.write_all(new.bytes).map_err(failed)?;
    if exists {
        let found = place.symlink_metadata().map_err(failed)?;
        file.set_permissions(kept(&found, new.executable)).map_err(failed)?;
    }
    Ok(())
}

/// Files that have been exchanged.
pub(super) struct Exchange<'j> {
    journal: &'j Journal,
    /// `None` once they are to stay.
    plan: Option<Plan>,
}

impl Exchange<'_> {
    /// It is to stay. Directories that are empty now go, as git has them go; never `here`, in which somebody is.
    pub fn keep(mut self, here: &Path) {
        self.journal.end();
        if let Some(plan) = self.plan.take() {
            finish(&plan, here);
        }
    }

    fn carry_out(&self) -> Result<(), GitError> {
        let Some(plan) = &self.plan else { return Ok(()) };
        // What goes makes room for what comes.
        plan.changes.iter().filter(|change| change.becomes.is_none()).try_for_each(|change| remove(plan, change))?;
        for change in plan.changes.iter().filter(|change| change.becomes.is_some()) {
            if change.was.is_some() { replace(plan, change)? } else { add(plan, change)? }
        }
        // The names are on the disk before the index says that they are.
        let directories = plan.changes.iter().filter_map(|change| Some(plan.place(&change.path).parent()?.to_owned()));
        directories.filter(|directory| directory.is_dir()).try_for_each(|directory| self.journal.flush(&directory))
    }
}

impl Drop for Exchange<'_> {
    fn drop(&mut self) {
        if let Some(plan) = &self.plan {
            // There is nobody to tell what fails now; what was there before is kept if it cannot go back.
            let _ = self.journal.undo(plan);
        }
    }
}

fn remove(plan: &Plan, change: &Planned) -> Result<(), GitError> {
    let place = reached(plan, change)?;
    fs::rename(&place, &change.aside).map_err(|error| GitError::io("remove", &place, &error))?;
    as_it_was(change, &place)
}

fn replace(plan: &Plan, change: &Planned) -> Result<(), GitError> {
    let place = reached(plan, change)?;
    let failed = |error: std::io::Error| GitError::io("write", &place, &error);
    if fs::hard_link(&place, &change.aside).is_err() {
        fs::copy(&place, &change.aside).map_err(failed)?;
    }
    as_it_was(change, &place)?;
    fs::rename(&change.staged, &place).map_err(failed)
}

fn add(plan: &Plan, change: &Planned) -> Result<(), GitError> {
    let place = reached(plan, change)?;
    let parent = place.parent().unwrap_or(&plan.root);
    fs::create_dir_all(parent).map_err(|error| GitError::io("create", parent, &error))?;
    let failed = |error: std::io::Error| GitError::io("write", &place, &error);
    let inside = |directory: &&PathBuf| directory.starts_with(&place);
    plan.cleared.iter().filter(inside).try_for_each(fs::remove_dir).map_err(failed)?;
    // Unlike renaming, this replaces nothing that has come meanwhile.
    match fs::hard_link(&change.staged, &place) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists && place.symlink_metadata().is_err() => {
            fs::rename(&change.staged, &place).map_err(failed)
        }
        linked => linked.map_err(failed),
    }
}

/// Where a path is, if no link has come in between.
fn reached(plan: &Plan, change: &Planned) -> Result<PathBuf, GitError> {
    let mut directories = Path::new(&change.path).ancestors().skip(1).map(|directory| plan.root.join(directory));
    match directories.find(|place| *place != plan.root && place.is_symlink()) {
        Some(link) => Err(meddled(&link)),
        None => Ok(plan.place(&change.path)),
    }
}

/// Is the file that was put aside the one that was looked at? Its mode may be another: it is kept as it is.
fn as_it_was(change: &Planned, place: &Path) -> Result<(), GitError> {
    let is_file = change.aside.symlink_metadata().is_ok_and(|found| found.is_file());
    let bytes = if is_file { fs::read(&change.aside).ok() } else { None };
    let same = bytes.is_some_and(|bytes| {
        let was = change.was.as_ref();
        was.is_some_and(|was| *was == Fingerprint::of(&New { bytes: &bytes, executable: was.0 }))
    });
    if same { Ok(()) } else { Err(meddled(place)) }
}

fn meddled(place: &Path) -> GitError {
    let message = "somebody else changed it meanwhile".to_owned();
    GitError::Io { doing: "write".to_owned(), path: place.to_owned(), message }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::journal::Home;
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

    fn swapped<'j>(journal: &'j Journal, root: &Path, rows: &[Row]) -> Result<Exchange<'j>, GitError> {
        let paths: Vec<RepoPath> = rows.iter().map(|row| RepoPath::new(row.0).unwrap()).collect();
        let new = |text: &'static str| New { bytes: text.as_bytes(), executable: false };
        let changes: Vec<GuardedUpdate> = paths
            .iter()
            .zip(rows)
            .map(|(path, row)| GuardedUpdate { path, was: row.1.map(new), becomes: row.2.map(new) })
            .collect();
        exchange(journal, root, None, &changes)
    }

    /// A journal that is not among the files.
    fn journal() -> (tempfile::TempDir, Journal) {
        let outside = tempfile::tempdir().unwrap();
        let home = Home { place: outside.path().join("implement/apply"), outside: false, sync: true };
        let (journal, said) = Journal::hold(&home, Path::new("")).unwrap();
        assert_eq!(said, None);
        (outside, journal)
    }

    #[track_caller]
    fn fails(rows: &[Row], says: &str) {
        let folder = folder();
        let before = all(folder.path());
        let (_place, journal) = journal();
        let error = swapped(&journal, folder.path(), rows).map(drop).unwrap_err().to_string();
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
        for rows in [&[("a", Some("a"), Some("A")), ("d/g", Some("d/g"), Some("x"))][..], &[("d/new", None, Some("x"))]]
        {
            assert!(swapped(&journal().1, folder.path(), rows).is_err());
        }
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
        let (_place, journal) = journal();
        let swapped = swapped(&journal, folder.path(), &rows).unwrap();
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
            let (_place, journal) = journal();
            swapped(&journal, &root, &GOOD).unwrap().keep(&root.join(here));
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
        let (_place, journal) = journal();
        swapped(&journal, folder.path(), &[("a", Some("a"), Some("A"))]).unwrap().keep(folder.path());
        assert_eq!(fs::read_to_string(folder.path().join("twin")).unwrap(), "a");
        assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), "A");
        assert_eq!(folder.path().join("a").metadata().unwrap().mode() & 0o777, 0o640);
    }
}
