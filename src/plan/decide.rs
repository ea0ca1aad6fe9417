//! What each row means in this tree: undecided changes are decided by existence.

use super::neighbours::Neighbours;
use super::suggest::suggest;
use super::{Blob, EntryKind, Options, Snapshot, allow};
use crate::lld::{Change, FileSpec};
use crate::path::folded;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A selected row that asks for something, decided.
#[derive(Debug, Clone)]
pub(super) struct Case<'a> {
    pub spec: &'a FileSpec,
    /// Add, Modify, Delete or Rename (`None` for informational rows, which are no cases of a plan).
    pub change: Change,
    /// What the tree has at the path.
    pub kind: Option<EntryKind>,
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
        let open = spec.inferred && matches!(spec.change, Change::Add | Change::Modify);
        let change = match spec.change {
            _ if open && there => Change::Modify,
            _ if open => Change::Add,
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

    /// The path at which there is no file any more when it is done.
    fn takes(&self) -> Option<&'a str> {
        match self.change {
            Change::Delete => Some(self.path()),
            Change::Rename => self.spec.from.as_ref().map(|from| from.as_str()),
            _ => None,
        }
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

/// What the rules judge by: of what they ask for each row, everything is found once for all of them.
pub(super) struct Ground<'a> {
    pub cases: &'a [Case<'a>],
    pub snapshot: &'a Snapshot,
    pub options: &'a Options,
    /// What lies beside planned paths in the tree.
    pub neighbours: &'a Neighbours<'a>,
    /// Paths that a case deletes or renames away, and the place of the last such case in the plan.
    pub vacated: BTreeMap<&'a str, usize>,
    /// Paths of cases that are files when the run is over.
    pub staying: BTreeSet<&'a str>,
    /// The first spelling of each such path, and of each directory on the way to one, by its folded form.
    pub spellings: BTreeMap<String, &'a str>,
    /// Where each case stands in the plan, by the address of its row.
    places: HashMap<*const FileSpec, usize>,
    /// The place of the first case of each path.
    first: HashMap<&'a str, usize>,
    /// The place of the first case that takes away the file at a path, and of the last: more do not matter.
    taking: HashMap<&'a str, (usize, usize)>,
    /// The place of the first case with which a file appears below each directory.
    appearing: HashMap<&'a str, usize>,
    /// Rows for directories, informational and unselected ones too.
    directories: BTreeSet<&'a str>,
    /// Those of them that the design does not want gone.
    kept: HashSet<&'a str>,
    /// How many more paths that are not there are looked for under other names.
    suggestions: Cell<usize>,
}

/// Paths for which the whole tree is looked through for what may have been meant. Whoever has so many wrong paths looks
/// at the first ones.
const SUGGESTIONS: usize = 50;

impl<'a> Ground<'a> {
    /// `files` are all rows of the design.
    pub fn new(
        cases: &'a [Case<'a>],
        files: &'a [FileSpec],
        snapshot: &'a Snapshot,
        neighbours: &'a Neighbours<'a>,
        options: &'a Options,
    ) -> Self {
        let taken = cases.iter().enumerate().filter_map(|(place, case)| Some((case.takes()?, place)));
        let mut taking: HashMap<&str, (usize, usize)> = HashMap::new();
        for (path, place) in taken.clone() {
            taking.entry(path).or_insert((place, place)).1 = place;
        }
        let paths = || cases.iter().filter(|case| case.stays()).map(|case| &case.spec.path);
        let mut spellings = BTreeMap::new();
        for prefix in paths().flat_map(|path| path.directories().chain([path.as_str()])) {
            spellings.entry(folded(prefix)).or_insert(prefix);
        }
        let (mut first, mut appearing) = (HashMap::new(), HashMap::new());
        for (place, case) in cases.iter().enumerate() {
            first.entry(case.path()).or_insert(place);
            for directory in case.spec.path.directories().filter(|_| case.appears()) {
                appearing.entry(directory).or_insert(place);
            }
        }
        let directories = || files.iter().filter(|row| row.directory);
        Ground {
            cases,
            snapshot,
            options,
            neighbours,
            vacated: taken.collect(),
            staying: paths().map(|path| path.as_str()).collect(),
            spellings,
            places: cases.iter().enumerate().map(|(place, case)| (std::ptr::from_ref(case.spec), place)).collect(),
            first,
            taking,
            appearing,
            directories: directories().map(|row| row.path.as_str()).collect(),
            kept: directories().filter(|row| row.change != Change::Delete).map(|row| row.path.as_str()).collect(),
            suggestions: Cell::new(SUGGESTIONS),
        }
    }

    /// Where a case stands in the plan.
    pub fn place(&self, case: &Case) -> usize {
        self.places.get(&std::ptr::from_ref(case.spec)).copied().unwrap_or(self.cases.len())
    }

    /// An earlier case with the same path.
    pub fn twin(&self, case: &Case) -> Option<&Case<'a>> {
        let first = *self.first.get(case.path())?;
        if first < self.place(case) { self.cases.get(first) } else { None }
    }

    /// Another case that takes away the file at `path`.
    pub fn vacates(&self, path: &str, case: &Case) -> Option<&Case<'a>> {
        let (first, last) = *self.taking.get(path)?;
        let own = self.place(case);
        [first, last].into_iter().find(|place| *place != own).and_then(|place| self.cases.get(place))
    }

    /// Is the path free by the time that it is this case's turn?
    pub fn is_vacated_before(&self, path: &str, case: &Case) -> bool {
        self.vacated.get(path).is_some_and(|&place| place < self.place(case))
    }

    /// Does a file appear below this directory before it is this case's turn?
    pub fn appears_below(&self, directory: &str, case: &Case) -> bool {
        self.appearing.get(directory).is_some_and(|&place| place < self.place(case))
    }

    /// May the finding `id` be at this case's path?
    pub fn permits(&self, case: &Case, id: &str) -> bool {
        allow::permits(case.spec, self.options, id)
    }

    /// Does the design list this directory, or a directory under it, as a row of its own?
    pub fn lists_directory(&self, directory: &str) -> bool {
        let below = format!("{directory}/");
        self.directories.contains(directory)
            || self.directories.range(below.as_str()..).next().is_some_and(|next| next.starts_with(&below))
    }

    /// Does the design say that there is a directory of this path, or that there will be?
    pub fn has_directory(&self, path: &str) -> bool {
        self.kept.contains(path)
    }

    /// What the tree has that may have been meant by a path that is not there.
    pub fn suggest(&self, path: &str) -> Vec<String> {
        let Some(left) = self.suggestions.get().checked_sub(1) else { return Vec::new() };
        self.suggestions.set(left);
        suggest(path, &self.snapshot.names)
    }
}
