//! From the first file to the moved refs: everything is made and committed on no branch, then published at once.

use super::commit::{Committing, Style};
use super::look::Look;
use super::make::make;
use super::run::Run;
use super::{ImplementError, Job, Prepared, cross_file, delivery, record, talk};
use crate::config::CommitStyle;
use crate::event::Event;
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::git::message::{self, Trailers};
use crate::git::{CommitOptions, GitError, NewTip, Oid, Publication, Repository, Scratch};
use crate::lld::typed;
use crate::process::Interrupt;
use crate::provider::Provider;
use crate::record::rehome;
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
    let steps = prepared.examined.steps();
    let (id, blob) = (scratch.run().to_owned(), prepared.design.blob.to_string());
    let signoff = format!("{} <{}>", job.identity.committer.name, job.identity.committer.email);
    let model = named_model(run.provider);
    let title = prepared.lld.title.clone().unwrap_or_default();
    let committing = Committing {
        options: committing(job, run.interrupt),
        trailers: Trailers {
            lld: prepared.design.path.as_str(),
            blob: &blob,
            run: &id,
            tasks: &[],
            provenance: job.provenance,
            model: model.as_deref(),
            signoff: job.signoff.then_some(&signoff),
        },
        style: match job.commit {
            CommitStyle::PerFile => Style::PerFile,
            CommitStyle::PerTask => Style::PerTask(&prepared.lld.tasks, &job.material.passages),
            CommitStyle::Single => Style::Single(&title),
        },
        steps,
        task: prepared.design.is_task().then(|| typed::words(&prepared.design.text)).flatten(),
        ticking: prepared.ticking.as_ref(),
    };
    let look = Look::begin(run, repository, scratch, prepared, job)?;
    let mut planned: Vec<String> = Vec::new();
    for path in steps.iter().map(|step| step.path.to_string()) {
        if !planned.contains(&path) {
            planned.push(path);
        }
    }
    talk::hold(run, prepared.design.path.as_str(), &planned)?;
    let mut tally = make(run, steps, scratch, &committing, look)?;
    cross_file::judge(run, repository, prepared, job)?;
    let tip = tally.tip.take();
    let name = format!("refs/implement/runs/{id}");
    let mut last = run.last_event(ExitCode::Done, &tally, began);
    if let Some(folder) = run.leaves.clone().filter(|_| job.delivery.has_patch())
        && let Some(tip) = &tip
    {
        let (title, said) = committing.task.map_or((title.clone(), None), typed::message);
        let message = message::for_all(&title, said.unwrap_or_default(), &committing.trailers);
        let patch = scratch.patch(prepared.base.commit, tip.commit(), &job.identity, &message, run.interrupt)?;
        run.delivered = Some(delivery::write_patch(&folder, &patch)?);
    }
    let tip = tip.filter(|_| job.delivery.has_branch());
    if let (None, Event::RunFinished { record, .. }) = (&tip, &mut last) {
        *record = Some(name.clone());
    }
    let published = tip.as_ref().map(|tip| Event::Published {
        branch: job.branch.clone(),
        commit: tip.commit().to_string(),
        record: name,
        replaced: job.expected.filter(|_| job.replaces).map(|old| old.to_string()),
    });
    let aborted = run.transcript.aborted("the run went on without it");
    let events: Vec<&Event> = aborted.iter().chain(&published).chain([&last]).collect();
    let record = scratch.record(&record::published(run, job.record, &events)?)?;
    let reflog = format!("implement: {} ({id})", prepared.design.path);
    if run.interrupt.is_set() {
        return Err(ImplementError::Interrupted);
    }
    let branch = tip.map(|commit| NewTip { name: &job.branch, expected: job.expected, commit });
    scratch.publish(Publication { record: &record, branch, reflog: &reflog })?;
    if let Some(published) = &published {
        run.face.event(published);
    }
    if job.notes
        && let Err(error) = notes(repository, run)
    {
        let finding = Finding::warning("notes-not-written", format!("the commits have no notes: {error}"));
        let hint = format!("git implement rehome {}..{}: writes them", prepared.base.commit, job.branch);
        run.face.event(&Event::Finding(finding.hint(hint)));
    }
    Ok(last)
}

/// Writes the notes of the commits that are there now.
fn notes(repository: &Repository, run: &Run) -> Result<(), GitError> {
    let commits = run.making.recipe().commits.iter().filter_map(|commit| Oid::from_str(&commit.commit).ok());
    let past = commits.map(|commit| repository.past_of(commit)).collect::<Result<Vec<_>, _>>()?;
    rehome(repository, &past).map(|_| ())
}

/// The name of the model that is asked. A program says nothing of its model, and recorded replies are anybody's.
fn named_model(provider: &dyn Provider) -> Option<String> {
    let is_named = !matches!(provider.name(), "command" | "replay");
    is_named.then(|| provider.model().to_owned())
}

/// What a commit of the run needs beside its tree and its message.
pub(super) fn committing<'a>(job: &'a Job, interrupt: &'a Interrupt) -> CommitOptions<'a> {
    CommitOptions { identity: &job.identity, signing: &job.signing, no_verify: job.no_verify, interrupt }
}
