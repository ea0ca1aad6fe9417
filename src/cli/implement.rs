//! The main job: designs in, a branch each out.

use super::options::Main;
use super::session::Session;
use crate::attempt::Policy;
use crate::check;
use crate::config::{Config, CommitStyle, FormatChoice};
use crate::edit::Format;
use crate::event::Interrupt;
use crate::git::branch::{self, Existing};
use crate::git::message::Provenance;
use crate::git::{GitError, Oid, Repository, Signing};
use crate::implement::{self, Ceiling, Chosen, ImplementError, Job, Prepared, branch_text};
use crate::ui;

/// Carries out every design in turn; the worst exit status counts.
pub fn run(args: &Main, session: &Session) -> u8 {
    if args.branch.is_some() && args.llds.len() > 1 {
        return session.usage("-b names one branch, and there are several designs");
    }
    let mut status = 0;
    for lld in &args.llds {
        let ended = match one(args, session, lld) {
            Ok(()) => 0,
            Err(error) => {
                ui::failure::show(&error, session.style);
                error.exit_code()
            }
        };
        status = status.max(ended);
        if ended == 130 {
            break;
        }
    }
    status
}

fn one(args: &Main, session: &Session, lld: &str) -> Result<(), ImplementError> {
    let repository = &session.repository;
    let config = &session.config;
    let options = session.plan_options(&args.paths);
    let prepared = implement::prepare(repository, lld, &session.cwd, args.base.as_deref(), &options)?;
    if args.dry_run {
        return super::plan::show(session, lld, &prepared, args.face.json);
    }
    if prepared.examined.plan.is_none() {
        let findings = prepared.examined.findings;
        return Err(ImplementError::Plan { lld: lld.to_owned(), findings });
    }
    let (branch, expected) = target(args, repository, &prepared)?;
    let identity = repository.identity()?;
    let material = implement::material(repository, &prepared, &config.context.values())?;
    let interrupt = session.interrupt();
    let chosen = implement::choose(config, &session.environment, interrupt)?;
    let job = job(args, config, lld, branch, expected);
    let mut face = session.face(&prepared.examined.findings, Some(prepared.design.path.as_str()));
    agree(args, session, &prepared, &chosen, &material, interrupt)?;
    implement::implement(repository, &prepared, &job, chosen, &identity, material, interrupt, face.as_mut())
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

fn job(args: &Main, config: &Config, lld: &str, branch: String, expected: Option<Oid>) -> Job {
    let edits = config.format.value.format().filter(|format| *format != Format::Whole);
    let signing = match (&args.gpg_sign, args.no_gpg_sign, &config.sign) {
        (Some(key), _, _) => Signing::Yes(Some(key.clone()).filter(|key| !key.is_empty())),
        (None, true, _) => Signing::No,
        (None, false, Some(sign)) if sign.value => Signing::Yes(None),
        (None, false, Some(_)) => Signing::No,
        (None, false, None) => Signing::Configured,
    };
    let mut settings = check::Settings { allow: config.allow.values(), ..check::Settings::default() };
    settings.summary_phrases.extend(config.summary_phrases.values());
    Job {
        lld: lld.to_owned(),
        branch,
        expected,
        single: config.commit.value == CommitStyle::Single,
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
