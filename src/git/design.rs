//! Finding the design: a file of the working tree, or a blob of a revision. A folder with a task list is one, too, and
//! what stands beside a task list belongs to it.
//!
//! Knows nothing of what is in it.

use super::objects::Entry;
use super::{Base, GitError, Oid, Repository, input};
use crate::lld::folder;
use crate::path::RepoPath;
use crate::plan::{self, EntryKind};
use std::path::{Component, Path, PathBuf};

/// A design as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Design {
    /// Relative to the root of the repository.
    pub path: RepoPath,
    pub text: String,
    /// The hash of its bytes in blob form; the object itself is written with the run's record.
    pub blob: Oid,
    /// The base has a file at that path.
    pub committed: bool,
    /// … and it is another text than this (true also if it is not committed).
    pub differs_from_base: bool,
    /// It was named as one of a commit: `<rev>:<path>`.
    pub of_commit: bool,
    /// For a task list: the documents beside it, in the order of [`folder::rank`].
    pub beside: Vec<(RepoPath, String)>,
}

/// More documents beside a task list, or larger ones, are not read.
const MOST_BESIDE: usize = 200;
const MOST_BYTES: u64 = 1 << 20;

/// A larger design is refused.
pub const MOST_DESIGN: u64 = 16 << 20;

impl Repository {
    /// Reads the design that `argument` names. A file is looked for relative to `cwd`; `<rev>:<path>` and, in a bare
    /// repository, a path are blobs.
    pub fn design(&self, argument: &str, cwd: &Path, base: &Base) -> Result<Design, GitError> {
        let file = cwd.join(argument);
        let exists = file.symlink_metadata().is_ok();
        match (self.workdir(), argument.split_once(':')) {
            (Some(root), _) if exists => self.design_on_disk(argument, &file, root, base),
            (_, Some((revision, path))) if !revision.is_empty() => {
                let tree = self.resolve(revision, "tree")?;
                let path = self.rooted(path, cwd);
                Ok(Design { of_commit: true, ..self.design_in(argument, tree, &path, base)? })
            }
            (None, None) => self.design_in(argument, base.tree, argument, base),
            _ => Err(GitError::DesignMissing { design: argument.to_owned() }),
        }
    }

    /// The task list as the base has it, if that is the same list with more of its boxes ticked: what a run on this base
    /// has done before is done.
    pub fn ticked_in_base(&self, design: &Design, base: &Base) -> Result<Option<Design>, GitError> {
        if !design.committed || !design.differs_from_base {
            return Ok(None);
        }
        let Some(Entry { id, kind: EntryKind::File | EntryKind::Executable }) = self.entry(base.tree, &design.path)?
        else {
            return Ok(None);
        };
        let Some(bytes) = self.read_within(id, design.path.as_str(), MOST_DESIGN)? else { return Ok(None) };
        let Ok(text) = std::str::from_utf8(&bytes) else { return Ok(None) };
        if !plan::goes_on(&design.text, text) {
            return Ok(None);
        }
        let beside = design.beside.clone();
        let of_commit = design.of_commit;
        Ok(Some(Design { beside, of_commit, ..self.designed(design.path.as_str(), design.path.clone(), bytes, base)? }))
    }

    /// git reads `./x` and `../x` after a colon relative to the current directory, anything else from the root.
    fn rooted(&self, path: &str, cwd: &Path) -> String {
        if path.starts_with("./") || path.starts_with("../") { self.from_root(path, cwd) } else { path.to_owned() }
    }

    /// `path`, which is relative to `cwd` or absolute, from the root. A path that leads out of the repository keeps what
    /// says so.
    pub fn from_root(&self, path: &str, cwd: &Path) -> String {
        let cwd = cwd.canonicalize().unwrap_or_else(|_| cwd.to_owned());
        let inside = self.workdir().and_then(|root| cwd.strip_prefix(root).ok()).unwrap_or(Path::new(""));
        let mut parts: Vec<String> = Vec::new();
        let named = Path::new(path);
        let named = self.workdir().and_then(|root| named.strip_prefix(root).ok().map(Path::to_owned));
        let joined = named.unwrap_or_else(|| inside.join(path));
        for component in joined.components() {
            match component {
                // One step too many leaves `..` in the path, which no repository path has.
                Component::ParentDir if parts.pop().is_none() => return path.to_owned(),
                Component::ParentDir => {}
                Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
                _ => {}
            }
        }
        parts.join("/")
    }

