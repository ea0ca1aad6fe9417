//! What is written down of a run as a whole, and where it goes when the run fails.

use super::make::Tally;
use super::run::Run;
use super::{Chosen, ImplementError, Job, Prepared};
use crate::event::{Event, Sink};
use crate::finding::Finding;
use crate::git::{RecordFile, Repository};
use crate::provider::trace::SpanId;
use crate::transcript::{self, Header};
use std::time::Instant;

/// Keeps the record of a run that failed beside the repository, and makes its last event.
pub(super) fn keep(run: &mut Run, repository: &Repository, id: &str, error: &ImplementError, began: Instant) -> Event {
    let mut last = run.last_event(error.exit_code(), &Tally::default(), began);
    if let Event::RunFinished { error: words, record, .. } = &mut last {
        *words = Some(error.to_string());
        *record = Some(repository.failed_dir(id).display().to_string());
    }
    for finding in error.findings() {
        run.say(Event::Finding(finding.clone()));
    }
    run.transcript.event(&last);
    let kept = run.transcript.finish().and_then(|folder| transcript::read(&folder)).map_err(|error| error.to_string());
    let kept = kept.and_then(|kept| repository.keep_failed(id, &files(kept)).map_err(|error| error.to_string()));
    if let (Err(message), Event::RunFinished { record, .. }) = (kept, &mut last) {
        *record = None;
        let message = format!("cannot keep the record of the run: {message}");
        run.face.event(&Event::Finding(Finding::warning("record-not-kept", message)));
    }
    last
}

/// The files of a transcript as git keeps them.
pub(super) fn files(files: Vec<(String, Vec<u8>)>) -> Vec<RecordFile> {
    files.into_iter().map(|(name, bytes)| RecordFile { name, bytes }).collect()
}

/// What the record says of its run as a whole.
pub(super) fn header(id: &str, prepared: &Prepared, job: &Job, chosen: &Chosen) -> Header {
    Header {
        run: id.to_owned(),
        lld: prepared.design.path.to_string(),
        blob: prepared.design.blob.to_string(),
        base: prepared.base.commit.to_string(),
        branch: job.branch.clone(),
        provider: chosen.provider.name().to_owned(),
        model: chosen.provider.model().to_owned(),
        started: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        no_verify: job.no_verify,
        allow: job.settings.allow.clone(),
        gates: job.gates.clone(),
    }
}

/// The name of a new run: it sorts by time, and differs from every other.
pub(super) fn run_id() -> String {
    let random = SpanId::random().hex();
    format!("{}-{}", jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ"), random.get(..6).unwrap_or(&random))
}
