//! [`Files`]: the files that edits are applied to: those of the working tree, of the index, or of both, read and then
//! exchanged all or not at all, with what git's `apply` means by `--worktree`, `--cached` and `--index`.
//!
//! What is about to happen is written into a journal first (`journal`), so that a process that is killed in the middle
//! leaves nothing half done: the next one takes it back.
//!
//! The index is locked from the first look to the end. Texts in it are blobs; how they look on disk is git's to say
//! (line ends, filters). A file that is edited on disk alone keeps its own line ends, whatever git thinks of them.

mod disk;
mod exchange;
mod index;
mod journal;
mod system;
mod texts;
mod undo;

use super::input::{MOST_BYTES, size};
use super::{GitError, Mode, Oid, Repository};
use crate::environment::Environment;
use crate::path::RepoPath;
use crate::plan::{Blob, EntryKind};
use disk::Seen;
use exchange::{GuardedUpdate, New};
use index::{Entry, Index};
use journal::{Home, Journal};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use texts::{as_on_disk, converted, stored};

/// Where files are read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// The working tree, or outside any repository the current directory.
    Worktree,
    /// The index alone.
    Cached,
    /// Both, which must agree.
    Index,
}

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AtPath {
    Nothing,
    File(Blob),
    /// Only on disk, where the index counts as well.
    Untracked,
    /// Words for why it cannot be worked on: `it does not match the index`.
    Unfit(String),
}

/// What a path is to become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileUpdate {
    pub path: RepoPath,
    /// Its new bytes, and whether it may be run; `None`: the file is removed.
    pub becomes: Option<(Vec<u8>, bool)>,
}

/// The files, held for one exchange.
pub struct Files {
    place: Location,
    /// What paths are relative to on disk.
    root: PathBuf,
    cwd: PathBuf,
    repository: Option<Repository>,
    home: Home,
    recovered: Option<String>,
    // In the order in which they are let go of: the lock of the index is known by the journal's word.
    index: Option<Index>,
    journal: Option<Journal>,
    /// What was found at each path that was looked at, on disk.
    seen: BTreeMap<RepoPath, Seen>,
}

impl Files {
    /// Those of the repository around `cwd`; for the working tree there may be none. Locks the index if it counts. What a
    /// process before this one was killed over is put right first.
    pub fn open(cwd: &Path, environment: &Environment, place: Location) -> Result<Files, GitError> {
        let repository = match Repository::discover(cwd, environment) {
            Ok(repository) => Some(repository),
            Err(GitError::CannotOpen { message })
                if place == Location::Worktree && message.starts_with("not a git repository (or any") =>
            {
                None
            }
            Err(error) => return Err(error),
        };
        if place != Location::Cached && repository.as_ref().is_some_and(Repository::is_bare) {
            return Err(GitError::Unsupported {
                id: "needs-work-tree",
                what: "this operation must be run in a work tree".to_owned(),
                hint: "a bare repository has an index alone: --cached".to_owned(),
            });
        }
        let root = repository.as_ref().and_then(Repository::workdir).unwrap_or(cwd).to_owned();
        // As the kernel sees it, so that it can be compared with what is below the root.
        let cwd = cwd.canonicalize().unwrap_or_else(|_| cwd.to_owned());
        let home = home(repository.as_ref(), &root)?;
        let (mut recovered, mut journal, mut index) = (None, None, None);
        match &repository {
            Some(repository) if place != Location::Worktree => {
                let (held, said) = Journal::hold(&home, &cwd)?;
                index = Some(Index::lock(repository, &held)?);
                (journal, recovered) = (Some(held), said);
            }
            _ => recovered = Journal::recover(&home, &cwd)?.or(recovered),
        }
        Ok(Files { place, root, cwd, repository, home, recovered, index, journal, seen: BTreeMap::new() })
    }

    /// What was put right before anything else, in words.
    pub fn recovered(&self) -> Option<&str> {
        self.recovered.as_deref()
    }

    /// Is there something at `path`, be it fit or not? A path that no repository may have has nothing.
    pub fn exists(&self, path: &str) -> bool {
        let Ok(path) = RepoPath::new(path) else { return false };
        match &self.index {
            Some(index) => index.get(path.as_str()).is_some(),
            None => !matches!(disk::look(&self.root, &path), Ok(Seen::Nothing | Seen::Directory)),
        }
    }

