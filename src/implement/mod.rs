//! The run: a design becomes a branch of commits that passed every gate, or nothing at all.
//!
//! [`prepare`] finds out all that can be known for nothing; [`choose`] settles who is asked; [`implement`] asks, judges,
//! commits and, last and once, moves the refs.

mod ask;
mod choose;
mod commit;
mod continued;
mod cross_file;
mod delivery;
mod earlier;
mod error;
mod excerpts;
mod hooked;
mod judge;
mod kept_back;
mod look;
mod make;
mod making;
mod mend;
mod name;
mod plan_code;
mod prepare;
pub mod propose;
mod publish;
mod question;
mod record;
mod repair;
mod reviewer;
mod rounds;
mod run;
mod secrets;
mod talk;
mod ticking;
mod unread;
mod verifying;

pub use choose::{Chosen, Expected, choose, expected};
pub use continued::Continued;
pub use delivery::{Delivery, Leaves};
pub use earlier::Earlier;
pub use error::{ImplementError, Wanted};
pub use look::{cannot_run, commands, most_repairs};
pub use name::branch_text;
pub use plan_code::written_out;
pub use prepare::{Background, Named, Prepared, background, prepare};
pub use reviewer::{Mark, recorded_mark};
pub use rounds::{MOST_OF_JOB, MOST_OF_TASK, Rounds};
pub use secrets::secrets;
pub use unread::unread;
pub use verifying::verifying;

use crate::attempt::Policy;
use crate::check;
use crate::config::{CommitStyle, LspMode, Recorded, Verify};
use crate::edit::Format;
use crate::environment::Environment;
use crate::event::{Event, SCHEMA, Sink};
use crate::finding::{Finding, Permission};
use crate::git::message::Provenance;
use crate::git::{Identity, Oid, Repository, Scratch, Signing};
use crate::ledger::Ledger;
use crate::path::Excluded;
use crate::plan::{Listing, Shown, Total};
use crate::process::Interrupt;
use crate::prompt::Material;
use crate::provider::Provider;
use crate::provider::recording::Recorder;
use crate::provider::trace::{self, Span, SpanId, TraceId};
use crate::transcript::{Spent, Transcript, Typed};
use making::Making;
use reviewer::Elsewhere;
use run::{Other, Run};
use secrecy::SecretString;
use std::path::PathBuf;
use std::time::{Instant, SystemTime};

