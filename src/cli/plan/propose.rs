//! `git implement plan --propose`: asks a model which files tasks mean that name none. Nothing counts until the person
//! agrees.

use super::{Args, Page, Run, Sending, document_name, page, show, write};
use crate::attempt::Policy;
use crate::check::Author;
use crate::cli::agree::agree;
use crate::cli::meant;
use crate::cli::session::{Session, gates};
use crate::event::Sink;
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::git::GIVEN;
use crate::implement::propose::{self, Answered, Asking, OfTask, Proposed, Surveyed, Unnamed};
use crate::implement::{self, Earlier, ImplementError};
use crate::plan::{Estimate, Options};
use crate::process::Interrupt;
use crate::ui;
use std::path::PathBuf;

/// `--propose` and what goes with it.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Propose {
    /// Ask a model which files the open tasks mean that name none
    #[arg(long, overrides_with = "no_propose")]
    pub propose: bool,
    #[arg(long, hide = true, overrides_with = "propose")]
    no_propose: bool,
    /// Agree to what is proposed, and do not ask before source leaves the machine
    #[arg(short, long, overrides_with = "no_yes", requires = "propose")]
    pub yes: bool,
    #[arg(long, hide = true, overrides_with = "yes")]
    no_yes: bool,
    /// Agree, and write the proposed files into the list itself
    #[arg(long, overrides_with = "no_write", requires = "propose")]
    pub write: bool,
    #[arg(long, hide = true, overrides_with = "write")]
    no_write: bool,
    /// Where the provider's API is; a loopback address needs no key
    #[arg(long, value_name = "url", requires = "propose")]
    pub base_url: Option<String>,
    /// The program of the provider 'command': prompt on its stdin, reply on its stdout
    #[arg(long, value_name = "program", requires = "propose")]
    pub command: Option<String>,
    /// Stop if asking would cost more than this many US dollars
    #[arg(long, value_name = "dollars", requires = "propose")]
    pub max_cost: Option<String>,
    /// Stop if asking would take more than this many tokens, in and out
    #[arg(long, value_name = "n", requires = "propose")]
    pub max_tokens: Option<String>,
    /// Answer from the replies recorded in this folder
    #[arg(long, value_name = "dir", requires = "propose", conflicts_with_all = ["provider", "command", "base_url"])]
    pub replay: Option<PathBuf>,
    /// Record every reply in this folder
    #[arg(long, value_name = "dir", requires = "propose")]
    pub record: Option<PathBuf>,
}

impl Propose {
    /// What the command line says, by the names of the settings.
    pub fn settings(&self) -> impl Iterator<Item = (String, String)> {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
        let settings = [
            ("base-url", self.base_url.clone()),
            ("command", self.command.clone()),
            ("max-cost", self.max_cost.clone()),
            ("max-tokens", self.max_tokens.clone()),
            ("replay", path(&self.replay)),
            ("recordings", path(&self.record)),
        ];
        settings.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)))
    }

    /// As if it were typed with nothing but, perhaps, `--yes`.
    pub fn asking(yes: bool) -> Propose {
        Propose { propose: true, yes, ..Propose::default() }
    }

    /// Did the person agree beforehand?
    fn agrees(&self) -> bool {
        self.yes || self.write
    }
}

/// Runs the verb with `--propose`. Returns the exit status.
pub(super) fn run(args: &Args, session: &Session, options: &Options) -> ExitCode {
    let file = session.cwd.join(&args.lld);
    let is_file = args.lld != GIVEN && file.symlink_metadata().is_ok();
    if args.propose.write && (session.repository.is_bare() || !is_file) {
        let hints = ["--yes keeps the proposals beside the repository instead".to_owned()];
        ui::failure::fatal(&format!("cannot write into '{}': it is no file of the working tree", args.lld), &hints);
        return ExitCode::Fatal;
    }
    propose(args, session, options).unwrap_or_else(|error| meant::failed(&error, session, &args.lld))
}

/// Has the files of a task named that names none, and shows them. What was asked for it if the person agrees; if not, or if
/// nobody is there to ask, they were told. `face` is told how it ended where it was paid for and no run can come of it.
pub(in crate::cli) fn files_of_task(
    args: &Args,
    session: &Session,
    options: &Options,
    task: &OfTask,
    face: &mut dyn Sink,
    interrupt: &Interrupt,
) -> Result<Option<Vec<Earlier>>, ImplementError> {
    let repository = &session.repository;
    let survey = propose::survey(repository, session.named(&args.lld), args.base.as_deref(), options)?;
    let Some(surveyed) = survey else { return Ok(Some(Vec::new())) };
    let mut failed = |Unnamed { error, told }: Unnamed| {
        told.iter().for_each(|event| face.event(event));
        *error
    };
    let answered = ask(args, session, &surveyed, Some(task), interrupt).map_err(&mut failed)?;
    let proposed = propose::judge(repository, &surveyed, &answered.answers, options)?;
    if proposed.prepared.examined.findings.iter().any(Finding::is_error) {
        return Err(failed(propose::refuse(repository, &surveyed, &answered, &proposed, task)));
    }
    // Who reads events is told of the files by those of the run.
    if !args.json && display(args, session, &surveyed, &proposed) != ExitCode::Done {
        return Ok(None);
    }
    Ok(settle(args, session, &surveyed, &proposed, interrupt)?.then_some(answered.earlier))
}