    /// Is there a directory at `path`?
    pub fn is_directory(&self, path: &str) -> bool {
        let Ok(path) = RepoPath::new(path) else { return false };
        match &self.index {
            Some(index) => index.holds(path.as_str(), &BTreeSet::new()),
            None => matches!(disk::look(&self.root, &path), Ok(Seen::Directory)),
        }
    }

    /// What is at each of `paths`.
    pub fn look(&mut self, paths: &[RepoPath]) -> Result<BTreeMap<RepoPath, AtPath>, GitError> {
        if self.place != Location::Cached {
            for path in paths {
                self.seen.insert(path.clone(), disk::look(&self.root, path)?);
            }
        }
        let Some(repository) = &self.repository else {
            return Ok(paths.iter().map(|path| (path.clone(), self.on_disk(path))).collect());
        };
        if let Some(index) = &mut self.index {
            index.find_intended(repository, paths)?;
        }
        let Some(index) = &self.index else {
            let converted = converted(repository, paths)?;
            let found = |path: &RepoPath| match (self.on_disk(path), converted.get(path.as_str())) {
                (AtPath::File(_), Some(how)) => AtPath::Unfit(how.clone()),
                (found, _) => found,
            };
            return Ok(paths.iter().map(|path| (path.clone(), found(path))).collect());
        };
        let on_disk = |path: &RepoPath| self.seen.get(path).is_some_and(|seen| !matches!(seen, Seen::Nothing));
        let both = paths.iter().filter(|path| index.get(path.as_str()).is_some() && on_disk(path));
        let both: Vec<&str> = both.map(RepoPath::as_str).collect();
        let changed = if self.place == Location::Index { index.changed(repository, &both)? } else { BTreeSet::new() };
        let mut found = BTreeMap::new();
        for path in paths {
            found.insert(path.clone(), self.in_index(repository, index, path, &changed)?);
        }
        Ok(found)
    }

    fn on_disk(&self, path: &RepoPath) -> AtPath {
        match self.seen.get(path) {
            None | Some(Seen::Nothing | Seen::Directory) => AtPath::Nothing,
            Some(Seen::Unfit(why)) => AtPath::Unfit(why.clone()),
            Some(Seen::File { bytes, executable }) => {
                AtPath::File(Blob { executable: *executable, bytes: bytes.clone() })
            }
        }
    }

    /// `changed`: paths at which the disk differs.
    fn in_index(
        &self,
        repository: &Repository,
        index: &Index,
        path: &RepoPath,
        changed: &BTreeSet<String>,
    ) -> Result<AtPath, GitError> {
        let unfit = |why: &str| Ok(AtPath::Unfit(why.to_owned()));
        if let Some(directory) = path.directories().find(|directory| {
            index.get(directory).is_some_and(|entry| matches!(entry.kind, EntryKind::Symlink | EntryKind::Submodule))
        }) {
            return Ok(AtPath::Unfit(format!("it is beyond the symbolic link or submodule '{directory}'")));
        }
        if let Some(Seen::Unfit(why)) = self.seen.get(path) {
            return unfit(why);
        }
        let seen = self.place == Location::Index && matches!(self.on_disk(path), AtPath::File(_));
        let Some(Entry { id, kind, unmerged, unwatched, intended }) = index.get(path.as_str()).copied() else {
            return Ok(if seen { AtPath::Untracked } else { AtPath::Nothing });
        };
        match (unmerged, kind, intended) {
            (true, ..) => return unfit("it is unmerged"),
            (_, EntryKind::Symlink, _) => return unfit("it is a symbolic link"),
            (_, EntryKind::Submodule, _) => return unfit("it is a submodule"),
            (.., true) if self.place == Location::Cached => return Ok(AtPath::Nothing),
            _ => {}
        }
        if self.place == Location::Index && unwatched {
            return unfit("it is marked in the index as assume-unchanged or skip-worktree");
        }
        if intended || changed.contains(path.as_str()) {
            return unfit("it does not match the index");
        }
        match repository.read_within(id, path.as_str(), MOST_BYTES)? {
            Some(bytes) => Ok(AtPath::File(Blob { executable: kind == EntryKind::Executable, bytes })),
            None => Ok(AtPath::Unfit(format!("it is larger than {}", size(MOST_BYTES)))),
        }
    }

