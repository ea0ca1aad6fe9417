//! A run that goes on from the record of another: what that has accepted is taken from there, the rest is asked for.

use crate::finding::Finding;
use crate::provider::Taken;
use crate::transcript::{RunRecord, Spent};
use std::path::PathBuf;

/// The run that is gone on from.
#[derive(Debug, Clone)]
pub struct Continued {
    pub run: String,
    /// Where its replies lie.
    pub replies: PathBuf,
    /// What it has used, and those before it.
    pub spent: Spent,
    /// By file, the keys of the requests that led to it.
    pub accepted: Taken,
    /// What was accepted counts though what is asked has changed.
    pub keeps: bool,
}

impl Continued {
    pub fn of(record: &RunRecord, keeps: bool) -> Continued {
        Continued {
            run: record.header.run.clone(),
            replies: record.folder.join("replies"),
            spent: record.spent(),
            accepted: record.accepted(),
            keeps,
        }
    }

    /// The replies that count whatever is asked now.
    pub(super) fn taken(&self) -> Taken {
        if self.keeps { self.accepted.clone() } else { Taken::new() }
    }
}

/// What is to be said if the first request for an accepted file is another one than it was.
pub(super) fn notice(continued: &Continued, path: &str, attempt: u32, key: &str) -> Option<Finding> {
    let changed = continued.accepted.get(path).is_some_and(|keys| keys.first().is_some_and(|it| it != key));
    if attempt != 1 || !changed {
        return None;
    }
    let finding = match continued.keeps {
        true => Finding::note(
            "continue-kept",
            format!("'{path}' is taken as it was accepted, though what is asked for has changed since"),
        ),
        false => Finding::note(
            "continue-asked-again",
            format!("'{path}' was accepted, and is asked for again: what is asked for has changed since"),
        )
        .hint("--keep-accepted takes it as it was"),
    };
    Some(finding.path(path))
}
