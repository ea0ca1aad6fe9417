//! The user's index, locked: what it has, and its exchange for a new one.
//!
//! git reads and writes it, for it knows every kind of index; the lock is git's own file, made here so that it is held
//! from the first look to the end. What is to be written is made in the journal, and renamed.

use super::journal::Journal;
use crate::git::repository::Repository;
use crate::git::snapshot::split;
use crate::git::{GitError, Mode, Oid};
use crate::path::RepoPath;
use crate::plan::EntryKind;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What an index has at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub id: Oid,
    pub kind: EntryKind,
    /// In conflict.
    pub unmerged: bool,
    /// git does not look at the file on disk: `assume-unchanged`, `skip-worktree`.
    pub unwatched: bool,
    /// Only announced, by `git add --intent-to-add`.
    pub intended: bool,
}

/// A locked index. The lock goes when it is dropped.
pub(super) struct Index {
    /// Not a link.
    place: PathBuf,
    lock: PathBuf,
    /// Where the new one is made.
    new: PathBuf,
    entries: BTreeMap<String, Entry>,
    held: bool,
}

impl Index {
    pub fn lock(repository: &Repository, journal: &Journal) -> Result<Index, GitError> {
        let named = repository.index();
        let place = named.canonicalize().unwrap_or_else(|_| named.to_owned());
        let mut lock = place.clone().into_os_string();
        lock.push(".lock");
        let lock = PathBuf::from(lock);
        if journal.lock_index(&lock)?.is_none() {
            let what = format!("unable to create '{}': it exists", lock.display());
            let hint = "another git process seems to be running in this repository; if none is, remove the file";
            return Err(GitError::Unsupported { id: "index-locked", what, hint: hint.to_owned() });
        }
        let new = journal.place("index");
        let mut index = Index { place, lock, new, entries: BTreeMap::new(), held: true };
        index.read(repository)?;
        Ok(index)
    }

    /// Where it is; not a link.
    pub fn place(&self) -> &Path {
        &self.place
    }

    pub fn get(&self, path: &str) -> Option<&Entry> {
        self.entries.get(path)
    }

    /// Does it have something under `directory`, less the paths of `gone`?
    pub fn holds(&self, directory: &str, gone: &BTreeSet<&str>) -> bool {
        let within = format!("{directory}/");
        let under = self.entries.range(within.clone()..).take_while(|(path, _)| path.starts_with(&within));
        under.into_iter().any(|(path, _)| !gone.contains(path.as_str()))
    }

