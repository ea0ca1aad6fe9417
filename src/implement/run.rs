//! [`Run`]: what all files of a run share, and everybody who watches it.

use super::commit::Tally;
use super::continued::Continued;
use super::delivery::Turn;
use super::making::Making;
use super::question::{Answer, Asker, Asks, Question};
use super::reviewer::{Elsewhere, Mark};
use super::rounds::Rounds;
use crate::attempt::Policy;
use crate::check;
use crate::edit::Format;
use crate::event::{Event, SCHEMA, Sink};
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::ledger::{Account, Over};
use crate::model::{Speaker, Usage};
use crate::passage::Passages;
use crate::process::Interrupt;
use crate::prompt::{Completed, Limits, Material, Prompt};
use crate::provider::Provider;
use crate::provider::trace::{Span, SpanId, TraceId};
use crate::reviewer::Verdict;
use crate::transcript::{Spent, Transcript};
use std::path::PathBuf;
use std::time::Instant;

pub(super) struct Run<'a> {
    pub provider: &'a dyn Provider,
    pub limits: Limits,
    pub account: Account,
    /// Who reviews, if that is somebody else.
    pub other: Option<Other<'a>>,
    pub rounds: Rounds,
    /// Requests that were about the design and no file of the plan.
    pub asked_about_design: u32,
    /// What was answered, in order.
    pub turns_said: Vec<Turn>,
    /// What was used before there was a run.
    pub before: Spent,
    /// What the reviewer has said last.
    pub verdict: Option<Verdict>,
    /// Where the reviewer's callers are looked for.
    pub elsewhere: Elsewhere<'a>,
    /// By which the verdict is known.
    pub mark: Mark,
    /// The folder for what a task leaves.
    pub leaves: Option<PathBuf>,
    /// Where the patch lies.
    pub delivered: Option<PathBuf>,
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
    /// What the money was short of, when a file was last given back in vain.
    pub short: Option<Over>,
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

/// Whoever reviews in the place of the one who writes.
pub(super) struct Other<'a> {
    pub provider: &'a dyn Provider,
    pub limits: Limits,
    pub account: Account,
}

impl<'a> Run<'a> {
    pub fn provider_of(&self, speaker: Speaker) -> &'a dyn Provider {
        self.other_of(speaker).map_or(self.provider, |other| other.provider)
    }

    pub fn limits_of(&self, speaker: Speaker) -> Limits {
        self.other_of(speaker).map_or(self.limits, |other| other.limits)
    }

    pub fn account_of(&self, speaker: Speaker) -> &Account {
        self.other_of(speaker).map_or(&self.account, |other| &other.account)
    }

    fn other_of(&self, speaker: Speaker) -> Option<&Other<'a>> {
        self.other.as_ref().filter(|_| speaker == Speaker::Reviewer)
    }

    /// What all who were asked have used, and what that cost, as far as prices are known.
    pub fn spent(&self) -> (Usage, Option<f64>) {
        let mut spent = self.before;
        for account in std::iter::once(&self.account).chain(self.other.as_ref().map(|other| &other.account)) {
            spent.add(account.usage(), account.cost());
        }
        (spent.usage, spent.cost)
    }
}

impl Asks for Run<'_> {
    fn asker(&mut self, speaker: Speaker) -> Asker<'_> {
        Asker {
            provider: self.provider_of(speaker),
            account: self.account_of(speaker).clone(),
            interrupt: self.interrupt,
            transcript: Some(&mut self.transcript),
            face: self.face,
            continued: self.continued.as_ref(),
            trace: self.trace,
            root: self.root,
            spans: &mut self.spans,
        }
    }

    fn heard(&mut self, question: &Question, prompt: &Prompt, answer: &Answer) {
        let key = prompt.request.key();
        self.making.answered(&key);
        self.turns_said.push(Turn {
            by: question.speaker,
            round: question.round,
            path: question.path.to_owned(),
            form: prompt.request.format.clone(),
            key,
            usage: answer.completion.usage,
            cost: answer.cost,
            text: answer.completion.text.clone(),
        });
    }
}

impl Run<'_> {
    /// A question about all of the design, which is at `path`.
    pub fn about_design<'q>(&self, path: &'q str, speaker: Speaker, round: u32) -> Question<'q> {
        Question {
            path,
            asked: self.asked_about_design,
            others: self.asked_about_design,
            speaker,
            round,
            aloud: true,
            file: None,
        }
    }

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
            usage: self.spent().0,
            cost: self.spent().1,
            seconds: began.elapsed().as_secs_f64(),
            error: None,
            record: None,
        }
    }
}