    /// Why `steps` cannot be made beside what stays: paths, and words for each.
    pub fn obstacles(&self, steps: &[FileUpdate]) -> Result<Vec<(RepoPath, String)>, GitError> {
        let gone: BTreeSet<&str> =
            steps.iter().filter(|step| step.becomes.is_none()).map(|step| step.path.as_str()).collect();
        let mut obstacles = Vec::new();
        for FileUpdate { path, .. } in steps.iter().filter(|step| step.becomes.is_some()) {
            let stays = |index: &Index, directory: &str| index.get(directory).is_some() && !gone.contains(directory);
            let in_index = self.index.as_ref().and_then(|index| {
                let file = path.directories().find(|directory| stays(index, directory));
                file.map(|file| format!("'{file}' is not a directory"))
                    .or_else(|| index.holds(path.as_str(), &gone).then(|| "it is a directory".to_owned()))
            });
            let why = match (in_index, self.place) {
                (None, Location::Worktree | Location::Index) => disk::in_the_way(&self.root, path, &gone)?,
                (in_index, _) => in_index,
            };
            obstacles.extend(why.map(|why| (path.clone(), why)));
        }
        Ok(obstacles)
    }

    /// Makes all of `steps`, whose paths have been looked at, or none.
    pub fn write(self, steps: &[FileUpdate]) -> Result<(), GitError> {
        let Files { place, root, cwd, repository, home, index, journal, seen, .. } = self;
        let journal = match journal {
            Some(journal) => journal,
            None => Journal::hold(&home, &cwd)?.0,
        };
        let mut ids: Vec<Option<(Oid, Mode)>> = Vec::new();
        if let (Some(repository), Some(index)) = (&repository, &index) {
            for step in steps {
                ids.push(stored(repository, step)?);
            }
            let entries: Vec<_> = steps.iter().map(|step| &step.path).zip(ids.iter().copied()).collect();
            index.write(repository, &entries)?;
        }
        if place == Location::Cached {
            return index.map_or(Ok(()), |index| index.commit(&journal));
        }
        let texts = match &repository {
            None => BTreeMap::new(),
            Some(repository) => as_on_disk(repository, steps, &ids, |path| {
                place == Location::Index || !matches!(seen.get(path), Some(Seen::File { .. }))
            })?,
        };
        let changes: Vec<GuardedUpdate> = steps
            .iter()
            .map(|step| {
                let was = match seen.get(&step.path) {
                    Some(Seen::File { bytes, executable }) => Some(New { bytes, executable: *executable }),
                    _ => None,
                };
                let becomes = step.becomes.as_ref().map(|(bytes, executable)| New {
                    bytes: texts.get(step.path.as_str()).unwrap_or(bytes),
                    executable: *executable,
                });
                GuardedUpdate { path: &step.path, was, becomes }
            })
            // What is in the index and not on disk goes without a word.
            .filter(|change| change.was.is_some() || change.becomes.is_some())
            .collect();
        let exchanged = exchange::exchange(&journal, &root, index.as_ref().map(Index::place), &changes)?;
        if let (Some(repository), Some(index)) = (&repository, index) {
            index.refresh(repository);
            index.commit(&journal)?;
        }
        exchanged.keep(&cwd);
        Ok(())
    }
}

/// Where the journal is: with what belongs to this working tree alone, and outside a repository among its files.
fn home(repository: Option<&Repository>, root: &Path) -> Result<Home, GitError> {
    let Some(repository) = repository else {
        return Ok(Home { place: root.join(journal::ROOM), outside: true, sync: false });
    };
    // The parts of a repository that must be on the disk before git goes on; what is said last of a part holds.
    let mut sync = false;
    for part in repository.config_str("core.fsync")?.unwrap_or_default().split(',').map(str::trim) {
        match part {
            "index" | "added" | "all" => sync = true,
            "-index" | "-added" | "-all" | "none" => sync = false,
            _ => {}
        }
    }
    Ok(Home { place: repository.git_dir().join("implement").join("apply"), outside: false, sync })
}