fn propose(args: &Args, session: &Session, options: &Options) -> Result<ExitCode, ImplementError> {
    let repository = &session.repository;
    let survey = propose::survey(repository, session.named(&args.lld), args.base.as_deref(), options)?;
    let Some(surveyed) = survey else {
        let prepared = implement::prepare(repository, session.named(&args.lld), args.base.as_deref(), options)?;
        let nothing = Finding::note("proposal", "nothing to propose: no open task is without a file");
        session.findings(&[nothing], None)?;
        return Ok(show(session, &args.lld, &prepared, args.json, Run::of_design(session)));
    };
    if args.propose.write {
        surveyed.writable()?;
    }
    let interrupt = Interrupt::on_signals();
    let answered = ask(args, session, &surveyed, None, &interrupt).map_err(|unnamed| *unnamed.error)?;
    let proposed = propose::judge(repository, &surveyed, &answered.answers, options)?;
    let status = display(args, session, &surveyed, &proposed);
    settle(args, session, &surveyed, &proposed, &interrupt)?;
    Ok(status)
}

/// Sends the requests, if there is nothing against it.
fn ask(
    args: &Args,
    session: &Session,
    surveyed: &Surveyed,
    task: Option<&OfTask>,
    interrupt: &Interrupt,
) -> Result<Answered, Unnamed> {
    let config = &session.config;
    session.findings(&config.provider_findings(), None)?;
    let settings = gates(config, Author::Model).map_err(|findings| ImplementError::Configuration { findings })?;
    let chosen = implement::choose(config, &session.environment, None, &session.taken, interrupt)?;
    let prompts = surveyed.prompts(chosen.limits)?;
    if args.propose.agrees()
        && config.replay.is_none()
        && let Some(answered) = propose::shown(&session.repository, surveyed, &prompts, &chosen)?
    {
        return Ok(answered);
    }
    if !chosen.local {
        let findings = surveyed.secrets(&settings.allow);
        if !findings.is_empty() {
            return Err(ImplementError::Secrets { findings }.into());
        }
    }
    let path = surveyed.design.path.as_str();
    let total = propose::estimate(&prompts, &chosen, &session.ledger, path)?;
    for left_out in prompts.first().map(|prompt| prompt.left_out.as_slice()).unwrap_or_default() {
        let message = format!("'{left_out}' is not shown to the model: the design is too long for it");
        session.findings(&[Finding::warning("prompt-left-out", message)], None)?;
    }
    agree(session, &chosen, &surveyed.paths(), (&total, &Estimate::default()), args.propose.yes, interrupt)?;
    let mut face = ui::proposal::Waiting::new(session.style, surveyed.asked().count());
    let asking = Asking {
        record: config.recordings.as_ref().map(|dir| dir.value.clone()),
        policy: Policy { truncated: config.truncation_retries.value, ..Policy::default() },
        ledger: session.ledger.clone(),
        interrupt,
        face: &mut face,
        task,
    };
    propose::ask(&session.repository, surveyed, &prompts, chosen, asking)
}

/// Shows what is proposed. Returns the exit status that the plan has with it.
fn display(args: &Args, session: &Session, surveyed: &Surveyed, proposed: &Proposed) -> ExitCode {
    let prepared = &proposed.prepared;
    let name = document_name(&args.lld, &prepared.design);
    let (rows, findings) = (&prepared.examined.rows, &prepared.examined.findings);
    page(session.style, |page: &mut Page| {
        if args.json {
            return write(true, &name, &prepared.lld, (rows, &Sending::default()), findings, page);
        }
        let tasks: Vec<_> = surveyed.asked().collect();
        ui::proposal::write(page.out, &tasks, &proposed.proposals, page.width)?;
        let errors = findings.iter().filter(|finding| finding.is_error());
        let said: Vec<Finding> = errors.chain(&proposed.findings).cloned().collect();
        ui::findings::write(page.err, &said, Some(&name), page.colour)?;
        Ok(ExitCode::refused_if(findings.iter().any(Finding::is_error)))
    })
}

/// Asks whether the person agrees, unless they have said so, and does what follows. Says whether they agree.
fn settle(
    args: &Args,
    session: &Session,
    surveyed: &Surveyed,
    proposed: &Proposed,
    interrupt: &Interrupt,
) -> Result<bool, ImplementError> {
    let (repository, path) = (&session.repository, surveyed.design.path.as_str());
    let say = |message: String, hint: &str| {
        let note = Finding::note("proposal", message);
        session.findings(&[if hint.is_empty() { note } else { note.hint(hint) }], None)
    };
    let not_agreed = |said: Result<(), ImplementError>| said.map(|()| false);
    let tasks = proposed.proposals.len();
    if tasks == 0 {
        propose::forget(repository, surveyed);
        return not_agreed(say("there is nothing to agree to".to_owned(), ""));
    }
    if !args.propose.agrees() {
        if args.json || !ui::ask::can_ask() {
            let hint = match surveyed.design.is_task() {
                true => "to agree to exactly these, run it again with --yes, or name them: --target <path>",
                false => "to agree to exactly these, run it again with --yes, or with --write to have them in the list",
            };
            return not_agreed(say("nothing of this counts yet".to_owned(), hint));
        }
        match ui::ask::yes("Use these files?", interrupt) {
            Some(true) => {}
            Some(false) => {
                propose::forget(repository, surveyed);
                return not_agreed(say("nothing of this is kept".to_owned(), ""));
            }
            None => return Err(ImplementError::Interrupted),
        }
    }
    if args.propose.write {
        if let Some(recovered) = propose::write(repository, surveyed, proposed)? {
            say(recovered, "")?;
        }
        return say(format!("the proposed files stand in '{path}' now"), "").map(|()| true);
    }
    propose::agree(repository, surveyed, proposed)?;
    if surveyed.design.is_task() {
        return Ok(true);
    }
    say(format!("from now on these files count for '{path}', as long as its text stays"), "").map(|()| true)
}
