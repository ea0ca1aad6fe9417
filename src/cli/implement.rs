//! The main job: designs in, a branch each out.

use super::options::Main;
use super::session::{Session, gates};
use super::{agree, meant};
use crate::attempt::Policy;
use crate::check::{Author, Settings};
use crate::config::Config;
use crate::edit::Format;
use crate::event::Event;
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::git::branch::{self, Existing};
use crate::git::message::Provenance;
use crate::git::{GitError, Identity, Oid, Repository, Signing};
use crate::implement::{self, Ceiling, ImplementError, Job, Prepared, branch_text};
use crate::plan::Options;
use crate::process::Interrupt;
use crate::prompt::Material;
use crate::ui;

/// Carries out every design in turn. Returns the worst exit status.
pub fn run(args: &Main) -> ExitCode {
    if args.branch.is_some() && args.llds.len() > 1 {
        ui::failure::fatal("-b names one branch, and there are several designs", &[]);
        return ExitCode::Usage;
    }
    match Session::open(&args.face, args.settings()) {
        Ok(mut session) => {
            if !args.dry_run {
                session.repository.may_fetch();
            }
            run_in(args, &session)
        }
        Err(status) => status,
    }
}

/// The same in a repository that is open already.
pub fn run_in(args: &Main, session: &Session) -> ExitCode {
    let interrupt = Interrupt::on_signals();
    let mut status = ExitCode::Done;
    let mut llds = args.llds.iter();
    while let Some(lld) = llds.next() {
        let ended = match one(args, session, lld, &interrupt) {
            Ok(status) => status,
            Err(error) => meant::failed(&error, session, lld),
        };
        status = status.max(ended);
        if interrupt.is_set() {
            // What came too late to stop this one still stops the others.
            if ended == ExitCode::Done && llds.next().is_some() {
                ui::failure::show(&ImplementError::Interrupted, &[], session.style);
                status = status.max(ExitCode::Interrupted);
            }
            break;
        }
    }
    status
}

fn one(args: &Main, session: &Session, lld: &str, interrupt: &Interrupt) -> Result<ExitCode, ImplementError> {
    let (repository, config) = (&session.repository, &session.config);
    let options =
        Options { tasks: args.tasks.choice(), tick: !args.tasks.no_tick, ..session.plan_options(&args.paths) };
    let prepared = implement::prepare(repository, lld, &session.cwd, args.base.as_deref(), &options)?;
    if args.dry_run {
        return Ok(super::plan::show(session, lld, &prepared, args.face.json));
    }
    if prepared.examined.plan.is_none() {
        return Err(ImplementError::Plan { lld: lld.to_owned(), findings: prepared.examined.findings });
    }
    if prepared.examined.plan.as_ref().is_some_and(|plan| plan.steps().is_empty()) {
        session.findings(&prepared.examined.findings, Some(prepared.design.path.as_str()))?;
        session.face().event(&Event::nothing_to_do());
        return Ok(ExitCode::Done);
    }
    let (branch, expected) = target(args, repository, &prepared)?;
    let identity = repository.identity()?;
    let settings = gates(config, Author::Model).map_err(|findings| ImplementError::Configuration { findings })?;
    let material = implement::material(repository, &prepared, &config.context.values())?;
    session.findings(&config.provider_findings(), None)?;
    let chosen = implement::choose(config, &session.environment, interrupt)?;
    if !chosen.local {
        let findings = implement::secrets(&prepared, &material, &settings.allow);
        if !findings.is_empty() {
            return Err(ImplementError::Secrets { findings });
        }
    }
    session.findings(&prepared.examined.findings, Some(prepared.design.path.as_str()))?;
    if config.max_cost.is_some() && chosen.prices.is_none() {
        let message = format!("what '{}' costs is not known: --max-cost cannot be held", chosen.provider.name());
        session.findings(&[Finding::warning("max-cost", message).hint("--max-tokens can")], None)?;
    }
    agree::agree(session, &prepared, &chosen, &material, args.yes, interrupt)?;
    let job = job(args, config, lld, (identity, material), (branch, expected), settings);
    let mut face = session.face();
    implement::implement(repository, &prepared, &job, chosen, interrupt, face.as_mut())?;
    Ok(ExitCode::Done)
}

/// The branch to make, and what it must be when it is published.
fn target(args: &Main, repository: &Repository, prepared: &Prepared) -> Result<(String, Option<Oid>), ImplementError> {
    let path = prepared.design.path.as_str();
    let name = match &args.branch {
        Some(name) => name.clone(),
        None => {
            let text = branch_text(&prepared.lld, path);
            let component = branch::component(text).ok_or_else(|| GitError::BranchName { name: text.to_owned() })?;
            format!("implement/{component}")
        }
    };
    let appends = args.branch.is_some() && args.base == args.branch;
    let existing = match (appends, args.force) {
        (true, _) => Existing::Append(prepared.base.commit),
        (false, true) => Existing::Replace,
        (false, false) => Existing::Refuse,
    };
    let expected = repository.branch_free(&name, existing)?;
    Ok((name, expected))
}

fn job(
    args: &Main,
    config: &Config,
    lld: &str,
    (identity, material): (Identity, Material),
    (branch, expected): (String, Option<Oid>),
    settings: Settings,
) -> Job {
    let edits = config.format.value.format().filter(|format| *format != Format::Whole);
    let signing = match (&args.gpg_sign, args.no_gpg_sign, &config.gpg_sign) {
        (Some(key), _, _) => Signing::Yes(Some(key.clone()).filter(|key| !key.is_empty())),
        (None, true, _) => Signing::No,
        (None, false, Some(sign)) if sign.value => Signing::Yes(None),
        (None, false, Some(_)) => Signing::No,
        (None, false, None) => Signing::Configured,
    };
    Job {
        lld: lld.to_owned(),
        identity,
        material,
        branch,
        expected,
        replaces: args.force,
        commit: config.commit.value,
        edit_format: edits.unwrap_or(Format::FindReplace),
        policy: Policy { truncated: config.truncation_retries.value },
        settings,
        ceiling: Ceiling {
            cost: config.max_cost.as_ref().map(|most| most.value),
            tokens: config.max_tokens.as_ref().map(|most| most.value),
        },
        provenance: Provenance::parse(config.trailer.value.word()).unwrap_or_default(),
        signing,
        signoff: args.signoff,
        no_verify: args.no_verify,
        record: config.record.as_ref().map(|dir| dir.value.clone()),
        otlp: config.otlp_traces_url.as_ref().map(|url| (url.value.clone(), config.vendors.otlp_headers.clone())),
        traceparent: config.traceparent.clone(),
    }
}
