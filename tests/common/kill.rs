//! Kills a program at a chosen one of its system calls that change something on disk, and says what a stranger must then
//! find: nothing half written, no lock, nothing registered, no file of no use.
//!
//! By ptrace, as a debugger does it: every process that the program starts is followed, calls are counted over all of
//! them, and the kill comes as the call begins, so that it has no effect. The program must be started by [`held`].
#![allow(dead_code)]

use crate::repo::Repo;
use nix::errno::Errno;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Who dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Victim {
    /// The program alone, as by `kill -9`: what it has started goes on by itself.
    Program,
    /// All at once, as when the machine goes down.
    Everything,
}

/// A program that is killed again and again, each time somewhere else.
pub struct Trial<'a> {
    pub name: &'a str,
    /// A fresh world.
    pub world: &'a (dyn Fn() -> Repo + Sync),
    /// The program's arguments there.
    pub arguments: &'a (dyn Fn(&Repo) -> Vec<String> + Sync),
    /// What must hold when it has been killed: runs what comes next, and panics if something is wrong. Gets what the
    /// program had printed.
    pub afterwards: &'a (dyn Fn(&Repo, &str) + Sync),
}

/// Kills at `points` places, spread evenly over all there are. Returns how many there are, and what went wrong where.
pub fn everywhere(trial: &Trial, victim: Victim, points: usize) -> (usize, Vec<String>) {
    let world = (trial.world)();
    let (calls, printed) = traced(&world, &(trial.arguments)(&world), None);
    assert!(calls > 0, "{}: it changes nothing\n{printed}", trial.name);
    let points = points.min(calls);
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let point = next.fetch_add(1, Ordering::Relaxed);
                    if point >= points {
                        return;
                    }
                    let call = 1 + point * calls / points;
                    let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                        let world = (trial.world)();
                        let (_, printed) = traced(&world, &(trial.arguments)(&world), Some((call, victim)));
                        (trial.afterwards)(&world, &printed);
                    }));
                    if let Err(panic) = tried {
                        let text = panic.downcast_ref::<String>().cloned();
                        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                        wrong.lock().unwrap().push(format!(
                            "{}, {victim:?} killed at call {call} of {calls}: {}",
                            trial.name,
                            text.unwrap_or_default()
                        ));
                    }
                }
            });
        }
    });
    (calls, wrong.into_inner().unwrap())
}

/// Runs the program in its world, and kills it at the given call, counted from 1. Returns how many such calls were begun,
/// and what was printed on standard output.
pub fn traced(world: &Repo, arguments: &[String], kill_at: Option<(usize, Victim)>) -> (usize, String) {
    let out = world.place("printed");
    let mut command = held(world, arguments);
    command.stdout(fs::File::create(&out).unwrap()).stderr(fs::File::create(world.place("complained")).unwrap());
    let (calls, status) = trace(&mut command, &world.dir, kill_at);
    let complaint = fs::read_to_string(world.place("complained")).unwrap();
    assert!(kill_at.is_some() || status == Some(0), "it fails even when nobody kills it: {complaint}");
    (calls, fs::read_to_string(out).unwrap())
}

/// The program, stopped before it begins.
fn held(world: &Repo, arguments: &[String]) -> Command {
    let mut command = world.command("sh");
    command.args(["-c", "kill -STOP $$; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_git-implement")]).args(arguments);
    command
}

