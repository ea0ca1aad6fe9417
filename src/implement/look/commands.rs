//! The person's commands, in the scratch worktree: where they run, with which folders and variables, and what came of one.

use super::super::ImplementError;
use super::super::make::Finished;
use super::super::run::Run;
use super::Look;
use super::installed::Installed;
use crate::check::Mask;
use crate::config::{Verify, digest};
use crate::environment::Environment;
use crate::event::{Event, On};
use crate::fault::{self, Fault};
use crate::finding::Finding;
use crate::git::{Repository, Scratch};
use crate::lsp::Held;
use crate::process::sandbox::{Means, Room, Sandbox};
use crate::process::{Command, Failure, Interrupt, Limits, Stop};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Variables by which compilers are told where their output goes: what they write into the tree would be lost with it.
const BUILD_OUTPUT: [(&str, &str); 2] = [("CARGO_TARGET_DIR", "cargo"), ("GOCACHE", "go")];

/// As much of a command's output as is read.
const MOST_OUTPUT: usize = 64 << 20;

/// Where commands run.
#[derive(Clone)]
pub(super) struct Place {
    /// The root of the scratch worktree.
    root: PathBuf,
    sandbox: Arc<Sandbox>,
    installed: Installed,
    /// What compilers keep from one run to the next, of this repository.
    cache: Vec<PathBuf>,
    /// The person's working tree, and the git directory.
    hidden: Vec<PathBuf>,
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
    /// At `root`, which is the scratch worktree of `repository`. `builds`: there is something to be run that may build.
    pub fn new(root: PathBuf, repository: &Repository, environment: &Environment, builds: bool) -> Place {
        let installed = Installed::of(repository.workdir(), &root);
        let cache = if builds { build_cache(environment, repository.common_dir()) } else { None };
        let hidden = repository.workdir().into_iter().chain([repository.common_dir()]).map(Path::to_owned).collect();
        let sandbox = Arc::new(Sandbox::find(environment));
        Place { root, sandbox, installed, cache: cache.into_iter().collect(), hidden }
    }

    /// What holds servers.
    pub fn held(&self) -> Held {
        let (readable, hidden) = (self.installed.folders().to_vec(), self.hidden.clone());
        Held { sandbox: Arc::clone(&self.sandbox), readable, hidden }
    }

    /// What is to be said of what holds the commands, if it does not hold all.
    pub fn leaks(&self) -> Option<Finding> {
        let hint = "install bubblewrap (bwrap), or give --no-exec";
        let message = match (self.sandbox.means(), self.sandbox.means().leaks()) {
            (_, None) => return None,
            (Means::None, _) => {
                "nothing confines the commands here: they run what the model has written as you would".to_owned()
            }
            (means, Some(leaks)) => {
                format!("the commands run what the model has written, and {} {leaks}", means.name())
            }
        };
        Some(Finding::warning("no-sandbox", message).hint(hint))
    }

    /// Brings in what is installed.
    pub fn install(&self) {
        self.installed.link();
    }

    /// Takes it out again.
    pub fn uninstall(&self) {
        self.installed.unlink();
    }

    fn command(&self, verify: &Verify) -> io::Result<Command> {
        // What the person names can be read.
        let named = verify.command.iter().map(PathBuf::from).filter(|path| path.is_absolute() && path.is_file());
        let readable: Vec<PathBuf> = self.installed.folders().iter().cloned().chain(named).collect();
        let room = Room {
            root: &self.root,
            writable: &self.cache,
            readable: &readable,
            hidden: &self.hidden,
            network: verify.network,
        };
        let mut child = self.sandbox.command(&verify.command, &room)?;
        for (name, value) in self.installed.variables() {
            child = child.env(name, value);
        }
        // What Python has compiled of its packages lies beside them, and is read from there.
        child = child.env("PYTHONDONTWRITEBYTECODE", "1");
        for (name, below) in BUILD_OUTPUT {
            if let Some(cache) = self.cache.first() {
                child = child.env(name, cache.join(below));
            }
        }
        Ok(child)
    }

    /// Runs one command to its end.
    ///
    /// # Errors
    /// If the person interrupts it.
    pub fn run(&self, verify: &Verify, interrupt: &Interrupt) -> Result<Ran, ImplementError> {
        let began = Instant::now();
        let limits = Limits { silence: Some(verify.silence), total: Some(verify.total), output: MOST_OUTPUT };
        let not_started = |error| Failure { why: Stop::NotStarted(error), stderr: Vec::new() };
        let command = self.command(verify).map_err(not_started);
        let ended = command.and_then(|command| command.limits(limits).run(interrupt));
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

/// The folder for what is built of the repository with this common directory, made if need be.
fn build_cache(environment: &Environment, common_dir: &Path) -> Option<PathBuf> {
    let name = digest(&common_dir.to_string_lossy());
    let folder = environment.cache_home()?.join("git-implement/build").join(name.get(..16)?);
    std::fs::create_dir_all(&folder).ok()?;
    folder.canonicalize().ok()
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
        Ok((!ran.passed).then(|| self.fault_of(verify, &ran, finished)))
    }

    /// What a command that failed has against what is shown on disk, less what it had against the base.
    pub(super) fn fault_of(&self, verify: &Verify, ran: &Ran, finished: &[Finished]) -> Fault {
        let planned: Vec<&str> =
            finished.iter().filter(|file| file.is_written()).map(|file| file.step.path.as_str()).collect();
        let root = self.place.root.to_string_lossy();
        let before = self.ground.failed.get(&verify.text);
        fault::of_output(&verify.text, &ran.said, &root, &planned, before.map(String::as_str))
    }

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
        let said = said.map(|said| Mask::of([said.as_str()]).apply(&said).into_owned());
        Event::Ran { command: verify.text.clone(), on, passed: self.passed, seconds: self.seconds, said }
    }
}
