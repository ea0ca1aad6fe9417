//! [`Sandbox`]: how a command is run that executes what a model wrote: tests, compilers, formatters, language servers.
//!
//! It can read the system and the person's tool chains, write the folder that it judges and a private one, and nothing
//! else: no home, no key, not the repository, and no network unless that is granted. What it starts ends with it.
//!
//! Three means, the first that works here: bubblewrap; Landlock, in namespaces that util-linux's `unshare` makes; and
//! Landlock with a seccomp filter, where a plain user can make no namespaces. All need this program between us and the
//! command (`enter.rs`), because this crate has no unsafe code, and so none that runs between a fork and an exec.
//! Where none works, a command is run with the same variables and folders, and [`Sandbox::name`] says that nothing holds it.

mod bubblewrap;
#[cfg(target_os = "linux")]
mod confine;
#[cfg(target_os = "linux")]
mod cover;
mod enter;
mod homes;
mod places;
mod private;
#[cfg(target_os = "linux")]
mod supervise;
#[cfg(target_os = "linux")]
mod tie;

pub use enter::entered;
pub(super) use private::Private;

use super::{ChildKind, Command, Interrupt, Limits, Temporary, find_program};
use crate::environment::Environment;
use homes::Tools;
use places::Places;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What holds a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Means {
    Bubblewrap,
    /// Landlock, in namespaces of its own for processes, mounts and the network.
    Namespaces,
    /// Landlock and a filter of system calls: no sockets, and so no servers of a test's own either.
    Landlock,
    None,
}

impl Means {
    /// The better ones first.
    pub const ALL: [Means; 4] = [Means::Bubblewrap, Means::Namespaces, Means::Landlock, Means::None];

    pub fn name(self) -> &'static str {
        match self {
            Means::Bubblewrap => "bubblewrap",
            Means::Namespaces => "Landlock in namespaces",
            Means::Landlock => "Landlock and seccomp",
            Means::None => "none",
        }
    }

    /// What a command can do in spite of it.
    pub fn leaks(self) -> Option<&'static str> {
        match self {
            Means::Bubblewrap => None,
            Means::Namespaces => Some(
                "cannot keep them from changing the mode (chmod) or the times of your own files that lie elsewhere than in your \
                 home, your repository and temporary folders, or from connecting to Unix sockets there",
            ),
            Means::Landlock => {
                Some("cannot keep them from changing the mode (chmod) or the times of any file of yours")
            }
            Means::None => Some("keeps nothing from them"),
        }
    }
}

/// What a command may use. Paths are absolute; what is not there is left out.
#[derive(Debug, Clone, Copy)]
pub struct Room<'a> {
    /// Where it runs, and may write.
    pub root: &'a Path,
    /// Further places that it may write: a build cache.
    pub writable: &'a [PathBuf],
    /// Further places that it may read, also in what is hidden: what is installed in the person's tree.
    pub readable: &'a [PathBuf],
    /// Never to be seen, wherever they lie: the person's working tree, the git directory.
    pub hidden: &'a [PathBuf],
    pub network: bool,
}

impl<'a> Room<'a> {
    /// Nothing but the folder.
    pub fn of(root: &'a Path) -> Room<'a> {
        Room { root, writable: &[], readable: &[], hidden: &[], network: false }
    }
}

/// The means that work here, tried once.
#[derive(Debug)]
pub struct Sandbox {
    means: Means,
    environment: Environment,
    /// `bwrap`, `unshare`; of [`Means::Landlock`] and [`Means::None`] nothing.
    outer: PathBuf,
    /// This program, which confines itself.
    program: PathBuf,
}

/// Starting nothing takes no longer.
const PROBE: Limits = Limits { silence: None, total: Some(Duration::from_secs(10)), output: 1 << 10 };

impl Sandbox {
    /// The best means that work here. Tries them, which takes some milliseconds.
    pub fn find(environment: &Environment) -> Sandbox {
        let program = std::env::current_exe().unwrap_or_default();
        let found = Means::ALL.into_iter().find_map(|means| Sandbox::of(means, environment, &program));
        found.unwrap_or_else(|| Sandbox::new(Means::None, environment, &program, PathBuf::new()))
    }

    /// With these means, if they work here. `program` is this program.
    pub fn of(means: Means, environment: &Environment, program: &Path) -> Option<Sandbox> {
        let outer = match means {
            Means::Bubblewrap => find_program(environment, "bwrap")?,
            Means::Namespaces => find_program(environment, "unshare")?,
            Means::Landlock | Means::None => PathBuf::new(),
        };
        let sandbox = Sandbox::new(means, environment, program, outer);
        (means == Means::None || sandbox.works()).then_some(sandbox)
    }

    fn new(means: Means, environment: &Environment, program: &Path, outer: PathBuf) -> Sandbox {
        Sandbox { means, environment: environment.clone(), outer, program: program.to_owned() }
    }

    pub fn means(&self) -> Means {
        self.means
    }

    /// Which means hold a command, in a few words; `none`.
    pub fn name(&self) -> &'static str {
        self.means.name()
    }

    /// A program that says something has said it, so that nobody else has answered in our place.
    fn works(&self) -> bool {
        let said = Temporary::new().and_then(|folder| {
            // On every system, whatever is on the PATH.
            let command = self.command(&["/bin/sh", "-c", "echo confined"], &Room::of(folder.path()))?;
            command.limits(PROBE).run(&Interrupt::never()).map_err(|_| io::Error::other("not run"))
        });
        said.is_ok_and(|ended| ended.status.success() && ended.stdout == b"confined\n")
    }

    /// `argv`, ready to run in `room`. It gets the variables of [`ChildKind::Confined`], a HOME and a TMPDIR of its own, and
    /// those that lead to the person's tool chains; it is gone with all that it started when the command has been run, or
    /// the conversation ends. Start it on a thread that outlives it: some means end it with that thread.
    ///
    /// # Errors
    /// If there is no such program, or no place for temporary files.
    pub fn command(&self, argv: &[impl AsRef<OsStr>], room: &Room) -> io::Result<Command> {
        let (name, rest) = argv.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let root = room.root.canonicalize()?;
        let program = match name.as_ref() {
            name if name.as_encoded_bytes().contains(&b'/') => root.join(name),
            name => find_program(&self.environment, name).ok_or(io::ErrorKind::NotFound)?,
        };
        let private = Private::new()?;
        let tools = Tools::of(&self.environment);
        let room = Room { root: &root, ..*room };
        let places = Places::of(&self.environment, &tools, &room, private.path());
        let tied = |further| enter::tied(&self.outer).into_iter().chain(further).collect();
        let line: Vec<OsString> = match self.means {
            Means::Bubblewrap => tied(bubblewrap::arguments(&places, &root, room.network)),
            Means::Namespaces => tied(enter::namespaces(&self.program, &self.environment, &places, &room)),
            Means::Landlock => enter::landlock(&places, &room),
            Means::None => Vec::new(),
        };
        let confined = self.means != Means::None;
        let starts = if confined { &self.program } else { &program };
        let mut command = Command::new(ChildKind::Confined, &self.environment, starts).folder(&root);
        command = command.args(line).args(confined.then_some(&program)).args(rest);
        for (variable, place) in &tools.variables {
            command = command.env(variable, place);
        }
        command = command.env("PWD", &root).env("HOME", private.home()).env("TMPDIR", private.temporary());
        Ok(command.in_private(Arc::new(private)))
    }
}
