//! The second look: what language servers, compilers and tests say of what a run has made, before any of it is committed.
//!
//! While the first request is out, the base is checked out and asked about, once ([`ground`]): what it has against the base
//! already is nobody's fault here. Then files are written there as they are made. [`settle`] gives what is found back to the
//! model; what is left of it in the end is told, and refuses the run where the person wants that.

mod bisect;
mod commands;
mod ground;
mod servers;
mod settle;

use super::make::Finished;
use super::run::Run;
use super::{ImplementError, Job, Prepared};
use crate::config::{Verify, VerifyWhen};
use crate::event::{Event, On};
use crate::fault::Fault;
use crate::finding::Finding;
use crate::git::{Oid, Repository, Scratch};
use crate::process::Interrupt;
use commands::Place;
use ground::{Ground, Waiting};
use servers::Servers;

/// Whoever looks at what is made, and what they said of the base.
pub(super) struct Look<'a> {
    job: &'a Job,
    /// Of the person's commands, those that concern a file of the plan.
    commands: Vec<&'a Verify>,
    place: Place,
    servers: Servers,
    waiting: Option<Waiting>,
    ground: Ground,
    /// The tree that everything was found right in.
    passed: Option<Oid>,
}

impl<'a> Look<'a> {
    /// Begins to look at the base, unless nobody is there to look.
    pub fn begin(
        repository: &Repository,
        scratch: &mut Scratch,
        prepared: &Prepared,
        job: &'a Job,
    ) -> Result<Option<Look<'a>>, ImplementError> {
        let steps = prepared.examined.steps();
        let paths = || steps.iter().map(|step| step.path.as_str());
        let commands: Vec<&Verify> = job.verify.iter().filter(|verify| verify.concerns(paths())).collect();
        let servers = Servers::of(job, &scratch.worktree(), steps);
        if commands.is_empty() && !servers.any() {
            return Ok(None);
        }
        let place = Place::new(repository, scratch, job)?;
        let waiting = ground::examine(scratch, &place, &commands, servers.for_base(), prepared)?;
        let (waiting, ground) = (Some(waiting), Ground::default());
        Ok(Some(Look { job, commands, place, servers, waiting, ground, passed: None }))
    }

    /// Looks at the file that was made last, as far as that can be judged before the others are there.
    pub fn after_file(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &mut [Finished<'a>],
        later: &[crate::plan::Step],
    ) -> Result<(), ImplementError> {
        let Some(last) = finished.last().filter(|last| last.is_written()) else { return Ok(()) };
        let path = last.step.path.to_string();
        let concerned = |verify: &&Verify| verify.when == VerifyWhen::File && verify.concerns([path.as_str()].into_iter());
        let commands: Vec<&Verify> = self.commands.iter().copied().filter(concerned).collect();
        if commands.is_empty() && !self.servers.handles(&path) {
            return Ok(());
        }
        self.base_is_known(run, scratch)?;
        let awaited = crate::fault::Awaited::new(later.iter().map(|step| (step.path.as_str(), step.description.as_str())));
        let (only, awaited) = (vec![path], &awaited);
        settle::settle(self, run, scratch, finished, |look, run, scratch, finished| {
            look.show(run, scratch, finished)?;
            let mut faults = look.servers.faults(run, finished, &only, &look.ground);
            faults.retain(|fault| !crate::fault::waits(&fault.text, awaited));
            if faults.is_empty() {
                for verify in &commands {
                    faults.extend(look.command(run, scratch, finished, verify, On::Files)?);
                }
            }
            Ok(faults)
        })?;
        Ok(())
    }

    /// Looks at all that was made, and has it mended. What stays is told.
    ///
    /// # Errors
    /// [`ImplementError::Unverified`] if a command fails in the end, or a server finds an error and that refuses a run.
    pub fn at_end(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &mut [Finished<'a>],
    ) -> Result<(), ImplementError> {
        self.base_is_known(run, scratch)?;
        let left = settle::settle(self, run, scratch, finished, Look::whole)?;
        self.passed = left.is_empty().then(|| scratch.on_disk()).flatten();
        self.tell(run, left)
    }

    /// All faults of all that is made: of servers, and where those find none, of commands.
    fn whole(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &mut [Finished<'a>],
    ) -> Result<Vec<Fault>, ImplementError> {
        self.show(run, scratch, finished)?;
        let all: Vec<String> =
            finished.iter().filter(|file| file.is_written()).map(|file| file.step.path.to_string()).collect();
        let faults = self.servers.faults(run, finished, &all, &self.ground);
        let sent_back = run.policy.repair > 0 && !faults.is_empty() && !self.servers.given_up();
        if sent_back {
            return Ok(faults);
        }
        let mut faults = faults;
        for verify in self.commands.clone() {
            faults.extend(self.command(run, scratch, finished, verify, On::Files)?);
        }
        Ok(faults)
    }

    /// What the run's end is told of what stays.
    fn tell(&self, run: &mut Run, left: Vec<Fault>) -> Result<(), ImplementError> {
        let findings: Vec<Finding> = left.iter().map(|fault| self.finding(fault)).collect();
        let (permitted, findings): (Vec<Finding>, Vec<Finding>) =
            findings.into_iter().partition(|finding| self.is_allowed(finding));
        for finding in permitted {
            let message = format!("{} (permitted)", finding.message);
            run.say(Event::Finding(Finding { severity: crate::finding::Severity::Note, message, ..finding }));
        }
        if findings.iter().any(Finding::is_error) {
            return Err(ImplementError::Unverified { findings });
        }
        findings.into_iter().for_each(|finding| run.say(Event::Finding(finding)));
        Ok(())
    }

    fn is_allowed(&self, finding: &Finding) -> bool {
        let allow = &self.job.settings.allow;
        allow.iter().any(|it| it.allows(&finding.id, finding.path.as_deref()))
    }
}
