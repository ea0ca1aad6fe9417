//! What a child leaves behind outside of its group: a process that has begun a session of its own (`setsid`) is not
//! reached by a signal to the group.
//!
//! Such processes are known by the folder in which the child ran alone: its path is in the variables with which they were
//! started (`PWD`). That is found on Linux only, where `/proc` shows them; not found is one that was started with other
//! variables, or by another program (a service that was asked for it). Making this process the parent of all orphans
//! would find more, but is a property of the whole process, and would take in orphans of hooks and of whoever uses
//! this as a library.

use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// As often as is looked: each time, more may have been started in the meantime.
const ROUNDS: usize = 20;

/// Kills every process that was started with the folder's path in its variables.
pub(super) fn kill(folder: &Path) {
    for _ in 0..ROUNDS {
        let found = of(folder);
        for pid in &found {
            let _ = kill_process(*pid, Signal::KILL);
        }
        if found.is_empty() {
            return;
        }
    }
}

/// A process that has ended, and waits for its parent to notice, has no variables any more.
fn of(folder: &Path) -> Vec<Pid> {
    let own = std::process::id();
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let theirs = numbers.filter(|&number| number != own).filter(|number| {
        // Others' cannot be read, and are nothing that we have started.
        let variables = fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
        let wanted: &OsStr = folder.as_os_str();
        !wanted.is_empty() && memchr::memmem::find(&variables, wanted.as_bytes()).is_some()
    });
    theirs.filter_map(|number| Pid::from_raw(i32::try_from(number).ok()?)).collect()
}
