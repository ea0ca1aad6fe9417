//! Covers folders with empty ones, in a mount namespace of our own. Landlock keeps a process from opening what is in them,
//! but, in older kernels, not from connecting to a socket there, at the other end of which somebody starts programs.

use rustix::fs::{Mode, OFlags, open};
use rustix::mount::{MountFlags, mount, mount_bind_recursive};
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

/// Covers each of `folders`; what lies in it and is `granted` is put back in its place.
pub(super) fn cover<'a>(folders: &[PathBuf], granted: impl Iterator<Item = &'a PathBuf> + Clone) -> io::Result<()> {
    for folder in folders {
        // One that lies in another is gone with it.
        if !folder.is_dir() {
            continue;
        }
        let mut kept: Vec<(&Path, OwnedFd)> = Vec::new();
        for path in granted.clone().filter(|path| path.starts_with(folder)) {
            if let Ok(place) = open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) {
                kept.push((path, place));
            }
        }
        kept.sort_by_key(|(path, _)| *path);
        let flags = MountFlags::NOSUID | MountFlags::NODEV;
        mount("tmpfs", folder, "tmpfs", flags, c"mode=1777")?;
        let mut last: Option<&Path> = None;
        for (path, place) in &kept {
            if last.is_some_and(|last| path.starts_with(last)) {
                continue;
            }
            let source = format!("/proc/self/fd/{}", place.as_raw_fd());
            if fs::metadata(&source)?.is_dir() {
                fs::create_dir_all(path)?;
            } else {
                fs::create_dir_all(path.parent().unwrap_or(folder))?;
                fs::write(path, "")?;
            }
            mount_bind_recursive(source, *path)?;
            last = Some(path);
        }
    }
    Ok(())
}
