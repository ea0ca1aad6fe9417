//! What a confined command may read and write: a list of places, of which the deepest that a path is in decides. What is in
//! none of them does not exist for it.

use super::Room;
use super::homes::Tools;
use crate::environment::Environment;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The system: programs, libraries, and what they are configured with.
const SYSTEM: &[&str] = &[
    "/bin",
    "/etc",
    "/gnu",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix",
    "/opt",
    "/run/current-system",
    "/run/opengl-driver",
    "/sbin",
    "/snap",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/usr",
    "/var/lib/alternatives",
];

/// Not even as root.
const OF_THE_SYSTEM: &[&str] = &[
    "/etc/NetworkManager",
    "/etc/docker",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/kubernetes",
    "/etc/letsencrypt",
    "/etc/security/opasswd",
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/ssh",
    "/etc/ssl/private",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/wireguard",
];

/// What a home keeps for its person alone. The whole home is out of reach; these stay so where somebody opens a part of it.
const OF_THE_PERSON: &[&str] = &[
    ".aws",
    ".azure",
    ".bash_history",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".config",
    ".docker",
    ".git-credentials",
    ".gitconfig",
    ".gnupg",
    ".kube",
    ".local/share/keyrings",
    ".mozilla",
    ".netrc",
    ".npmrc",
    ".password-store",
    ".pgpass",
    ".pypirc",
    ".ssh",
    ".zsh_history",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Hidden,
    Read,
    Write,
}

/// Places in the order of their paths, so that one comes before those in it.
#[derive(Debug, Default)]
pub(super) struct Places(BTreeMap<PathBuf, Access>);

impl Places {
    /// For a command in `room`, which has the folder `private` for itself.
    pub fn of(environment: &Environment, tools: &Tools, room: &Room, private: &Path) -> Places {
        let mut places = Places::default();
        // Of what is out of reach only what was installed there for programs to run with.
        let is_tool = |path: &&PathBuf| {
            path.join("pyvenv.cfg").is_file() || !room.hidden.iter().any(|hidden| path.starts_with(hidden))
        };
        let system = SYSTEM.iter().map(PathBuf::from);
        let tools = tools.readable.iter().filter(is_tool).cloned();
        system.chain(tools).for_each(|path| places.set(&path, Access::Read));
        if room.network {
            // It often lies with the program that writes it.
            places.set(Path::new("/etc/resolv.conf"), Access::Read);
        }
        let home = environment.home();
        let kept = OF_THE_PERSON.iter().filter_map(|name| Some(home.as_ref()?.join(name)));
        let hidden = OF_THE_SYSTEM.iter().map(PathBuf::from).chain(kept).chain(room.hidden.iter().cloned());
        hidden.for_each(|path| places.set(&path, Access::Hidden));
        room.readable.iter().for_each(|path| places.set(path, Access::Read));
        room.writable.iter().chain([&room.root.to_owned()]).for_each(|path| places.set(path, Access::Write));
        places.set(private, Access::Write);
        // It says where git finds the repository.
        places.set(&room.root.join(".git"), Access::Read);
        places
    }

    /// The path as it is called, and as it is. What is not there is nothing.
    fn set(&mut self, path: &Path, access: Access) {
        let Ok(real) = path.canonicalize() else { return };
        // A link that the system has in its root is made anew where a root is; see `bubblewrap.rs`.
        self.0.insert(path.to_owned(), access);
        self.0.insert(real, access);
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Path, Access)> {
        self.0.iter().map(|(path, access)| (path.as_path(), *access))
    }

    /// What a path above decides of one that has no entry.
    pub fn above(&self, path: &Path) -> Option<Access> {
        path.ancestors().skip(1).find_map(|above| self.0.get(above).copied())
    }

    /// The same for rules that only ever grant, and with a folder all that is in it: a folder that has something hidden in
    /// it is granted by its other entries.
    pub fn grants(&self) -> Vec<(PathBuf, Access)> {
        let mut grants = Vec::new();
        for (path, access) in self.iter().filter(|(_, access)| *access != Access::Hidden) {
            self.grant(path, access, &mut grants);
        }
        grants
    }

    fn grant(&self, path: &Path, access: Access, grants: &mut Vec<(PathBuf, Access)>) {
        if !self.has_hidden_below(path) {
            grants.push((path.to_owned(), access));
            return;
        }
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            let entry = entry.path();
            // A rule for a link is one for where it leads: nothing is open by that which is not open anyway.
            let is_link = entry.symlink_metadata().is_ok_and(|data| data.is_symlink());
            if !is_link && !self.0.contains_key(&entry) {
                self.grant(&entry, access, grants);
            }
        }
    }

    fn has_hidden_below(&self, path: &Path) -> bool {
        let below = self.0.range(path.to_owned()..).skip_while(|(below, _)| *below == path);
        below.take_while(|(below, _)| below.starts_with(path)).any(|(_, access)| *access == Access::Hidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_place_decides_and_a_folder_with_something_hidden_is_granted_without_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["open/a", "open/hidden/deep/room", "open/hidden/other", "open/z"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        std::os::unix::fs::symlink(root.join("open/hidden"), root.join("open/link")).unwrap();
        let mut places = Places::default();
        places.set(&root.join("open"), Access::Read);
        places.set(&root.join("open/hidden"), Access::Hidden);
        places.set(&root.join("open/hidden/deep/room"), Access::Write);
        places.set(&root.join("absent"), Access::Write);
        let mut grants = places.grants();
        grants.sort_by(|one, other| one.0.cmp(&other.0));
        let expected = [("open/a", Access::Read), ("open/hidden/deep/room", Access::Write), ("open/z", Access::Read)];
        assert_eq!(grants, expected.map(|(name, access)| (root.join(name), access)));
        assert_eq!(places.above(&root.join("open/hidden/other")), Some(Access::Hidden));
        assert_eq!(places.above(&root), None);
    }
}
