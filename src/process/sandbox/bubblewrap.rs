//! The arguments of `bwrap`: a root of its own, in which nothing is but what the command may see.

use super::places::{Access, Places};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// What comes between `bwrap` and the command line that it runs in `root`.
///
/// It is the first process of a process namespace, and ends with us: nothing that the command starts outlives it. A session
/// of its own keeps it from typing on the terminal.
pub(super) fn arguments(places: &Places, root: &Path, network: bool) -> Vec<OsString> {
    let mut line = Line(Vec::new());
    line.words(&["--unshare-user-try", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]);
    if !network {
        line.words(&["--unshare-net"]);
    }
    line.words(&["--die-with-parent", "--new-session", "--cap-drop", "ALL"]);
    // What of the kernel root may set, it may set there, too.
    line.words(&[
        "--proc",
        "/proc",
        "--ro-bind",
        "/proc/sys",
        "/proc/sys",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp",
        "--tmpfs",
        "/run",
        "--tmpfs",
        "/var/tmp",
    ]);
    let mut covered = Vec::new();
    for (path, access) in places.iter() {
        let above = places.above(path);
        let is_in_view = matches!(above, Some(Access::Read | Access::Write));
        match fs::symlink_metadata(path) {
            // Where it leads is a place as well.
            Ok(link) if link.is_symlink() => {
                if let (false, Ok(target)) = (is_in_view, fs::read_link(path)) {
                    line.paths("--symlink", &[&target, path]);
                }
            }
            Ok(_) if above == Some(access) => {}
            Ok(found) => match access {
                Access::Read => line.paths("--ro-bind", &[path, path]),
                Access::Write => line.paths("--bind", &[path, path]),
                Access::Hidden if !is_in_view => {}
                Access::Hidden if found.is_dir() => {
                    line.paths("--tmpfs", &[path]);
                    covered.push(path);
                }
                Access::Hidden => line.paths("--ro-bind", &[Path::new("/dev/null"), path]),
            },
            Err(_) => {}
        }
    }
    // Only now that all that lies in them has its place there.
    covered.into_iter().chain([Path::new("/")]).for_each(|path| line.paths("--remount-ro", &[path]));
    line.paths("--chdir", &[root]);
    line.words(&["--"]);
    line.0
}

struct Line(Vec<OsString>);

impl Line {
    fn words(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    fn paths(&mut self, option: &str, paths: &[&Path]) {
        self.0.push(option.into());
        self.0.extend(paths.iter().map(|path| path.as_os_str().to_owned()));
    }
}
