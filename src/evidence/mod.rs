//! A branch as whoever reviews it wants to see it: its design, its commits and their hunks, each with the row that it comes
//! from, with what gates, servers and commands said, how exactly edits matched, and what a person has changed since.
//!
//! All of it is read from the repository and from the records of runs; what nobody recorded is left out, and a hunk that no
//! row accounts for says so.

mod base;
mod file;
mod gather;
mod hunks;
mod moved;
mod parts;
mod renamed;
mod risk;
mod rows;
mod tested;

pub use gather::{NotReviewed, gather};
pub use hunks::{Hunk, Kind, Line};
pub use parts::Part;
pub use risk::Risk;
pub use rows::Row;

use crate::finding::Finding;
use crate::record::verify::Judged;
use crate::record::{About, Made, SecondLook, Story, Try};
use std::collections::HashMap;

/// The whole of it.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// The name of the branch, or the range, as it was given.
    pub name: String,
    /// The commit that all of it is made on.
    pub base: String,
    pub runs: Vec<Run>,
    /// In the order of the history.
    pub commits: Vec<Commit>,
}

/// A run that made some of the commits.
#[derive(Debug, Clone)]
pub struct Run {
    pub id: String,
    pub about: About,
    pub design: Design,
    pub story: Story,
    /// Files that were moved, by the paths that they have now.
    pub moved: HashMap<String, String>,
    pub tokens: (u64, u64),
    pub cost: Option<f64>,
    pub seconds: f64,
}

/// What a run was to carry out.
#[derive(Debug, Clone, Default)]
pub struct Design {
    pub path: String,
    /// `None`: the record leaves it out.
    pub text: Option<String>,
    /// The rows of its plan.
    pub rows: Vec<Row>,
}

/// A commit of the branch.
#[derive(Debug, Clone)]
pub struct Commit {
    /// What `verify` says of it.
    pub judged: Judged,
    pub message: String,
    /// Its run, by its place among those of the review.
    pub run: Option<usize>,
    pub files: Vec<File>,
    /// Paths at which a merge leaves out what one of its parents has made of them.
    pub dropped: Vec<String>,
}

/// What a commit makes of a file.
#[derive(Debug, Clone)]
pub struct File {
    pub path: String,
    /// Where it was, if it has moved.
    pub from: Option<String>,
    pub change: Effect,
    /// git's modes before and after, where the file is there and they differ.
    pub modes: Option<(&'static str, &'static str)>,
    /// Why no line of it is shown; none: its lines are in `hunks`.
    pub unshown: Option<Unshown>,
    /// The row of the design of the commit's run, by its place.
    pub row: Option<usize>,
    /// Of a file that is no text: none.
    pub hunks: Vec<Hunk>,
    /// git's mode of it now; of a file that is gone, what it was.
    pub mode: Option<&'static str>,
    /// The blobs that it was and is now, by which a reader's mark is known to be about this very change.
    pub was: Option<String>,
    pub blob: Option<String>,
    pub findings: Vec<Finding>,
    /// What a person has made of it since it was generated, as a patch; empty where that is no change of a text.
    pub since: Option<String>,
    /// It may be run, or leads elsewhere, and did not before.
    pub odd: Option<Odd>,
    /// Who made it; lines that a command changed since are known if the commit has just that text.
    pub made: Option<Made>,
    /// What servers and commands said of it once it was finished.
    pub look: SecondLook,
    pub tries: Vec<Try>,
    /// Tests of the branch that are about it.
    pub tests: Vec<String>,
    pub risk: Risk,
}

/// What a file may have become besides a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Odd {
    Executable,
    Symlink,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Added,
    Modified,
    Deleted,
    /// It is elsewhere now, with other lines or the same.
    Renamed,
    /// None of its bytes: its mode.
    Mode,
}

/// Why no line of a file is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unshown {
    /// It is no text, before or after; bytes before and after, of what is there.
    Binary { before: Option<usize>, after: Option<usize> },
    /// It is too long.
    Long,
    /// It is another repository's commit.
    Submodule,
    /// What it holds is not here.
    Missing,
}

impl Effect {
    pub fn word(self) -> &'static str {
        match self {
            Effect::Added => "added",
            Effect::Modified => "modified",
            Effect::Deleted => "deleted",
            Effect::Renamed => "renamed",
            Effect::Mode => "another mode",
        }
    }
}

impl File {
    /// The commands that changed lines of this hunk after they were made.
    pub fn reworked(&self, hunk: &Hunk) -> Option<String> {
        let made = self.made.as_ref().filter(|made| Some(&made.blob) == self.blob.as_ref())?;
        let touches = made.lines.iter().any(|(from, to)| hunk.touches(*from, *to, false));
        touches.then(|| made.commands())
    }
}

impl Evidence {
    /// The files of all commits, the riskiest first; each by the places of its commit and of itself in it.
    pub fn by_risk(&self) -> Vec<(usize, usize)> {
        let places = |(at, commit): (usize, &Commit)| (0..commit.files.len()).map(move |file| (at, file));
        let mut all: Vec<(usize, usize)> = self.commits.iter().enumerate().flat_map(places).collect();
        all.sort_by_key(|(commit, file)| std::cmp::Reverse(self.commits[*commit].files[*file].risk.weight()));
        all
    }
}
