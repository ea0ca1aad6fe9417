//! The mark by which a verdict is known: made anew for each run, so that no text that was there before can hold it.
//!
//! A request that names it is another request in every run; so it is written beside the replies, and a run that is answered
//! from these takes it from there.

use crate::provider::trace::SpanId;
use std::path::{Path, PathBuf};

/// The name of its file among recorded replies.
const FILE: &str = "mark";

/// The mark of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark(String);

impl Mark {
    pub fn random() -> Mark {
        Mark(format!("verdict-{}", SpanId::random().hex()))
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    /// Writes it where replies are recorded. Without it they still are what was said.
    pub fn keep(&self, folders: &[PathBuf]) {
        for folder in folders {
            let _ = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(folder.join(FILE), &self.0));
        }
    }
}

/// The mark of the replies that lie in `folder`, if they have one.
pub fn recorded(folder: &Path) -> Option<Mark> {
    let text = std::fs::read_to_string(folder.join(FILE)).ok()?;
    let hex = text.strip_prefix("verdict-")?;
    let is_one = hex.len() == 16 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_one.then_some(Mark(text))
}
