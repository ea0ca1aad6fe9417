//! A child that is talked with where either side may speak at any time, and neither makes the other wait.

use super::group::{Group, News};
use super::listen::{KEPT_STDERR, is_passing, read};
use super::sandbox::Private;
use super::{Interrupt, strays};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io::Write;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::Arc;
use std::time::Instant;

/// The child. Dropped, it and all that it started is killed.
pub struct Dialogue {
    group: Group,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// What there was no room for yet, and how much of it has been handed over since.
    unsaid: Vec<u8>,
    handed: usize,
    complaints: Vec<u8>,
    ended: bool,
    alone: Option<PathBuf>,
    /// Its home, as long as it is there.
    _private: Option<Arc<Private>>,
}

/// What a wait ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// There are more words.
    Words,
    /// Nothing came until the deadline.
    Nothing,
    /// It has ended, or closed its output: nothing will come any more.
    End,
    Interrupted,
}

impl Dialogue {
    pub(super) fn new(mut group: Group, alone: Option<PathBuf>, private: Option<Arc<Private>>) -> Dialogue {
        let child = group.child();
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // A pipe that is ready for some bytes may not be for all of them.
        if let Some(stdin) = &stdin {
            let _ = rustix::io::ioctl_fionbio(stdin, true);
        }
        let (unsaid, complaints) = (Vec::new(), Vec::new());
        let _private = private;
        Dialogue { group, stdin, stdout, stderr, unsaid, handed: 0, complaints, ended: false, alone, _private }
    }

    /// Hands over as much as there is room for; the rest while it is listened to. Never waits.
    pub fn say(&mut self, words: &[u8]) {
        if self.stdin.is_some() {
            self.unsaid.extend_from_slice(words);
            self.hand_over();
        }
    }

    /// Bytes that it has not taken yet.
    pub fn unsaid(&self) -> usize {
        self.unsaid.len() - self.handed
    }

    /// The end of what it said on standard error, as far as it was listened to.
    pub fn complaints(&self) -> &[u8] {
        &self.complaints
    }

    /// Waits for more of its standard output, which is added to `into`. At the deadline it returns, too, when words keep
    /// coming.
    pub fn hear(&mut self, into: &mut Vec<u8>, deadline: Instant, interrupt: &Interrupt) -> Heard {
        loop {
            if interrupt.is_set() {
                return Heard::Interrupted;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Heard::Nothing;
            }
            if self.stdout.is_none() {
                return Heard::End;
            }
            // All that it wrote before it ended is in the pipe.
            let timeout = if self.ended { Ok(Timespec::default()) } else { Timespec::try_from(left) };
            let ready = match self.wait(interrupt, timeout.ok()) {
                Ok(ready) => ready,
                Err(Errno::INTR) => continue,
                Err(_) => return Heard::End,
            };
            let [input, output, complaints, news] = ready;
            if input {
                self.hand_over();
            }
            if complaints {
                if read(&mut self.stderr, &mut self.complaints) {
                    self.stderr = None;
                }
                self.complaints.drain(..self.complaints.len().saturating_sub(KEPT_STDERR));
            }
            if output {
                let before = into.len();
                if read(&mut self.stdout, into) {
                    self.stdout = None;
                }
                if into.len() > before {
                    return Heard::Words;
                }
            } else if self.ended && !complaints {
                self.stdout = None;
            }
            // One that waits for the terminal would do so for ever.
            if news {
                self.ended = true;
                if self.group.news() == News::WantsTerminal {
                    return Heard::End;
                }
            }
        }
    }

    /// Which of input, output, complaints and news there is something to do for; none at the timeout.
    fn wait(&self, interrupt: &Interrupt, timeout: Option<Timespec>) -> Result<[bool; 4], Errno> {
        let has_more = self.unsaid() > 0;
        let waited_for = [
            self.stdin.as_ref().filter(|_| has_more).map(|pipe| (pipe.as_fd(), PollFlags::OUT)),
            self.stdout.as_ref().map(|pipe| (pipe.as_fd(), PollFlags::IN)),
            self.stderr.as_ref().map(|pipe| (pipe.as_fd(), PollFlags::IN)),
            (!self.ended).then(|| (self.group.bell(), PollFlags::IN)),
            interrupt.bell().map(|bell| (bell, PollFlags::IN)),
        ];
        let mut ready: Vec<PollFd> =
            waited_for.iter().flatten().map(|&(pipe, flags)| PollFd::from_borrowed_fd(pipe, flags)).collect();
        poll(&mut ready, timeout.as_ref())?;
        let mut ready = ready.iter().map(|ready| !ready.revents().is_empty());
        let mut next = |there: bool| there && ready.next().unwrap_or_default();
        let [input, output, complaints, news, _] = waited_for.map(|pipe| next(pipe.is_some()));
        Ok([input, output, complaints, news])
    }

    fn hand_over(&mut self) {
        while let Some(stdin) = &mut self.stdin
            && self.handed < self.unsaid.len()
        {
            match stdin.write(self.unsaid.get(self.handed..).unwrap_or_default()) {
                Ok(count) if count > 0 => self.handed += count,
                Err(error) if is_passing(&error) => break,
                // It reads no more. What it still has to say can be heard.
                _ => (self.stdin, self.handed) = (None, self.unsaid.len()),
            }
        }
        // What was handed over goes only when it is the larger part, so that a long text is not moved again and again.
        if self.handed * 2 >= self.unsaid.len() {
            self.unsaid.drain(..self.handed);
            self.handed = 0;
        }
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        (self.stdin, self.stdout, self.stderr) = (None, None, None);
        self.group.kill();
        let _ = self.group.reap();
        if let Some(folder) = &self.alone {
            strays::kill(folder);
        }
    }
}
