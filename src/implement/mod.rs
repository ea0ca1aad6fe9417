//! The run: a design becomes a branch of commits that passed every gate, or nothing at all.
//!
//! [`prepare`] finds out all that can be known for nothing; [`choose`] settles who is asked; [`implement`] asks, judges,
//! commits and, last and once, moves the refs.

mod ask;
mod choose;
mod error;
mod make;
mod name;
mod prepare;
mod run;

pub use choose::{Chosen, choose, prices};
pub use error::ImplementError;
pub use name::branch_text;
pub use prepare::{Prepared, material, prepare, standing};
pub use run::Ceiling;

use crate::attempt::Policy;
use crate::check;
use crate::edit::Format;
use crate::event::{Event, Interrupt, SCHEMA, Sink};
use crate::finding::Finding;
use crate::git::message::{Provenance, Trailers};
use crate::git::{CommitOptions, Identity, Oid, Publication, RecordFile, Repository, Scratch, Signing};
use crate::model::Usage;
use crate::plan::{Listing, Step};
use crate::prompt::Material;
use crate::provider::record::Recorder;
use crate::provider::trace::{self, Span, SpanId, TraceId};
use crate::transcript::{self, Header, Transcript};
use make::{Committing, Tally, make};
use run::Run;
use secrecy::SecretString;
use std::path::PathBuf;
use std::time::{Instant, SystemTime};

/// What the person wants of a run, beside the design.
pub struct Job {
    /// As named on the command line.
    pub lld: String,
    pub branch: String,
    /// What the branch must be when it is published: `None`, nothing.
    pub expected: Option<Oid>,
    /// The design's title is the subject of one commit for everything.
    pub single: bool,
    /// The form of edits.
    pub edit_format: Format,
    pub policy: Policy,
    pub settings: check::Settings,
    pub ceiling: Ceiling,
    pub provenance: Provenance,
    pub signing: Signing,
    pub signoff: bool,
    /// Skip the user's hooks.
    pub no_verify: bool,
    /// Record replies here, too.
    pub record: Option<PathBuf>,
    /// Where spans go, with headers.
    pub otlp: Option<(String, Vec<(String, SecretString)>)>,
    /// The trace that the caller wants the run to be part of, in W3C form.
    pub traceparent: Option<String>,
}

/// Carries out the plan of `prepared` with `chosen`. The last event says how it ended.
///
/// # Errors
/// [`ImplementError`]; then no ref has moved, nothing is registered, and the record lies beside the repository.
pub fn implement(
    repository: &Repository,
    prepared: &Prepared,
    job: &Job,
    chosen: Chosen,
    identity: &Identity,
    material: Material,
    interrupt: &Interrupt,
    face: &mut dyn Sink,
) -> Result<(), ImplementError> {
    let began = Instant::now();
    let steps: &[Step] = prepared.examined.plan.as_ref().map_or(&[], |plan| plan.steps());
    let (trace, root) = (TraceId::continued(job.traceparent.as_deref()), SpanId::random());
    let id = run_id();
    let mut scratch = Scratch::create(repository, &id, &prepared.base)?;
    let header = header(&id, prepared, job, &chosen);
    let listing = Listing::new(&job.lld, &prepared.lld, &prepared.examined.rows, &prepared.examined.findings);
    let plan = serde_json::to_value(&listing).unwrap_or_default();
    let broken = |error: std::io::Error| ImplementError::Record { message: error.to_string() };
    let journal = scratch.journal_dir();
    let transcript = Transcript::create(&journal, &header, prepared.design.text.as_bytes(), &plan).map_err(broken)?;
    let mut provider: Box<dyn crate::provider::Provider> =
        Box::new(Recorder::new(chosen.provider, transcript.replies()));
    if let Some(dir) = &job.record {
        provider = Box::new(Recorder::new(provider, dir));
    }
    let mut run = Run {
        provider: provider.as_ref(),
        limits: chosen.limits,
        prices: chosen.prices,
        ceiling: job.ceiling,
        policy: job.policy,
        settings: job.settings.clone(),
        material,
        completed: Vec::new(),
        interrupt,
        transcript,
        face,
        trace,
        root,
        spans: Vec::new(),
        usage: Usage::default(),
        cost: None,
    };
    run.say(Event::RunStarted {
        schema: SCHEMA,
        run: id.clone(),
        lld: header.lld.clone(),
        blob: header.blob.clone(),
        base: header.base.clone(),
        branch: header.branch.clone(),
        provider: header.provider.clone(),
        model: header.model.clone(),
        chosen: chosen.why,
        files: steps.len(),
        trace: trace.hex(),
    });
    let start = SystemTime::now();
    let result = make_and_publish(&mut run, repository, prepared, job, identity, &mut scratch, began);
    if let Some((endpoint, headers)) = &job.otlp {
        let error = result.as_ref().err().map(ToString::to_string);
        run.spans.push(Span::run(root, &header.lld, (start, SystemTime::now()), error));
        if let Err(message) = trace::export(endpoint, headers, trace, &run.spans, interrupt) {
            run.say(Event::Finding(Finding::warning("trace-not-sent", message)));
        }
    }
    let last = match &result {
        Ok(last) => last.clone(),
        Err(error) => keep(&mut run, repository, &id, error, began),
    };
    // Before the last word, so that whoever acts on it finds no scratch any more.
    drop(scratch);
    face_of(run).event(&last);
    result.map(drop)
}

