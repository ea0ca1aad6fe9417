//! What a reviewer is to look at first.

use super::{File, Odd};
use crate::check;
use crate::finding::{Finding, Severity};

/// Why a file deserves a look before others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Risk {
    /// The weightiest first.
    pub reasons: Vec<Reason>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    pub weight: u32,
    pub words: String,
}

impl Risk {
    pub fn weight(&self) -> u32 {
        self.reasons.iter().map(|reason| reason.weight).sum()
    }

    /// Of a file of a commit that is of a run of the review (`generated`; all of its rows may be known), or of none at all
    /// (`of_nobody`), as far as the rest of it is known.
    pub(super) fn of(file: &File, (generated, rows_are_known): (bool, bool), of_nobody: bool) -> Risk {
        let mut reasons = Vec::new();
        let mut because = |weight: u32, words: String| reasons.push(Reason { weight, words });
        if of_nobody {
            let (weight, what) = match file.odd {
                None => (20, "of no run"),
                Some(Odd::Executable) => (40, "an executable of no run"),
                Some(Odd::Symlink) => (40, "a symbolic link of no run"),
            };
            because(weight, format!("{what}: no gate of a run has seen it"));
        }
        for gate in permitted(&file.findings) {
            because(30, format!("permitted: {gate}"));
        }
        let warnings = file.findings.iter().filter(|finding| finding.severity >= Severity::Warning).count();
        let hunks = |is: fn(&super::Hunk) -> bool| file.hunks.iter().filter(|hunk| is(hunk)).count();
        if warnings > 0 {
            because(40, counted(warnings, "warning"));
        }
        if file.since.is_some() {
            because(30, "changed by a person since".to_owned());
        }
        if let Some(made) = file.made.as_ref().filter(|made| !made.reworked.is_empty()) {
            because(20, format!("changed by {} after the model", made.reworked.join(" and ")));
        }
        let refused = file.tries.iter().filter(|it| !it.refused.is_empty()).count();
        if refused > 0 {
            because(20, format!("{} refused", counted(refused, "reply")));
        }
        let returned = file.look.returned.len();
        if returned > 0 {
            because(20, format!("sent back {} after a second look", times(returned)));
        }
        if let Some(server) = file.look.unchecked().next() {
            because(10, format!("not checked by {server}"));
        }
        let loose = hunks(|hunk| hunk.loose.is_some());
        if loose > 0 {
            because(25, format!("{} that matched loosely", counted(loose, "edit")));
        }
        if generated && rows_are_known && file.row.is_none() {
            because(35, "no row of the design".to_owned());
        }
        if generated
            && file.tests.is_empty()
            && crate::syntax::language(&file.path).is_some_and(|it| it.parser.is_some())
            && !crate::check::is_test(&file.path)
        {
            because(15, "no test came with it".to_owned());
        }
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.weight));
        Risk { reasons }
    }
}

/// What gates found, and somebody permitted: each id once.
fn permitted(findings: &[Finding]) -> Vec<&str> {
    let is_gates = |finding: &&Finding| check::gates().any(|gate| finding.id.starts_with(gate));
    let is_permitted = |finding: &&Finding| {
        finding.severity == Severity::Note
            && finding.message.contains(" (allowed by ")
            && finding.message.ends_with(')')
    };
    let mut ids: Vec<&str> = findings.iter().filter(is_permitted).filter(is_gates).map(|it| &*it.id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn counted(count: usize, what: &str) -> String {
    match (count, what) {
        (1, _) => format!("1 {what}"),
        (_, "reply") => format!("{count} replies"),
        _ => format!("{count} {what}s"),
    }
}
