//! The main job: designs in, a branch each out.

use super::agree::{self, Doubts};
use super::meant;
use super::options::Main;
use super::plan::Run;
use super::session::{NotOpened, Session, gates};
use super::unheeded::wrong_bisectable;
use crate::attempt::Policy;
use crate::check::{Author, Settings};
use crate::config::{Config, LspMode, ProviderKind, ReviewShows};
use crate::edit::Format;
use crate::event::{Event, Sink};
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::git::branch::{self, Existing};
use crate::git::message::Provenance;
use crate::git::{GIVEN, GitError, Identity, Oid, Repository, Signing};
use crate::implement::propose::OfTask;
use crate::implement::{
    self, Background, Chosen, ImplementError, Job, Leaves, MOST_OF_JOB, MOST_OF_TASK, Mark, Prepared, Rounds,
    branch_text,
};
use crate::model::Speaker;
use crate::plan::{Estimate, Options, Total};
use crate::process::{Interrupt, find_program};
use crate::prompt::{Forecast, forecast};
use crate::provider::ProviderError;
use crate::ui;
use crate::ui::json::JsonLines;

/// Carries out every design in turn. Returns the worst exit status.
pub fn run(args: &Main) -> ExitCode {
    let misused = |message: String, hints: &[String]| {
        ui::failure::fatal(&message, hints);
        ended(args.how.face.json, &[], ExitCode::Usage, message);
        ExitCode::Usage
    };
    if args.how.branch.is_some() && args.llds.len() > 1 {
        return misused("-b names one branch, and there are several designs".to_owned(), &[]);
    }
    if let Some((wrong, hint)) = wrong_rounds(args) {
        return misused(wrong, &[hint]);
    }
    if args.keep_accepted {
        return misused("--keep-accepted goes with --continue".to_owned(), &[]);
    }
    let given: Vec<&String> = args.llds.iter().filter(|lld| *lld == GIVEN).collect();
    if given.len() > 1 {
        return misused("standard input holds one design, and is named twice".to_owned(), &[]);
    }
    let opened = Session::open(&args.how.face, args.settings());
    let opened = opened.and_then(|mut session| {
        given.first().map_or(Ok(()), |lld| session.take_input(lld))?;
        Ok(session)
    });
    match opened {
        Ok(mut session) => {
            if let Some((wrong, hint)) = wrong_bisectable(&session.config) {
                return misused(wrong, &[hint]);
            }
            if !args.how.dry_run {
                session.repository.may_fetch();
            }
            run_in(args, &mut session)
        }
        Err(NotOpened { status, error, findings }) => {
            ended(args.how.face.json, &findings, status, error);
            status
        }
    }
}

/// What is wrong with the number of rounds that was typed, and what would do.
pub fn wrong_rounds(args: &Main) -> Option<(String, String)> {
    let typed = args.how.rounds.as_ref()?;
    let (least, most) = if args.as_task { (1, MOST_OF_TASK) } else { (0, MOST_OF_JOB) };
    let fits = typed.parse().is_ok_and(|rounds: u32| (least..=most).contains(&rounds));
    (!fits).then(|| {
        let hint = format!("give {least} to {most}: later rounds find little that is there, and much that is not");
        (format!("'{typed}' is no number of rounds"), hint)
    })
}

/// The last event of what did not come to a run, for whoever reads events: after the findings that say more.
pub fn ended(json: bool, findings: &[Finding], status: ExitCode, error: String) {
    if json {
        findings.iter().for_each(|finding| JsonLines.event(&Event::Finding(finding.clone())));
        JsonLines.event(&Event::ended(status, Some(error)));
    }
}

/// The same in a repository that is open already.
pub fn run_in(args: &Main, session: &mut Session) -> ExitCode {
    let interrupt = Interrupt::on_signals();
    session.repository.heed(&interrupt);
    let mut status = ExitCode::Done;
    let mut llds = args.llds.iter();
    while let Some(lld) = llds.next() {
        let mut face = Watched::new(session);
        let status_here = match one(args, session, lld, &interrupt, &mut face) {
            Ok(status) => status,
            Err(error) => {
                let status = meant::failed(&error, session, lld);
                if !face.ended {
                    ended(session.json, error.findings(), status, error.to_string());
                }
                status
            }
        };
        status = status.max(status_here);
        if interrupt.is_set() {
            // What came too late to stop this one still stops the others.
            if status_here == ExitCode::Done && llds.next().is_some() {
                let error = ImplementError::Interrupted;
                ui::failure::show(&error, &[], session.style);
                ended(session.json, &[], error.exit_code(), error.to_string());
                status = status.max(ExitCode::Interrupted);
            }
            break;
        }
    }
    status
}

