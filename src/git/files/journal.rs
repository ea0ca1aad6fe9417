//! [`Journal`]: the place where a change of files is prepared and written down before the first of them is touched, so
//! that a process that is killed in the middle leaves nothing half done for good: the next one takes it back.
//!
//! ```text
//! <git dir>/implement/apply/           outside a repository: .git-implement/, which git is told to ignore
//!     token        the lock of the index that is held, if it is
//!     rooms        the directories beside the files, where these are on another file system
//!     new-<n>      new texts; old-<n>  what they took the place of
//!     index        the new index
//!     journal      from here on something may have changed; `done`: all of it has
//! ```
//! Whoever works in it holds a lock on the directory itself, which goes with the process whatever ends it.

use super::exchange::Plan;
use super::undo::{finish, take_back};
use crate::git::GitError;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often a journal that somebody works in is tried again, and the pause before each try.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(50);

/// The name of a directory of ours among the user's files.
pub(super) const ROOM: &str = ".git-implement";

/// A journal, held.
pub(super) struct Journal {
    home: PathBuf,
    /// It was made among the user's files.
    outside: bool,
    /// Written files are to outlast a power cut.
    sync: bool,
    _lock: File,
}

/// Where the journal of a working tree is.
#[derive(Debug, Clone)]
pub(super) struct Home {
    pub place: PathBuf,
    /// It is among the user's files, since there is no repository.
    pub outside: bool,
    pub sync: bool,
}

/// The lock of an index that is held: the lock file has this text, too, so that it is known for ours.
#[derive(Debug, Serialize, Deserialize)]
struct Token {
    process: u32,
    /// A time: no other process has the same of both.
    began: u128,
    lock: PathBuf,
}

impl Journal {
    /// Holds the journal, which is made if it is not there. What a killed process left in it is put right first; the
    /// words say how, if anything had changed.
    pub fn hold(home: &Home, here: &Path) -> Result<(Journal, Option<String>), GitError> {
        for _ in 0..TRIES {
            refuse_links(&home.place)?;
            fs::create_dir_all(&home.place).map_err(|error| GitError::io("create", &home.place, &error))?;
            if let Some(journal) = Journal::lock(home)? {
                let said = journal.put_right(here)?;
                journal.ignore()?;
                return Ok((journal, said));
            }
            std::thread::sleep(PAUSE);
        }
        Err(GitError::Unsupported {
            id: "apply-busy",
            what: format!("another process changes files here: it holds '{}'", home.place.display()),
            hint: "wait until it has ended".to_owned(),
        })
    }

    /// Puts right what a killed process left, if it left anything.
    pub fn recover(home: &Home, here: &Path) -> Result<Option<String>, GitError> {
        if home.place.symlink_metadata().is_err() {
            // The directory round it goes last, and only if there is nothing else in it.
            let _ = home.place.parent().filter(|_| !home.outside).map(fs::remove_dir);
            return Ok(None);
        }
        Journal::hold(home, here).map(|(_, said)| said)
    }

