//! Who is there to look at what a run makes, and who is missing: found out before anything is paid for.

use super::super::{ImplementError, Job, Prepared};
use super::servers::{self, Servers, written};
use super::told::{all_of, is_or_are};
use crate::config::{Config, LspMode, Verify};
use crate::environment::Environment;
use crate::exit::ExitCode;
use crate::finding::{Finding, Severity};
use crate::git::{Repository, Scratch};
use crate::lsp::{self, Known};
use crate::plan::Step;
use crate::process::{Interrupt, find_program};
use std::collections::BTreeMap;
use std::path::Path;

/// What is found where nobody, or not whoever the person named, has checked a file.
pub(super) const NOT_CHECKED: &str = "lsp-not-checked";

/// What is found where a command's program is not there.
const MISSING: &str = "verify-missing";

/// Is there anybody to look at what `job` makes? Then the files will be wanted on disk, where tools look at them.
pub(in super::super) fn is_wanted(repository: &Repository, scratch: &Scratch, prepared: &Prepared, job: &Job) -> bool {
    let steps = prepared.examined.steps();
    !concerned(job, prepared).is_empty() || Servers::of(job, &scratch.worktree(), repository.workdir(), steps).any()
}

/// Finds commands that cannot run, and servers that the person has named, that are to refuse, and are not there.
///
/// # Errors
/// [`ImplementError::CannotJudge`], which names them.
pub(in super::super) fn can_run(repository: &Repository, prepared: &Prepared, job: &Job) -> Result<(), ImplementError> {
    let steps = prepared.examined.steps();
    let mut findings = Vec::new();
    for verify in concerned(job, prepared) {
        let Some(finding) = cannot_run(verify, &job.environment, repository.workdir()) else { continue };
        let name = verify.program().trim_start_matches("./").to_owned();
        let is_planned = || steps.iter().any(|step| step.path.as_str() == name);
        // What the person's tree does not have any more, or not yet, the worktree of the run may have.
        let may_be_there = finding.id == MISSING && name.contains('/');
        if !(may_be_there && (is_planned() || repository.names(&prepared.base)?.binary_search(&name).is_ok())) {
            findings.push(finding);
        }
    }
    if !findings.is_empty() {
        return Err(ImplementError::CannotJudge { findings, status: ExitCode::Fatal });
    }
    if job.lsp == LspMode::Gate {
        let is_allowed = |path: &str| job.settings.allow.iter().any(|it| it.covers(NOT_CHECKED, Some(path)));
        let mut missing = unserved(repository, job, steps);
        missing.retain(|it| it.named().is_some() && !is_allowed(&it.path));
        findings = grouped(&missing, |it| Some(it.why_not(it.named()?)));
        for finding in &mut findings {
            (finding.severity, finding.hint) = (Severity::Error, Some(PERMITS.to_owned()));
        }
    }
    if findings.is_empty() { Ok(()) } else { Err(ImplementError::CannotJudge { findings, status: ExitCode::Refused }) }
}

/// What to do where a server that is to refuse has said nothing.
pub(super) const PERMITS: &str = "--lsp report publishes what no server has checked, and --allow lsp permits it";

/// Why a command cannot run, if it cannot. A program that is named by its path is looked for in the person's `tree`.
pub fn cannot_run(verify: &Verify, environment: &Environment, tree: Option<&Path>) -> Option<Finding> {
    let (text, name) = (&verify.text, verify.program());
    let cannot = format!("cannot run '{text}', from {}", verify.by);
    if let Some(operator) = verify.shell_operator() {
        let message = format!("{cannot}: no shell reads it, and '{operator}' would be an argument of '{name}'");
        let hint = format!("give it to a shell: sh -c {}", shell_words::quote(text));
        return Some(Finding::error("verify-shell", message).hint(hint));
    }
    let is_there = match (name.contains('/'), tree) {
        (false, _) => find_program(environment, name).is_some(),
        (true, Some(tree)) => tree.join(name).is_file(),
        (true, None) => Path::new(name).is_absolute() && Path::new(name).is_file(),
    };
    if is_there {
        return None;
    }
    let place = if name.contains('/') { "" } else { " on the PATH" };
    let hint = match name.contains('=') {
        true => format!("a variable is set by a program: env {text}"),
        false => "install it, or let none run: git implement --no-exec".to_owned(),
    };
    Some(Finding::error(MISSING, format!("{cannot}: there is no '{name}'{place}")).hint(hint))
}

