//! The servers of one workspace: which is asked about a file, when it is started, and when it is given up.

use super::Known;
use super::find;
use super::server::{Place, SERVERS, Server};
use super::session::{Session, Trouble, Wait};
use super::settings::Settings;
use super::shown::Shown;
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::process::{ChildKind, Command, Interrupt, Room};
use std::cell::OnceCell;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::time::Instant;

/// A server that was lost so often is not started again.
const MOST_LOSSES: usize = 2;

/// What became of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Diagnosis {
    /// None that may be started is installed for such a file.
    NoServer,
    /// Nothing is known of the text: neither that it is clean nor that it is not.
    NotChecked { server: &'static str, why: String },
    /// All that the server says of exactly this text, whatever its severity, sorted by place.
    Checked { server: &'static str, diagnostics: Vec<Diagnostic> },
}

/// The servers of one workspace. Dropped, they are killed.
pub struct Servers {
    /// Canonical.
    root: PathBuf,
    settings: Settings,
    environment: Environment,
    interrupt: Interrupt,
    /// Where programs may lie.
    folders: Vec<PathBuf>,
    /// Where they may not, canonical.
    outside: Vec<PathBuf>,
    slots: Vec<Slot>,
}

/// A server, whether it runs or not.
struct Slot {
    server: &'static Server,
    /// Where it is, if it is anywhere.
    program: OnceCell<Option<PathBuf>>,
    session: Option<Session>,
    shown: Shown,
    losses: usize,
    /// Why it was lost the last time.
    why: String,
}

impl Servers {
    /// For the files below `root`. Starts nothing.
    pub fn new(root: &Path, settings: &Settings, environment: &Environment, interrupt: &Interrupt) -> Servers {
        let real = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let root = real(root);
        let mut outside: Vec<PathBuf> = settings.never_from.iter().map(|folder| real(folder)).collect();
        outside.push(root.clone());
        let slot = |&server| Slot {
            server,
            program: OnceCell::new(),
            session: None,
            shown: Shown::default(),
            losses: 0,
            why: String::new(),
        };
        Servers {
            folders: find::folders(environment, &outside),
            slots: SERVERS.iter().filter(|server| settings.permit(server)).map(slot).collect(),
            root,
            outside,
            settings: settings.clone(),
            environment: environment.clone(),
            interrupt: interrupt.clone(),
        }
    }

    /// The name of the server that would be asked about a file. Starts nothing.
    pub fn handles(&self, path: &str) -> Option<&'static str> {
        let slot = self.slots.get(self.slot(path)?)?;
        Some(slot.server.name)
    }

    /// The servers that know the language of a file, in the order in which they are preferred. Starts nothing.
    pub fn of_language(&self, path: &str) -> Vec<Known> {
        let knowing = SERVERS.iter().filter(|server| server.language(path).is_some());
        knowing.map(|server| self.known(server)).collect()
    }

    /// All servers. Starts nothing.
    pub fn all(&self) -> Vec<Known> {
        SERVERS.iter().map(|server| self.known(server)).collect()
    }

    fn known(&self, server: &'static Server) -> Known {
        let program = find::program(&self.folders, server.program, &self.outside);
        let place = |program| Place { program, root: &self.root, path: "" };
        let lacks = program.as_deref().filter(|program| (server.options)(&place(program)).is_none());
        let is_named = self.settings.names_it(server);
        Known {
            name: server.name,
            program: server.program,
            extension: server.languages.first().map_or("", |(extension, _)| extension),
            runs_workspace: server.runs_workspace,
            is_named,
            is_installed: program.is_some(),
            lacks: lacks.filter(|_| !is_named).map(|_| server.lacks),
        }
    }

    /// Starts the server for a file without waiting for it, so that it is ready sooner when it is asked.
    pub fn prepare(&mut self, path: &str) {
        if let Some((slot, context)) = self.parts(path)
            && slot.session.is_none()
            && slot.losses < MOST_LOSSES
            && let Err(Trouble::Lost(why)) = slot.start(path, &context)
        {
            (slot.losses, slot.why) = (MOST_LOSSES, why);
        }
    }

    /// From now on, and until [`Servers::changed`], this is the text of the file for its server, whatever is on disk. For
    /// files that others depend on; the one that is asked about needs no more than [`Servers::diagnose`].
    pub fn show(&mut self, path: &str, text: &str) {
        if let Some((slot, _)) = self.parts(path) {
            slot.shown.show(path, text);
        }
    }

    /// What is on disk is the text of the file again, which is what it was shown as, or what it is.
    pub fn hide(&mut self, path: &str) {
        if let Some((slot, _)) = self.parts(path) {
            slot.shown.hide(path);
        }
    }

    /// Files on disk have these texts now, or (`None`) are gone. Every server that runs is told, before it is asked again.
    pub fn changed(&mut self, paths: &[(String, Option<String>)]) {
        for slot in &mut self.slots {
            paths.iter().for_each(|(path, text)| slot.shown.changed(path, text.as_deref()));
            if slot.session.is_none() {
                slot.shown.begin_anew();
            }
        }
    }

    /// What the server for this file says of this text, whatever is on disk. Other files are as they were shown, else as they
    /// are on disk. Waits no longer than the settings say.
    pub fn diagnose(&mut self, path: &str, text: &str) -> Diagnosis {
        let Some((slot, context)) = self.parts(path) else { return Diagnosis::NoServer };
        let server = slot.server.name;
        slot.shown.show(path, text);
        match slot.diagnose(path, text, &context) {
            Ok(diagnostics) => Diagnosis::Checked { server, diagnostics },
            Err(why) => Diagnosis::NotChecked { server, why },
        }
    }

    /// Which slot is for a file: the first whose server knows its language and is installed.
    fn slot(&self, path: &str) -> Option<usize> {
        let mut components = Path::new(path).components();
        if path.is_empty() || !components.all(|component| matches!(component, Component::Normal(_))) {
            return None;
        }
        let can = |slot: &Slot| {
            let program = slot.program.get_or_init(|| {
                let program = find::program(&self.folders, slot.server.program, &self.outside)?;
                let place = Place { program: &program, root: &self.root, path };
                let named = self.settings.names_it(slot.server);
                ((slot.server.options)(&place).is_some() || named).then_some(program)
            });
            program.is_some()
        };
        self.slots.iter().position(|slot| slot.server.language(path).is_some() && can(slot))
    }

    fn parts(&mut self, path: &str) -> Option<(&mut Slot, Context<'_>)> {
        let slot = self.slot(path)?;
        let Servers { root, settings, environment, interrupt, folders, .. } = self;
        Some((self.slots.get_mut(slot)?, Context { root, settings, environment, interrupt, folders }))
    }
}

