//! A conversation with a program over its three pipes: the prompt in, the reply and complaints out, with an eye on the
//! interruption and the clock. What is said is for `command` to judge.

use std::io::{self, Read, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::Call;
use super::group::Group;
use crate::event::Progress;

/// As much as a reply may be.
const LONGEST_REPLY: usize = 64 << 20;
/// As much of standard error as is kept, from its end.
const KEPT_STDERR: usize = 8 << 10;
/// How long a program that has ended may leave its output open, silently, to something that it started.
const OPEN_END: Duration = Duration::from_secs(3);
/// How long its last complaints are waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Why a program is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    Interrupted,
    Idle,
    TooMuch,
    /// It has ended, but its output has not: more of the reply may come, or nothing.
    OpenEnd,
}

/// What was said.
#[derive(Default)]
pub(super) struct Heard {
    pub stdout: Vec<u8>,
    /// How much of it was told as text.
    told: usize,
    /// The end of standard error.
    pub stderr: Vec<u8>,
}

impl Heard {
    /// Tells what has come since, up to the last whole character.
    fn tell(&mut self, progress: &mut dyn FnMut(Progress)) {
        let fresh = self.stdout.get(self.told..).unwrap_or_default();
        let whole = match std::str::from_utf8(fresh) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(fresh.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default(),
        };
        if !whole.is_empty() {
            progress(Progress::Text(whole));
            self.told += whole.len();
        }
    }

    fn complain(&mut self, bytes: &[u8]) {
        self.stderr.extend_from_slice(bytes);
        self.stderr.drain(..self.stderr.len().saturating_sub(KEPT_STDERR));
    }
}

enum Word {
    Out(Vec<u8>),
    OutEnd,
    Err(Vec<u8>),
}

/// Hands the prompt over and takes down what is said, until the program and its output have ended. Each pipe has a
/// thread of its own, so that neither side waits for the other with a full one.
pub(super) fn listen(
    group: &mut Group,
    prompt: String,
    idle: Duration,
    call: &mut Call,
    heard: &mut Heard,
) -> Result<(), Stop> {
    let (sender, words) = mpsc::channel();
    let child = group.child();
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read its input, and so breaks the pipe, does nothing wrong.
        thread::spawn(move || stdin.write_all(prompt.as_bytes()));
    }
    if let Some(stdout) = child.stdout.take() {
        forward(stdout, sender.clone(), Word::Out, Some(Word::OutEnd));
    }
    if let Some(stderr) = child.stderr.take() {
        forward(stderr, sender, Word::Err, None);
    }
    let mut last_word = Instant::now();
    let mut ended = None;
    let mut whole = false;
    loop {
        if call.interrupt.is_set() {
            return Err(Stop::Interrupted);
        }
        let mut silent = false;
        match words.recv_timeout(Duration::from_millis(20)) {
            Ok(word) => {
                last_word = Instant::now();
                match word {
                    Word::Out(bytes) => {
                        heard.stdout.extend_from_slice(&bytes);
                        heard.tell(call.progress);
                    }
                    Word::OutEnd => whole = true,
                    Word::Err(bytes) => heard.complain(&bytes),
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            // Both pipes are closed, but it may go on without them.
            Err(RecvTimeoutError::Disconnected) => {
                silent = true;
                thread::sleep(Duration::from_millis(20));
            }
        }
        if ended.is_none() && group.has_ended() {
            ended = Some(Instant::now());
        }
        match ended.map(|ended| ended.elapsed()) {
            Some(since) if whole && (silent || since > LAST_WORDS) => return Ok(()),
            Some(since) if !whole && since.min(last_word.elapsed()) > OPEN_END => return Err(Stop::OpenEnd),
            _ if heard.stdout.len() > LONGEST_REPLY => return Err(Stop::TooMuch),
            _ if last_word.elapsed() > idle => return Err(Stop::Idle),
            _ => {}
        }
    }
}

fn forward(mut pipe: impl Read + Send + 'static, words: Sender<Word>, word: fn(Vec<u8>) -> Word, end: Option<Word>) {
    thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        loop {
            match pipe.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                Ok(count) => {
                    let bytes = buffer.get(..count).unwrap_or_default().to_vec();
                    if words.send(word(bytes)).is_err() {
                        return;
                    }
                }
            }
        }
        // Whoever listened may have gone.
        let _ = end.map(|end| words.send(end));
    });
}