/// What a run is to do with a design that is prepared.
pub struct Job {
    /// As named on the command line.
    pub lld: String,
    /// Who commits.
    pub identity: Identity,
    /// What the prompts show beside the task.
    pub material: Material,
    /// What of it stands beside the design and the planned files.
    pub shown: Vec<Shown>,
    /// What all requests together were foreseen to come to.
    pub estimate: Option<Total>,
    pub branch: String,
    /// What the branch must be when it is published: `None`, nothing.
    pub expected: Option<Oid>,
    /// What the branch was is replaced (`--force`), not built on.
    pub replaces: bool,
    /// What goes into one commit.
    pub commit: CommitStyle,
    /// The form of edits.
    pub edit_format: Format,
    pub policy: Policy,
    pub settings: check::Settings,
    /// The commands that must pass.
    pub verify: Vec<Verify>,
    /// What is done with what language servers find.
    pub lsp: LspMode,
    /// The names of servers that may be started though they run code of the repository.
    pub lsp_servers: Vec<String>,
    /// Every commit must pass.
    pub bisectable: bool,
    /// What children see of it is for `process` to say.
    pub environment: Environment,
    /// What was said of gates, as `<id>=<level>`, and by whom.
    pub gates: Vec<Permission>,
    /// What it draws on.
    pub ledger: Ledger,
    pub provenance: Provenance,
    pub signing: Signing,
    pub signoff: bool,
    /// Skip the user's hooks.
    pub no_verify: bool,
    /// Take new files from the code that the plan has written out.
    pub use_plan_code: bool,
    /// Record replies here, too.
    pub recordings: Option<PathBuf>,
    /// What of the run its published record holds.
    pub record: Recorded,
    /// Notes for other tools are written on the commits.
    pub notes: bool,
    /// How often somebody else has a say.
    pub rounds: Rounds,
    /// What no model is to be shown of other files; and whether it is to be shown any that nobody has named.
    pub excluded: Excluded,
    pub shows_others: bool,
    /// By which the verdicts are known that are recorded already.
    pub mark: Option<Mark>,
    /// What becomes of the change.
    pub delivery: Delivery,
    /// Where a task leaves its files; what is no task leaves none.
    pub leaves: Option<Leaves>,
    /// What was typed.
    pub options: Typed,
    /// What was asked for the design before there was a run.
    pub earlier: Vec<Earlier>,
    /// The run that this one goes on from.
    pub continued: Option<Continued>,
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
    (chosen, reviewer): (Chosen, Option<Chosen>),
    interrupt: &Interrupt,
    face: &mut dyn Sink,
) -> Result<(), ImplementError> {
    let began = Instant::now();
    let steps = prepared.examined.steps();
    let ((trace, caller), root) = (TraceId::continued(job.traceparent.as_deref()), SpanId::random());
    let id = record::run_id();
    look::can_run(repository, prepared, job)?;
    let leaves = job.leaves.as_ref().map(|leaves| leaves.folder(repository, &id)).transpose()?;
    let mut scratch = Scratch::create(repository, &id, &prepared.base)?;
    if look::is_wanted(repository, &scratch, prepared, job) {
        scratch.go_outside()?;
    }
    prepare::preflight(&mut scratch, job, interrupt)?;
    if let Some(Leaves::In(folder)) = &job.leaves {
        // Whoever goes on with the run leaves its files there, too.
        repository.leave_elsewhere(&id, folder)?;
    }
    let header = record::header(&id, prepared, job, &chosen);
    let listing = Listing::new(&job.lld, &prepared.lld, &prepared.examined.rows, &prepared.examined.findings);
    let plan = serde_json::to_value(listing.sending(&job.shown, job.estimate)).unwrap_or_default();
    let broken = |error: std::io::Error| ImplementError::Record { message: error.to_string() };
    let journal = scratch.journal_dir();
    let documents = job.material.beside.iter().chain(&job.material.context);
    let documents: Vec<(&str, &str)> = documents.map(|shown| (shown.path.as_str(), shown.text.as_str())).collect();
    let transcript = Transcript::create(&journal, &header, prepared.design.text.as_bytes(), &plan, &documents);
    let transcript = transcript.map_err(broken)?;
    let recordings: Vec<PathBuf> = std::iter::once(transcript.replies()).chain(job.recordings.clone()).collect();
    let recorded = |provider: Box<dyn Provider>| {
        let record = |provider, dir| Box::new(Recorder::new(provider, dir)) as Box<dyn Provider>;
        recordings.iter().fold(provider, record)
    };
    let provider = recorded(chosen.provider);
    let other = reviewer.map(|other| (recorded(other.provider), other.limits, other.prices));
    let mark = job.mark.clone().unwrap_or_else(Mark::random);
    if job.rounds.verdicts() > 0 {
        mark.keep(&recordings);
    }
    let mut run = Run {
        provider: provider.as_ref(),
        limits: chosen.limits,
        account: job.ledger.account(chosen.prices),
        other: other.as_ref().map(|(provider, limits, prices)| Other {
            provider: provider.as_ref(),
            limits: *limits,
            account: job.ledger.account(*prices),
        }),
        rounds: job.rounds,
        asked_about_design: 0,
        turns_said: Vec::new(),
        before: Spent::default(),
        verdict: None,
        elsewhere: Elsewhere {
            repository,
            base: &prepared.base,
            excluded: &job.excluded,
            shown_only: !job.shows_others,
        },
        mark,
        leaves: leaves.clone(),
        delivered: None,
        policy: job.policy,
        edits: job.edit_format,
        settings: job.settings.clone(),
        material: job.material.clone(),
        dependencies: prepare::dependencies(prepared),
        completed: Vec::new(),
        turns: 0,
        lost_tests: Vec::new(),
        short: None,
        interrupt,
        transcript,
        recordings: recordings.clone(),
        continued: job.continued.clone(),
        making: Making::default(),
        plan_code: job.use_plan_code.then(|| prepared.passages.clone()),
        face,
        trace,
        root,
        spans: Vec::new(),
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
    earlier::take_up(&mut run, &job.earlier)?;
    for record in scratch.swept() {
        let message = format!("an earlier run was killed: what it was answered is kept in '{}'", record.display());
        let name = record.file_name().unwrap_or_default().to_string_lossy();
        let hint = format!("git implement --continue {name}: go on with it");
        run.say(Event::Finding(Finding::note("run-killed", message).hint(hint)));
    }
    let start = SystemTime::now();
    let result = publish::make_and_publish(&mut run, repository, prepared, job, &mut scratch, began);
    if let Some((endpoint, headers)) = &job.otlp {
        let error = result.as_ref().err().map(ToString::to_string);
        run.spans.push(Span::run(root, caller, &header.lld, (start, SystemTime::now()), error));
        if let Err(message) = trace::export(endpoint, headers, trace, &run.spans, interrupt) {
            run.say(Event::Finding(Finding::warning("trace-not-sent", message)));
        }
    }
    // The record is about to be moved.
    let answered = run.transcript.has_replies();
    let last = match &result {
        Ok(last) => last.clone(),
        Err(error) => record::keep(&mut run, repository, &mut scratch, error, began),
    };
    let delivered = leaves.and_then(|folder| delivery::leave(&mut run, &folder, prepared, job, &last));
    // Before the last word, so that whoever acts on it finds no scratch any more.
    drop(scratch);
    let face = face_of(run);
    if let Some(delivered) = &delivered {
        face.event(delivered);
    }
    face.event(&last);
    match (result, last) {
        (Ok(_), _) => Ok(()),
        (Err(error), Event::RunFinished { record: Some(record), .. }) => {
            Err(ImplementError::Kept { error: Box::new(error), record, answered, run: Some(id) })
        }
        (Err(error), _) => Err(error),
    }
}

fn face_of<'a>(run: Run<'a>) -> &'a mut dyn Sink {
    run.face
}