/// Whoever shows the run, and whether they have been told of its end.
pub struct Watched {
    face: Box<dyn Sink>,
    pub ended: bool,
}

impl Watched {
    pub fn new(session: &Session) -> Watched {
        Watched { face: session.face(), ended: false }
    }
}

impl Sink for Watched {
    fn event(&mut self, event: &Event) {
        self.ended |= matches!(event, Event::RunFinished { .. });
        self.face.event(event);
    }
    fn wants_patches(&self) -> bool {
        self.face.wants_patches()
    }
    fn patch(&mut self, patch: &str) {
        self.face.patch(patch);
    }
    fn said(&mut self, by: Speaker, round: u32, piece: &str) {
        self.face.said(by, round, piece);
    }
}

fn one(
    args: &Main,
    session: &Session,
    lld: &str,
    interrupt: &Interrupt,
    face: &mut dyn Sink,
) -> Result<ExitCode, ImplementError> {
    let (repository, config) = (&session.repository, &session.config);
    let mut options =
        Options { tasks: args.tasks.choice(), tick: !args.tasks.no_tick, ..session.plan_options(&args.paths) };
    let mut prepared = implement::prepare(repository, session.named(lld), args.how.base.as_deref(), &options)?;
    if args.how.dry_run {
        let of = Run { hooks: !args.how.no_verify, rounds: rounds_of(args.as_task, config) };
        return Ok(super::plan::show(session, lld, &prepared, args.how.face.json, of));
    }
    let doubts = Doubts::of(&prepared.examined.findings);
    if !doubts.is_empty() {
        options.allow.extend(doubts.permissions());
        prepared = implement::prepare(repository, session.named(lld), args.how.base.as_deref(), &options)?;
    }
    let Some(plan) = &prepared.examined.plan else {
        return Err(unplanned(lld, prepared));
    };
    let design = Some(prepared.design.path.as_str());
    if plan.steps().is_empty() {
        session.findings(&prepared.examined.findings, design)?;
        face.event(&Event::ended(ExitCode::Done, None));
        return Ok(ExitCode::Done);
    }
    let (branch, expected) = match args.delivery().has_branch() {
        true => target(args, repository, &prepared)?,
        false => (String::new(), None),
    };
    let identity = repository.identity()?;
    let mut settings = gates(config, Author::Model).map_err(|findings| ImplementError::Configuration { findings })?;
    settings.allow.extend(doubts.permissions());
    session.findings(&config.provider_findings(), None)?;
    let chosen =
        implement::choose(config, &session.environment, session.continued.as_ref(), &session.taken, interrupt)?;
    let reviewer = reviewer(args, session, interrupt)?;
    let background = implement::background(repository, &prepared, config, chosen.limits.room(), interrupt)?;
    session.findings(&background.findings, design)?;
    if !chosen.local || reviewer.as_ref().is_some_and(|reviewer| !reviewer.local) {
        let findings = implement::secrets(&background.material, &settings.allow);
        if !findings.is_empty() {
            return Err(ImplementError::Secrets { findings });
        }
    }
    session.findings(&prepared.examined.findings, design)?;
    if !args.how.no_verify {
        session.findings(&implement::unread(repository, &prepared)?, design)?;
    }
    let foreseen = forecast(plan.steps(), &background.material, session.edits(), chosen.limits, chosen.prices.as_ref());
    if let Some((path, long)) = foreseen.too_long.first() {
        return Err(ImplementError::TooLong { path: path.clone(), tokens: long.tokens, room: long.room });
    }
    if config.max_cost.is_some() && chosen.prices.is_none() {
        let message = format!("what '{}' costs is not known: --max-cost cannot be held", chosen.provider.name());
        session.findings(&[Finding::warning("max-cost", message).hint("--max-tokens can")], None)?;
    }
    session.findings(&session.unheeded(plan.steps()), None)?;
    let repairs = implement::most_repairs(config, &session.environment, repository, plan.steps());
    let (mut total, repairs) = (foreseen.total(), foreseen.repaired(repairs));
    let rounds = rounds_of(args.as_task, config);
    let prices = [chosen.prices, reviewer.as_ref().unwrap_or(&chosen).prices];
    let [own, others] = rounds.foreseen(&background.material, &total, chosen.limits, prices);
    total += own;
    if reviewer.is_none() {
        total += others;
    }
    let sent = sent(&background, &foreseen);
    let callers = rounds.verdicts() > 0 && rounds.shows == ReviewShows::Callers && config.context_tokens.value > 0;
    if callers && !reviewer.as_ref().unwrap_or(&chosen).local && !session.style.quiet {
        ui::ask::announce_callers();
    }
    agree::agree(session, &chosen, &sent, (&total, &repairs), args.how.yes, interrupt)?;
    if let Some(reviewer) = &reviewer {
        agree::agree(session, reviewer, &sent, (&others, &Estimate::default()), args.how.yes, interrupt)?;
    }
    doubts.ask(lld, interrupt)?;
    let made_from = (identity, background, Total::new(&total, &repairs));
    let job = job(args, session, lld, made_from, (branch, expected), settings);
    implement::implement(repository, &prepared, &job, (chosen, reviewer), interrupt, face)?;
    Ok(ExitCode::Done)
}