    /// `None`: somebody else has it, or has just removed it.
    fn lock(home: &Home) -> Result<Option<Journal>, GitError> {
        let failed = |error: &std::io::Error| GitError::io("lock", &home.place, error);
        let lock = match File::open(&home.place) {
            Ok(lock) => lock,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(&error)),
        };
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(failed(&error)),
        }
        let same = still_there(&lock.metadata().map_err(|error| failed(&error))?, &home.place);
        let Home { place, outside, sync } = home.clone();
        Ok(same.then_some(Journal { home: place, outside, sync, _lock: lock }))
    }

    /// A file of the journal.
    pub fn place(&self, name: &str) -> PathBuf {
        self.home.join(name)
    }

    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Takes the lock `lock` of an index: at once with a text in it that says whose it is. `None`: it exists.
    pub fn lock_index(&self, lock: &Path) -> Result<Option<()>, GitError> {
        let began = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_nanos();
        self.write("token", &Token { process: std::process::id(), began, lock: lock.to_owned() })?;
        let token = self.place("token");
        let made = match fs::hard_link(&token, lock) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                // On another file system, or one without links.
                let text = fs::read(&token).map_err(|error| GitError::io("read", &token, &error))?;
                File::create_new(lock).and_then(|mut file| file.write_all(&text))
            }
            made => made,
        };
        match made {
            Ok(()) => Ok(Some(())),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(GitError::io("create", lock, &error)),
        }
    }

    /// Writes down which directories beside the files are about to be made.
    pub fn announce(&self, rooms: &[PathBuf]) -> Result<(), GitError> {
        if rooms.is_empty() { Ok(()) } else { self.write("rooms", &rooms) }
    }

    /// Writes down what is about to happen; all it needs is there.
    pub fn begin(&self, plan: &Plan) -> Result<(), GitError> {
        self.write("draft", plan)?;
        let (draft, journal) = (self.place("draft"), self.place("journal"));
        fs::rename(&draft, &journal).map_err(|error| GitError::io("write", &journal, &error))?;
        self.flush(&self.home)
    }

    /// All of it has happened.
    pub fn end(&self) {
        let _ = fs::rename(self.place("journal"), self.place("done"));
    }

    /// Takes back what has happened so far of `plan`. The words say where somebody else has changed something since,
    /// which stays; so does what was there before, in a directory of its own.
    pub fn undo(&self, plan: &Plan) -> Option<String> {
        let stay = take_back(plan);
        let first = plan.changes.get(*stay.first()?)?;
        let name = |n: usize| format!("{}-kept-{n}", self.home.file_name().unwrap_or_default().to_string_lossy());
        let kept = (1..).map(|n| self.home.with_file_name(name(n))).find(|place| fs::create_dir(place).is_ok())?;
        for n in &stay {
            let _ = plan.changes.get(*n).map(|change| fs::rename(&change.aside, kept.join(format!("old-{n}"))));
        }
        let more = if stay.len() > 1 { format!(" and {} more", stay.len() - 1) } else { String::new() };
        let place = match fs::remove_dir(&kept) {
            Ok(()) => String::new(),
            Err(_) => format!("; what it was lies in '{}'", kept.display()),
        };
        Some(format!("not in '{}'{more}, which somebody has changed since{place}", first.path))
    }

    /// Makes sure that a file is on the disk, if that is wanted.
    pub fn flush(&self, place: &Path) -> Result<(), GitError> {
        if !self.sync {
            return Ok(());
        }
        File::open(place).and_then(|file| file.sync_all()).map_err(|error| GitError::io("write", place, &error))
    }

    fn write(&self, name: &str, what: &impl Serialize) -> Result<(), GitError> {
        let place = self.place(name);
        let text = serde_json::to_vec(what).unwrap_or_default();
        fs::write(&place, text).map_err(|error| GitError::io("write", &place, &error))?;
        self.flush(&place)
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_slice(&fs::read(self.place(name)).ok()?).ok()
    }

    /// Takes back what a killed process had begun, or clears up behind what it had finished.
    fn put_right(&self, here: &Path) -> Result<Option<String>, GitError> {
        let mut said = None;
        if let Some(plan) = self.read::<Plan>("done") {
            finish(&plan, here);
        } else if self.place("journal").exists() {
            let unreadable = || GitError::Unsupported {
                id: "apply-journal",
                what: format!("cannot read the journal of an 'apply' that was killed: '{}'", self.home.display()),
                hint: "see with 'git diff' what it changed, then remove that directory".to_owned(),
            };
            let plan = self.read::<Plan>("journal").ok_or_else(unreadable)?;
            if plan.index.as_ref().is_some_and(|index| self.is_exchanged(index)) {
                finish(&plan, here);
                said = Some("an 'apply' that was killed had changed all it was to change; it is cleared up".to_owned());
            } else {
                let but = self.undo(&plan).map(|but| format!(", but {but}")).unwrap_or_default();
                said = Some(format!("what an 'apply' that was killed had begun is taken back{but}"));
            }
        }
        self.clear();
        Ok(said)
    }

    /// Has the new index taken its place?
    fn is_exchanged(&self, index: &Path) -> bool {
        match fs::read(self.place("index")) {
            Err(error) => error.kind() == ErrorKind::NotFound,
            Ok(new) => fs::read(index).is_ok_and(|now| now == new),
        }
    }

    /// Tells git not to look at it.
    fn ignore(&self) -> Result<(), GitError> {
        if self.outside { ignored(&self.home) } else { Ok(()) }
    }

    /// Removes all that is in it, the lock of the index first.
    fn clear(&self) {
        let token = self.place("token");
        if let Some(Token { lock, .. }) = self.read::<Token>("token")
            && fs::read(&lock).is_ok_and(|text| fs::read(&token).is_ok_and(|ours| ours == text))
        {
            let _ = fs::remove_file(&lock);
            let _ = fs::remove_file(super::index::beside(&lock.with_extension("")));
        }
        for room in self.read::<Vec<PathBuf>>("rooms").unwrap_or_default() {
            // What is called otherwise is nothing that this program made.
            if room.file_name().is_some_and(|name| name == ROOM) && room.symlink_metadata().is_ok_and(|it| it.is_dir())
            {
                let _ = fs::remove_dir_all(room);
            }
        }
        for entry in fs::read_dir(&self.home).into_iter().flatten().flatten() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.clear();
        let _ = fs::remove_dir(&self.home);
        if !self.outside {
            // Only if there is nothing else in it.
            let _ = self.home.parent().map(fs::remove_dir);
        }
    }
}

/// Makes a directory among the user's files that git does not look at, since its own list of what to ignore says so.
pub(super) fn ignored(place: &Path) -> Result<(), GitError> {
    let failed = |error: std::io::Error| GitError::io("create", place, &error);
    fs::create_dir_all(place).map_err(failed)?;
    fs::write(place.join(".gitignore"), "*\n").map_err(failed)
}

/// A link there would lead to somebody else's files, which would be cleared away.
fn refuse_links(home: &Path) -> Result<(), GitError> {
    let link = |place: &&Path| place.symlink_metadata().is_ok_and(|found| found.is_symlink());
    match [Some(home), home.parent()].into_iter().flatten().find(link) {
        None => Ok(()),
        Some(place) => Err(GitError::Unsupported {
            id: "implement-link",
            what: format!("'{}' is a symbolic link", place.display()),
            hint: "git implement keeps files of its own there: remove the link".to_owned(),
        }),
    }
}

/// Is the directory that is held still the one of this name?
fn still_there(held: &fs::Metadata, place: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    place.symlink_metadata().is_ok_and(|found| (found.dev(), found.ino()) == (held.dev(), held.ino()))
}
