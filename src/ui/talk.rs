//! What implementer and reviewer say, as it comes: whole lines, under a heading that says who speaks.

use super::plain::neutralise_patch_line;
use crate::model::Speaker;

/// A longer line is shown in pieces.
const LONGEST: usize = 2_000;

/// The one who speaks, and what has not come to the end of its line.
#[derive(Debug, Default)]
pub struct Talk {
    speaking: Option<(Speaker, u32)>,
    begun: String,
}

impl Talk {
    /// The lines to show now that `piece` has come.
    pub fn hear(&mut self, by: Speaker, round: u32, piece: &str) -> Vec<String> {
        let mut lines = Vec::new();
        if self.speaking != Some((by, round)) {
            (self.speaking, self.begun) = (Some((by, round)), String::new());
            lines.push(format!("[round {round}] {}:", by.word()));
        }
        for part in piece.split_inclusive('\n') {
            self.begun.push_str(part);
            if part.ends_with('\n') || self.begun.len() > LONGEST {
                lines.push(set_off(&std::mem::take(&mut self.begun)));
            }
        }
        lines
    }

    /// What was said does not count: it comes again.
    pub fn begin_again(&mut self) {
        *self = Talk::default();
    }

    /// The rest, when all of it has come.
    pub fn end(&mut self) -> Vec<String> {
        let rest = std::mem::take(self).begun;
        if rest.is_empty() { Vec::new() } else { vec![set_off(&rest)] }
    }
}

fn set_off(line: &str) -> String {
    format!("  | {}", neutralise_patch_line(line.trim_end_matches(['\n', '\r'])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_shown_when_they_are_whole_and_steer_no_terminal() {
        let mut talk = Talk::default();
        assert_eq!(talk.hear(Speaker::Reviewer, 2, "It is"), ["[round 2] reviewer:"]);
        assert_eq!(
            talk.hear(Speaker::Reviewer, 2, " wrong.\n\u{1b}[2Jno\nlast"),
            ["  | It is wrong.", "  | \\u{1b}[2Jno"]
        );
        assert_eq!(talk.end(), ["  | last"]);
        assert_eq!(talk.end(), Vec::<String>::new());
    }
}
