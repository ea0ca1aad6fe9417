//! [`Filled`]: what the scratch worktree is filled with, and how it comes to be filled with another tree by writing the
//! files in which the two differ, and no other.

use super::base::bad_object;
use super::index::{Index, NewEntry};
use super::objects::Entry;
use super::stage::Differences;
use super::watch::Watch;
use super::{GitError, Oid, Repository, Scratch, written};
use crate::path::RepoPath;
use crate::plan::EntryKind;
use crate::process::Interrupt;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Of more files than this each is looked for by itself no more.
const MOST_CHANGES: usize = 500;

pub(super) struct Filled {
    tree: Oid,
    /// Files are on disk; else the index alone is filled.
    files: bool,
    /// `None` if it is in a form that is for git.
    pub index: Option<Index>,
    watch: Option<Watch>,
    /// What may be otherwise than in the tree, by what others did.
    pub touched: BTreeSet<String>,
}

/// What is to be at a path that differs; `None` for nothing.
type Changes = BTreeMap<RepoPath, Option<Entry>>;

impl Filled {
    /// Git has just filled the index at `index` and, with `files`, the folder `root` with `tree`.
    pub fn now(tree: Oid, root: &Path, index: &Path, files: bool) -> Filled {
        let index = Index::read(index);
        let folders = index.as_ref().filter(|_| files).and_then(Index::folders);
        let watch = folders.and_then(|folders| Watch::begin(root, folders.iter().copied()));
        Filled { tree, files, index, watch, touched: BTreeSet::new() }
    }

    /// Is it told what others do to the files?
    pub fn is_told(&self) -> bool {
        self.watch.is_some() || !self.files
    }

    /// Hears what others have done since the last time. False if that is not known.
    pub fn hear(&mut self) -> bool {
        let heard = self.watch.as_mut().map(Watch::touched);
        let known = heard.is_none_or(|heard| heard.map(|heard| self.touched.extend(heard)).is_some());
        if let Some(index) = &self.index {
            // What git does not know is nobody's business.
            self.touched.retain(|path| index.has(path));
        }
        known
    }

    /// What differs between it and `tree`. `None` if that is more than regular files that come, go or become others, or
    /// very many.
    fn changes(&self, repository: &Repository, tree: Oid) -> Result<Option<Changes>, GitError> {
        let Some(mut paths) = changed_files(repository, self.tree, tree)? else { return Ok(None) };
        paths.extend(self.touched.iter().cloned());
        if paths.len() > MOST_CHANGES {
            return Ok(None);
        }
        let mut changes = Changes::new();
        for path in &paths {
            let Ok(path) = RepoPath::new(path) else { return Ok(None) };
            let entry = repository.entry(tree, &path)?;
            let is_file = |entry: Entry| matches!(entry.kind, EntryKind::File | EntryKind::Executable);
            // A file in the place of a folder, or the other way round.
            let inside = path.as_str().match_indices('/').filter_map(|(end, _)| path.as_str().get(..end));
            if !entry.is_none_or(is_file) || inside.into_iter().any(|folder| paths.contains(folder)) {
                return Ok(None);
            }
            changes.insert(path, entry);
        }
        Ok(Some(changes))
    }
}

impl Scratch<'_> {
    /// Fills the worktree with `tree`, where `filled` says what it is filled with now. `None` if that is for git to do, who
    /// looks at everything.
    pub(super) fn bring(
        &self,
        mut filled: Filled,
        tree: Oid,
        files: bool,
        interrupt: &Interrupt,
    ) -> Result<Option<Filled>, GitError> {
        if files && !filled.files || !filled.hear() {
            return Ok(None);
        }
        if filled.tree == tree && filled.touched.is_empty() {
            return Ok(Some(filled));
        }
        let Some(mut index) = filled.index.take().filter(Index::is_current) else { return Ok(None) };
        let Some(changes) = filled.changes(self.repository, tree)? else { return Ok(None) };
        let mut entries: BTreeMap<String, Option<NewEntry>> = BTreeMap::new();
        for (path, entry) in &changes {
            let new = |entry: &Entry| NewEntry { id: entry.id, executable: is_executable(entry), data: None };
            entries.insert(path.to_string(), entry.as_ref().map(new));
        }
        if filled.files && !self.write_files(&mut index, &changes, &mut entries, interrupt)? {
            return Ok(None);
        }
        index.update(&entries);
        let is_written = index.write().is_ok();
        // What was heard is what has just been written.
        let covered = filled.watch.as_mut().is_none_or(|watch| entries.keys().all(|path| watch.cover(path)));
        filled.touched.clear();
        filled.index = Some(index);
        let heard = covered && filled.hear();
        filled.touched.retain(|path| !entries.contains_key(path));
        filled.tree = tree;
        Ok(Some(filled).filter(|_| is_written && heard))
    }

    /// Writes and removes files, and notes in `entries` what they are like. False if something is in the way.
    fn write_files(
        &self,
        index: &mut Index,
        changes: &Changes,
        entries: &mut BTreeMap<String, Option<NewEntry>>,
        interrupt: &Interrupt,
    ) -> Result<bool, GitError> {
        let root = self.worktree();
        let files: Vec<(&RepoPath, &Entry)> =
            changes.iter().filter_map(|(path, entry)| Some((path, entry.as_ref()?))).collect();
        let paths: Vec<&RepoPath> = files.iter().map(|(path, _)| *path).collect();
        let unconverted = self.unconverted(&paths, interrupt)?;
        let failed = |path: &RepoPath| {
            let path = root.join(path.as_str());
            move |error: std::io::Error| GitError::io("write", &path, &error)
        };
        for path in changes.iter().filter(|(_, entry)| entry.is_none()).map(|(path, _)| path) {
            if !written::remove(&root, path).map_err(failed(path))? {
                return Ok(false);
            }
        }
        let (plain, converted): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|(path, _)| unconverted.contains(path.as_str()));
        for (path, entry) in plain {
            let bytes = self.repository.read(entry.id, "blob", path.as_str())?;
            let data = written::write(&root, path, &bytes, is_executable(entry)).map_err(failed(path))?;
            let (Some(data), Some(Some(new))) = (data, entries.get_mut(path.as_str())) else { return Ok(false) };
            new.data = Some(data);
        }
        if converted.is_empty() {
            return Ok(true);
        }
        index.update(entries);
        if index.write().is_err() {
            return Ok(false);
        }
        let names: Vec<u8> =
            converted.iter().flat_map(|(path, _)| [path.as_str().as_bytes(), b"\0"].concat()).collect();
        self.plain_git().args(["checkout-index", "-f", "-q", "-z", "--stdin"]).stdin(names).run_until(interrupt)?;
        for (path, _) in converted {
            let Some(Some(new)) = entries.get_mut(path.as_str()) else { return Ok(false) };
            new.data = written::data(&root, path);
        }
        Ok(true)
    }
}

fn is_executable(entry: &Entry) -> bool {
    entry.kind == EntryKind::Executable
}

/// The paths at which the trees have different files. `None` where what is no file becomes another thing.
fn changed_files(repository: &Repository, from: Oid, to: Oid) -> Result<Option<BTreeSet<String>>, GitError> {
    if from == to {
        return Ok(Some(BTreeSet::new()));
    }
    let libgit2 = repository.libgit2()?;
    // A tree that is not there is an error, and no difference.
    libgit2.find_tree(from).map_err(|error| bad_object(from, "", &error))?;
    let mut differences = Differences::new(libgit2);
    let changed = differences.between(Some(from), Some(to), "").map(|()| differences.changed);
    Ok(changed.ok().map(BTreeSet::from_iter))
}