    fn design_in(&self, argument: &str, tree: Oid, path: &str, base: &Base) -> Result<Design, GitError> {
        let path = checked(argument, path.trim_end_matches('/'))?;
        let design = || argument.to_owned();
        match self.entry(tree, &path)? {
            None => Err(GitError::DesignMissing { design: design() }),
            Some(Entry { kind: EntryKind::Symlink, .. }) => Err(GitError::DesignSymlink { design: design() }),
            Some(Entry { kind: EntryKind::Directory, .. }) => {
                let list = checked(argument, &format!("{path}/{}", folder::TASK_LIST))?;
                match self.entry(tree, &list)? {
                    Some(_) => self.design_in(argument, tree, list.as_str(), base),
                    None => Err(GitError::DesignDirectory { design: design() }),
                }
            }
            Some(Entry { kind: EntryKind::Submodule, .. }) => Err(GitError::DesignDirectory { design: design() }),
            Some(Entry { id, kind: EntryKind::File | EntryKind::Executable }) => {
                let bytes = self.read_within(id, path.as_str(), MOST_DESIGN)?;
                let bytes = bytes.ok_or_else(|| unreadable(argument, &input::too_large(MOST_DESIGN)))?;
                let design = self.designed(argument, path, bytes, base)?;
                let beside = match folder_of(&design.path) {
                    Some(folder) => self.beside_in(tree, folder)?,
                    None => Vec::new(),
                };
                Ok(Design { beside, ..design })
            }
        }
    }

    fn design_on_disk(&self, argument: &str, file: &Path, root: &Path, base: &Base) -> Result<Design, GitError> {
        let design = || argument.to_owned();
        let kind = file.symlink_metadata().map_err(|error| GitError::io("read", file, &error))?.file_type();
        let outside = || GitError::DesignOutside { design: design(), root: root.to_owned() };
        if kind.is_dir() && file.join(folder::TASK_LIST).is_file() {
            return self.design_on_disk(argument, &file.join(folder::TASK_LIST), root, base);
        }
        if kind.is_dir() {
            let place = file.canonicalize().map_err(|error| GitError::io("read", file, &error))?;
            return Err(if place.starts_with(root) {
                GitError::DesignDirectory { design: design() }
            } else {
                outside()
            });
        }
        let path = inside(file, root).ok_or_else(outside)?;
        if kind.is_symlink() {
            return Err(GitError::DesignSymlink { design: design() });
        }
        let path = checked(argument, &path.to_string_lossy())?;
        let bytes = input::read(file, MOST_DESIGN).map_err(|error| unreadable(argument, &error))?;
        let design = self.designed(argument, path, bytes, base)?;
        let beside = match folder_of(&design.path) {
            Some(folder) => beside_on_disk(root, folder),
            None => Vec::new(),
        };
        Ok(Design { beside, ..design })
    }

    fn beside_in(&self, tree: Oid, folder: &str) -> Result<Vec<(RepoPath, String)>, GitError> {
        let listing = self
            .git()
            .args(["ls-tree", "-r", "-z", "--name-only", "--full-tree"])
            .args([&tree.to_string(), "--", &format!("{folder}/")])
            .run()?;
        let names = listing.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
        let mut documents = Vec::new();
        for path in ranked(folder, names.map(str::to_owned).collect()) {
            if let Some(Entry { id, kind: EntryKind::File | EntryKind::Executable }) = self.entry(tree, &path)?
                && let Some(bytes) = self.read_within(id, path.as_str(), MOST_BYTES)?
                && let Ok(text) = String::from_utf8(bytes)
            {
                documents.push((path, text));
            }
        }
        Ok(documents)
    }

