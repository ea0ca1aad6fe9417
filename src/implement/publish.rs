//! From the first file to the moved refs: everything is made and committed on no branch, then published at once.

use super::make::{Committing, Style, make};
use super::run::Run;
use super::{ImplementError, Job, Prepared, record, together};
use crate::config::CommitStyle;
use crate::event::Event;
use crate::exit::ExitCode;
use crate::git::message::Trailers;
use crate::git::{CommitOptions, Publication, Repository, Scratch};
use std::time::Instant;

/// Carries out the plan and publishes what came of it. Returns the run's last event, which the record has already.
pub(super) fn make_and_publish(
    run: &mut Run,
    repository: &Repository,
    prepared: &Prepared,
    job: &Job,
    scratch: &mut Scratch,
    began: Instant,
) -> Result<Event, ImplementError> {
    let steps = prepared.examined.plan.as_ref().map_or(&[][..], |plan| plan.steps());
    let (id, blob) = (scratch.run().to_owned(), prepared.design.blob.to_string());
    let signoff = format!("{} <{}>", job.identity.committer.name, job.identity.committer.email);
    let title = prepared.lld.title.clone().unwrap_or_default();
    let committing = Committing {
        options: CommitOptions {
            identity: &job.identity,
            signing: &job.signing,
            no_verify: job.no_verify,
            interrupt: run.interrupt,
        },
        trailers: Trailers {
            lld: prepared.design.path.as_str(),
            blob: &blob,
            run: &id,
            tasks: &[],
            provenance: job.provenance,
            signoff: job.signoff.then_some(&signoff),
        },
        style: match job.commit {
            CommitStyle::PerFile => Style::PerFile,
            CommitStyle::PerTask => Style::PerTask(&prepared.lld.tasks),
            CommitStyle::Single => Style::Single(&title),
        },
        ticking: prepared.ticking.as_ref(),
    };
    let mut tally = make(run, steps, scratch, &committing)?;
    together::judge(run, repository, prepared, job)?;
    let tip = tally.tip.take();
    let last = run.last_event(ExitCode::Done, &tally, began);
    let Some(tip) = tip else { return Ok(last) };
    let published = Event::Published {
        branch: job.branch.clone(),
        commit: tip.commit().to_string(),
        record: format!("refs/implement/runs/{id}"),
        replaced: job.expected.filter(|_| job.replaces).map(|old| old.to_string()),
    };
    let files = run
        .transcript
        .ended_by(&[&published, &last])
        .map_err(|error| ImplementError::Record { message: error.to_string() })?;
    let record = repository.record(&id, &record::files(files), &job.identity)?;
    let reflog = format!("implement: {} ({id})", prepared.design.path);
    if run.interrupt.is_set() {
        return Err(ImplementError::Interrupted);
    }
    repository.publish(Publication {
        branch: &job.branch,
        expected: job.expected,
        tip,
        record: Some(&record),
        reflog: &reflog,
    })?;
    run.face.event(&published);
    Ok(last)
}
