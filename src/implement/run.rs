//! [`Run`]: what all files of a run share, and everybody who watches it.

use super::commit::Tally;
use super::continued::Continued;
use super::making::Making;
use crate::attempt::Policy;
use crate::check;
use crate::edit::Format;
use crate::event::{Event, SCHEMA, Sink};
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::ledger::Account;
use crate::passage::Passages;
use crate::process::Interrupt;
use crate::prompt::{Completed, Limits, Material};
use crate::provider::Provider;
use crate::provider::trace::{Span, SpanId, TraceId};
use crate::transcript::Transcript;
use std::path::PathBuf;
use std::time::Instant;

pub(super) struct Run<'a> {
    pub provider: &'a dyn Provider,
    pub limits: Limits,
    pub account: Account,
    pub policy: Policy,
    /// The form in which edits are asked for.
    pub edits: Format,
    pub settings: check::Settings,
    pub material: Material,
    /// The text in which the design names what the project depends on.
    pub dependencies: String,
    pub completed: Vec<Completed>,
    /// How many files have been changed.
    pub turns: u32,
    /// What there is to say of tests that are gone, if they are nowhere when all files are made.
    pub lost_tests: Vec<Finding>,
    pub interrupt: &'a Interrupt,
    pub transcript: Transcript,
    /// The folders that replies are recorded in.
    pub recordings: Vec<PathBuf>,
    pub continued: Option<Continued>,
    /// How it came to its texts and commits.
    pub making: Making,
    /// What the plan has written out, if its code is to be used.
    pub plan_code: Option<Passages>,
    pub face: &'a mut dyn Sink,
    pub trace: TraceId,
    pub root: SpanId,
    pub spans: Vec<Span>,
}

impl Run<'_> {
    /// Tells everybody who watches.
    pub fn say(&mut self, event: Event) {
        self.transcript.event(&event);
        self.face.event(&event);
    }

    /// The text of a file that the run has made and is to make anew; prompts then show it as what is to be changed.
    pub fn take_completed(&mut self, path: &str) -> Option<String> {
        let at = self.completed.iter().rposition(|file| file.path == path)?;
        self.completed.remove(at).text
    }

    /// The number of the next change.
    pub fn turn(&mut self) -> u32 {
        self.turns += 1;
        self.turns
    }

    /// Takes a finished file out, whole, with its place among the others.
    pub fn take_completed_at(&mut self, path: &str) -> Option<(usize, Completed)> {
        let at = self.completed.iter().rposition(|file| file.path == path)?;
        Some((at, self.completed.remove(at)))
    }

    pub fn put_back(&mut self, file: Option<(usize, Completed)>) {
        if let Some((at, file)) = file {
            self.completed.insert(at.min(self.completed.len()), file);
        }
    }

    /// Shows a file's patch to whoever asked for it.
    pub fn patch(&mut self, patch: impl FnOnce() -> String) {
        if self.face.wants_patches() {
            let patch = patch();
            self.face.patch(&check::Mask::of([patch.as_str()]).apply(&patch));
        }
    }

    pub fn last_event(&self, status: ExitCode, tally: &Tally, began: Instant) -> Event {
        Event::RunFinished {
            schema: SCHEMA,
            status,
            commits: tally.commits,
            unchanged: tally.unchanged,
            stat: tally.stat,
            usage: self.account.usage(),
            cost: self.account.cost(),
            seconds: began.elapsed().as_secs_f64(),
            error: None,
            record: None,
        }
    }
}