/// Returns how many calls were begun, and the status with which the program ended, if it was not by a signal.
fn trace(command: &mut Command, repository: &Path, kill_at: Option<(usize, Victim)>) -> (usize, Option<i32>) {
    let program = Pid::from_raw(i32::try_from(command.spawn().unwrap().id()).unwrap());
    waitpid(program, Some(WaitPidFlag::WUNTRACED)).unwrap();
    let options = Options::PTRACE_O_TRACESYSGOOD
        | Options::PTRACE_O_TRACEFORK
        | Options::PTRACE_O_TRACEVFORK
        | Options::PTRACE_O_TRACECLONE
        | Options::PTRACE_O_TRACEEXEC
        | Options::PTRACE_O_EXITKILL;
    ptrace::seize(program, options).expect("the kernel lets a process trace its own children");
    kill(program, Signal::SIGCONT).unwrap();
    let (mut calls, mut doomed, mut ended) = (0, false, None);
    let mut alive = BTreeSet::from([program]);
    // Of this thread's children only: other tests have theirs.
    let flags = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
    loop {
        let status = match waitpid(None, Some(flags)) {
            Ok(status) => status,
            Err(Errno::ECHILD) => return (calls, ended),
            Err(Errno::EINTR) => continue,
            Err(error) => panic!("{error}"),
        };
        let pid = status.pid().unwrap();
        if matches!(status, WaitStatus::Exited(..) | WaitStatus::Signaled(..)) {
            alive.remove(&pid);
            if let WaitStatus::Exited(_, status) = status
                && pid == program
            {
                ended = Some(status);
            }
            continue;
        }
        alive.insert(pid);
        let mut signal = None;
        match status {
            WaitStatus::PtraceSyscall(_) if begins_to_change(pid, repository) => {
                calls += 1;
                match kill_at {
                    Some((call, Victim::Program)) if call == calls => kill(program, Signal::SIGKILL).unwrap(),
                    Some((call, Victim::Everything)) if call == calls => doomed = true,
                    _ => {}
                }
            }
            WaitStatus::Stopped(_, received) => signal = Some(received),
            _ => {}
        }
        if doomed {
            for &pid in &alive {
                let _ = kill(pid, Signal::SIGKILL);
            }
        }
        // It fails for who has just been killed.
        let _ = ptrace::syscall(pid, signal);
    }
}

/// Has the process, which is stopped at a system call, begun one that changes something on disk?
fn begins_to_change(pid: Pid, repository: &Path) -> bool {
    let Ok(info) = ptrace::syscall_info(pid) else { return false };
    if info.op != libc::PTRACE_SYSCALL_INFO_ENTRY {
        return false;
    }
    // SAFETY: `op` says which member of the union the kernel has filled.
    let entry = unsafe { info.u.entry };
    let creates = |flags: u64| flags & (libc::O_CREAT | libc::O_TRUNC) as u64 != 0;
    let in_repository = |descriptor: u64| {
        let file = fs::read_link(format!("/proc/{pid}/fd/{descriptor}"));
        file.is_ok_and(|file| file.starts_with(repository))
    };
    match entry.nr as i64 {
        libc::SYS_openat => creates(entry.args[2]),
        libc::SYS_write
        | libc::SYS_pwrite64
        | libc::SYS_writev
        | libc::SYS_ftruncate
        | libc::SYS_fsync
        | libc::SYS_fdatasync
        | libc::SYS_fchmod
        | libc::SYS_fallocate => in_repository(entry.args[0]),
        libc::SYS_copy_file_range | libc::SYS_sendfile => {
            in_repository(entry.args[if entry.nr as i64 == libc::SYS_sendfile { 0 } else { 2 }])
        }
        libc::SYS_renameat
        | libc::SYS_renameat2
        | libc::SYS_unlinkat
        | libc::SYS_mkdirat
        | libc::SYS_linkat
        | libc::SYS_symlinkat
        | libc::SYS_fchmodat
        | libc::SYS_truncate
        | libc::SYS_utimensat => true,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_open => creates(entry.args[1]),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_creat
        | libc::SYS_rename
        | libc::SYS_unlink
        | libc::SYS_mkdir
        | libc::SYS_rmdir
        | libc::SYS_link
        | libc::SYS_symlink
        | libc::SYS_chmod => true,
        _ => false,
    }
}

/// Every file below a folder that should not be there once all is done: locks, and what was being written.
pub fn left_over(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if entry.file_type().unwrap().is_dir() {
            found.extend(left_over(&path));
        } else if name.ends_with(".lock")
            || name.starts_with(".draft-")
            || name.ends_with(".new")
            || name == "publishing"
        {
            found.push(path.display().to_string());
        }
    }
    found
}
