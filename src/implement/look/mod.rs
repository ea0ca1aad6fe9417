//! The second look: what language servers, compilers and tests say of what a run has made, before any of it is committed.
//!
//! While the first request is out, the base is checked out and asked about, once ([`ground`]): what it has against the base
//! already is nobody's fault here. Then files are written there as they are made. [`settle`] gives what is found back to the
//! model; what is left of it in the end is told, and refuses the run where the person wants that.

mod commands;
mod formatted;
mod ground;
mod installed;
mod servers;
mod settle;

use super::make::Finished;
use super::run::Run;
use super::{ImplementError, Job, Prepared};
use crate::config::{Config, LspMode, Verify, VerifyWhen};
use crate::environment::Environment;
use crate::event::{Event, On};
use crate::fault::{self, Awaited, Fault};
use crate::finding::{Finding, Severity};
use crate::git::{Oid, Repository, Scratch};
use crate::plan::Step;
use crate::process::{Interrupt, find_program};
use commands::Place;
use ground::{Ground, Questions, Waiting};
use servers::{BaseText, Servers};
use settle::settle;

/// Whoever looks at what is made, and what they said of the base.
pub(super) struct Look<'a> {
    job: &'a Job,
    /// Of the person's commands, those that concern a file of the plan.
    commands: Vec<&'a Verify>,
    place: Place,
    waiting: Waiting,
    base_is_known: bool,
    servers: Servers,
    ground: Ground,
    /// What commands are to see.
    on_disk: Option<Oid>,
    /// What is left of all that was found.
    left: Vec<Fault>,
    /// The tree that the commands have passed.
    passed: Option<Oid>,
    /// The tree that formatters have nothing to add to.
    formatted: Option<Oid>,
    stop: Interrupt,
}

/// Is there anybody to look at what `job` makes? Then the files will be wanted on disk, where tools look at them.
pub(super) fn is_wanted(repository: &Repository, scratch: &Scratch, prepared: &Prepared, job: &Job) -> bool {
    let steps = prepared.examined.steps();
    !concerned(job, prepared).is_empty() || Servers::of(job, &scratch.worktree(), repository.workdir(), steps).any()
}

/// Finds commands whose program is not there, before anything is paid for.
///
/// # Errors
/// [`ImplementError::Configuration`], which names them.
pub(super) fn can_run(prepared: &Prepared, job: &Job) -> Result<(), ImplementError> {
    let is_there = |name: &str| name.contains('/') || find_program(&job.environment, name).is_some();
    let missing = concerned(job, prepared).into_iter().filter(|verify| {
        let name = verify.command.first().map(String::as_str).unwrap_or_default();
        !is_there(name)
    });
    let findings: Vec<Finding> = missing
        .map(|verify| {
            let message = format!("cannot run '{}': there is no such program on the PATH", verify.text);
            Finding::error("verify-missing", message).hint("install it, or leave it out: --no-exec")
        })
        .collect();
    if findings.is_empty() { Ok(()) } else { Err(ImplementError::Configuration { findings }) }
}

/// How often each file of the plan may go back at most, for whatever reason: what refuses its reply, servers and commands
/// each have their own rounds. Starts nothing.
pub fn most_repairs(config: &Config, environment: &Environment, repository: &Repository, steps: &[Step]) -> u32 {
    let paths = || steps.iter().map(|step| step.path.as_str());
    let looks = !config.no_exec.value;
    let commands = looks && config.verify.iter().any(|verify| verify.concerns(paths()));
    let servers = looks && config.lsp.value != LspMode::Off && {
        let settings = servers::settings(&config.lsp_server.values(), repository.workdir());
        !servers::handled(&settings, repository.common_dir(), environment, steps).is_empty()
    };
    config.repair.value.saturating_mul(1 + u32::from(commands) + u32::from(servers))
}

/// The commands that concern a file of the plan.
fn concerned<'j>(job: &'j Job, prepared: &Prepared) -> Vec<&'j Verify> {
    let paths = || prepared.examined.steps().iter().map(|step| step.path.as_str());
    job.verify.iter().filter(|verify| verify.concerns(paths())).collect()
}

