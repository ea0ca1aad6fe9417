//! A child process and all that it starts, as one process group that can be stopped as one.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// The time to tidy up between being asked and being made to stop.
const GRACE: Duration = Duration::from_secs(2);

/// Dropped while it runs, the whole group is killed.
pub(super) struct Group {
    child: Child,
    /// The leader's id, and the group's. None once the leader was reaped, when another process may get the number.
    leader: Option<Pid>,
}

impl Group {
    pub(super) fn spawn(command: &mut Command) -> io::Result<Self> {
        let child = command.process_group(0).spawn()?;
        let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Ok(Group { child, leader })
    }

    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Has the leader ended? It is left to be reaped, so that its number stays taken.
    pub(super) fn has_ended(&self) -> bool {
        let Some(leader) = self.leader else { return true };
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        !matches!(waitid(WaitId::Pid(leader), look), Ok(None) | Err(rustix::io::Errno::INTR))
    }

    /// Asks the whole group to stop, and after a moment makes it.
    pub(super) fn stop(&mut self) {
        self.signal(Signal::TERM);
        let deadline = Instant::now() + GRACE;
        while !self.has_ended() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills what is left of the group, and waits for the leader.
    pub(super) fn reap(&mut self) -> io::Result<ExitStatus> {
        self.signal(Signal::KILL);
        self.leader = None;
        self.child.wait()
    }

    fn signal(&self, signal: Signal) {
        if let Some(leader) = self.leader {
            // It may have ended by itself.
            let _ = kill_process_group(leader, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.leader.is_some() {
            let _ = self.reap();
        }
    }
}
