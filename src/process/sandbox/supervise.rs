//! The process between us and a confined command: it sets up its namespaces, waits for it, and ends what it has left.

use super::confine;
use super::cover::cover;
use super::enter::{CONFINE, Order};
use super::tie;
use crate::process::Interrupt;
use crate::process::group::Group;
use rustix::net::{AddressFamily, SendFlags, SocketType};
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, wait};
use rustix::thread::clear_ambient_capability_set;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

/// As often as children are looked for: what ends leaves us its own.
const ROUNDS: usize = 1000;

/// Runs the command to its end. Returns its status, as a shell has it.
pub(super) fn run(order: &Order, command: &[OsString]) -> io::Result<u8> {
    let interrupt = Interrupt::on_signals();
    if let Some(waits) = order.waits {
        tie::to(waits, Signal::TERM)?;
    }
    if order.namespaces {
        if !order.network {
            // Without it a test could not reach its own server.
            let _ = raise_loopback();
        }
        cover(&order.covered, order.read.iter().chain(&order.write))?;
        // The folder that we are in, as it is now, and not as it lies beneath what covers it.
        std::env::set_current_dir(std::env::current_dir()?)?;
        clear_ambient_capability_set()?;
    } else {
        set_child_subreaper(Some(getpid()))?;
    }
    // Not by its path, which may lie in what is covered now.
    let mut start = Command::new("/proc/self/exe");
    start.args(order.arguments(CONFINE)).args(command);
    let mut group = Group::start(&mut start, false)?;
    let ended = interrupt.or_input(group.bell());
    if !ended {
        group.kill();
    }
    let status = group.reap()?;
    // The end of the first process of a namespace ends the others.
    if !order.namespaces {
        end_the_others();
    }
    Ok(match (status.code(), status.signal()) {
        (Some(code), _) => u8::try_from(code).unwrap_or(confine::FAILED),
        (None, signal) => signal.and_then(|signal| u8::try_from(128 + signal).ok()).unwrap_or(confine::FAILED),
    })
}

/// Kills all that the command has started and that has not ended: orphans are ours.
fn end_the_others() {
    for _ in 0..ROUNDS {
        for pid in children() {
            let _ = kill_process(pid, Signal::KILL);
        }
        // An error: there are none any more.
        if wait(WaitOptions::empty()).is_err() {
            return;
        }
    }
}

fn children() -> Vec<Pid> {
    let mut found = Vec::new();
    for thread in fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let text = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        let numbers = text.split_whitespace().filter_map(|number| number.parse().ok());
        found.extend(numbers.filter_map(Pid::from_raw));
    }
    found
}

/// Switches on the one interface of a new network namespace: `RTM_NEWLINK` for the first, with `IFF_UP` (rtnetlink(7)).
fn raise_loopback() -> io::Result<()> {
    const RTM_NEWLINK: u16 = 16;
    const NLM_F_REQUEST: u16 = 1;
    const IFF_UP: u32 = 1;
    let socket = rustix::net::socket(AddressFamily::NETLINK, SocketType::RAW, None)?;
    let mut message = Vec::with_capacity(32);
    message.extend(32_u32.to_ne_bytes());
    message.extend(RTM_NEWLINK.to_ne_bytes());
    message.extend(NLM_F_REQUEST.to_ne_bytes());
    // Sequence and sender; family, padding and type of the device.
    message.extend([0; 12]);
    for number in [1, IFF_UP, IFF_UP] {
        message.extend(u32::to_ne_bytes(number));
    }
    rustix::net::send(&socket, &message, SendFlags::empty())?;
    Ok(())
}
