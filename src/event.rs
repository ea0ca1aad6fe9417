//! Everything that a run has to say, as data. Terminal, JSON lines and run record are all consumers of it.
//!
//! An event says what happened, never how it is worded: wording is `ui`'s.

use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::lld::Change;
use crate::model::{Speaker, StopReason, Usage};
use crate::patch::Stat;
use crate::plan::Strategy;
use crate::reviewer::Verdict;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The version of the form of [`Event`]s; it goes up when a reader of the old form would misread the new one.
pub const SCHEMA: u32 = 1;

/// Something that happened in a run. As JSON: an object with `"event"` and the fields below.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The first event of a run: what will be made, from what, by whom.
    RunStarted {
        schema: u32,
        run: String,
        lld: String,
        /// The design's blob id.
        blob: String,
        /// The commit that the run builds on.
        base: String,
        branch: String,
        provider: String,
        model: String,
        /// Why this provider was chosen.
        chosen: String,
        /// Files to be made.
        files: usize,
        trace: String,
    },
    /// Something to say about the design, the plan or a file that does not end the run.
    Finding(Finding),
    /// Somebody has said something about the change, before it was written or after.
    Said {
        by: Speaker,
        round: u32,
        /// The key under which the reply is recorded.
        key: String,
        text: String,
    },
    /// The reviewer has looked at the whole change.
    Reviewed {
        round: u32,
        verdict: Verdict,
        /// What must be mended: remarks that name a line and quote it.
        findings: Vec<Finding>,
        /// Remarks that do not count.
        void: usize,
        /// Of these, those that are about files that are not in the change.
        #[serde(default)]
        outside: usize,
        /// And those that quote nothing of the line that they name.
        #[serde(default)]
        unquoted: usize,
        /// Why it is inconclusive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<Cow<'static, str>>,
    },
    /// The change lies in a file, beside what was said about it.
    Delivered {
        patch: String,
        transcript: String,
        summary: String,
    },
    FileStarted {
        path: String,
        /// From 1.
        index: usize,
        of: usize,
        change: Change,
        strategy: Strategy,
    },
    /// The model is asked.
    Asked {
        path: String,
        /// From 1.
        attempt: u32,
        /// Of the attempts, those that were other turns of a talk. Only terminals show it.
        #[serde(skip)]
        turns: u32,
        format: String,
        /// The key under which the reply is recorded.
        key: String,
        /// Estimated size of the prompt, in tokens.
        prompt_tokens: u64,
        /// Files completed earlier that the prompt holds in outline only, for want of room.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        outlined: Vec<String>,
    },
    /// A piece of the reply arrived. Only terminals show it.
    Streaming {
        path: String,
        /// Bytes of the reply so far.
        bytes: usize,
        /// What the run has cost up to now, this reply as far as it has come: US dollars, estimated, where prices are
        /// known.
        cost: Option<f64>,
    },
    /// A request failed in passing and is made again.
    Retrying {
        path: String,
        seconds: f64,
        reason: String,
        /// What the try that failed has used: as far as the provider says, else estimated.
        usage: Usage,
        /// In US dollars, where the model's prices are known.
        #[serde(skip_serializing_if = "Option::is_none")]
        cost: Option<f64>,
    },
    Replied {
        path: String,
        attempt: u32,
        stop: StopReason,
        usage: Usage,
        /// In US dollars, where the model's prices are known.
        #[serde(skip_serializing_if = "Option::is_none")]
        cost: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        request_id: Option<String>,
        seconds: f64,
    },
    /// What was announced, and never came.
    Aborted {
        /// The event that there is none of: `replied`, `file-finished` or `ran`.
        instead_of: Cow<'static, str>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        command: Option<String>,
        reason: String,
    },
    /// A whole reply was refused, and goes back to the model with what was found.
    Refused {
        path: String,
        attempt: u32,
        findings: Vec<Finding>,
    },
    FileFinished {
        path: String,
        outcome: Outcome,
        stat: Stat,
        /// Lines of the base at which edits were applied, with how exactly they matched; empty for whole files.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        edits: Vec<crate::edit::Edit>,
        /// The form that the reply was read in, which may be another one than was asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        format: Option<String>,
        /// The key of the request whose reply was accepted.
        #[serde(skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// The blob that the base has there.
        #[serde(skip_serializing_if = "Option::is_none")]
        base: Option<String>,
        /// The blob that came of it.
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<String>,
    },
    /// A command of the person's runs.
    Running {
        command: String,
        on: On,
    },
    /// It has run.
    Ran {
        command: String,
        on: On,
        passed: bool,
        seconds: f64,
        /// The end of its words, if it failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        said: Option<String>,
    },
    /// A language server was asked about a file.
    Diagnosed {
        path: String,
        server: String,
        /// Errors that the base does not have. None: it was not checked, for the reason `why`.
        #[serde(skip_serializing_if = "Option::is_none")]
        errors: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// A finished file goes back to the model with what servers and commands have found.
    GivenBack {
        path: String,
        /// Who found something.
        by: Vec<String>,
        found: usize,
    },
    /// What came back: it takes the place of the file's text, unless it makes things worse.
    Mended {
        path: String,
        kept: bool,
        stat: Stat,
        #[serde(skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// The blob that the file is now.
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<String>,
    },
    /// A hook of the person's made something else of a file, which the gates have accepted: this is what is committed.
    #[serde(rename = "hook-changed")]
    Reworked {
        path: String,
        hook: Cow<'static, str>,
        /// The object that holds the hook's text.
        blob: String,
        /// What the hook added to the model's text, and removed.
        stat: Stat,
    },
    Committed {
        commit: String,
        subject: String,
    },
    /// The refs have moved: the run's result is there to stay.
    Published {
        branch: String,
        commit: String,
        /// The ref of the run record.
        record: String,
        /// What the branch was before, if `--force` replaced it.
        #[serde(skip_serializing_if = "Option::is_none")]
        replaced: Option<String>,
    },
    /// The last event of a run, and of what ends before there is one: there is always one, for each design.
    RunFinished {
        schema: u32,
        status: ExitCode,
        commits: usize,
        unchanged: usize,
        stat: Stat,
        usage: Usage,
        #[serde(skip_serializing_if = "Option::is_none")]
        cost: Option<f64>,
        seconds: f64,
        /// Why, for a run that failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// The folder that holds the record of a run that failed, or the ref of the record of one that changed nothing.
        #[serde(skip_serializing_if = "Option::is_none")]
        record: Option<String>,
    },
}

