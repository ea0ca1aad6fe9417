//! [`Snapshot`]: everything that the plan is judged against, taken from the base's tree once.
//!
//! Only planned paths are looked at; the whole tree is listed only when a path that must exist does not. The user's
//! index is asked through git (which reads every kind of index), their files are compared without following links.

use super::design::same_text;
use super::objects::Entry;
use super::{Base, GitError, Oid, Repository};
use crate::path::RepoPath;
use crate::plan::{Blob, EntryKind, Snapshot};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

impl Repository {
    /// `planned`: every path of the design, origins of renames included. `must_exist`: those of them whose absence
    /// will need suggestions.
    pub fn snapshot(&self, base: &Base, planned: &[RepoPath], must_exist: &[RepoPath]) -> Result<Snapshot, GitError> {
        let (mut snapshot, ids) = self.read_snapshot(base, planned, must_exist)?;
        let Some(root) = self.workdir() else { return Ok(snapshot) };
        self.compare_with_disk(root, planned, &ids, &mut snapshot)?;
        // What is uncommitted is so beside HEAD, whatever the run starts from.
        snapshot.dirty = match self.base(None) {
            Ok(head) if head.tree != base.tree => {
                let (committed, ids) = self.read_snapshot(&head, planned, &[])?;
                self.uncommitted(root, planned, &ids, &committed)
            }
            _ => self.uncommitted(root, planned, &ids, &snapshot),
        };
        Ok(snapshot)
    }

    /// The same as far as it is the tree's: nothing of index and working tree.
    pub fn tree_snapshot(
        &self,
        base: &Base,
        planned: &[RepoPath],
        must_exist: &[RepoPath],
    ) -> Result<Snapshot, GitError> {
        Ok(self.read_snapshot(base, planned, must_exist)?.0)
    }

    fn read_snapshot(
        &self,
        base: &Base,
        planned: &[RepoPath],
        must_exist: &[RepoPath],
    ) -> Result<(Snapshot, BTreeMap<String, Entry>), GitError> {
        let mut snapshot = Snapshot::default();
        let mut ids = BTreeMap::new();
        self.read_directory(base.tree, "", &mut snapshot.directories, &mut ids)?;
        for path in planned {
            self.read_directories(path, &mut snapshot.directories, &mut ids)?;
            let Some(&Entry { id, kind }) = ids.get(path.as_str()) else { continue };
            if matches!(kind, EntryKind::File | EntryKind::Executable) && !snapshot.files.contains_key(path) {
                let bytes = self.read(id, "blob", path.as_str())?;
                snapshot.files.insert(path.clone(), Blob { executable: kind == EntryKind::Executable, bytes });
            }
        }
        if must_exist.iter().any(|path| !ids.contains_key(path.as_str())) {
            snapshot.names = self.names(base)?;
        }
        Ok((snapshot, ids))
    }

    /// Every directory between the root and `path`.
    fn read_directories(
        &self,
        path: &RepoPath,
        directories: &mut BTreeMap<String, BTreeMap<String, EntryKind>>,
        ids: &mut BTreeMap<String, Entry>,
    ) -> Result<(), GitError> {
        for directory in ancestors(path) {
            if directories.contains_key(directory) {
                continue;
            }
            match ids.get(directory) {
                Some(&Entry { id, kind: EntryKind::Directory }) => {
                    self.read_directory(id, directory, directories, ids)?
                }
                _ => break,
            }
        }
        Ok(())
    }

    fn read_directory(
        &self,
        id: Oid,
        path: &str,
        directories: &mut BTreeMap<String, BTreeMap<String, EntryKind>>,
        ids: &mut BTreeMap<String, Entry>,
    ) -> Result<(), GitError> {
        let mut names = BTreeMap::new();
        for (name, entry) in self.read_tree(id, path)? {
            let whole = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            ids.insert(whole, entry);
            names.insert(name, entry.kind);
        }
        directories.insert(path.to_owned(), names);
        Ok(())
    }

    /// What only the disk tells of planned paths: repositories on the way to them, and which of them would be ignored.
    fn compare_with_disk(
        &self,
        root: &Path,
        planned: &[RepoPath],
        ids: &BTreeMap<String, Entry>,
        snapshot: &mut Snapshot,
    ) -> Result<(), GitError> {
        let mut may_be_ignored = Vec::new();
        for path in planned {
            let mut inside = ancestors(path).take_while(|directory| is_directory(root, directory, ids));
            let embedded = inside.find(|directory| is_embedded(root, directory, ids));
            snapshot.embedded.extend(embedded.map(str::to_owned));
            let reachable = is_reachable(root, path, ids);
            if !ids.contains_key(path.as_str()) && (reachable || !on_disk_as_something_else(root, path)) {
                may_be_ignored.push(path.clone());
            }
        }
        snapshot.ignored = self.ignored(&may_be_ignored)?;
        Ok(())
    }

    /// Which of `planned` have changes, staged or on disk, beside a commit with these entries and files.
    fn uncommitted(
        &self,
        root: &Path,
        planned: &[RepoPath],
        ids: &BTreeMap<String, Entry>,
        committed: &Snapshot,
    ) -> BTreeSet<RepoPath> {
        let index = self.index_entries(planned);
        let is_dirty = |path: &&RepoPath| {
            let entry = ids.get(path.as_str()).copied();
            if entry.is_some_and(|entry| !matches!(entry.kind, EntryKind::File | EntryKind::Executable)) {
                return false;
            }
            let differs = || differs_on_disk(root, path, is_reachable(root, path, ids), committed.files.get(*path));
            match index.as_ref().map(|entries| entries.get(path.as_str())) {
                Some(Some(indexed)) => {
                    let staged = indexed.id.is_none() || indexed.id != entry.map(|entry| entry.id);
                    // Where git does not look at the file on disk, it says nothing.
                    staged || !indexed.unwatched && differs()
                }
                Some(None) => entry.is_some() || differs(),
                None => differs(),
            }
        };
        planned.iter().filter(is_dirty).cloned().collect()
    }