/// Why there is no plan. The design of a task has no lines that anybody has written.
fn unplanned(lld: &str, prepared: Prepared) -> ImplementError {
    let (is_task, path) = (prepared.design.is_task(), prepared.design.path.to_string());
    let mut findings = prepared.examined.findings;
    findings.iter_mut().filter(|_| is_task).for_each(|finding| finding.line = None);
    ImplementError::Plan { lld: if is_task { path } else { lld.to_owned() }, findings }
}

/// Who reviews, if that is somebody else than who writes.
fn reviewer(args: &Main, session: &Session, interrupt: &Interrupt) -> Result<Option<Chosen>, ImplementError> {
    let config = &session.config;
    let Some(other) = config.of_reviewer().filter(|_| rounds_of(args.as_task, config).verdicts() > 0) else {
        return Ok(None);
    };
    session.findings(&other.provider_findings(), None)?;
    // What is recorded may answer for it.
    if session.continued.is_none() && other.replay.is_none() {
        is_there(&other, session)?;
    }
    implement::choose(&other, &session.environment, session.continued.as_ref(), &session.taken, interrupt).map(Some)
}

/// Says of a reviewer's program that it is not there: the files are paid for when it is first asked.
fn is_there(config: &Config, session: &Session) -> Result<(), ImplementError> {
    let is_command = config.provider.as_ref().is_some_and(|provider| provider.value == ProviderKind::Command);
    let line = config.command.as_ref().filter(|_| is_command).map(|command| command.value.as_str());
    let program = line.and_then(|line| shell_words::split(line).ok()).and_then(|argv| argv.into_iter().next());
    let Some(program) = program else { return Ok(()) };
    let found = match program.contains('/') {
        true => session.cwd.join(&program).is_file(),
        false => find_program(&session.environment, &program).is_some(),
    };
    let message = format!("cannot ask the reviewer: there is no program '{program}'");
    let hints = vec!["name another with --reviewer command:<program>".to_owned()];
    let error = ProviderError::Configuration { message, hints };
    if found { Ok(()) } else { Err(ImplementError::Provider { path: String::new(), error }) }
}

/// Every file that is sent.
fn sent<'a>(background: &'a Background, foreseen: &Forecast) -> Vec<&'a str> {
    let material = &background.material;
    let beside = material.beside.iter().filter(|document| !foreseen.left_out.contains(&document.path));
    let documents = std::iter::once(&material.design).chain(beside).chain(&material.context);
    let excerpts = material.excerpts.iter().map(|excerpt| excerpt.path.as_str());
    let bases = material.bases.iter().map(|base| base.path.as_str());
    documents.map(|document| document.path.as_str()).chain(excerpts).chain(bases).collect()
}

