//! When all files are made: is what the design promises somewhere in the tree?

use super::run::Run;
use super::{ImplementError, Job, Prepared};
use crate::check;
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
    let elsewhere = |name: &str| repository.has_word(prepared.base.tree, name, &made);
    let findings = check::promised(&prepared.lld, &texts, elsewhere, &job.settings);
    if findings.iter().any(Finding::is_error) {
        return Err(ImplementError::Plan { lld: job.lld.clone(), findings });
    }
    for finding in findings {
        run.say(Event::Finding(finding.path(prepared.design.path.as_str())));
    }
    Ok(())
}
