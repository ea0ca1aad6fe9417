//! The plan as `plan --json` writes it: the rows with what was decided, and the findings. A fixed form: fields are
//! added, never renamed.

use super::tasks::{self, Chosen};
use super::{Estimate, Options, Strategy, select, strategy};
use crate::finding::Finding;
use crate::lld::{Change, FileSpec, Lld};
use serde::Serialize;

/// What `plan --json` writes. Texts are as the design has them; escaping for terminals is not JSON's business.
#[derive(Debug, Clone, Serialize)]
pub struct Listing<'a> {
    /// The design, as named on the command line.
    pub lld: &'a str,
    pub issue: Option<&'a str>,
    pub title: Option<&'a str>,
    pub dialect: Option<&'a str>,
    /// `Status:`, or `Final Status:` of a design that has only that.
    pub status: Option<&'a str>,
    pub files: &'a [Row],
    pub findings: &'a [Finding],
    /// What the model is shown beside the design and the planned files.
    pub context: &'a [Shown],
    /// Commands that the design wants to be run: for people, and never run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<Suggested<'a>>,
    /// Command lines for `--verify` that fit the plan: to copy, and never run.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub verify: &'a [String],
    /// Commands that a run starts, because the person has said so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Started<'a>>,
    /// All requests together. `None`: there are none, since nobody knows the files, or the plan has errors.
    pub estimate: Option<Total>,
}

/// A command that the design wants to be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Suggested<'a> {
    pub command: &'a str,
    /// The line of the design, counted from 1.
    pub line: usize,
}

/// A command of the person's that a run starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Started<'a> {
    pub command: &'a str,
    /// `file`, `commit` or `end`.
    pub when: &'static str,
    /// It may change planned files.
    pub fixes: bool,
    /// Who said it.
    pub by: String,
}

/// A file that is shown to the model beside the design and the planned files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shown {
    pub path: String,
    /// Why: who named it, or what it is.
    pub reason: String,
    /// Which lines, of a file that is not shown whole: `1-4, 9`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<String>,
    /// Estimated.
    pub tokens: u64,
}

/// What a run comes to, as `plan --json` has it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Total {
    /// Tokens of all prompts.
    pub input: u64,
    /// Tokens of all replies.
    pub output: u64,
    /// US dollars; `None` where no price is known.
    pub cost: Option<f64>,
    /// What repairs add at the most, which is in none of these.
    pub repairs: Repairs,
}

/// If every reply is refused as often as the settings allow: tokens, and US dollars.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Repairs {
    pub input: u64,
    pub output: u64,
    pub cost: Option<f64>,
}

impl Total {
    pub fn new(requests: &Estimate, repairs: &Estimate) -> Total {
        let Estimate { prompt, reply, cost, .. } = *repairs;
        let repairs = Repairs { input: prompt, output: reply, cost };
        Total { input: requests.prompt, output: requests.reply, cost: requests.cost, repairs }
    }
}

impl<'a> Listing<'a> {
    /// `name` is the design's path as it was given.
    pub fn new(name: &'a str, lld: &'a Lld, files: &'a [Row], findings: &'a [Finding]) -> Self {
        Listing {
            lld: name,
            issue: lld.issue.as_deref(),
            title: lld.title.as_deref(),
            dialect: lld.dialect,
            status: lld.status.as_deref().or(lld.final_status.as_deref()),
            files,
            findings,
            context: &[],
            commands: lld.commands.iter().map(|item| Suggested { command: &item.text, line: item.line }).collect(),
            verify: &[],
            runs: Vec::new(),
            estimate: None,
        }
    }

    /// With what could judge the result.
    pub fn verifying(self, verify: &'a [String]) -> Self {
        Listing { verify, ..self }
    }

    /// With what would be started.
    pub fn starting(self, runs: Vec<Started<'a>>) -> Self {
        Listing { runs, ..self }
    }

    /// With what would be sent.
    pub fn sending(self, context: &'a [Shown], estimate: Option<Total>) -> Self {
        Listing { context, estimate, ..self }
    }

    /// Is one of the findings an error?
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(Finding::is_error)
    }
}

/// One row of the file list, decided as far as it can be.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    pub path: String,
    pub change: Change,
    pub from: Option<String>,
    pub directory: bool,
    pub description: String,
    /// The line of the design, counted from 1.
    pub line: usize,
    pub strategy: Strategy,
    pub allow: Vec<String>,
    pub tasks: Vec<String>,
    /// Is the row made in this run? Informational rows are never `false` for that alone.
    pub selected: bool,
    /// A model's proposal has a part in the row, see [`super::propose`]: said of these rows only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub proposed: bool,
    /// How much text the change starts from, where a model is asked for one.
    #[serde(skip)]
    pub size: Option<Size>,
}

/// The size of a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub lines: usize,
    pub bytes: usize,
    /// Estimated.
    pub tokens: u64,
}

impl Size {
    pub(super) fn of(base: &super::Blob) -> Self {
        Size {
            lines: strategy::lines(&base.bytes),
            bytes: base.bytes.len(),
            tokens: super::estimate::tokens_of_bytes(&base.bytes),
        }
    }
}

impl Row {
    /// The row as the document alone gives it.
    pub(super) fn of(spec: &FileSpec) -> Self {
        let strategy = match spec.change {
            _ if spec.directory => Strategy::None,
            Change::Add => Strategy::Whole,
            Change::Delete | Change::None => Strategy::None,
            Change::Modify | Change::Rename | Change::AddOrModify => Strategy::Unknown,
        };
        Row {
            path: spec.path.to_string(),
            change: spec.change,
            from: spec.from.as_ref().map(|from| from.to_string()),
            directory: spec.directory,
            description: spec.description.clone(),
            line: spec.line,
            strategy,
            allow: spec.allow.clone(),
            tasks: spec.tasks.clone(),
            selected: spec.selected,
            proposed: false,
            size: None,
        }
    }
}

/// The plan of the document alone, outside any repository: whether files exist is not judged, and only the file list
/// can make errors. The findings begin with the design's own.
pub fn plan_no_repo(lld: &Lld, options: &Options) -> (Vec<Row>, Vec<Finding>) {
    let mut findings = lld.findings.clone();
    let chosen = Chosen::of(lld, options, &mut findings);
    let files = chosen.narrow(&lld.files);
    select::listed(lld, &mut findings);
    let selected = files.iter().filter(|spec| spec.selected && super::decide::asks(spec)).count();
    let parts = || tasks::parts(&chosen, &files, options.max_files);
    select::cap(selected, options.max_files, parts, &mut findings);
    let row = |(spec, whole): (&FileSpec, &FileSpec)| Row { selected: spec.selected, ..Row::of(whole) };
    (files.iter().zip(&lld.files).map(row).collect(), findings)
}
