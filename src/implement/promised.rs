//! When all files are made: is what the design promises somewhere in the tree?

use super::run::Run;
use super::{ImplementError, Job, Prepared};
use crate::check::{self, Promise};
use crate::event::Event;
use crate::finding::Finding;
use crate::git::Repository;

/// Tells what is missing. Not of a run that makes only a part of the design.
///
/// # Errors
/// If the project makes it one.
pub(super) fn judge(
    run: &mut Run,
    repository: &Repository,
    prepared: &Prepared,
    job: &Job,
) -> Result<(), ImplementError> {
    if prepared.examined.rows.iter().any(|row| !row.selected) {
        return Ok(());
    }
    let texts: Vec<&str> = run.completed.iter().filter_map(|file| file.text.as_deref()).collect();
    let made: Vec<&str> = run.completed.iter().map(|file| file.path.as_str()).collect();
    let elsewhere = |promise: Promise| match promise {
        Promise::Name(name) => repository.holds(prepared.base.tree, name, true, &made),
        Promise::Literal(literal) => repository.holds(prepared.base.tree, literal, false, &made),
    };
    let design = (&prepared.lld, prepared.design.text.as_str());
    let findings = check::promised(design, &texts, elsewhere, &job.settings);
    let findings: Vec<Finding> =
        findings.into_iter().map(|finding| finding.path(prepared.design.path.as_str())).collect();
    if findings.iter().any(Finding::is_error) {
        return Err(ImplementError::Plan { lld: job.lld.clone(), findings });
    }
    findings.into_iter().for_each(|finding| run.say(Event::Finding(finding)));
    Ok(())
}
