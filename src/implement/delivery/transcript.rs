//! `transcript.json` of a task: what was asked for, who said what in which round, and what came of it.

use super::super::run::Run;
use super::super::{Job, Prepared};
use crate::check::Mask;
use crate::event::{Event, SCHEMA};
use crate::lld::typed;
use crate::model::{Speaker, Usage};
use crate::reviewer::Verdict;
use serde::Serialize;

/// Something that was answered.
#[derive(Debug, Clone, Serialize)]
pub struct Turn {
    #[serde(rename = "role")]
    pub by: Speaker,
    /// From 1.
    pub round: u32,
    /// The file that it is about, or the design.
    pub path: String,
    /// What was asked for: `proposal`, `talk`, `verdict`, `remarks`, or the form of a file.
    pub form: String,
    /// The key under which the reply is recorded.
    pub key: String,
    pub usage: Usage,
    /// US dollars, where prices are known.
    pub cost: Option<f64>,
    pub text: String,
}

/// The whole of it.
#[derive(Debug, Serialize)]
pub struct Transcript {
    pub schema: u32,
    pub run: String,
    pub task: String,
    pub base: String,
    pub rounds: u32,
    pub implementer: Who,
    pub reviewer: Who,
    pub target_files: Vec<String>,
    /// Where the patch lies; none if there is none.
    pub patch_path: Option<String>,
    pub branch: Option<String>,
    /// The last one, if the reviewer was asked.
    pub verdict: Option<Verdict>,
    pub status: u8,
    pub error: Option<String>,
    pub usage: Usage,
    /// US dollars, where prices are known.
    pub cost: Option<f64>,
    /// Where the record of the run is: a ref, or a folder.
    pub record: Option<String>,
    pub turns: Vec<Turn>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Who {
    pub provider: String,
    pub model: String,
}

impl Transcript {
    /// Of a run that has ended with `last`.
    pub fn of(run: &mut Run, prepared: &Prepared, job: &Job, last: &Event) -> Transcript {
        let who = |by| {
            let provider = run.provider_of(by);
            Who { provider: provider.name().to_owned(), model: provider.model().to_owned() }
        };
        let (implementer, reviewer) = (who(Speaker::Implementer), who(Speaker::Reviewer));
        let mut target_files: Vec<String> = Vec::new();
        for path in prepared.examined.steps().iter().map(|step| step.path.to_string()) {
            if !target_files.contains(&path) {
                target_files.push(path);
            }
        }
        let turns = masked(std::mem::take(&mut run.turns_said));
        let id = run.transcript.header().run.clone();
        let mut transcript = Transcript {
            schema: SCHEMA,
            task: typed::words(&prepared.design.text).unwrap_or(&prepared.design.text).to_owned(),
            base: prepared.base.commit.to_string(),
            rounds: job.rounds.all,
            implementer,
            reviewer,
            target_files,
            patch_path: run.delivered.as_ref().map(|patch| patch.display().to_string()),
            branch: None,
            verdict: run.verdict,
            status: 0,
            error: None,
            usage: Usage::default(),
            cost: None,
            record: Some(format!("refs/implement/runs/{id}")),
            run: id,
            turns,
        };
        if let Event::RunFinished { status, commits, .. } = last {
            transcript.branch = Some(job.branch.clone())
                .filter(|_| job.delivery.has_branch() && *commits > 0 && *status == crate::exit::ExitCode::Done);
        }
        transcript.ended(last)
    }

    /// With what the last event says.
    pub fn ended(mut self, last: &Event) -> Transcript {
        if let Event::RunFinished { status, error, usage, cost, record, .. } = last {
            (self.status, self.usage, self.cost) = (status.number(), *usage, *cost);
            self.error.clone_from(error);
            self.record = record.clone().or(self.record);
        }
        self
    }
}

/// What was refused for a secret is not told either.
pub fn masked(mut turns: Vec<Turn>) -> Vec<Turn> {
    for turn in &mut turns {
        turn.text = Mask::of([turn.text.as_str()]).apply(&turn.text).into_owned();
    }
    turns
}
