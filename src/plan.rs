//! The plan: what a design asks for, checked against the base commit's tree before a token is spent.

use crate::finding::Finding;
use crate::lld::{Change, Lld};
use crate::path::RepoPath;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What an entry of a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    File,
    Executable,
    Symlink,
    Submodule,
    Directory,
}

/// A planned path's blob in the base tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    pub executable: bool,
    pub bytes: Vec<u8>,
}

/// What the plan is judged against: data, taken from the base commit's tree once. Pure stages never see a repository.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// The entries of the root (`""`) and of every directory on the way to a planned path. A directory that is not
    /// in the tree is not in the map.
    pub directories: BTreeMap<String, BTreeMap<String, Kind>>,
    /// Planned paths that are regular files in the tree.
    pub files: BTreeMap<RepoPath, Blob>,
    /// All paths of the tree, for suggestions; empty unless a path that must exist does not (a tree of 90,000 takes
    /// 60 ms to list).
    pub names: Vec<String>,
    /// Planned paths that the repository's ignore rules cover and the tree does not have.
    pub ignored: BTreeSet<RepoPath>,
    /// Planned paths at which the user's index or working tree differs from the base.
    pub dirty: BTreeSet<RepoPath>,
    /// Directories on the way to a planned path that are, on disk, the root of another repository (a submodule of the
    /// tree is not among them): what is planned below one belongs to that repository.
    pub embedded: BTreeSet<String>,
}

/// How a file's new content is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// The whole file.
    Whole,
    /// Edits to the base.
    Edits,
    /// Nothing is asked: a deletion, a pure rename, an informational row.
    None,
    /// Not known outside a repository.
    Unknown,
}

/// One file of the plan. Only [`plan`] makes them: the plan is the allow-list of everything that a run may write.
#[derive(Debug, Clone)]
pub struct Step {
    pub path: RepoPath,
    /// Add, Modify, Delete or Rename; never undecided.
    pub change: Change,
    pub from: Option<RepoPath>,
    pub strategy: Strategy,
    pub description: String,
    pub line: usize,
    /// What the base has at `path` (at `from` for a rename).
    pub base: Option<Blob>,
    /// Ids of findings that the design's row or the command line permit here.
    pub allow: Vec<String>,
    pub tasks: Vec<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Plan {
    pub steps: Vec<Step>,
}

/// What the person, not the design, decides.
#[derive(Debug, Clone)]
pub struct Options {
    /// The most files that one run may write.
    pub max_files: usize,
    /// A modified file is asked for as edits when it has more lines than this …
    pub edit_lines: usize,
    /// … or more bytes than this.
    pub edit_bytes: usize,
    /// `--format`: `Whole` or `Edits` whatever the size.
    pub force: Option<Strategy>,
    /// `--allow <id>[:<path>]`.
    pub allow: Vec<String>,
    /// `-- <path>...`: make only these.
    pub only: Vec<String>,
}

/// Checks `lld` against `snapshot`. The plan is there unless one of the findings is an error.
pub fn plan(lld: &Lld, snapshot: &Snapshot, options: &Options) -> (Option<Plan>, Vec<Finding>) {
    let _ = (lld, snapshot, options);
    (None, Vec::new())
}
