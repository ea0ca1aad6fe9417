//! [`Run`]: what all files of a run share, and everybody who watches it.

use super::ImplementError;
use super::make::Tally;
use crate::attempt::Policy;
use crate::check;
use crate::event::{Event, Sink};
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::model::Usage;
use crate::plan::Prices;
use crate::process::Interrupt;
use crate::prompt::{Completed, Limits, Material, Prompt};
use crate::provider::Provider;
use crate::provider::trace::{Span, SpanId, TraceId};
use crate::transcript::Transcript;
use std::time::Instant;

/// The most that a run may use.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ceiling {
    /// US dollars.
    pub cost: Option<f64>,
    /// Prompts and replies together.
    pub tokens: Option<u64>,
}

pub(super) struct Run<'a> {
    pub provider: &'a dyn Provider,
    pub limits: Limits,
    pub prices: Option<Prices>,
    pub ceiling: Ceiling,
    pub policy: Policy,
    pub settings: check::Settings,
    pub material: Material,
    /// The text in which the design names what the project depends on.
    pub dependencies: String,
    pub completed: Vec<Completed>,
    /// What there is to say of tests that are gone, if they are nowhere when all files are made.
    pub lost_tests: Vec<Finding>,
    pub interrupt: &'a Interrupt,
    pub transcript: Transcript,
    pub face: &'a mut dyn Sink,
    pub trace: TraceId,
    pub root: SpanId,
    pub spans: Vec<Span>,
    pub usage: Usage,
    /// US dollars, as far as prices are known.
    pub cost: Option<f64>,
}

impl Run<'_> {
    /// Tells everybody who watches.
    pub fn say(&mut self, event: Event) {
        self.transcript.event(&event);
        self.face.event(&event);
    }

    /// Would this request bring the run over what the person allows? Counts the prompt and, of the reply, what a reply
    /// of the usual size comes to; the provider's own count is known only afterwards.
    pub fn afford(&self, path: &str, prompt: &Prompt) -> Result<(), ImplementError> {
        let next = Usage { input: prompt.tokens, output: prompt.reply_tokens, ..Usage::default() };
        let over = |what, limit: String, would: String| {
            Err(ImplementError::Budget { path: path.to_owned(), what, limit, would })
        };
        if let Some(limit) = self.ceiling.tokens {
            let would = self.usage.input + self.usage.output + next.input + next.output;
            if would > limit {
                return over("--max-tokens", limit.to_string(), format!("{would} tokens"));
            }
        }
        if let (Some(limit), Some(price)) = (self.ceiling.cost, self.prices) {
            let would = self.cost.unwrap_or(0.0) + price.cost(&next);
            if would > limit {
                return over("--max-cost", format!("${limit}"), format!("${would:.4}"));
            }
        }
        Ok(())
    }

    /// The text of a file that the run has made and is to make anew; prompts then show it as what is to be changed.
    pub fn take_completed(&mut self, path: &str) -> Option<String> {
        let at = self.completed.iter().rposition(|file| file.path == path)?;
        self.completed.remove(at).text
    }

    pub fn spend(&mut self, usage: &Usage, cost: Option<f64>) {
        self.usage += *usage;
        if let Some(cost) = cost {
            self.cost = Some(self.cost.unwrap_or(0.0) + cost);
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
            status,
            commits: tally.commits,
            unchanged: tally.unchanged,
            stat: tally.stat,
            usage: self.usage,
            cost: self.cost,
            seconds: began.elapsed().as_secs_f64(),
            error: None,
            record: None,
        }
    }
}
