//! Why an edit has no place, in words: for a person, and for the next try of a model.

use super::Refusal;
use super::engine::EditTarget;
use super::hunk::Hunk;
use super::place::{Miss, excerpt, nearest};
use super::text::{Text, is_blank};

/// Why an edit has no place.
pub(super) enum Missed {
    /// It is not there; it may build on an edit before it.
    Absent,
    /// It is in several places, which begin at these bytes.
    Many(Vec<usize>, Refusal),
    Refused(Refusal),
}

/// The lines of an old text that are shown where no place comes near.
const MOST_SHOWN: usize = 6;

impl EditTarget<'_> {
    /// The change with this number, from 0, is refused for this reason.
    pub fn refused(&self, id: &'static str, number: usize, why: &str) -> Refusal {
        let message = format!("cannot apply {} {} to '{}': {why}", self.spec.words.0, number + 1, self.target);
        Refusal::new(id, message).of(number)
    }

    pub fn missed(&self, text: &Text, number: usize, miss: Miss) -> Missed {
        let what = self.spec.words.1;
        let more = "give more of the lines round the place, so that they occur once in the file";
        Missed::Refused(match miss {
            Miss::Absent => return Missed::Absent,
            Miss::Many(places) => {
                let mut lines: Vec<usize> = places.iter().map(|at| text.number(*at)).collect();
                lines.sort_unstable();
                lines.dedup();
                let why = format!("{what} matches {}", list(&lines));
                let refusal = self.refused("edit-ambiguous", number, &why).hint(more);
                return Missed::Many(places, refusal.at(lines.first().copied().unwrap_or(0)));
            }
            Miss::TooCommon => {
                let why = format!("{what} comes near too many places of the file to tell them apart");
                self.refused("edit-ambiguous", number, &why).hint(more)
            }
            Miss::NoContext => {
                let why = format!("it adds lines and does not say where ({what} is empty)");
                self.refused("edit-no-context", number, &why).hint("give the lines before or after the place")
            }
        })
    }

    /// An edit that has no place: how its old text begins, and how it differs from the place that comes nearest.
    pub fn absent(&self, text: &Text, number: usize, readings: &[Hunk]) -> Refusal {
        let what = self.spec.words.1;
        let old: Vec<&str> = readings.first().into_iter().flat_map(Hunk::old).map(|line| line.text).collect();
        let mut solid = old.iter().filter(|line| !is_blank(line));
        let begins = match (solid.next(), solid.count()) {
            (None, _) => String::new(),
            (Some(first), 0) => format!(": '{}'", excerpt(first.trim_start())),
            (Some(first), 1) => format!(": '{}' and 1 more line", excerpt(first.trim_start())),
            (Some(first), more) => format!(": '{}' and {more} more lines", excerpt(first.trim_start())),
        };
        let why = format!("{what} is not in the file{begins}");
        let refusal = self.refused("edit-not-found", number, &why);
        let Some(near) = readings.first().and_then(|hunk| nearest(text, hunk)) else {
            let shown: Vec<String> =
                old.iter().take(MOST_SHOWN).map(|line| format!("       -{}", excerpt(line))).collect();
            let more = if old.len() > MOST_SHOWN { "\n\u{2026}" } else { "" };
            return refusal
                .hint(format!("no place in the file comes near; {what} (-) reads:\n{}{more}", shown.join("\n")));
        };
        let line = near.first;
        let differ = near.show();
        let hint = match &differ[..] {
            [] => format!("the nearest place is at line {}: '{}'", line + 1, excerpt(near.text().trim_start())),
            differ => format!(
                "the nearest place is at line {}; {what} (-) and the file (+) differ there:\n{}",
                line + 1,
                differ.join("\n")
            ),
        };
        refusal.hint(hint).at(line)
    }
}

/// `lines 14 and 88`, counted from 1.
fn list(lines: &[usize]) -> String {
    let shown: Vec<String> = lines.iter().take(20).map(|line| (line + 1).to_string()).collect();
    match (&shown[..], lines.len().saturating_sub(shown.len())) {
        ([only], 0) => format!("line {only} more than once"),
        ([first @ .., last], 0) => format!("lines {} and {last}", first.join(", ")),
        (_, more) => format!("lines {} and {more} more", shown.join(", ")),
    }
}
