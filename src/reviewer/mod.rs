//! What a reviewer says of a change, read mechanically: a verdict, and remarks that quote what they are about.
//!
//! Whatever cannot be read is no approval and no objection. Knows neither who reviews nor what becomes of it.

mod remark;
mod verdict;

pub use remark::{Remark, Remarks, remarks};
pub use verdict::{Verdict, says_inconclusive, verdict};

/// Who has found what a reviewer finds, as a name among those of servers and commands.
pub const BY: &str = "the reviewer";

/// A changed file as a reviewer sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Changed<'a> {
    pub path: &'a str,
    /// Where it was, if it has moved.
    pub from: Option<&'a str>,
    /// What it was; `None`: it is new.
    pub base: Option<&'a str>,
    /// What it is; `None`: it is gone.
    pub text: Option<&'a str>,
}
