//! The second look: what language servers, compilers and tests say of what a run has made, before any of it is committed.
//!
//! While the first request is out, the base is checked out and asked about, once ([`ground`]): what it has against the base
//! already is nobody's fault here. Then files are written there as they are made. [`settle`] gives what is found back to the
//! model; what is left of it in the end is told, and refuses the run where the person wants that.

mod commands;
mod committed;
mod formatted;
mod ground;
mod installed;
mod modules;
mod servers;
mod settle;
mod told;
mod who;

pub(super) use who::{can_run, is_wanted};
pub use who::{cannot_run, commands, most_repairs};

use super::make::Finished;
use super::run::Run;
use super::{ImplementError, Job, Prepared};
use crate::config::{Verify, VerifyWhen};
use crate::event::{Event, On};
use crate::fault::{self, Awaited, Fault};
use crate::git::{Oid, Repository, Scratch};
use crate::plan::Step;
use crate::process::Interrupt;
use commands::Place;
use formatted::Formatted;
use ground::{Ground, Questions, Waiting};
use servers::{BaseText, Servers};
use settle::settle;
use std::collections::{BTreeMap, BTreeSet};
use told::Unpaid;

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
    /// What there was no money to have mended.
    unpaid: Vec<Unpaid>,
    /// The tree that the commands have passed.
    passed: Option<Oid>,
    /// By the command lines of formatters.
    formatted: BTreeMap<String, Formatted>,
    /// What was said of files that formatters change besides.
    told_elsewhere: BTreeSet<String>,
    stop: Interrupt,
}

impl<'a> Look<'a> {
    /// Begins to look at the base; `None` if nobody is there to look.
    pub fn begin(
        run: &mut Run,
        repository: &Repository,
        scratch: &Scratch,
        prepared: &Prepared,
        job: &'a Job,
    ) -> Result<Option<Look<'a>>, ImplementError> {
        let (steps, interrupt) = (prepared.examined.steps(), run.interrupt);
        for finding in who::nobody_asked(repository, job, steps) {
            run.say(Event::Finding(finding));
        }
        let commands = who::concerned(job, prepared);
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
        let questions = Questions {
            checkout: scratch.checkout_beside()?,
            place: place.clone(),
            commands: commands.iter().map(|verify| (*verify).clone()).collect(),
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
            unpaid: Vec::new(),
            passed: None,
            formatted: BTreeMap::new(),
            told_elsewhere: BTreeSet::new(),
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
        let commands = self.all(|verify| verify.when == VerifyWhen::File && verify.concerns([&*path].into_iter()));
        if commands.is_empty() && !self.servers.handles(&path) {
            return Ok(());
        }
        self.know_base(run, scratch)?;
        let awaited = Awaited::new(later.iter().map(|step| (step.path.as_str(), step.description.as_str())));
        let only = [path];
        // What is left is found again in the end, and told then.
        settle(self, run, scratch, finished, &mut |look, run, scratch, finished| {
            look.show(run, scratch, finished, &commands)?;
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
        let files: Vec<String> = finished.iter().map(|file| file.step.path.to_string()).collect();
        let commands = self.all(|_| true);
        let mut errors = settle(self, run, scratch, finished, &mut |look, run, scratch, finished| {
            look.show(run, scratch, finished, &commands)?;
            Ok(look.servers.faults(run, finished, &files, &look.ground))
        })?;
        let mut failures = Vec::new();
        if !commands.is_empty() {
            let known = errors.clone();
            failures = settle(self, run, scratch, finished, &mut |look, run, scratch, finished| {
                look.show(run, scratch, finished, &commands)?;
                let mut faults = look.servers.faults(run, finished, &files, &look.ground);
                // The same, whatever line it has come to stand in.
                faults.retain(|fault| !known.iter().any(|known| known.is_same(fault)));
                faults.extend(look.run_all(run, scratch, finished, &commands)?);
                Ok(faults)
            })?;
        }
        let fails = failures.iter().any(Fault::is_of_command);
        let tree = self.show(run, scratch, finished, &commands)?;
        self.passed = Some(tree).filter(|_| !fails);
        errors.retain(|fault| !failures.iter().any(|failure| failure.is_same(fault)));
        errors.append(&mut failures);
        if self.servers.any() && !self.job.lsp_servers.is_empty() {
            // Those that run code of the repository may leave files, too, which a hook would find.
            scratch.may_have_changed();
        }
        let unchecked = self.unchecked(finished);
        let told = self.tell(run, &errors, &unchecked, |faults| settle::helps(faults, finished));
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
        let files: Vec<String> = finished.iter().map(|file| file.step.path.to_string()).collect();
        let (passed, commands) = (self.passed, self.all(|_| true));
        let tree = self.show(run, scratch, finished, &commands)?;
        let mut faults = self.servers.faults(run, finished, &files, &self.ground);
        if faults.iter().all(|fault| self.left.iter().any(|left| left.is_same(fault))) {
            faults.extend(self.run_all(run, scratch, finished, &commands)?);
        }
        // What was permitted to be left before may be left now.
        let mut fails = faults.iter().any(|fault| !self.left.iter().any(|left| left.is_same(fault)));
        // Nor may a server that is to refuse have nothing to say any more.
        fails |= self.unchecked(finished).iter().any(|(path, _)| self.refuses(path));
        self.passed = if fails { passed } else { Some(tree) };
        Ok(!fails)
    }

    /// The commands that fit.
    fn all(&self, fits: impl Fn(&Verify) -> bool) -> Vec<&'a Verify> {
        self.commands.iter().copied().filter(|verify| fits(verify)).collect()
    }

    /// The commands that judge and change nothing, of those that fit.
    fn judging(&self, fits: impl Fn(&Verify) -> bool) -> Vec<&'a Verify> {
        self.all(|verify| !verify.fixes && fits(verify))
    }

    /// What `commands` have against what is on disk, where those that format have worked already.
    fn run_all(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &[Finished],
        commands: &[&Verify],
    ) -> Result<Vec<Fault>, ImplementError> {
        let mut faults = self.unformatted(commands);
        for verify in commands.iter().filter(|verify| !verify.fixes) {
            faults.extend(self.run_one(run, scratch, finished, verify, On::Files)?);
        }
        Ok(faults)
    }

    /// Puts what is made on disk, formatted by those of `commands` that do that. Returns its tree.
    fn show(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &mut [Finished],
        commands: &[&Verify],
    ) -> Result<Oid, ImplementError> {
        finished.iter().try_for_each(|file| file.stage(scratch))?;
        let tree = scratch.show_staged(run.interrupt)?;
        self.on_disk = Some(tree);
        self.place.install();
        let formatters: Vec<&Verify> = commands.iter().copied().filter(|verify| verify.fixes).collect();
        self.format(run, scratch, finished, (tree, &formatters))
    }
}

/// What works beside the run ends with it.
impl Drop for Look<'_> {
    fn drop(&mut self) {
        self.stop.set();
        self.place.uninstall();
    }
}