    /// Of `paths`, those of which the working tree has something else than the index.
    pub fn changed(&self, repository: &Repository, paths: &[&str]) -> Result<BTreeSet<String>, GitError> {
        if paths.is_empty() {
            return Ok(BTreeSet::new());
        }
        let options = ["--name-only", "-z", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules"];
        let listing = repository.git().args(["diff"]).args(options).args(["--"]).args(paths).run()?;
        Ok(split(&listing).map(|path| String::from_utf8_lossy(path).into_owned()).collect())
    }

    /// Makes the new index in the journal: `None` takes a path out.
    pub fn write(&self, repository: &Repository, entries: &[(&RepoPath, Option<(Oid, Mode)>)]) -> Result<(), GitError> {
        let git = || repository.git().env("GIT_INDEX_FILE", &self.new).option("core.hooksPath=/dev/null");
        if self.place.exists() {
            fs::copy(&self.place, &self.new).map_err(|error| GitError::io("write", &self.new, &error))?;
        } else {
            git().args(["read-tree", "--empty"]).run()?;
        }
        // Removals first, so that a file may become a directory and the other way round.
        let gone = entries.iter().filter(|(_, entry)| entry.is_none());
        let gone = gone.map(|(path, _)| format!("0 {}\t{path}\0", Oid::ZERO_SHA1));
        let made = entries.iter().filter_map(|(path, entry)| {
            let (id, mode) = entry.as_ref()?;
            let mode = if *mode == Mode::Executable { "100755" } else { "100644" };
            Some(format!("{mode} {id}\t{path}\0"))
        });
        let lines: String = gone.chain(made).collect();
        git().args(["update-index", "-z", "--index-info"]).stdin(lines.into_bytes()).run().map(drop)
    }

    /// Notes in the new index how the files on disk are, so that git need not read them the next time. Best effort.
    pub fn refresh(&self, repository: &Repository) {
        let git = repository.git().env("GIT_INDEX_FILE", &self.new).option("core.hooksPath=/dev/null");
        let _ = git.args(["update-index", "-q", "--refresh"]).output();
    }

    /// The new index takes the place of the old one.
    pub fn commit(self, journal: &Journal) -> Result<(), GitError> {
        journal.flush(&self.new)?;
        let failed = |error: std::io::Error| GitError::io("write", &self.place, &error);
        match fs::rename(&self.new, &self.place) {
            Err(error) if error.kind() == std::io::ErrorKind::CrossesDevices => {
                let near = beside(&self.place);
                fs::copy(&self.new, &near).and_then(|_| fs::rename(&near, &self.place)).map_err(failed)?;
                let _ = fs::remove_file(&self.new);
            }
            renamed => renamed.map_err(failed)?,
        }
        self.place.parent().map_or(Ok(()), |directory| journal.flush(directory))
    }

    fn read(&mut self, repository: &Repository) -> Result<(), GitError> {
        let listing = repository.git().args(["ls-files", "-z", "--stage", "-v", "--full-name"]).run()?;
        for line in split(&listing) {
            // `H 100644 <id> 0\t<path>`; S: skip-worktree; lower case: assume-unchanged.
            let line = String::from_utf8_lossy(line);
            let Some((facts, path)) = line.split_once('\t') else { continue };
            let mut facts = facts.split(' ');
            let (Some(tag), Some(mode), Some(id), Some(stage)) =
                (facts.next(), facts.next(), facts.next(), facts.next())
            else {
                continue;
            };
            let Ok(id) = Oid::from_str(id) else { continue };
            let kind = match mode {
                "120000" => EntryKind::Symlink,
                "160000" => EntryKind::Submodule,
                "100755" => EntryKind::Executable,
                _ => EntryKind::File,
            };
            let unwatched = tag == "S" || tag.starts_with(|letter: char| letter.is_ascii_lowercase());
            let unmerged = stage != "0";
            self.entries.insert(path.to_owned(), Entry { id, kind, unmerged, unwatched, intended: false });
        }
        Ok(())
    }

    /// Finds out which of `paths` are only announced. Their entries are those of empty files; git says it in its flags
    /// alone.
    pub fn find_intended(&mut self, repository: &Repository, paths: &[RepoPath]) -> Result<(), GitError> {
        let empty = |path: &&RepoPath| self.get(path.as_str()).is_some_and(|entry| entry.id.to_string() == EMPTY);
        let paths: Vec<&str> = paths.iter().filter(empty).map(RepoPath::as_str).collect();
        if paths.is_empty() {
            return Ok(());
        }
        let listing = repository.git().args(["ls-files", "--debug", "-z", "--full-name", "--"]).args(paths).run()?;
        let listing = String::from_utf8_lossy(&listing);
        // `<path>\0  ctime: …\n …  size: 0\tflags: 20004000\n`, and so on.
        let mut path = "";
        for piece in listing.split('\0') {
            let (facts, next) = piece.rsplit_once("flags: ").unwrap_or(("", piece));
            let (flags, next) = if facts.is_empty() { ("", next) } else { next.split_once('\n').unwrap_or((next, "")) };
            if u32::from_str_radix(flags.trim(), 16).is_ok_and(|flags| flags & INTENT_TO_ADD != 0) {
                self.entries.entry(path.to_owned()).and_modify(|entry| entry.intended = true);
            }
            path = next;
        }
        Ok(())
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        if self.held {
            let _ = fs::remove_file(&self.lock);
        }
    }
}

/// Where the new index waits if the journal is on another file system.
pub(super) fn beside(place: &Path) -> PathBuf {
    place.with_extension("implement")
}

/// The id of the empty blob, which an announced entry has.
const EMPTY: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
const INTENT_TO_ADD: u32 = 1 << 29;
