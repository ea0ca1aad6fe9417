//! How a process ends with the one that waits for it, however that ends: it is sent a signal by the kernel.

use rustix::process::{Signal, set_parent_process_death_signal};
use std::ffi::OsString;
use std::io;
use std::os::unix::process::{CommandExt, parent_id};
use std::process::Command;

/// Becomes the program of this command line, which is killed when the process with the number before it ends. Returns only if
/// that fails.
pub(super) fn run(arguments: &[OsString]) -> io::Result<u8> {
    let [waits, program, rest @ ..] = arguments else { return Err(io::ErrorKind::InvalidInput.into()) };
    let waits = waits.to_str().and_then(|waits| waits.parse().ok()).ok_or(io::ErrorKind::InvalidInput)?;
    to(waits, Signal::KILL)?;
    Err(Command::new(program).args(rest).exec())
}

/// From now on this process is sent `signal` when the thread that started it ends, which is one of the process `waits`.
///
/// # Errors
/// If that has ended already.
pub(super) fn to(waits: u32, signal: Signal) -> io::Result<()> {
    set_parent_process_death_signal(Some(signal))?;
    // The signal of an end that came before is not sent any more.
    if parent_id() == waits { Ok(()) } else { Err(io::Error::other("whoever waits for it has ended")) }
}
