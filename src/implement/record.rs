//! What a run tells its record: the id and the header at the start, and at the end of a run that failed the last event,
//! and the move to where such records are kept. `transcript` writes the files, `git::record` keeps them.

use super::commit::Tally;
use super::kept_back::keep_back;
use super::run::Run;
use super::{Chosen, ImplementError, Job, Prepared};
use crate::config::Recorded;
use crate::event::{Event, Sink};
use crate::finding::Finding;
use crate::git::{RecordFile, Repository, Scratch, blob_id};
use crate::provider::trace::SpanId;
use crate::transcript::recipe::MANIFEST;
use crate::transcript::{Header, SUMMARY, Spent, Summary, Typed};
use std::time::Instant;

/// As many records of failed runs are nobody's business; of more there is a word.
const MANY: usize = 20;

/// Keeps the record of a run that failed, and makes its last event.
pub(super) fn keep(
    run: &mut Run,
    repository: &Repository,
    scratch: &mut Scratch,
    error: &ImplementError,
    began: Instant,
) -> Event {
    let mut last = run.last_event(error.exit_code(), &Tally::default(), began);
    if let Event::RunFinished { error: words, record, .. } = &mut last {
        *words = Some(error.to_string());
        *record = Some(repository.failed_dir(scratch.run()).display().to_string());
    }
    for finding in error.findings() {
        run.say(Event::Finding(finding.clone()));
    }
    let why = error.to_string();
    for event in run.transcript.aborted(why.lines().next().unwrap_or_default()) {
        run.say(event);
    }
    run.transcript.event(&last);
    if let Err(error) = run.transcript.sound() {
        let message = format!("the record of the run is not complete: {error}");
        run.face.event(&Event::Finding(Finding::warning("record-not-complete", message)));
    }
    match (scratch.keep_journal(), &mut last) {
        (Err(error), Event::RunFinished { record, .. }) => {
            *record = Some(scratch.journal_dir().display().to_string());
            let finding =
                Finding::warning("record-not-moved", format!("the record stays where it was written: {error}"));
            run.face.event(&Event::Finding(finding));
        }
        _ => tell_how_many(run, repository),
    }
    last
}

fn tell_how_many(run: &mut Run, repository: &Repository) {
    let kept = repository.failed_count();
    if kept > MANY {
        let place = repository.failed_dir("");
        let message = format!("the records of {kept} failed runs are kept in '{}'", place.display());
        let finding =
            Finding::note("records-kept", message).hint("git implement gc: takes old ones away, and says first which");
        run.face.event(&Event::Finding(finding));
    }
}

/// The files of the record that is published when these have become its last events.
pub(super) fn published(run: &mut Run, recorded: Recorded, last: &[&Event]) -> Result<Vec<RecordFile>, ImplementError> {
    let broken = |message: String| ImplementError::Record { message };
    let written = run.transcript.ended_by(last).map_err(|error| broken(error.to_string()))?;
    let mut files: Vec<RecordFile> = written.into_iter().map(|(name, bytes)| RecordFile { name, bytes }).collect();
    files.extend(run.making.files().map_err(|error| broken(error.to_string()))?);
    if let Some(last) = last.last() {
        let summary = Summary::new(run.transcript.header(), run.making.recipe(), last);
        let text = serde_json::to_string(&summary).map_err(|error| broken(error.to_string()))? + "\n";
        files.push(RecordFile { name: SUMMARY.to_owned(), bytes: text.into_bytes() });
    }
    files = keep_back(files, run.making.recipe(), recorded)?;
    files.sort_by(|one, other| one.name.cmp(&other.name));
    let manifest: String = files.iter().map(|file| format!("{} {}\n", blob_id(&file.bytes), file.name)).collect();
    files.push(RecordFile { name: MANIFEST.to_owned(), bytes: manifest.into_bytes() });
    Ok(files)
}

/// What the record says of its run as a whole.
pub(super) fn header(id: &str, prepared: &Prepared, job: &Job, chosen: &Chosen) -> Header {
    let folder = prepared.design.folder.as_ref().map(ToString::to_string);
    let is_no_file = prepared.design.of_commit || prepared.design.is_given();
    Header {
        run: id.to_owned(),
        lld: prepared.design.path.to_string(),
        blob: prepared.design.blob.to_string(),
        base: prepared.base.commit.to_string(),
        branch: if job.delivery.has_branch() { job.branch.clone() } else { String::new() },
        provider: chosen.provider.name().to_owned(),
        model: chosen.provider.model().to_owned(),
        started: now(),
        no_verify: job.no_verify,
        allow: job.settings.allow.clone(),
        gates: job.gates.clone(),
        record: (job.record != Recorded::Full).then(|| job.record.word().to_owned()),
        options: Typed { revision: is_no_file.then(|| job.lld.clone()), folder, ..job.options.clone() },
        continues: job.continued.as_ref().map(|continued| continued.run.clone()),
        earlier: job.continued.as_ref().map_or_else(Spent::default, |continued| continued.spent),
    }
}

/// When a run starts.
pub(super) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The name of a new run: it sorts by time, and differs from every other.
pub(super) fn run_id() -> String {
    let random = SpanId::random().hex();
    format!("{}-{}", jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ"), random.get(..6).unwrap_or(&random))
}
