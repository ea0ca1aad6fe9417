//! What passes over a child's pipes, with an eye on the interruption and on the limits.

use super::Interrupt;
use super::command::{Limits, Stop};
use super::group::{Group, News};
use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

/// As much of standard error as is kept, from its end.
pub(super) const KEPT_STDERR: usize = 64 << 10;
/// How long a child that has ended may leave its output open, silently, to something that it started, if that must be
/// waited for.
const OPEN_END: Duration = Duration::from_secs(3);
/// How long the last words of a child that has ended are waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// As much as is read or written at once.
const PIECE: usize = 64 << 10;

/// Our ends of a child's pipes, and what came out of them.
pub(super) struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// What is to be said, and how much of it has been.
    input: Vec<u8>,
    written: usize,
    output: Vec<u8>,
    complaints: Vec<u8>,
}

impl Pipes {
    pub fn of(child: &mut Child, input: Vec<u8>) -> Pipes {
        let stdin = child.stdin.take();
        // A pipe that is ready for some bytes may not be for all of them.
        if let Some(stdin) = &stdin {
            let _ = rustix::io::ioctl_fionbio(stdin, true);
        }
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        Pipes { stdin, stdout, stderr, input, written: 0, output: Vec::new(), complaints: Vec::new() }
    }

    /// Standard output, and the end of standard error.
    pub fn said(self) -> (Vec<u8>, Vec<u8>) {
        (self.output, self.complaints)
    }

    /// Hands over as much of the input as there is room for.
    fn write(&mut self) {
        let Some(stdin) = &mut self.stdin else { return };
        match stdin.write(self.input.get(self.written..).unwrap_or_default()) {
            Ok(count) => self.written += count,
            Err(error) if is_passing(&error) => {}
            // A child that does not read its input, and so breaks the pipe, does nothing wrong.
            Err(_) => self.written = self.input.len(),
        }
        if self.written >= self.input.len() {
            self.stdin = None;
        }
    }

    fn read_output(&mut self) {
        if read(&mut self.stdout, &mut self.output) {
            self.stdout = None;
        }
    }

    fn read_complaints(&mut self) {
        if read(&mut self.stderr, &mut self.complaints) {
            self.stderr = None;
        }
        self.complaints.drain(..self.complaints.len().saturating_sub(KEPT_STDERR));
    }
}

pub(super) fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock)
}

/// Reads once from a pipe that is ready. True: it has ended.
pub(super) fn read(pipe: &mut Option<impl AsFd>, into: &mut Vec<u8>) -> bool {
    let Some(pipe) = pipe else { return true };
    into.reserve(PIECE);
    match rustix::io::read(pipe, spare_capacity(into)) {
        Ok(count) => count == 0,
        Err(error) => !is_passing(&error.into()),
    }
}

/// Hands the input over and takes down what is said, until the child has ended, and, if its output must be `whole`, that
/// has, too. `hear` is called with all of the output until then.
pub(super) fn listen(
    group: &mut Group,
    pipes: &mut Pipes,
    limits: &Limits,
    whole: bool,
    interrupt: &Interrupt,
    hear: &mut dyn FnMut(&[u8]),
) -> Result<(), Stop> {
    let began = Instant::now();
    let mut last_word = began;
    let mut ended: Option<Instant> = None;
    loop {
        if interrupt.is_set() {
            return Err(Stop::Interrupted);
        }
        // When the waiting is over, and what that means.
        let (deadline, outcome) = match ended {
            // All that it wrote is in the pipes.
            Some(since) if !whole => match since.elapsed() < LAST_WORDS {
                true => (Some(Instant::now()), Ok(())),
                false => return Ok(()),
            },
            Some(_) if pipes.stdout.is_none() && pipes.stderr.is_none() => return Ok(()),
            Some(since) if pipes.stdout.is_none() => (Some(since + LAST_WORDS), Ok(())),
            Some(since) => (Some(since.max(last_word) + OPEN_END), Err(Stop::OpenEnd)),
            None => {
                (limits.silence.map(|most| last_word + most), Err(Stop::Silent(limits.silence.unwrap_or_default())))
            }
        };
        let (deadline, outcome) = match limits.total.map(|most| (began + most, most)) {
            Some((end, most)) if deadline.is_none_or(|deadline| end < deadline) => (Some(end), Err(Stop::Late(most))),
            _ => (deadline, outcome),
        };
        let ready = match wait(group, pipes, interrupt, ended.is_none(), deadline) {
            Ok(Some(ready)) => ready,
            Ok(None) => return outcome,
            Err(Errno::INTR) => continue,
            Err(error) => return Err(Stop::Lost(error.into())),
        };
        if ready.input {
            pipes.write();
        }
        if ready.output {
            pipes.read_output();
            hear(&pipes.output);
        }
        if ready.complaints {
            pipes.read_complaints();
        }
        if ready.output || ready.complaints {
            last_word = Instant::now();
        }
        if pipes.output.len() > limits.output {
            return Err(Stop::TooMuch);
        }
        if ready.news {
            match group.news() {
                News::WantsTerminal => return Err(Stop::WantsTerminal),
                News::Ended => ended = Some(Instant::now()),
            }
        }
    }
}

/// What there is something to do for.
#[derive(Default)]
struct Ready {
    input: bool,
    output: bool,
    complaints: bool,
    news: bool,
}

/// Waits for the first of them, or for the interruption. `None`: the deadline came first.
fn wait(
    group: &Group,
    pipes: &Pipes,
    interrupt: &Interrupt,
    runs: bool,
    deadline: Option<Instant>,
) -> Result<Option<Ready>, Errno> {
    let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let timeout = left.and_then(|left| Timespec::try_from(left).ok());
    let waited_for = [
        pipes.stdin.as_ref().map(|pipe| (pipe.as_fd(), PollFlags::OUT)),
        pipes.stdout.as_ref().map(|pipe| (pipe.as_fd(), PollFlags::IN)),
        pipes.stderr.as_ref().map(|pipe| (pipe.as_fd(), PollFlags::IN)),
        runs.then(|| (group.bell(), PollFlags::IN)),
        interrupt.bell().map(|bell| (bell, PollFlags::IN)),
    ];
    let mut ready: Vec<PollFd> =
        waited_for.iter().flatten().map(|&(pipe, flags)| PollFd::from_borrowed_fd(pipe, flags)).collect();
    if poll(&mut ready, timeout.as_ref())? == 0 {
        return Ok(None);
    }
    let mut ready = ready.iter().map(|ready| !ready.revents().is_empty());
    let mut next = |there: bool| there && ready.next().unwrap_or_default();
    let [input, output, complaints, news, _] = waited_for.map(|pipe| next(pipe.is_some()));
    Ok(Some(Ready { input, output, complaints, news }))
}
