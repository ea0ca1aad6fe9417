//! The person's commands, in the scratch worktree: where they run, with which folders and variables, and what came of one.

use super::super::ImplementError;
use super::super::make::Finished;
use super::super::run::Run;
use super::Look;
use super::installed::Installed;
use crate::config::Verify;
use crate::environment::Environment;
use crate::event::{Event, On};
use crate::fault::{self, Fault};
use crate::git::Scratch;
use crate::process::{ChildKind, Command, Interrupt, Limits, Stop};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// As much of a command's output as is read.
const MOST_OUTPUT: usize = 64 << 20;

/// Where commands run.
#[derive(Clone)]
pub(super) struct Place {
    /// The root of the scratch worktree.
    root: PathBuf,
    environment: Environment,
    installed: Installed,
}

/// What came of a command.
#[derive(Debug, Clone)]
pub(super) struct Ran {
    pub passed: bool,
    /// Its words, standard error last; and why it was ended, if it was.
    pub said: String,
    pub seconds: f64,
}

impl Place {
    /// At `root`, with what is installed in the person's working tree `tree`, if there is one.
    pub fn new(root: PathBuf, tree: Option<&Path>, environment: &Environment) -> Place {
        let installed = Installed::of(tree, &root);
        Place { root, environment: environment.clone(), installed }
    }

    /// Brings in what is installed.
    pub fn install(&self) {
        self.installed.link();
    }

    /// Takes it out again.
    pub fn uninstall(&self) {
        self.installed.unlink();
    }

    fn command(&self, verify: &Verify) -> Command {
        let mut command = verify.command.iter();
        let program = command.next().map(String::as_str).unwrap_or_default();
        let mut child = Command::new(ChildKind::Other, &self.environment, program).args(command).folder(&self.root);
        for (name, value) in self.installed.variables(&self.environment) {
            child = child.env(name, value);
        }
        child
    }

    /// Runs one command to its end.
    ///
    /// # Errors
    /// If the person interrupts it.
    pub fn run(&self, verify: &Verify, interrupt: &Interrupt) -> Result<Ran, ImplementError> {
        let began = Instant::now();
        let limits = Limits { silence: Some(verify.silence), total: Some(verify.total), output: MOST_OUTPUT };
        let ended = self.command(verify).limits(limits).run(interrupt);
        let seconds = began.elapsed().as_secs_f64();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let ran = |passed, said| Ran { passed, said, seconds };
        match ended {
            Ok(ended) => {
                let status = match ended.status.code() {
                    Some(0) => None,
                    Some(code) => Some(format!("it ended with status {code}")),
                    None => Some("a signal ended it".to_owned()),
                };
                let said = [text(&ended.stdout), text(&ended.stderr)].into_iter().chain(status.clone());
                Ok(ran(status.is_none(), said.filter(|part| !part.trim().is_empty()).collect::<Vec<_>>().join("\n")))
            }
            Err(failure) => {
                let why = match failure.why {
                    Stop::Interrupted => return Err(ImplementError::Interrupted),
                    Stop::Silent(most) => format!("it was ended: it had said nothing for {} s", most.as_secs()),
                    Stop::Late(most) => format!("it was ended: it took longer than {} s", most.as_secs()),
                    Stop::TooMuch => "it was ended: it said more than it should".to_owned(),
                    Stop::OpenEnd => "something that it started goes on".to_owned(),
                    Stop::WantsTerminal => "it waits for the terminal, which it cannot have here".to_owned(),
                    Stop::NotStarted(error) => format!("cannot run '{}': {error}", verify.text),
                    Stop::Lost(error) => format!("cannot wait for it: {error}"),
                };
                Ok(ran(false, format!("{}\n{why}", text(&failure.stderr)).trim().to_owned()))
            }
        }
    }
}

impl Look<'_> {
    /// What a command has against what is shown on disk, if it fails, less what it had against the base.
    pub(super) fn run_one(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        finished: &[Finished],
        verify: &Verify,
        on: On,
    ) -> Result<Option<Fault>, ImplementError> {
        let ran = self.heard(run, scratch, verify, on)?;
        if ran.passed {
            return Ok(None);
        }
        let planned: Vec<&str> =
            finished.iter().filter(|file| file.is_written()).map(|file| file.step.path.as_str()).collect();
        let root = self.place.root.to_string_lossy();
        let before = self.ground.failed.get(&verify.text);
        Ok(Some(fault::of_output(&verify.text, &ran.said, &root, &planned, before.map(String::as_str))))
    }
}

impl Look<'_> {
    /// Runs a command, and tells of it.
    pub(super) fn heard(
        &mut self,
        run: &mut Run,
        scratch: &mut Scratch,
        verify: &Verify,
        on: On,
    ) -> Result<Ran, ImplementError> {
        if let Some(tree) = self.on_disk {
            // As it is to be, whatever the one before has done to it.
            scratch.checkout(tree, true, run.interrupt)?;
            self.place.install();
        }
        run.say(Event::Running { command: verify.text.clone(), on });
        let ran = self.place.run(verify, run.interrupt)?;
        // It may have changed what it should not have.
        scratch.may_have_changed();
        run.say(ran.event(verify, on, &self.place));
        Ok(ran)
    }
}

impl Ran {
    pub fn event(&self, verify: &Verify, on: On, place: &Place) -> Event {
        let said = (!self.passed).then(|| fault::shown(&self.said, &place.root.to_string_lossy()));
        Event::Ran { command: verify.text.clone(), on, passed: self.passed, seconds: self.seconds, said }
    }
}