    fn designed(&self, argument: &str, path: RepoPath, bytes: Vec<u8>, base: &Base) -> Result<Design, GitError> {
        let in_base = match self.entry(base.tree, &path)? {
            Some(Entry { id, kind: EntryKind::File | EntryKind::Executable }) => Some(id),
            _ => None,
        };
        let committed = in_base.is_some();
        // One that is too large is another text.
        let in_base = in_base.map(|id| self.read_within(id, path.as_str(), MOST_DESIGN)).transpose()?.flatten();
        let same = in_base.as_ref().is_some_and(|committed| same_text(committed, &bytes));
        // A checkout may have turned LF into CRLF; then what was committed is the text.
        let bytes = in_base.filter(|_| same).unwrap_or(bytes);
        let blob = Oid::hash_object(git2::ObjectType::Blob, &bytes).map_err(GitError::libgit2("hash the design"))?;
        let text = String::from_utf8(bytes).map_err(|_| GitError::DesignNotUtf8 { design: argument.to_owned() })?;
        Ok(Design { path, text, blob, committed, differs_from_base: !same, of_commit: false, beside: Vec::new() })
    }
}

/// The folder of a task list; a list in the root has none of its own.
fn folder_of(path: &RepoPath) -> Option<&str> {
    path.as_str().rsplit_once('/').filter(|(_, name)| *name == folder::TASK_LIST).map(|(folder, _)| folder)
}

/// Those of `names`, which are from the root, that are documents of the feature in `folder`; in the order in which they
/// are shown.
fn ranked(folder: &str, names: Vec<String>) -> Vec<RepoPath> {
    let rank = |name: &String| folder::rank(name.strip_prefix(folder)?.strip_prefix('/')?);
    let mut ranked: Vec<(usize, String)> =
        names.into_iter().filter_map(|name| Some((rank(&name)?, name))).take(MOST_BESIDE).collect();
    ranked.sort();
    ranked.into_iter().filter_map(|(_, name)| RepoPath::new(&name).ok()).collect()
}

fn beside_on_disk(root: &Path, folder: &str) -> Vec<(RepoPath, String)> {
    let mut names = Vec::new();
    let mut folders = vec![folder.to_owned()];
    // What cannot be read is not part of it, and links lead elsewhere.
    while let Some(folder) = folders.pop().filter(|_| names.len() < MOST_BESIDE) {
        for entry in std::fs::read_dir(root.join(&folder)).into_iter().flatten().flatten() {
            let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
            let path = format!("{folder}/{name}");
            if kind.is_dir() && folders.len() < MOST_BESIDE {
                folders.push(path);
            } else if kind.is_file() && entry.metadata().is_ok_and(|metadata| metadata.len() <= MOST_BYTES) {
                names.push(path);
            }
        }
    }
    let text = |path: RepoPath| Some((std::fs::read_to_string(root.join(path.as_str())).ok()?, path));
    ranked(folder, names).into_iter().filter_map(text).map(|(text, path)| (path, text)).collect()
}

/// `file` relative to `root`, with links on the way resolved but not `file` itself.
fn inside(file: &Path, root: &Path) -> Option<PathBuf> {
    let parent = file.parent()?.canonicalize().ok()?;
    Some(parent.strip_prefix(root).ok()?.join(file.file_name()?))
}

fn unreadable(argument: &str, error: &std::io::Error) -> GitError {
    GitError::io("read the design", Path::new(argument), error)
}

fn checked(argument: &str, path: &str) -> Result<RepoPath, GitError> {
    RepoPath::new(path).map_err(|_| GitError::DesignPath { design: argument.to_owned() })
}

/// Equal but for CRLF against LF.
pub(super) fn same_text(a: &[u8], b: &[u8]) -> bool {
    a == b || without_cr(a).eq(without_cr(b))
}

fn without_cr(bytes: &[u8]) -> impl Iterator<Item = u8> + '_ {
    bytes
        .iter()
        .enumerate()
        .filter(|&(at, &byte)| !(byte == b'\r' && bytes.get(at + 1) == Some(&b'\n')))
        .map(|(_, &b)| b)
}
