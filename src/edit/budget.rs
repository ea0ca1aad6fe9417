//! [`Budget`]: what reading one reply may cost, so that no reply takes long. Knows no format.

use super::Refusal;
use super::hunk::Hunk;

/// What reading one reply may cost. It is the reply's and not the edit's, so that many edits cost no more than one.
#[derive(Debug)]
pub(super) struct Budget {
    /// Lines of two sides that may still be compared; past it, the two sides are taken to be all different.
    compared: usize,
    /// Further ways to read an edit, and the lines of them, that the file may still be asked about.
    readings: usize,
    lines: usize,
    /// Fences that may still be looked at for the end of a block.
    fences: usize,
}

impl Budget {
    pub fn new() -> Budget {
        Budget { compared: 20_000, readings: 10_000, lines: 200_000, fences: 1_000_000 }
    }
    /// Takes the cost of all readings but the first.
    pub fn spend(&mut self, readings: &[Hunk]) {
        for hunk in readings.iter().skip(1) {
            self.readings = self.readings.saturating_sub(1);
            self.lines = self.lines.saturating_sub(hunk.lines.len());
        }
    }
    /// May so many lines more be compared?
    pub fn compare(&mut self, lines: usize) -> bool {
        let left = self.compared.checked_sub(lines);
        self.compared = left.unwrap_or(self.compared);
        left.is_some()
    }
    /// May so many fences more be looked at?
    pub fn look_at_fences(&mut self, count: usize) -> bool {
        let left = self.fences.checked_sub(count);
        self.fences = left.unwrap_or(0);
        left.is_some()
    }
    /// Refuses a reply that has too many readings to look for all of them: to leave out some could make another one
    /// look like the only one.
    pub fn check(&self, target: &str) -> Result<(), Refusal> {
        if self.readings > 0 && self.lines > 0 {
            return Ok(());
        }
        let message = format!("the reply for '{target}' cannot be read: too much of it can be read in several ways");
        Err(Refusal::new("reply-malformed", message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reading_one_reply_may_cost_is_bounded() {
        let mut budget = Budget::new();
        assert!(budget.compare(19_000) && !budget.compare(1_001) && budget.compare(1_000) && !budget.compare(1));
        assert!(budget.look_at_fences(1_000_000) && !budget.look_at_fences(1));
        let checked = |readings: usize| {
            let mut budget = Budget::new();
            budget.spend(&vec![Hunk::default(); readings]);
            budget.check("a.py").is_ok()
        };
        assert!(checked(10_000) && !checked(10_001));
    }
}
