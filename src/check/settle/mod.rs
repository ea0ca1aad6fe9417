//! What happens to findings once a gate has made them, all of it here and in this order: how much they weigh ([`level`]),
//! what the text itself permits ([`comments`]), who else permits them ([`permit`]), what was there before ([`baseline`]), how
//! many are shown, which are explained by others ([`cause`]), which lines are shown to nobody, and what is said twice.
//!
//! A gate, over one file or over a whole change, says what it sees and knows nothing of who may live with it.

pub(super) mod baseline;
mod cause;
pub(super) mod comments;
pub(super) mod level;
pub(super) mod permit;
pub(super) mod unused;

use super::{Change, Hidden, Lines, Settings};
use crate::finding::{Finding, Severity};
use baseline::Known;
use comments::Comments;
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
    /// What nobody is to be told again.
    pub silenced: Vec<Silenced>,
    /// The lines of the text that must not be shown beside them.
    pub hidden: Hidden,
}

/// A finding that is not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Silenced {
    pub finding: Finding,
    pub by: SilencedBy,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SilencedBy {
    Comment,
    /// What a configuration permits.
    Configuration,
    Baseline(Known),
}

/// Findings of a gate on one text that are shown. More of them say nothing new, and a text that is written to have a
/// hundred thousand shall hold nobody up.
pub(super) const MOST_FINDINGS: usize = 10;

/// Settles what gates found about one file, or about a text that is no file and has no path. Findings about several
/// files are settled file by file.
pub(super) fn settle(found: Vec<(Terms, Vec<Finding>)>, change: &Change, settings: &Settings) -> Settled {
    match found.iter().all(|(_, found)| found.is_empty()) {
        true => Settled::default(),
        false => settle_with(found, change, &Comments::of(change, settings), settings),
    }
}

/// The same, where the comments that permit something are known.
pub(super) fn settle_with(
    found: Vec<(Terms, Vec<Finding>)>,
    change: &Change,
    comments: &Comments,
    settings: &Settings,
) -> Settled {
    // Nearly every text ends here.
    if found.iter().all(|(_, found)| found.is_empty()) {
        return Settled::default();
    }
    let mut settled = Settled { hidden: Hidden::of(change.text), ..Settled::default() };
    let mut known = settings.baseline.as_ref().map(|baseline| baseline.of(change.place())).filter(|it| !it.is_empty());
    let lines = known.is_some().then(|| Lines::of(change.text));
    let line =
        |number: Option<usize>, hidden: &Hidden| lines.as_ref()?.get(number.filter(|number| !hidden.has(*number))?);
    for (terms, found) in found {
        let mut left = Vec::new();
        for finding in found {
            let Some(finding) = weighed(&terms, finding, change, settings) else { continue };
            let is_more = finding.severity > Severity::Note;
            let by = if is_more && comments.permit(&finding) {
                Some(SilencedBy::Comment)
            } else if is_more && permit::is_configured(&terms, &finding, change, settings) {
                Some(SilencedBy::Configuration)
            } else {
                let known = known.as_mut().filter(|_| is_more);
                let known =
                    known.and_then(|known| known.take(&finding, change.place(), line(finding.line, &settled.hidden)));
                known.map(SilencedBy::Baseline)
            };
            match by {
                Some(by) => settled.silenced.push(Silenced { finding, by }),
                None => {
                    let finding = permit::apply(&terms, finding, change, settings);
                    left.push(permit::hinted(&terms, finding, change, settings));
                }
            }
        }
        settled.findings.extend(capped(&terms, left, change.path));
    }
    cause::keep_causes(&mut settled.findings);
    settled.hidden.hush(&mut settled.findings);
    // A parser that recovers badly says the same of the same line over and over.
    settled.findings.dedup();
    settled
}

/// Would anything that a gate finds under this id be more than a note? Where finding is dear, that is asked first.
pub(super) fn matters(terms: &Terms, change: &Change, settings: &Settings) -> bool {
    let finding = weighed(terms, Finding::error(terms.id, ""), change, settings);
    finding.is_some_and(|finding| permit::apply(terms, finding, change, settings).severity > Severity::Note)
}

fn weighed(terms: &Terms, finding: Finding, change: &Change, settings: &Settings) -> Option<Finding> {
    let path = Some(change.path).filter(|path| !path.is_empty()).map(str::to_owned);
    level::apply(terms, Finding { path: path.or(finding.path), ..finding }, settings)
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
