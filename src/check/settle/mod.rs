//! What happens to findings once a gate has made them, all of it here and in this order: how much they weigh ([`level`]),
//! who permits them ([`permit`]), which are explained by others ([`cause`]), which lines are shown to nobody, and how many are shown.
//!
//! A gate, over one file or over a whole change, says what it sees and knows nothing of who may live with it.

mod cause;
pub(super) mod level;
pub(super) mod permit;

use super::{Change, Hidden, Settings};
use crate::finding::{Finding, Severity};
use level::Weight;
use permit::Design;

/// How the findings of a gate are settled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    /// What the ids of its findings begin with.
    pub id: &'static str,
    pub weight: Weight,
    /// May the person permit what it finds (`--allow`)?
    pub allowable: bool,
    /// May a design?
    pub design: Design,
    /// Findings on one file that are shown; the others are counted.
    pub most: usize,
}

impl Terms {
    /// Those of a gate that is not sure enough to refuse anything, and that everybody may permit.
    pub const fn warning(id: &'static str) -> Terms {
        Terms { id, weight: Weight::WARNING, allowable: true, design: Design::ById, most: usize::MAX }
    }
}

/// What is left to say.
#[derive(Debug, Default)]
pub struct Settled {
    pub findings: Vec<Finding>,
    /// The lines of the text that must not be shown beside them.
    pub hidden: Hidden,
}

/// Findings of a gate on one text that are shown. More of them say nothing new, and a text that is written to have a
/// hundred thousand shall hold nobody up.
pub(super) const MOST_FINDINGS: usize = 10;

/// Settles what gates found about one file, or about a text that is no file and has no path. Findings about several
/// files are settled file by file.
pub(super) fn settle(found: Vec<(Terms, Vec<Finding>)>, change: &Change, settings: &Settings) -> Settled {
    // Nearly every text ends here.
    if found.iter().all(|(_, found)| found.is_empty()) {
        return Settled::default();
    }
    let mut findings = Vec::new();
    for (terms, found) in found {
        let weighed = found.into_iter().filter_map(|finding| one(&terms, finding, change, settings)).collect();
        findings.extend(capped(&terms, weighed, change.path));
    }
    cause::keep_causes(&mut findings);
    let hidden = Hidden::of(change.text);
    hidden.hush(&mut findings);
    // A parser that recovers badly says the same of the same line over and over.
    findings.dedup();
    Settled { findings, hidden }
}

/// Would anything that a gate finds under this id be more than a note? Where finding is dear, that is asked first.
pub(super) fn matters(terms: &Terms, change: &Change, settings: &Settings) -> bool {
    let finding = Finding::error(terms.id, "");
    one(terms, finding, change, settings).is_some_and(|finding| finding.severity > Severity::Note)
}

fn one(terms: &Terms, finding: Finding, change: &Change, settings: &Settings) -> Option<Finding> {
    let path = Some(change.path).filter(|path| !path.is_empty()).map(str::to_owned);
    let finding = Finding { path: path.or(finding.path), ..finding };
    let weighed = level::apply(terms, finding, settings)?;
    Some(permit::apply(terms, weighed, change, settings))
}

/// Of very much the first, and how much more there is.
fn capped(terms: &Terms, mut found: Vec<Finding>, path: &str) -> Vec<Finding> {
    if found.len() > terms.most {
        let rest = found.split_off(terms.most);
        // What is left out weighs as much as if it were shown.
        let severity = rest.iter().map(|finding| finding.severity).max().unwrap_or(Severity::Note);
        let message = format!("'{path}' has {} more of this", rest.len());
        found.push(Finding { severity, ..Finding::note(terms.id, message).path(path) });
    }
    found
}
