//! What each row means in this tree: undecided changes are decided by existence.

use super::{Blob, Kind, Options, Snapshot, allow};
use crate::lld::{Change, FileSpec};
use crate::path::folded;
use std::collections::{BTreeMap, BTreeSet};

/// A selected row that asks for something, decided.
#[derive(Debug, Clone)]
pub(super) struct Case<'a> {
    pub spec: &'a FileSpec,
    /// Add, Modify, Delete or Rename (`None` for informational rows, which are no cases of a plan).
    pub change: Change,
    /// What the tree has at the path.
    pub kind: Option<Kind>,
    /// The text that the change starts from: at `from` for a rename.
    pub base: Option<&'a Blob>,
    /// The row adds a file that is there, and may.
    pub overwrites: bool,
}

impl<'a> Case<'a> {
    pub fn decide(spec: &'a FileSpec, snapshot: &'a Snapshot, options: &Options) -> Self {
        let kind = snapshot.kind(spec.path.as_str());
        let there = kind.is_some();
        let overwrites = spec.change == Change::Add && there && allow::permits(spec, options, "overwrite");
        let change = match spec.change {
            Change::AddOrModify if there => Change::Modify,
            Change::AddOrModify => Change::Add,
            Change::Add if overwrites => Change::Modify,
            change => change,
        };
        let starts_from = match (change, &spec.from) {
            (Change::Rename, Some(from)) => snapshot.files.get(from),
            _ => snapshot.files.get(&spec.path),
        };
        // An Add that is about to be refused, or whose path another row vacates, starts from nothing.
        let base = starts_from.filter(|_| change != Change::Add);
        Case { spec, change, kind, base, overwrites }
    }

    pub fn path(&self) -> &'a str {
        self.spec.path.as_str()
    }

    /// Is there a file at the path when the run is over?
    pub fn stays(&self) -> bool {
        self.change != Change::Delete
    }

    /// Does a file appear at the path?
    pub fn appears(&self) -> bool {
        matches!(self.change, Change::Add | Change::Rename)
    }
}

pub(super) fn cases<'a>(
    files: &'a [FileSpec],
    selected: &[bool],
    snapshot: &'a Snapshot,
    options: &Options,
) -> Vec<Case<'a>> {
    let chosen = files.iter().zip(selected).filter(|(spec, selected)| **selected && asks(spec));
    chosen.map(|(spec, _)| Case::decide(spec, snapshot, options)).collect()
}

/// Does the row ask for something to be done to a file?
pub(super) fn asks(spec: &FileSpec) -> bool {
    spec.change != Change::None && !spec.directory
}

/// What the rules judge by.
pub(super) struct Ground<'a> {
    pub cases: &'a [Case<'a>],
    /// All rows of the design, informational and unselected ones too.
    pub files: &'a [FileSpec],
    pub snapshot: &'a Snapshot,
    pub options: &'a Options,
    /// Paths that a case deletes or renames away, and the place of that case in the plan.
    pub vacated: BTreeMap<&'a str, usize>,
    /// Paths of cases that are files when the run is over.
    pub staying: BTreeSet<&'a str>,
    /// The first spelling of each such path, and of each directory on the way to one, by its folded form.
    pub spellings: BTreeMap<String, &'a str>,
}

impl<'a> Ground<'a> {
    pub fn new(cases: &'a [Case<'a>], files: &'a [FileSpec], snapshot: &'a Snapshot, options: &'a Options) -> Self {
        let vacated = cases
            .iter()
            .enumerate()
            .filter_map(|(place, case)| match case.change {
                Change::Delete => Some((case.path(), place)),
                Change::Rename => case.spec.from.as_ref().map(|from| (from.as_str(), place)),
                _ => None,
            })
            .collect();
        let paths = || cases.iter().filter(|case| case.stays()).map(|case| &case.spec.path);
        let mut spellings = BTreeMap::new();
        for prefix in paths().flat_map(|path| path.directories().chain([path.as_str()])) {
            spellings.entry(folded(prefix)).or_insert(prefix);
        }
        let staying = paths().map(|path| path.as_str()).collect();
        Ground { cases, files, snapshot, options, vacated, staying, spellings }
    }

    /// Where a case stands in the plan.
    pub fn place(&self, case: &Case) -> usize {
        self.cases.iter().position(|other| std::ptr::eq(other.spec, case.spec)).unwrap_or(self.cases.len())
    }

    /// Another case that takes away the file at `path`.
    pub fn vacates(&self, path: &str, case: &Case) -> Option<&Case<'a>> {
        let takes = |other: &Case| match other.change {
            Change::Delete => other.path() == path,
            Change::Rename => other.spec.from.as_ref().is_some_and(|from| from.as_str() == path),
            _ => false,
        };
        if !self.vacated.contains_key(path) {
            return None;
        }
        self.cases.iter().find(|other| takes(other) && !std::ptr::eq(other.spec, case.spec))
    }

    /// Is the path free by the time that it is this case's turn?
    pub fn is_vacated_before(&self, path: &str, case: &Case) -> bool {
        self.vacated.get(path).is_some_and(|&place| place < self.place(case))
    }

    /// May the finding `id` be at this case's path?
    pub fn permits(&self, case: &Case, id: &str) -> bool {
        allow::permits(case.spec, self.options, id)
    }

    /// Does the design list this directory, or a directory under it, as a row of its own?
    pub fn lists_directory(&self, directory: &str) -> bool {
        self.files.iter().any(|f| f.directory && f.path.starts_with(directory))
    }
}
