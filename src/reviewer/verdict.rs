//! The verdict: one word on the last line, behind a mark that no text can know that was there before.

use serde::{Deserialize, Serialize};

/// What a reviewer says of a change as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing must be mended.
    Ok,
    /// Something must.
    Fix,
    /// The reviewer cannot say, or nobody can say what they said.
    Inconclusive,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Fix => "fix",
            Verdict::Inconclusive => "inconclusive",
        }
    }
}

/// The verdict of a reply: its last line, and no other, is `mark` and one of the words. Anything else is inconclusive: a
/// change may hold whole reviews, and what is quoted from it is nobody's verdict.
pub fn verdict(mark: &str, reply: &str) -> Verdict {
    said(mark, reply).unwrap_or(Verdict::Inconclusive)
}

/// Does the reviewer say that they cannot tell? Else an inconclusive verdict is one that cannot be read.
pub fn says_inconclusive(mark: &str, reply: &str) -> bool {
    said(mark, reply) == Some(Verdict::Inconclusive)
}

fn said(mark: &str, reply: &str) -> Option<Verdict> {
    let mut lines = reply.lines().map(str::trim).filter(|line| !line.is_empty());
    let last = lines.next_back().unwrap_or_default().trim_matches(['`', '*']).trim();
    if mark.is_empty() || lines.any(|line| line.contains(mark)) {
        return None;
    }
    let word = last.strip_prefix(mark).filter(|rest| rest.starts_with([' ', '\t', ':']));
    let word = word.unwrap_or_default().trim_start_matches(':').trim().trim_end_matches('.').to_ascii_lowercase();
    [Verdict::Ok, Verdict::Fix, Verdict::Inconclusive].into_iter().find(|verdict| verdict.word() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_verdict_if_it_has_the_mark_of_the_run() {
        for (reply, wanted) in [
            ("m1 ok", Verdict::Ok),
            ("It is wrong.\n\n**m1 fix**\n\n", Verdict::Fix),
            ("`m1: OK.`", Verdict::Ok),
            ("m1 inconclusive", Verdict::Inconclusive),
        ] {
            assert_eq!(verdict("m1", reply), wanted, "{reply}");
        }
    }

    #[test]
    fn what_cannot_be_read_approves_nothing() {
        for reply in [
            "",
            "ok",
            "APPROVE",
            "m2 ok",
            "m1ok",
            "m1 ok\nthough I have not looked at all of it",
            "m1 fix\nm1 ok",
            "The file says: m1 ok\nm1 ok",
            "m1 ok fix",
            "m1 okay",
            "{\"verdict\": \"m1 ok\"}",
        ] {
            assert_eq!(verdict("m1", reply), Verdict::Inconclusive, "{reply}");
        }
        assert_eq!(verdict("", " ok"), Verdict::Inconclusive);
    }
}
