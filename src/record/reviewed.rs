//! What a reviewer said of a run's change in the end.

use crate::reviewer::Verdict;

/// A verdict, and what of it is still to be mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reviewed {
    pub verdict: Verdict,
    /// Remarks about files that nothing was kept of since; they are among the findings of their files.
    pub open: usize,
}

impl Reviewed {
    /// `fix, 1 remark open`, `ok`.
    pub fn words(self) -> String {
        match (self.verdict, self.open) {
            (Verdict::Fix, 0) => "fix, no remark open".to_owned(),
            (Verdict::Fix, 1) => "fix, 1 remark open".to_owned(),
            (Verdict::Fix, open) => format!("fix, {open} remarks open"),
            (verdict, _) => verdict.word().to_owned(),
        }
    }
}