impl<'a> Look<'a> {
    /// Begins to look at the base; `None` if nobody is there to look.
    pub fn begin(
        repository: &Repository,
        scratch: &Scratch,
        prepared: &Prepared,
        job: &'a Job,
        interrupt: &Interrupt,
    ) -> Result<Option<Look<'a>>, ImplementError> {
        let steps = prepared.examined.steps();
        let commands = concerned(job, prepared);
        let tree = repository.workdir();
        let stop = interrupt.beside();
        let mut servers = Servers::of(job, &scratch.worktree(), tree, steps);
        if commands.is_empty() && !servers.any() {
            stop.set();
            return Ok(None);
        }
        let root = scratch.worktree();
        let place = Place::new(root.clone(), repository, &job.environment, !commands.is_empty());
        servers.open(job, &root, tree, place.held(), &stop);
        let text = |step: &Step| {
            let text = String::from_utf8(step.base.as_ref()?.bytes.clone()).ok()?;
            let path = step.from.as_ref().unwrap_or(&step.path).to_string();
            Some(BaseText { path, becomes: step.path.to_string(), text })
        };
        let handled = steps.iter().filter(|step| !step.again && servers.handles(step.path.as_str()));
        let texts = handled.filter_map(text).collect();
        let judging = commands.iter().filter(|verify| !verify.fixes).map(|verify| (*verify).clone()).collect();
        let questions = Questions {
            checkout: scratch.checkout_beside()?,
            place: place.clone(),
            commands: judging,
            servers: servers.hand_over(),
            texts,
        };
        let waiting = Waiting::start(questions, &stop);
        Ok(Some(Look {
            job,
            commands,
            place,
            waiting,
            base_is_known: false,
            servers,
            ground: Ground::default(),
            on_disk: None,
            left: Vec::new(),
            passed: None,
            formatted: None,
            stop,
        }))
    }

    /// Looks at the file that was made last, as far as that can be judged before the others are there.
    pub fn after_file(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &mut [Finished<'a>],
        later: &[Step],
    ) -> Result<(), ImplementError> {
        let Some(last) = finished.last().filter(|last| last.is_written()) else { return Ok(()) };
        let path = last.step.path.to_string();
        let commands = self.judging(|verify| verify.when == VerifyWhen::File && verify.concerns([&*path].into_iter()));
        if commands.is_empty() && !self.servers.handles(&path) {
            return Ok(());
        }
        self.know_base(run, scratch)?;
        let awaited = Awaited::new(later.iter().map(|step| (step.path.as_str(), step.description.as_str())));
        let only = [path];
        // What is left is found again in the end, and told then.
        settle(self, run, scratch, finished, &mut |look, run, scratch, finished| {
            look.show(run, scratch, finished)?;
            let mut faults = look.servers.faults(run, finished, &only, &look.ground);
            faults.retain(|fault| !fault::waits(&fault.text, &awaited));
            if faults.is_empty() {
                faults = look.run_all(run, scratch, finished, &commands)?;
            }
            Ok(faults)
        })?;
        Ok(())
    }

    /// Looks at all that was made: first servers, whose word is cheap, then commands.
    ///
    /// # Errors
    /// [`ImplementError::Unverified`] if a command fails in the end, or a server finds an error and that is to refuse.
    pub fn at_end(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &mut [Finished<'a>],
    ) -> Result<(), ImplementError> {
        self.know_base(run, scratch)?;
        let all: Vec<String> = finished.iter().map(|file| file.step.path.to_string()).collect();
        let mut errors = settle(self, run, scratch, finished, &mut |look, run, scratch, finished| {
            look.show(run, scratch, finished)?;
            Ok(look.servers.faults(run, finished, &all, &look.ground))
        })?;
        let commands = self.judging(|_| true);
        let mut failures = Vec::new();
        if !commands.is_empty() {
            let known = errors.clone();
            failures = settle(self, run, scratch, finished, &mut |look, run, scratch, finished| {
                look.show(run, scratch, finished)?;
                let mut faults = look.servers.faults(run, finished, &all, &look.ground);
                // The same, whatever line it has come to stand in.
                faults.retain(|fault| !known.iter().any(|known| known.is_same(fault)));
                faults.extend(look.run_all(run, scratch, finished, &commands)?);
                Ok(faults)
            })?;
        }
        let fails = failures.iter().any(Fault::is_of_command);
        self.passed = if fails { None } else { Some(self.show(run, scratch, finished)?) };
        errors.retain(|fault| !failures.iter().any(|failure| failure.is_same(fault)));
        errors.append(&mut failures);
        let told = self.tell(run, &errors);
        self.left = errors;
        told
    }

    /// Looks once more at all that was made, after somebody else has changed some of it, and gives nothing back. Says whether
    /// it passes as it did before: every command, and no server finds more.
    pub fn still_passes(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &mut [Finished<'a>],
    ) -> Result<bool, ImplementError> {
        let all: Vec<String> = finished.iter().map(|file| file.step.path.to_string()).collect();
        let passed = self.passed;
        let tree = self.show(run, scratch, finished)?;
        let mut faults = self.servers.faults(run, finished, &all, &self.ground);
        if faults.iter().all(|fault| self.left.iter().any(|left| left.is_same(fault))) {
            let commands = self.judging(|_| true);
            faults.extend(self.run_all(run, scratch, finished, &commands)?);
        }
        // What was permitted to be left before may be left now.
        let fails = faults.iter().any(|fault| !self.left.iter().any(|left| left.is_same(fault)));
        self.passed = if fails { passed } else { Some(tree) };
        Ok(!fails)
    }

    /// May a commit be refused?
    pub fn judges_commits(&self) -> bool {
        self.job.bisectable || self.commands.iter().any(|verify| verify.when == VerifyWhen::Commit)
    }

    /// Does the commit with this tree pass? Where each must, one that does not is an error, unless files may be put together
    /// until they pass. The last was looked at.
    pub fn at_commit(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        tree: Oid,
        is_last: bool,
    ) -> Result<bool, ImplementError> {
        if is_last || self.passed == Some(tree) {
            return Ok(true);
        }
        self.on_disk = Some(tree);
        let bisectable = self.job.bisectable;
        for verify in self.judging(|verify| bisectable || verify.when == VerifyWhen::Commit) {
            let Some(fault) = self.run_one(run, scratch, &[], verify, On::Commit)? else { continue };
            if bisectable {
                return Ok(false);
            }
            let finding = self.finding(&fault).hint("--bisectable puts files into one commit that only pass together");
            if !self.is_allowed(&finding) {
                return Err(ImplementError::Unverified { findings: vec![finding] });
            }
        }
        Ok(true)
    }

    /// Runs the commands once more if what was committed is not what they have passed: a hook has changed it.
    pub fn at_last(&mut self, run: &mut Run, scratch: &mut Scratch) -> Result<(), ImplementError> {
        self.place.uninstall();
        let tree = scratch.tip_tree();
        if self.passed.is_none_or(|passed| passed == tree) {
            return Ok(());
        }
        self.on_disk = Some(tree);
        let commands = self.judging(|_| true);
        let faults = self.run_all(run, scratch, &[], &commands)?;
        self.tell(run, &faults)
    }

    /// The commands that judge and change nothing, of those that fit.
    fn judging(&self, fits: impl Fn(&Verify) -> bool) -> Vec<&'a Verify> {
        self.commands.iter().copied().filter(|verify| !verify.fixes && fits(verify)).collect()
    }

    /// What commands have against what is on disk.
    fn run_all(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &[Finished],
        commands: &[&Verify],
    ) -> Result<Vec<Fault>, ImplementError> {
        let mut faults = Vec::new();
        for verify in commands {
            faults.extend(self.run_one(run, scratch, finished, verify, On::Files)?);
        }
        Ok(faults)
    }

    /// Puts what is made on disk, formatted. Returns its tree.
    fn show(&mut self, run: &mut Run, scratch: &mut Scratch, finished: &mut [Finished]) -> Result<Oid, ImplementError> {
        finished.iter().try_for_each(|file| file.stage(scratch))?;
        let tree = scratch.show_staged(run.interrupt)?;
        self.on_disk = Some(tree);
        self.place.install();
        self.format(run, scratch, finished, tree)
    }

    /// Tells what is left of all that was found.
    fn tell(&self, run: &mut Run, left: &[Fault]) -> Result<(), ImplementError> {
        let mut refusing = Vec::new();
        for finding in left.iter().map(|fault| self.finding(fault)) {
            if finding.is_error() && !self.is_allowed(&finding) {
                refusing.push(finding);
                continue;
            }
            run.say(Event::Finding(Finding { severity: finding.severity.min(Severity::Warning), ..finding }));
        }
        if refusing.is_empty() { Ok(()) } else { Err(ImplementError::Unverified { findings: refusing }) }
    }

    fn finding(&self, fault: &Fault) -> Finding {
        if fault.is_of_command() {
            let already = if fault.before { ", as it did on the base" } else { "" };
            return Finding::error("verify", format!("'{}' fails{already}", fault.by));
        }
        let id = format!("lsp-{}", fault.by);
        let finding = match self.job.lsp {
            LspMode::Gate => Finding::error(id, fault.text.clone()),
            _ => Finding::warning(id, fault.text.clone()),
        };
        let finding = fault.paths.iter().fold(finding, |finding, path| finding.path(path.as_str()));
        fault.line.into_iter().fold(finding, Finding::line)
    }

    fn is_allowed(&self, finding: &Finding) -> bool {
        self.job.settings.allow.iter().any(|allowed| allowed.covers(&finding.id, finding.path.as_deref()))
    }
}

/// What works beside the run ends with it.
impl Drop for Look<'_> {
    fn drop(&mut self) {
        self.stop.set();
        self.place.uninstall();
    }
}
