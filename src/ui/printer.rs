//! The one place where the program writes: results to standard output, everything else to standard error.
//!
//! A reader can go away at any time (`2>&1 | head -5`), and a disk can be full. That must not cost what was paid for:
//! no write here fails or panics. What standard error cannot take is lost, and nothing else happens. What standard
//! output cannot take is remembered, and decides the exit status once everything else is done ([`ending`]).
#![allow(clippy::disallowed_methods)]

use super::{failure, plain};
use crate::exit::ExitCode;
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;

/// Why standard output took no more. From then on nothing is written to it: half a result with a later piece behind it
/// would be read as something else.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Standard output, for results. As with every buffered writer, what could not be written is an error of `flush`
/// alone: whoever serves a reader for as long as there is one asks that, and nobody else needs to.
pub fn out() -> impl Write {
    Results(io::stdout())
}

/// Standard error, for everything that is no result. Writing to it always succeeds.
pub fn err() -> impl Write {
    Messages(io::stderr())
}

/// A line on standard error.
pub fn say(line: impl Display) {
    let _ = writeln!(err(), "{line}");
}

/// Neither is locked: whoever hands them out for a whole verb would keep the live line's thread waiting.
struct Results(io::Stdout);

impl Write for Results {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if LOST.get().is_none() {
            wrote(self.0.write_all(bytes));
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        if LOST.get().is_none() {
            wrote(self.0.flush());
        }
        LOST.get().map_or(Ok(()), |error| Err(error.kind().into()))
    }
}

struct Messages(io::Stderr);

impl Write for Messages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.write_all(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Remembers how writing to standard output went, for those who write by other means than [`out`].
pub fn wrote(result: io::Result<()>) {
    if let Err(error) = result {
        // The first error says why; a later one can only follow from it.
        let _ = LOST.set(error);
    }
}

/// The status with which the program ends that would end with `status` if its result had been read. To be asked last.
pub fn ending(status: ExitCode) -> ExitCode {
    let _ = out().flush();
    match LOST.get() {
        None => status,
        Some(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::ReaderGone,
        Some(error) => {
            failure::fatal(&format!("cannot write to standard output: {}", plain::reason(error)), &[]);
            ExitCode::Fatal
        }
    }
}

/// Is there a person who reads results?
pub fn out_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Is there a person who reads the rest?
pub fn err_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Columns of the terminal that shows results; `None` where there is none.
pub fn out_width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// Columns of the terminal that shows the rest; `None` where there is none.
pub fn err_width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| usize::from(width.0))
}
