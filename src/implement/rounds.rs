//! How often implementer and reviewer have a say.

use crate::config::ReviewShows;

/// The most rounds of the main job, and of a task: later ones find what is not there.
pub const MOST_OF_JOB: u32 = 2;
pub const MOST_OF_TASK: u32 = 5;

/// Rounds, as they were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rounds {
    /// In all; 0: nobody reviews.
    pub all: u32,
    /// The rounds before the last are a talk.
    pub talk: bool,
    /// What the reviewer is shown of the change.
    pub shows: ReviewShows,
}

impl Rounds {
    /// The round in which files are written.
    pub fn files(self) -> u32 {
        if self.talk { self.all.max(1) } else { 1 }
    }

    /// How often the reviewer looks at the change: what was mended is looked at once more at most.
    pub fn verdicts(self) -> u32 {
        self.all.min(MOST_OF_JOB)
    }

    /// The round of a verdict, of which `number` counts from 1.
    pub fn of_verdict(self, number: u32) -> u32 {
        if self.talk { self.all } else { number }
    }
}