    /// What the user's index has at `paths`; `None` if there is no index that git can read.
    fn index_entries(&self, paths: &[RepoPath]) -> Option<BTreeMap<String, IndexEntry>> {
        let mut entries = BTreeMap::new();
        if paths.is_empty() {
            return Some(entries);
        }
        let listing = self
            .git()
            .args(["ls-files", "-z", "--stage", "-v", "--full-name", "--"])
            .args(paths.iter().map(RepoPath::as_str))
            .run()
            .ok()?;
        for line in split(&listing) {
            // `H 100644 <id> 0\t<path>`; S: skip-worktree; lower case: assume-unchanged.
            let line = String::from_utf8_lossy(line);
            let Some((facts, path)) = line.split_once('\t') else { continue };
            let mut facts = facts.split(' ');
            let (tag, _, id, stage) = (facts.next()?, facts.next(), facts.next()?, facts.next()?);
            let unwatched = tag == "S" || tag.starts_with(|letter: char| letter.is_ascii_lowercase());
            // A conflict is a difference whatever its sides are.
            let id = if stage == "0" { Oid::from_str(id).ok() } else { None };
            entries.insert(path.to_owned(), IndexEntry { id, unwatched });
        }
        Some(entries)
    }

    /// Which of `paths` the ignore rules cover, be they in the tree or not.
    pub fn ignored(&self, paths: &[RepoPath]) -> Result<BTreeSet<RepoPath>, GitError> {
        if paths.is_empty() {
            return Ok(BTreeSet::new());
        }
        // This one refuses to read paths literally; `./` in front takes the magic out of them.
        let asked: Vec<u8> = paths.iter().flat_map(|path| format!("./{path}\0").into_bytes()).collect();
        let git = self.git().without_env("GIT_LITERAL_PATHSPECS");
        let output = git.args(["check-ignore", "-z", "--stdin", "--no-index"]).stdin(asked).output()?;
        // 1: none. More: git will not say (such as a path in a place that it does not go into); the plan judges those.
        let covered: BTreeSet<&[u8]> = if output.ok() {
            split(&output.stdout).filter_map(|path| path.strip_prefix(b"./")).collect()
        } else {
            BTreeSet::new()
        };
        Ok(paths.iter().filter(|path| covered.contains(path.as_str().as_bytes())).cloned().collect())
    }
}

struct IndexEntry {
    /// `None` for a conflict.
    id: Option<Oid>,
    unwatched: bool,
}

/// `a`, `a/b` for `a/b/c`.
fn ancestors(path: &RepoPath) -> impl Iterator<Item = &str> {
    path.as_str().match_indices('/').filter_map(|(at, _)| path.as_str().get(..at))
}

/// Is every parent of `path` on disk a directory of this repository?
fn is_reachable(root: &Path, path: &RepoPath, ids: &BTreeMap<String, Entry>) -> bool {
    ancestors(path).all(|directory| is_directory(root, directory, ids) && !is_embedded(root, directory, ids))
}

fn is_directory(root: &Path, directory: &str, ids: &BTreeMap<String, Entry>) -> bool {
    let submodule = matches!(ids.get(directory), Some(Entry { kind: EntryKind::Submodule, .. }));
    !submodule && root.join(directory).symlink_metadata().is_ok_and(|found| found.is_dir())
}

/// Is it a directory on disk with a repository of its own?
fn is_embedded(root: &Path, directory: &str, ids: &BTreeMap<String, Entry>) -> bool {
    is_directory(root, directory, ids) && root.join(directory).join(".git").symlink_metadata().is_ok()
}

/// Is a parent of `path` on disk a link or a file? git refuses to judge such paths.
fn on_disk_as_something_else(root: &Path, path: &RepoPath) -> bool {
    ancestors(path).any(|directory| {
        let place = root.join(directory);
        place.symlink_metadata().is_ok_and(|found| !found.is_dir()) || place.join(".git").symlink_metadata().is_ok()
    })
}

fn differs_on_disk(root: &Path, path: &RepoPath, reachable: bool, base: Option<&Blob>) -> bool {
    let place = root.join(path.as_str());
    let found = if reachable { place.symlink_metadata().ok() } else { None };
    match (found, base) {
        (None, None) => false,
        (None, Some(_)) | (Some(_), None) => true,
        (Some(found), Some(_)) if !found.is_file() => true,
        (Some(_), Some(base)) => !std::fs::read(&place).is_ok_and(|bytes| same_text(&bytes, &base.bytes)),
    }
}

/// NUL-terminated, as git's `-z` and `--stdin -z` want it.
pub(super) fn joined(paths: &[RepoPath]) -> Vec<u8> {
    paths.iter().flat_map(|path| path.as_str().bytes().chain([0])).collect()
}

pub(super) fn split(listing: &[u8]) -> impl Iterator<Item = &[u8]> {
    listing.split(|&byte| byte == 0).filter(|piece| !piece.is_empty())
}