/// How often each file of the plan may go back at most, for whatever reason: what refuses its reply, servers and commands
/// each have their own rounds. Starts nothing.
pub fn most_repairs(config: &Config, environment: &Environment, repository: &Repository, steps: &[Step]) -> u32 {
    let commands = !commands(config, steps).is_empty();
    let servers = !config.no_exec.value && config.lsp.value != LspMode::Off && {
        let settings = servers::settings(&config.lsp_server.values(), repository.workdir());
        !servers::handled(&settings, repository.common_dir(), environment, steps).is_empty()
    };
    config.repair.value.saturating_mul(1 + u32::from(commands) + u32::from(servers))
}

/// The commands that a run of these steps starts.
pub fn commands<'c>(config: &'c Config, steps: &[Step]) -> Vec<&'c Verify> {
    let paths = || steps.iter().map(|step| step.path.as_str());
    config.verify.iter().filter(|verify| !config.no_exec.value && verify.concerns(paths())).collect()
}

/// The commands that concern a file of the plan.
pub(super) fn concerned<'j>(job: &'j Job, prepared: &Prepared) -> Vec<&'j Verify> {
    let paths = || prepared.examined.steps().iter().map(|step| step.path.as_str());
    job.verify.iter().filter(|verify| verify.concerns(paths())).collect()
}

/// A file in a language that servers know, and that none of them will be asked about.
struct Unserved {
    path: String,
    known: Vec<Known>,
}

impl Unserved {
    /// The server that the person has named for it.
    fn named(&self) -> Option<&Known> {
        self.known.iter().find(|known| known.is_named)
    }

    fn why_not(&self, known: &Known) -> (&'static str, String) {
        let why = known.lacks.map_or_else(|| format!("there is no '{}' on the PATH", known.program), str::to_owned);
        (known.name, why)
    }
}

fn unserved(repository: &Repository, job: &Job, steps: &[Step]) -> Vec<Unserved> {
    let settings = servers::settings(&job.lsp_servers, repository.workdir());
    let servers = lsp::Servers::new(repository.common_dir(), &settings, &job.environment, &Interrupt::never());
    let nobody = written(steps).filter(|path| servers.handles(path).is_none());
    let of = |path: &str| Unserved { path: path.to_owned(), known: servers.of_language(path) };
    nobody.map(of).filter(|it| !it.known.is_empty()).collect()
}

/// A note for each reason for which files are not checked.
fn grouped(unserved: &[Unserved], why: impl Fn(&Unserved) -> Option<(&'static str, String)>) -> Vec<Finding> {
    let mut groups: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
    for it in unserved {
        if let Some(reason) = why(it) {
            groups.entry(reason).or_default().push(&it.path);
        }
    }
    let finding = |((server, why), paths): ((&str, String), Vec<&str>)| {
        let message = format!("{} {} not checked by {server}: {why}", all_of(&paths), is_or_are(&paths));
        let finding = Finding::note(NOT_CHECKED, message);
        if let [path] = paths[..] { finding.path(path) } else { finding }
    };
    groups.into_iter().map(finding).collect()
}

/// What there is to say of files that no server will be asked about: that one is installed and cannot be started, or that the
/// one is not there that was named; and where servers are to refuse, that there is none.
pub(super) fn nobody_asked(repository: &Repository, job: &Job, steps: &[Step]) -> Vec<Finding> {
    if job.lsp == LspMode::Off {
        return Vec::new();
    }
    let unserved = unserved(repository, job, steps);
    let missed = |it: &Unserved| {
        let lacking = it.known.iter().find(|known| known.is_permitted() && known.lacks.is_some());
        Some(it.why_not(it.named().or(lacking)?))
    };
    let mut findings = grouped(&unserved, missed);
    let mut none: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
    for it in unserved.iter().filter(|it| job.lsp == LspMode::Gate && missed(it).is_none()) {
        let by_default = it.known.iter().filter(|known| known.is_permitted()).map(|known| known.name).collect();
        none.entry(by_default).or_default().push(&it.path);
    }
    for (servers, paths) in none {
        let message = format!("no language server checks {}", all_of(&paths));
        let hint = match servers.is_empty() {
            true => "those that can run code of the repository: git implement doctor names them".to_owned(),
            false => format!("install one: {}", servers.join(", ")),
        };
        findings.push(Finding::note("lsp-none", message).hint(hint));
    }
    findings
}
