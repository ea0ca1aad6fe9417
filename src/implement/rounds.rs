//! How often implementer and reviewer have a say.

use crate::config::{MOST_ROUNDS, ReviewShows};
use crate::model::{Speaker, Usage};
use crate::plan::{Estimate, Prices, estimate_tokens};
use crate::prompt::{Limits, Material, talk};

/// The most rounds of the main job, and of a task: later ones find what is not there.
pub const MOST_OF_JOB: u32 = 2;
pub const MOST_OF_TASK: u32 = MOST_ROUNDS;

/// Tokens that a verdict and its remarks come to.
const SAID: u64 = 640;

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

    /// What talk and review come to for the implementer and for the reviewer, at the `prices` of each, beside the `files`. A
    /// fix counts among repairs.
    pub fn foreseen(
        self,
        material: &Material,
        files: &Estimate,
        limits: Limits,
        prices: [Option<Prices>; 2],
    ) -> [Estimate; 2] {
        let mut both = [Estimate::default(); 2];
        for ((estimate, usage), prices) in both.iter_mut().zip(self.used(material, files, limits)).zip(prices) {
            let cost = prices.map(|prices| prices.cost(&usage));
            *estimate = Estimate { prompt: usage.input, reply: usage.output, cost, ..Estimate::default() };
        }
        both
    }

    fn used(self, material: &Material, files: &Estimate, limits: Limits) -> [Usage; 2] {
        let mut usages = [Usage::default(); 2];
        let [implementer, reviewer] = &mut usages;
        let rounds = self.files();
        for round in 1..rounds {
            for (usage, by) in [(&mut *implementer, Speaker::Implementer), (&mut *reviewer, Speaker::Reviewer)] {
                let turn = talk::Turn { by, round, rounds, planned: &[] };
                // What is too long is found when the files are foreseen.
                let Ok(prompt) = talk::request(material, turn, limits) else { continue };
                usage.input += prompt.tokens + 2 * u64::from(round - 1) * prompt.reply_tokens;
                usage.output += prompt.reply_tokens;
            }
        }
        // The diff is about as long as what is gone and what is new.
        let change = estimate_tokens(&material.design.text) + 2 * files.reply;
        reviewer.input += u64::from(self.verdicts()) * 2 * change;
        reviewer.output += u64::from(self.verdicts()) * SAID;
        usages
    }

    /// The round of a verdict, of which `number` counts from 1.
    pub fn of_verdict(self, number: u32) -> u32 {
        if self.talk { self.all } else { number }
    }
}