/// What all servers of a workspace share.
struct Context<'a> {
    root: &'a Path,
    settings: &'a Settings,
    environment: &'a Environment,
    interrupt: &'a Interrupt,
    folders: &'a [PathBuf],
}

impl Slot {
    fn diagnose(&mut self, path: &str, text: &str, context: &Context) -> Result<Vec<Diagnostic>, String> {
        let began = Instant::now();
        while self.losses < MOST_LOSSES {
            let is_warm = self.session.as_ref().is_some_and(|session| session.is_warm);
            let limit = if is_warm { context.settings.limit } else { context.settings.first_limit };
            let wait = Wait { deadline: began + limit, interrupt: context.interrupt };
            match self.attempt(path, text, wait, context) {
                Ok(found) => {
                    let Some(place) = self.place(path, context) else { return Ok(found) };
                    return (self.server.weigh)(&place, found).map_err(str::to_owned);
                }
                Err(Trouble::Interrupted) => return Err("interrupted".to_owned()),
                Err(Trouble::Refused(why)) => return Err(why),
                Err(Trouble::Late) => {
                    // Whatever it is busy with, the next file would wait for it, too.
                    let why = format!("no answer within {} s", limit.as_secs_f32());
                    self.lose(why.clone());
                    return Err(why);
                }
                Err(Trouble::Lost(why)) => self.lose(why),
            }
        }
        Err(self.why.clone())
    }

    fn attempt(&mut self, path: &str, text: &str, wait: Wait, context: &Context) -> Result<Vec<Diagnostic>, Trouble> {
        if self.session.is_none() {
            self.start(path, context)?;
        }
        let Some(session) = &mut self.session else { return Err(Trouble::Lost("it is not started".to_owned())) };
        session.ready(wait)?;
        self.shown.tell(session, path);
        let diagnostics = session.diagnostics(path, text, wait)?;
        session.is_warm = true;
        Ok(diagnostics)
    }

    fn lose(&mut self, why: String) {
        self.session = None;
        self.losses += 1;
        self.why = why;
    }

    fn place<'a>(&'a self, path: &'a str, context: &'a Context) -> Option<Place<'a>> {
        Some(Place { program: self.program.get()?.as_deref()?, root: context.root, path })
    }

    fn start(&mut self, path: &str, context: &Context) -> Result<(), Trouble> {
        self.shown.begin_anew();
        let Some(place) = self.place(path, context) else { return Ok(()) };
        let server = self.server;
        let session = Session::start(&place, server, |private| {
            let mut command = match &context.settings.held {
                None => Command::new(ChildKind::Other, context.environment, place.program)
                    .args(server.arguments)
                    .alone_in(private)
                    .env("TMPDIR", private),
                Some(held) => {
                    let program = [place.program.as_os_str()].into_iter();
                    let line: Vec<&OsStr> = program.chain(server.arguments.iter().map(OsStr::new)).collect();
                    let readable: Vec<PathBuf> =
                        held.readable.iter().cloned().chain(installed(place.program)).collect();
                    let room = Room {
                        root: context.root,
                        writable: &[private.to_owned()],
                        readable: &readable,
                        hidden: &held.hidden,
                        network: false,
                    };
                    held.sandbox.command(&line, &room)?
                }
            };
            command = command.env("PATH", find::joined(context.folders));
            for (name, value) in server.variables {
                command = command.env(name, value.replace("{private}", &private.to_string_lossy()));
            }
            Ok(command)
        })?;
        self.session = Some(session);
        Ok(())
    }
}

/// The folders that a program which a package manager has installed needs, beside its own: its package and those that it uses.
fn installed(program: &Path) -> impl Iterator<Item = PathBuf> {
    let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let is_root = |folder: &&Path| folder.ends_with("node_modules") || folder.join("pyvenv.cfg").is_file();
    let root = real.ancestors().filter(is_root).last().map(Path::to_owned);
    root.into_iter().chain(real.parent().map(Path::to_owned))
}
