//! Which records may go: those that are old, beyond as many as are kept, and whose commits stand on no branch any more. A pure
//! decision; the caller takes them away.

use super::runs::{Became, Ran};
use std::collections::HashSet;

/// How much is kept.
#[derive(Debug, Clone)]
pub struct Limits {
    /// What began by this second is old: `20260101T000000Z`, as names of runs begin.
    pub before: String,
    /// As many of the newest stay, however old they are.
    pub keep: usize,
    /// Also records by which commits of a branch, a tag or a remote can be verified.
    pub also_needed: bool,
}

/// Those of `runs`, the newest first, that may go. `needed`: the runs whose records commits of the history need to be verified.
pub fn prunable<'a>(runs: &'a [Ran], limits: &Limits, needed: &HashSet<String>) -> Vec<&'a Ran> {
    let is_old =
        |ran: &Ran| ran.run.split('-').next().is_some_and(|began| is_moment(began) && *began <= *limits.before);
    let stays = |ran: &Ran| {
        ran.became == Became::Running || ran.published.is_some() && !limits.also_needed && needed.contains(&ran.run)
    };
    runs.iter().skip(limits.keep).filter(|ran| is_old(ran) && !stays(ran)).collect()
}

/// Does it look like the moment with which the name of a run begins?
fn is_moment(text: &str) -> bool {
    let is = |(at, c): (usize, char)| match at {
        8 => c == 'T',
        15 => c == 'Z',
        _ => c.is_ascii_digit(),
    };
    text.len() == 16 && text.chars().enumerate().all(is)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::ExitCode;
    use crate::git::{Oid, RunRef};
    use crate::transcript::Summary;

    fn ran(run: &str, became: Became) -> Ran {
        let published = matches!(became, Became::Branch | Became::BranchGone | Became::Unchanged);
        let published = published.then(|| RunRef { run: run.to_owned(), object: Oid::ZERO_SHA1 });
        Ran { run: run.to_owned(), summary: Summary::default(), became, published, unfinished: None, patch: None }
    }

    fn taken(keep: usize, also_needed: bool, needed: &[&str]) -> Vec<String> {
        let runs = [
            ran("20260301T000000Z-dddddd", Became::Branch),
            ran("20260201T000000Z-cccccc", Became::Branch),
            ran("20260110T000000Z-bbbbbb", Became::BranchGone),
            ran("20260105T000000Z-aaaaaa", Became::Ended(ExitCode::Refused)),
            ran("20260101T000000Z-eeeeee", Became::Running),
            ran("somebody-elses", Became::Unchanged),
        ];
        let limits = Limits { before: "20260215T000000Z".to_owned(), keep, also_needed };
        let needed = needed.iter().map(|run| (*run).to_owned()).collect();
        let name = |ran: &&Ran| ran.run.split('-').next_back().unwrap_or_default().to_owned();
        prunable(&runs, &limits, &needed).iter().map(name).collect()
    }

    #[test]
    fn what_is_old_goes_unless_it_is_among_the_newest_runs_on_or_a_commit_names_it() {
        assert_eq!(taken(0, false, &[]), ["cccccc", "bbbbbb", "aaaaaa"]);
        assert_eq!(taken(3, false, &[]), ["aaaaaa"]);
        assert_eq!(taken(0, false, &["20260201T000000Z-cccccc"]), ["bbbbbb", "aaaaaa"]);
        assert_eq!(taken(0, true, &["20260201T000000Z-cccccc"]), ["cccccc", "bbbbbb", "aaaaaa"]);
    }
}
