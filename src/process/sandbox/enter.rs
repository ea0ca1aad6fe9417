//! The command lines by which this program comes between itself and a command, and what it does when it is started by one
//! of them.
//!
//! Two of it: one that outlives the command and ends what it has left (`supervise`), and one that confines itself and
//! becomes the command (`confine`), so that the command can do nothing to the first. Where another program does the first's
//! work, one that ends with us however we end becomes that (`tie`).

use super::Room;
use super::places::{Access, Places};
use crate::environment::Environment;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

/// The first argument of the one that waits.
const SUPERVISE: &str = "__supervise";
/// The first argument of the one that becomes another program, whose number and command line follow.
const TIE: &str = "__tie";
/// The first argument of the one that becomes the command.
pub(super) const CONFINE: &str = "__confine";

/// What `unshare` makes: namespaces for users (as oneself), processes, mounts, with the rights there to set them up.
const UNSHARE: &[&str] = &[
    "--user",
    "--map-current-user",
    "--keep-caps",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount",
    "--mount-proc",
    "--ipc",
];

/// Folders in which sockets lie that lead to somebody's session, or files that others can write.
const SHARED: &[&str] = &["/dev/shm", "/run", "/tmp", "/var/tmp"];

/// What this program does by itself before it becomes a command.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    /// Are we in namespaces of our own?
    pub namespaces: bool,
    pub network: bool,
    /// Who waits for the command, and is not outlived.
    pub waits: Option<u32>,
    /// Folders to cover with empty ones, but for what is granted in them.
    pub covered: Vec<PathBuf>,
    pub read: Vec<PathBuf>,
    pub write: Vec<PathBuf>,
}

/// The arguments of `unshare`, up to the command.
pub(super) fn namespaces(program: &Path, environment: &Environment, places: &Places, room: &Room) -> Vec<OsString> {
    let mut line: Vec<OsString> = UNSHARE.iter().map(OsString::from).collect();
    line.extend((!room.network).then(|| "--net".into()));
    line.extend(["--".into(), program.as_os_str().to_owned()]);
    let mut covered: Vec<PathBuf> = SHARED.iter().map(PathBuf::from).collect();
    let holds_the_system = |folder: &Path| ["/usr", "/etc"].iter().any(|system| Path::new(system).starts_with(folder));
    covered.extend(environment.home().filter(|home| home.is_absolute() && !holds_the_system(home)));
    covered.extend(room.hidden.iter().cloned());
    covered.retain(|folder| folder.is_dir());
    let order = Order { namespaces: true, covered, ..order(places, room.network) };
    line.extend(order.arguments(SUPERVISE));
    line
}

/// The arguments of this program, up to the command.
pub(super) fn landlock(places: &Places, room: &Room) -> Vec<OsString> {
    Order { waits: Some(std::process::id()), ..order(places, room.network) }.arguments(SUPERVISE)
}

/// The arguments of this program by which it becomes `outer`, and ends when this process does.
pub(super) fn tied(outer: &Path) -> Vec<OsString> {
    vec![TIE.into(), std::process::id().to_string().into(), outer.into()]
}

fn order(places: &Places, network: bool) -> Order {
    let mut order = Order { network, ..Order::default() };
    for (path, access) in places.grants() {
        match access {
            Access::Write => order.write.push(path),
            _ => order.read.push(path),
        }
    }
    order
}

impl Order {
    /// As the arguments of this program that [`Order::read_from`] reads.
    pub fn arguments(&self, first: &str) -> Vec<OsString> {
        let mut line: Vec<OsString> = vec![first.into()];
        line.extend(self.namespaces.then(|| "namespaces".into()));
        line.extend(self.network.then(|| "network".into()));
        line.extend(self.waits.into_iter().flat_map(|pid| ["waits".into(), pid.to_string().into()]));
        for (word, paths) in [("cover", &self.covered), ("read", &self.read), ("write", &self.write)] {
            line.extend(paths.iter().flat_map(|path| [word.into(), path.clone().into_os_string()]));
        }
        line.push("--".into());
        line
    }

    /// What `arguments` say, and the command line behind them. `None`: it makes no sense.
    pub fn read_from(arguments: &[OsString]) -> Option<(Order, &[OsString])> {
        let mut order = Order::default();
        let mut rest = arguments;
        while let Some((word, others)) = rest.split_first() {
            rest = others;
            let paths = match word.to_str()? {
                "--" => return (!rest.is_empty()).then_some((order, rest)),
                "namespaces" => {
                    order.namespaces = true;
                    continue;
                }
                "network" => {
                    order.network = true;
                    continue;
                }
                "waits" => {
                    let (pid, others) = rest.split_first()?;
                    order.waits = Some(pid.to_str()?.parse().ok()?);
                    rest = others;
                    continue;
                }
                "cover" => &mut order.covered,
                "read" => &mut order.read,
                "write" => &mut order.write,
                _ => return None,
            };
            let (path, others) = rest.split_first()?;
            paths.push(PathBuf::from(path));
            rest = others;
        }
        None
    }
}

/// If this process was started to confine a command, does so, and returns the status to end with. To be asked before
/// anything else is done, with the process's arguments.
///
/// # Errors
/// If the command cannot be confined, or started: then it was not.
pub fn entered(arguments: &[OsString]) -> Option<io::Result<u8>> {
    let first = arguments.get(1).map(OsString::as_os_str)?;
    let known = [TIE, SUPERVISE, CONFINE].into_iter().find(|known| first == OsStr::new(known))?;
    #[cfg(target_os = "linux")]
    let done = match (known, arguments.get(2..)?) {
        (TIE, rest) => super::tie::run(rest),
        (_, rest) => match Order::read_from(rest) {
            Some((order, command)) if known == SUPERVISE => super::supervise::run(&order, command),
            Some((order, command)) => super::confine::run(&order, command),
            None => Err(io::ErrorKind::InvalidInput.into()),
        },
    };
    #[cfg(not(target_os = "linux"))]
    let done = Err(io::Error::new(io::ErrorKind::Unsupported, known));
    Some(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_comes_through_a_command_line_as_it_is() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let order = Order {
            namespaces: true,
            network: false,
            waits: Some(17),
            covered: paths(&["/tmp"]),
            read: paths(&["/usr", "--", "write"]),
            write: paths(&["/a b"]),
        };
        let mut line = order.arguments(SUPERVISE).split_off(1);
        line.extend(["make".into(), "--".into()]);
        let (read, command) = Order::read_from(&line).unwrap();
        assert_eq!((read, command), (order, &["make".into(), "--".into()][..]));
        assert_eq!(Order::read_from(&["--".into()]), None, "no command");
        assert_eq!(Order::read_from(&["read".into(), "/usr".into()]), None);
        assert_eq!(Order::read_from(&["waits".into(), "x".into(), "--".into(), "make".into()]), None);
    }

    #[test]
    fn nothing_else_is_taken_for_such_a_start() {
        for first in ["plan", "docs/1.md", "--version"] {
            assert!(entered(&["git-implement".into(), first.into()]).is_none());
        }
        assert!(entered(&["git-implement".into()]).is_none());
    }
}