fn face_of<'a>(run: Run<'a>) -> &'a mut dyn Sink {
    run.face
}

/// The run itself. Returns its last event, which the record has already.
fn make_and_publish(
    run: &mut Run,
    repository: &Repository,
    prepared: &Prepared,
    job: &Job,
    identity: &Identity,
    scratch: &mut Scratch,
    began: Instant,
) -> Result<Event, ImplementError> {
    let steps = prepared.examined.plan.as_ref().map_or(&[][..], |plan| plan.steps());
    let (id, blob) = (scratch.run().to_owned(), prepared.design.blob.to_string());
    let signoff = format!("{} <{}>", identity.committer.name, identity.committer.email);
    let title = prepared.lld.title.clone().unwrap_or_default();
    let committing = Committing {
        options: CommitOptions { identity, signing: &job.signing, no_verify: job.no_verify, interrupt: run.interrupt },
        trailers: Trailers {
            lld: prepared.design.path.as_str(),
            blob: &blob,
            run: &id,
            tasks: &[],
            provenance: job.provenance,
            signoff: job.signoff.then_some(&signoff),
        },
        single: job.single.then_some(&title),
    };
    let mut tally = make(run, job, steps, scratch, &committing)?;
    let tip = tally.tip.take();
    let last = run.last_event(0, &tally, began);
    let Some(tip) = tip else { return Ok(last) };
    let published = Event::Published {
        branch: job.branch.clone(),
        commit: tip.commit().to_string(),
        record: format!("refs/implement/runs/{id}"),
        replaced: job.expected.filter(|old| *old != prepared.base.commit).map(|old| old.to_string()),
    };
    let files = run
        .transcript
        .ended_by(&[&published, &last])
        .map_err(|error| ImplementError::Record { message: error.to_string() })?;
    let record = repository.record(&id, &record_files(files), identity)?;
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

/// Keeps the record of a run that failed beside the repository, and makes its last event.
fn keep(run: &mut Run, repository: &Repository, id: &str, error: &ImplementError, began: Instant) -> Event {
    let mut last = run.last_event(error.exit_code(), &Tally::default(), began);
    if let Event::RunFinished { error: words, record, .. } = &mut last {
        *words = Some(error.to_string());
        *record = Some(repository.failed_dir(id).display().to_string());
    }
    for finding in error.findings() {
        run.say(Event::Finding(finding.clone()));
    }
    run.transcript.event(&last);
    let files = run.transcript.finish().and_then(|folder| transcript::read(&folder)).map_err(|error| error.to_string());
    let kept = files.and_then(|files| repository.keep_failed(id, &record_files(files)).map_err(|e| e.to_string()));
    if let (Err(message), Event::RunFinished { record, .. }) = (kept, &mut last) {
        *record = None;
        let message = format!("cannot keep the record of the run: {message}");
        run.face.event(&Event::Finding(Finding::warning("record-not-kept", message)));
    }
    last
}

fn record_files(files: Vec<(String, Vec<u8>)>) -> Vec<RecordFile> {
    files.into_iter().map(|(name, bytes)| RecordFile { name, bytes }).collect()
}

fn header(id: &str, prepared: &Prepared, job: &Job, chosen: &Chosen) -> Header {
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
    }
}

/// Sorts by time, and differs from every other.
fn run_id() -> String {
    let random = SpanId::random().hex();
    format!("{}-{}", jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ"), random.get(..6).unwrap_or(&random))
}
