//! The plan: what a design asks for, checked against the base commit's tree before a token is spent.
//!
//! Rows are first decided (what each one means in this tree), then judged (one small file a rule, in `rules/`), then
//! made into steps. It reads no repository: [`Snapshot`] is all that it knows of one. What the design's prose is
//! worth, and what a model makes of it, is for others to say.

use crate::finding::{Finding, Permission};
use crate::lld::{Change, Lld};
use crate::path::RepoPath;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

mod allow;
mod decide;
mod estimate;
mod examine;
mod executable;
mod listing;
mod neighbours;
pub mod proposal;
pub mod propose;
mod rules;
mod select;
mod short_paths;
mod snapshot;
mod strategy;
mod suggest;
mod tasks;
#[cfg(test)]
mod tests;
mod tick;
mod verifying;

pub use estimate::{Estimate, Prices, estimate_tokens};
pub use examine::{Examined, examine};
pub use executable::is_executable;
pub use listing::{Listing, Repairs, Row, Shown, Size, Started, Suggested, Total, plan_no_repo};
pub use short_paths::complete_short_paths;
pub use snapshot::{must_exist, planned_paths};
pub use suggest::suggest;
pub use tasks::{Choice, finished};
pub use tick::{goes_on, tick};
pub use verifying::{commands_to_verify, says_how_to_verify};

/// What an entry of a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
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
    pub directories: BTreeMap<String, BTreeMap<String, EntryKind>>,
    /// Planned paths (and sources of renames) that are regular files in the tree.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

impl Strategy {
    /// As in `plan --json`.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Whole => "whole",
            Strategy::Edits => "edits",
            Strategy::None => "none",
            Strategy::Unknown => "unknown",
        }
    }
}

/// One file of the plan: the plan is the allow-list of everything that a run may write.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// An earlier step has made this file: what it made is what this one starts from.
    pub again: bool,
    /// Is the file to have mode 755, as far as its base, its neighbours and its name say? [`Step::is_executable`] asks its
    /// text, too.
    pub executable: bool,
    /// Ids of findings that the design's row or the command line permit here.
    pub allow: Vec<String>,
    /// The ids of the tasks that it is for.
    pub tasks: Vec<String>,
}

#[cfg(test)]
impl Step {
    /// Adds `path`, or modifies it where there is a base.
    pub(crate) fn of(path: &str, strategy: Strategy, base: Option<&str>) -> Step {
        Step {
            path: RepoPath::new(path).unwrap(),
            change: if base.is_some() { Change::Modify } else { Change::Add },
            from: None,
            strategy,
            description: "What it is for".into(),
            line: 1,
            base: base.map(|text| Blob { executable: false, bytes: text.into() }),
            again: false,
            executable: false,
            allow: vec![],
            tasks: vec![],
        }
    }
}

/// The steps of one run, in the design's order. Only [`plan`] and [`examine`] make one that has any.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    steps: Vec<Step>,
}

impl Plan {
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// May the run write (or remove) this path?
    pub fn covers(&self, path: &str) -> bool {
        self.steps.iter().any(|s| s.path.as_str() == path || s.from.as_ref().is_some_and(|f| f.as_str() == path))
    }
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
    /// What the person, or the project, permits.
    pub allow: Vec<Permission>,
    /// `-- <path>...`: make only these, and what lies under them.
    pub only: Vec<String>,
    /// Which tasks of a list to make.
    pub tasks: Choice,
    /// A step for each file of each task, in the place of one for each file.
    pub per_task: bool,
    /// Tick the tasks that are finished.
    pub tick: bool,
}

/// The most files that one run may write unless the person says otherwise.
pub const MAX_FILES: usize = 50;

impl Default for Options {
    fn default() -> Self {
        Options {
            max_files: MAX_FILES,
            edit_lines: 500,
            edit_bytes: 15_000,
            force: None,
            allow: Vec::new(),
            only: Vec::new(),
            tasks: Choice::default(),
            per_task: false,
            tick: true,
        }
    }
}

/// Checks `lld` against `snapshot`. The findings begin with the design's own, and their lines are lines of the
/// design; the plan is there unless one of them is an error.
pub fn plan(lld: &Lld, snapshot: &Snapshot, options: &Options) -> (Option<Plan>, Vec<Finding>) {
    let Examined { plan, findings, .. } = examine(lld, snapshot, options);
    (plan, findings)
}