/// The branch to make, and what it must be when it is published.
fn target(args: &Main, repository: &Repository, prepared: &Prepared) -> Result<(String, Option<Oid>), ImplementError> {
    let path = prepared.design.path.as_str();
    let name = match &args.how.branch {
        Some(name) => name.clone(),
        None => {
            let text = branch_text(&prepared.lld, path, prepared.design.folder.as_ref());
            let component = branch::component(text).ok_or_else(|| GitError::BranchName { name: text.to_owned() })?;
            format!("implement/{component}")
        }
    };
    let existing = match (args.appends(), args.how.force) {
        (true, _) => Existing::Append(prepared.base.commit),
        (false, true) => Existing::Replace,
        (false, false) => Existing::Refuse,
    };
    let expected = repository.branch_free(&name, existing)?;
    Ok((name, expected))
}

/// What is known of a task before its files are. Whoever is to review must be there before anybody is paid.
pub fn of_task(args: &Main, session: &Session, interrupt: &Interrupt) -> Result<OfTask, ImplementError> {
    let reviewer = reviewer(args, session, interrupt)?;
    let reviewer = reviewer.map(|it| (it.provider.name().to_owned(), it.provider.model().to_owned()));
    let rounds = rounds_of(args.as_task, &session.config).all;
    OfTask::new(rounds, reviewer, leaves(args))
}

pub fn leaves(args: &Main) -> Leaves {
    args.output.clone().map_or(Leaves::Own, Leaves::In)
}

/// A task has one round at least. Somebody's setting is for all repositories, and what is too much is not meant.
pub fn rounds_of(as_task: bool, config: &Config) -> Rounds {
    let (least, most) = if as_task { (1, MOST_OF_TASK) } else { (0, MOST_OF_JOB) };
    let all = config.rounds.value.clamp(least, most);
    Rounds { all, talk: as_task, shows: config.reviewer.shows.value }
}

/// The mark of the verdicts that are recorded already.
fn mark(session: &Session) -> Option<Mark> {
    let replies = session.continued.as_ref().map(|continued| continued.replies.clone());
    let replayed = session.config.replay.as_ref().map(|dir| dir.value.clone());
    let folders = replies.into_iter().chain(replayed).flat_map(|dir| [dir.join("replies"), dir]);
    folders.into_iter().find_map(|dir| implement::recorded_mark(&dir))
}

fn job(
    args: &Main,
    session: &Session,
    lld: &str,
    (identity, background, total): (Identity, Background, Total),
    (branch, expected): (String, Option<Oid>),
    settings: Settings,
) -> Job {
    let config = &session.config;
    let signing = match (&args.how.gpg_sign, args.how.no_gpg_sign, &config.gpg_sign) {
        (Some(key), _, _) => Signing::Yes(Some(key.clone()).filter(|key| !key.is_empty())),
        (None, true, _) => Signing::No,
        (None, false, Some(sign)) if sign.value => Signing::Yes(None),
        (None, false, Some(_)) => Signing::No,
        (None, false, None) => Signing::Configured,
    };
    Job {
        lld: lld.to_owned(),
        identity,
        material: background.material,
        shown: background.shown,
        estimate: Some(total),
        branch,
        expected,
        replaces: args.how.force,
        commit: config.commit.value,
        edit_format: session.edits(),
        policy: Policy {
            truncated: config.truncation_retries.value,
            edits: config.format.value.format() != Some(Format::Whole),
            repair: config.repair.value,
        },
        settings,
        gates: config.gates.permissions(),
        verify: if config.no_exec.value { Vec::new() } else { config.verify.clone() },
        lsp: if config.no_exec.value { LspMode::Off } else { config.lsp.value },
        lsp_servers: config.lsp_server.values(),
        bisectable: config.bisectable.value,
        environment: session.environment.clone(),
        ledger: session.ledger.clone(),
        provenance: Provenance::parse(config.trailer.value.word()).unwrap_or_default(),
        signing,
        signoff: args.how.signoff,
        no_verify: args.how.no_verify,
        use_plan_code: args.use_plan_code,
        recordings: config.recordings.as_ref().map(|dir| dir.value.clone()),
        record: config.record.value,
        notes: config.notes.value,
        rounds: rounds_of(args.as_task, config),
        excluded: background.excluded,
        shows_others: config.context_tokens.value > 0,
        mark: mark(session),
        delivery: args.delivery(),
        leaves: args.as_task.then(|| leaves(args)),
        options: args.kept(),
        earlier: session.earlier.clone(),
        continued: session.continued.clone(),
        otlp: config.otlp_traces_url.as_ref().map(|url| (url.value.clone(), config.vendors.otlp_headers.clone())),
        traceparent: config.traceparent.clone(),
    }
}
