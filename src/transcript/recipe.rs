//! `recipe.json`: how each text of a run came about, and what of it each commit has: what is needed to make the commits once
//! more without asking anybody.
//!
//! ```text
//! recipe.json         texts, in the order in which they were accepted, and commits
//! bases/<blob>        what edits began with, where it is none of the run's own texts
//! texts/<blob>        what is no reply: a hook's or a formatter's text, code of the design's own
//! manifest            the blob of every other file, as `git ls-tree` would list them
//! ```

use serde::{Deserialize, Serialize};

pub const RECIPE: &str = "recipe.json";
pub const BASES: &str = "bases";
pub const TEXTS: &str = "texts";
pub const MANIFEST: &str = "manifest";

/// All that was made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    pub texts: Vec<Text>,
    pub commits: Vec<Commit>,
}

/// A text that the gates have accepted, whether it was committed or another has taken its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    pub path: String,
    /// Its blob.
    pub result: String,
    /// The blob that edits change; `None`: there was no such file, or it does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    #[serde(flatten)]
    pub by: By,
    /// The gates judged it as written anew, not as edited.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole: bool,
}

/// Who made a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum By {
    /// The model, in the last of these replies. Each before it was refused, and is mended by the next.
    Reply {
        /// The format that was asked for.
        asked: String,
        replies: Vec<Answer>,
    },
    /// The design has it, from this line on.
    Design { line: usize },
    /// A hook, or a command that formats.
    Command { command: String },
    /// The boxes of these tasks were ticked: on these lines, or, in Taskmaster's JSON, by their ids.
    Tick { lines: Vec<usize>, tasks: Vec<String>, json: bool },
}

/// A recorded reply: one of those to the request with this key, counted from 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub key: String,
    #[serde(default, skip_serializing_if = "is_first")]
    pub nth: usize,
}

fn is_first(nth: &usize) -> bool {
    *nth == 0
}

/// A commit of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    pub commit: String,
    pub subject: String,
    /// The tree of its parent.
    pub parent: String,
    pub tree: String,
    /// In what the two trees differ.
    pub files: Vec<File>,
}

/// A path that a commit changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    pub path: String,
    /// `None`: it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
    /// The file that was moved here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}
