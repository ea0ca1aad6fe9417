//! A child that is talked with for as long as it is needed.

use super::group::Group;
use super::sandbox::Private;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::process::{ChildStdin, ChildStdout, ExitStatus};
use std::sync::Arc;
use std::time::Duration;

/// How long a child may take to end when its pipes are closed.
const LEAVE: Duration = Duration::from_secs(2);

/// The child. Dropped, it is killed: nobody wants to know the rest.
pub struct Conversation {
    group: Group,
    stdin: Option<ChildStdin>,
    stdout: Option<BufReader<ChildStdout>>,
    stderr: File,
    nothing: io::Empty,
    /// What it has for itself stays as long as it runs.
    _private: Option<Arc<Private>>,
}

impl Conversation {
    pub(super) fn new(mut group: Group, stderr: File, private: Option<Arc<Private>>) -> Conversation {
        let child = group.child();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        Conversation { group, stdin, stdout, stderr, nothing: io::empty(), _private: private }
    }

    /// Its standard input. What is not read is in the way: ask no more at once than fits into a pipe.
    ///
    /// # Errors
    /// If it has ended, or the conversation has.
    pub fn say(&mut self, words: &[u8]) -> io::Result<()> {
        self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write_all(words)
    }

    /// Its standard output; nothing, when the conversation has ended.
    pub fn answers(&mut self) -> &mut dyn BufRead {
        match &mut self.stdout {
            Some(stdout) => stdout,
            None => &mut self.nothing,
        }
    }

    /// Ends it, and returns how it ended, if it did, and what it said on standard error.
    pub fn end(&mut self) -> (Option<ExitStatus>, Vec<u8>) {
        // Both pipes: a child that still writes would otherwise wait for a reader for ever.
        (self.stdin, self.stdout) = (None, None);
        self.group.wait(LEAVE);
        let mut said = Vec::new();
        let _ = self.stderr.rewind().and_then(|()| self.stderr.read_to_end(&mut said));
        (self.group.status(), said)
    }
}
