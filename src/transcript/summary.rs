//! `summary.json`: a run in few words, for whoever looks through many records and reads one small file of each. All that
//! is in it stands elsewhere in the record, too.

use super::{Header, Recipe, Spent, recipe};
use crate::event::Event;
use crate::exit::ExitCode;
use serde::{Deserialize, Serialize};

pub const SUMMARY: &str = "summary.json";

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub run: String,
    /// RFC 3339, UTC.
    pub started: String,
    pub design: String,
    pub branch: String,
    pub provider: String,
    pub model: String,
    /// With what came of them, in the order of the commits.
    pub files: Vec<SummaryFile>,
    pub commits: Vec<SummaryCommit>,
    /// Files that came out as they were.
    pub unchanged: usize,
    /// This run alone.
    pub spent: Spent,
    pub seconds: f64,
    /// How the run ended.
    pub status: u8,
    /// Why, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<String>,
}

/// A path that is in a commit of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryFile {
    pub path: String,
    /// `None`: it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryCommit {
    pub commit: String,
    /// The tree of its parent, and its own.
    #[serde(default)]
    pub parent: String,
    pub tree: String,
}

impl Summary {
    /// Of a run with this header; `last` is its last event.
    pub fn new(header: &Header, recipe: &Recipe, last: &Event) -> Summary {
        let mut summary = Summary::begun(header);
        let commits = &recipe.commits;
        summary.commits = commits
            .iter()
            .map(|commit| SummaryCommit {
                commit: commit.commit.clone(),
                parent: commit.parent.clone(),
                tree: commit.tree.clone(),
            })
            .collect();
        let file = |file: &recipe::File| SummaryFile { path: file.path.clone(), blob: file.blob.clone() };
        summary.files = commits.iter().flat_map(|commit| &commit.files).map(file).collect();
        summary.end(last);
        summary
    }

    /// What is known when a run begins.
    pub fn begun(header: &Header) -> Summary {
        Summary {
            run: header.run.clone(),
            started: header.started.clone(),
            design: header.lld.clone(),
            branch: header.branch.clone(),
            provider: header.provider.clone(),
            model: header.model.clone(),
            continues: header.continues.clone(),
            status: ExitCode::Fatal.number(),
            ..Summary::default()
        }
    }

    /// What the last event adds.
    pub fn end(&mut self, last: &Event) {
        let Event::RunFinished { status, unchanged, usage, cost, seconds, error, .. } = last else { return };
        self.status = status.number();
        self.unchanged = *unchanged;
        self.spent = Spent { usage: *usage, cost: *cost };
        self.seconds = *seconds;
        self.error.clone_from(error);
    }
}
