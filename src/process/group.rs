//! A child process and all that it starts, as one process group that can be stopped as one.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// The time to tidy up between being asked and being made to stop.
const GRACE: Duration = Duration::from_secs(2);

/// What is heard of a child beside its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum News {
    /// It wants to read from the terminal, which it cannot have, and would wait for it for ever.
    WantsTerminal,
    Ended,
}

/// Dropped while it runs, the whole group is killed.
pub(super) struct Group {
    child: Child,
    /// The leader's id, and the group's. None once the leader was reaped, when another process may get the number.
    leader: Option<Pid>,
    /// Has it a group of its own?
    own: bool,
    /// From the thread that waits for the leader: a byte when that wants the terminal, the end when it has ended.
    news: PipeReader,
    ended: bool,
}

impl Group {
    /// `own`: in a group of its own, which Ctrl-C on the terminal does not reach, and which cannot read from there.
    pub fn start(command: &mut Command, own: bool) -> io::Result<Self> {
        if own {
            command.process_group(0);
        }
        let (news, told) = io::pipe()?;
        let mut child = command.spawn()?;
        let Some(leader) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else {
            return Err(io::Error::other("a process without an id"));
        };
        // A thread rather than a pidfd: it works on every Unix, and hears of a leader that is stopped, too.
        let waiting = thread::Builder::new().name("child".into()).stack_size(128 << 10);
        if let Err(error) = waiting.spawn(move || watch(leader, told)) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(error);
        }
        Ok(Group { child, leader: Some(leader), own, news, ended: false })
    }

    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Ready for reading when there is news.
    pub fn bell(&self) -> BorrowedFd<'_> {
        self.news.as_fd()
    }

    /// The next news, waited for.
    pub fn news(&mut self) -> News {
        match self.ended || !matches!(self.news.read(&mut [0]), Ok(count) if count > 0) {
            true => {
                self.ended = true;
                News::Ended
            }
            false => News::WantsTerminal,
        }
    }

    /// Asks the whole group to stop, and gives it a moment to do so.
    pub fn stop(&mut self) {
        self.signal(Signal::TERM);
        // One that is stopped hears it when it goes on.
        self.signal(Signal::CONT);
        self.wait(GRACE);
    }

    /// Waits for the end of the leader, but no longer than this.
    pub fn wait(&mut self, longest: Duration) {
        let deadline = Instant::now() + longest;
        while !self.ended {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut ready = [PollFd::new(&self.news, PollFlags::IN)];
            match poll(&mut ready, Timespec::try_from(left).ok().as_ref()) {
                Ok(0) => return,
                Ok(_) => drop(self.news()),
                Err(_) => {}
            }
        }
    }

    /// Makes what is left of the group end.
    pub fn kill(&mut self) {
        self.signal(Signal::KILL);
    }

    /// Waits for the leader and lets its number go.
    pub fn reap(&mut self) -> io::Result<ExitStatus> {
        // The waiting thread must have heard of the end first: afterwards the number may be another process's.
        while self.news() != News::Ended {}
        self.leader = None;
        self.child.wait()
    }

    /// How the leader ended, if it is known to have.
    pub fn status(&mut self) -> Option<ExitStatus> {
        if self.ended { self.reap().ok() } else { None }
    }

    fn signal(&self, signal: Signal) {
        if let Some(leader) = self.leader {
            let kill = if self.own { kill_process_group } else { kill_process };
            // It may have ended by itself.
            let _ = kill(leader, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.leader.is_some() {
            self.kill();
            let _ = self.reap();
        }
    }
}

/// Tells what becomes of the leader, which is left to be reaped, so that its number stays taken.
fn watch(leader: Pid, mut told: PipeWriter) {
    let leader = || WaitId::Pid(leader);
    loop {
        match waitid(leader(), WaitIdOptions::EXITED | WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT) {
            Err(rustix::io::Errno::INTR) => {}
            Ok(Some(status)) if status.stopped() => {
                // Taken, so that it is heard of once.
                let _ = waitid(leader(), WaitIdOptions::STOPPED | WaitIdOptions::NOHANG);
                // Stopped by a person, it goes on when the person wants it to.
                let signals = [Signal::TTIN, Signal::TTOU].map(|signal| Some(signal.as_raw()));
                if signals.contains(&status.stopping_signal()) {
                    let _ = told.write_all(b"t");
                }
            }
            // The end of the pipe tells it.
            _ => return,
        }
    }
}
