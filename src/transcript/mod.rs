//! The files of the run record: a folder that is written as the run goes, so that no reply that was paid for is ever
//! lost.
//!
//! ```text
//! run.json            schema, tool, run, design, base, branch, provider, model, start
//! design.md           the design as it was read
//! plan.json           as `git implement plan --json` gives it
//! events.jsonl        an entry for every event but the pieces of streams: run, seq, at, and the event
//! requests/0001.json  key, file, attempt, format, limits; text by the names of blocks
//! blocks/<sha256>     a piece of prompt text, or a document: consecutive requests share nearly all of theirs
//! replies/<key>.json  what the provider `replay` reads
//! ```
//! A run that is published also has how its texts and commits were made ([`recipe`]), and `summary.json`, which says in few
//! words what else is told at length.
//!
//! Each file comes into its place whole; until then its name begins with a dot. On success the folder becomes a tree of git
//! objects that a ref under `refs/implement/runs/` names; on refusal it is moved to where such records are kept.

mod announced;
mod read;
pub mod recipe;
mod summary;
mod write;

pub use read::RunRecord;
pub use recipe::Recipe;
pub use summary::{SUMMARY, Summary, SummaryCommit, SummaryFile};
pub use write::Transcript;

use crate::event::Event;
use crate::finding::Permission;
use crate::model::Usage;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub const EVENTS: &str = "events.jsonl";
pub const HEADER: &str = "run.json";
pub const DESIGN: &str = "design.md";
pub const PLAN: &str = "plan.json";

/// The version of the form of records; it goes up when a reader of the old form would misread the new one. In 1 the ref
/// named a commit of the files, since 2 it names their tree: `<ref>:<file>` reads both. Since 3 options are in it, and each
/// event is an entry with run, number and time.
pub const SCHEMA: u32 = 3;

/// What a record says of its run as a whole.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Header {
    pub run: String,
    pub lld: String,
    /// The design's blob id.
    pub blob: String,
    pub base: String,
    pub branch: String,
    pub provider: String,
    pub model: String,
    /// RFC 3339, UTC.
    pub started: String,
    /// The user's hooks were skipped.
    pub no_verify: bool,
    /// What was permitted, and by whom.
    pub allow: Vec<Permission>,
    /// What gates weighed other than by default, as `<id>=<level>`, and who said so.
    pub gates: Vec<Permission>,
    /// What of the run is recorded, unless that is all: `replies` or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    #[serde(default)]
    pub options: Typed,
    /// The run that this one goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<String>,
    /// What that one has used, and those before it.
    #[serde(default)]
    pub earlier: Spent,
}

/// A document that the run has shown, by the name of its text among the record's blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filed {
    pub path: String,
    pub block: String,
}

/// What was typed for the run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Typed {
    /// Arguments by which a run that goes on has the same options.
    pub kept: Vec<String>,
    /// The names of those whose values are in no record: they run a program, say where source goes, or permit something.
    pub again: Vec<String>,
    /// The planned files that were chosen; none: all.
    pub paths: Vec<String>,
    /// The design as it was named, if it was one of a commit: `<rev>:<path>`; or came from standard input: `-`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The folder that was named in place of its plan, from the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// What runs have used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    pub usage: Usage,
    /// US dollars, as far as prices are known.
    pub cost: Option<f64>,
}

impl Spent {
    pub fn add(&mut self, usage: Usage, cost: Option<f64>) {
        self.usage += usage;
        if let Some(cost) = cost {
            self.cost = Some(self.cost.unwrap_or(0.0) + cost);
        }
    }
}

/// One line of the events: the event as JSON has it, with these beside its own fields.
#[derive(Debug, Clone)]
pub struct Entry {
    pub run: String,
    /// From 1.
    pub seq: u64,
    /// RFC 3339, UTC.
    pub at: String,
    pub event: Event,
}

impl Entry {
    fn to_line(&self) -> serde_json::Result<String> {
        let mut entry = json!({"run": self.run, "seq": self.seq, "at": self.at});
        // The first event names the run, too.
        if let (Some(entry), Value::Object(event)) = (entry.as_object_mut(), serde_json::to_value(&self.event)?) {
            entry.extend(event);
        }
        serde_json::to_string(&entry)
    }

    fn from_line(line: &str) -> serde_json::Result<Entry> {
        #[derive(Deserialize)]
        struct Place {
            run: String,
            seq: u64,
            at: String,
        }
        let Place { run, seq, at } = serde_json::from_str(line)?;
        Ok(Entry { run, seq, at, event: serde_json::from_str(line)? })
    }
}
