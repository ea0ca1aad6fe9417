//! Finding the design: a file of the working tree, a blob of a revision, or what standard input had. A folder with a task
//! list or with plans is one, too, and what stands beside these belongs to it.
//!
//! Knows nothing of what is in it.

use super::documents::Place;
use super::objects::Entry;
use super::{Base, GitError, Oid, Repository, input};
use crate::folder;
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
    /// For a task list or a folder: the documents beside it, the most important first.
    pub beside: Vec<(RepoPath, String)>,
    /// The folder, if one was named.
    pub folder: Option<RepoPath>,
    /// For a folder of several plans: these, of which the text is made, in order.
    pub parts: Vec<Part>,
    /// … and those that were carried out before.
    pub done: Vec<RepoPath>,
    /// It is in no file: somebody has handed it in.
    pub given: bool,
}

/// One of the documents that are a design together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub path: RepoPath,
    /// As many lines of the design's text are its.
    pub lines: usize,
}

/// A larger design is refused.
pub const MOST_DESIGN: u64 = 16 << 20;

/// What stands for standard input where designs are named.
pub const GIVEN: &str = "-";

/// The name of a design that came from standard input, where others have their path.
pub const STANDARD_INPUT: &str = "standard-input";

/// The name of one that the program has written for a task that somebody typed.
pub const TASK: &str = "task";

impl Design {
    /// What somebody has handed in, under this name.
    ///
    /// # Errors
    /// If it is not UTF-8.
    pub fn given(name: &str, bytes: &[u8]) -> Result<Design, GitError> {
        let path = checked(GIVEN, name)?;
        let blob = Oid::hash_object(git2::ObjectType::Blob, bytes).map_err(GitError::libgit2("hash the design"))?;
        let text = std::str::from_utf8(bytes).map_err(|_| GitError::DesignNotUtf8 { design: GIVEN.to_owned() })?;
        let text = text.to_owned();
        Ok(Design { given: true, ..Design::of(path, text, blob) })
    }

    /// One that is in no commit, with nothing beside it.
    pub(super) fn of(path: RepoPath, text: String, blob: Oid) -> Design {
        Design {
            path,
            text,
            blob,
            committed: false,
            differs_from_base: true,
            of_commit: false,
            beside: Vec::new(),
            folder: None,
            parts: Vec::new(),
            done: Vec::new(),
            given: false,
        }
    }

    /// Is it in no file?
    pub fn is_given(&self) -> bool {
        self.given
    }

    /// Has the program written it, for a task?
    pub fn is_task(&self) -> bool {
        self.given && self.path.as_str() == TASK
    }
}

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
        let within = self.workdir().and_then(|root| named.strip_prefix(root).ok().map(Path::to_owned));
        if within.is_none() && named.is_absolute() {
            // No repository path begins with a slash.
            return path.to_owned();
        }
        let joined = within.unwrap_or_else(|| inside.join(path));
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
                if self.entry(tree, &list)?.is_some() {
                    return self.design_in(argument, tree, list.as_str(), base);
                }
                let found = self.design_of_folder(argument, Place::Tree(tree), &path, base)?;
                found.ok_or_else(|| GitError::DesignDirectory { design: design() })
            }
            Some(Entry { kind: EntryKind::Submodule, .. }) => Err(GitError::DesignDirectory { design: design() }),
            Some(Entry { id, kind: EntryKind::File | EntryKind::Executable }) => {
                let bytes = self.read_within(id, path.as_str(), MOST_DESIGN)?;
                let bytes = bytes.ok_or_else(|| unreadable(argument, &input::too_large(MOST_DESIGN)))?;
                let design = self.designed(argument, path, bytes, base)?;
                let beside = match folder_of(&design.path) {
                    Some(folder) => self.beside_list(Place::Tree(tree), folder)?,
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
            let folder = place.strip_prefix(root).map_err(|_| outside())?;
            let none = || GitError::DesignDirectory { design: design() };
            // The root itself has no name.
            let folder = RepoPath::new(&folder.to_string_lossy()).map_err(|_| none())?;
            return self.design_of_folder(argument, Place::Disk(root), &folder, base)?.ok_or_else(none);
        }
        let path = inside(file, root).ok_or_else(outside)?;
        if kind.is_symlink() {
            return Err(GitError::DesignSymlink { design: design() });
        }
        let path = checked(argument, &path.to_string_lossy())?;
        let bytes = input::read(file, MOST_DESIGN).map_err(|error| unreadable(argument, &error))?;
        let design = self.designed(argument, path, bytes, base)?;
        let beside = match folder_of(&design.path) {
            Some(folder) => self.beside_list(Place::Disk(root), folder)?,
            None => Vec::new(),
        };
        Ok(Design { beside, ..design })
    }

    pub(super) fn designed(
        &self,
        argument: &str,
        path: RepoPath,
        bytes: Vec<u8>,
        base: &Base,
    ) -> Result<Design, GitError> {
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
        Ok(Design { committed, differs_from_base: !same, ..Design::of(path, text, blob) })
    }
}

/// The folder of a task list; a list in the root has none of its own.
fn folder_of(path: &RepoPath) -> Option<&str> {
    path.as_str().rsplit_once('/').filter(|(_, name)| *name == folder::TASK_LIST).map(|(folder, _)| folder)
}

/// `file` relative to `root`, with links on the way resolved but not `file` itself.
fn inside(file: &Path, root: &Path) -> Option<PathBuf> {
    let parent = file.parent()?.canonicalize().ok()?;
    Some(parent.strip_prefix(root).ok()?.join(file.file_name()?))
}

pub(super) fn unreadable(argument: &str, error: &std::io::Error) -> GitError {
    GitError::io("read the design", Path::new(argument), error)
}

pub(super) fn checked(argument: &str, path: &str) -> Result<RepoPath, GitError> {
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