impl Event {
    /// The last event of what needed no run, or did not come to one; `error` says why.
    pub fn ended(status: ExitCode, error: Option<String>) -> Event {
        Event::RunFinished {
            schema: SCHEMA,
            status,
            commits: 0,
            unchanged: 0,
            stat: Stat::default(),
            usage: Usage::default(),
            cost: None,
            seconds: 0.0,
            error,
            record: None,
        }
    }
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Added,
    Modified,
    Deleted,
    Renamed,
    /// The reply was the base's text: no commit, and no failure.
    Unchanged,
}

/// What a command is run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum On {
    /// The base, beside the first request.
    Base,
    /// What is made so far, or all of it.
    Files,
    /// One commit.
    Commit,
}

/// Whoever wants to know what a run does.
pub trait Sink {
    fn event(&mut self, event: &Event);

    /// Does it show the patches of files? They are made only for those who do.
    fn wants_patches(&self) -> bool {
        false
    }
    /// A finished file's patch.
    fn patch(&mut self, _patch: &str) {}
    /// The next piece of what somebody says who is listened to.
    fn said(&mut self, _by: Speaker, _round: u32, _piece: &str) {}
}

/// What a provider tells while it works on one request.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress<'a> {
    /// The next piece of the reply.
    Text(&'a str),
    /// The try failed in passing and is made again after `seconds`.
    Retry { try_number: u32, seconds: f64, reason: &'a str },
}
