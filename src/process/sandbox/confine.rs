//! The process that confines itself and becomes the command. What it gives up it cannot take back, nor can what it starts.

use super::enter::Order;
use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
    path_beneath_rules,
};
use rustix::process::{Signal, set_parent_process_death_signal, setsid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, capability_is_in_bounding_set, remove_capability_from_bounding_set,
    set_capabilities,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The status of a command that ended without one.
pub(super) const FAILED: u8 = 1;

/// What the rules are made for; a kernel that knows less holds what it knows.
const RULES: ABI = ABI::V9;

/// What everybody may write.
const DEVICES: &[&str] =
    &["/dev/full", "/dev/null", "/dev/ptmx", "/dev/pts", "/dev/random", "/dev/tty", "/dev/urandom", "/dev/zero"];
/// What everybody may write where it is covered, and has nothing in it that may only be read.
const COVERED: &[&str] = &["/dev/shm", "/tmp", "/var/tmp"];

/// Becomes the command. Returns only if that fails.
pub(super) fn run(order: &Order, command: &[OsString]) -> io::Result<u8> {
    // A process of the terminal's session could type on it.
    setsid()?;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    give_up_capabilities()?;
    restrict(order).map_err(io::Error::other)?;
    if !order.namespaces {
        filter(order.network)?;
    }
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    Err(Command::new(program).args(arguments).exec())
}

/// Of root nothing is left but the owner of its files. Root's capabilities lead round Landlock: whoever may watch the
/// system's performance may read any process's variables.
fn give_up_capabilities() -> io::Result<()> {
    if capabilities(None)?.permitted.is_empty() {
        return Ok(());
    }
    for bit in 0..u64::BITS {
        let capability = CapabilitySet::from_bits_retain(1 << bit);
        if capability_is_in_bounding_set(capability) == Ok(true) {
            remove_capability_from_bounding_set(capability)?;
        }
    }
    let none = CapabilitySet::empty();
    Ok(set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?)
}

fn restrict(order: &Order) -> Result<(), String> {
    let failed = |error: landlock::RulesetError| error.to_string();
    let rules = Ruleset::default().handle_access(AccessFs::from_all(RULES)).map_err(failed)?;
    let rules = rules.scope(Scope::from_all(RULES)).map_err(failed)?;
    // In a namespace of its own the network is a test's own.
    let rules = match order.network || order.namespaces {
        true => rules,
        false => rules.handle_access(AccessNet::from_all(RULES)).map_err(failed)?,
    };
    let is_free = |path: &Path| !order.read.iter().any(|read| read.starts_with(path));
    let is_covered = |path: &Path| order.covered.iter().any(|covered| covered == path);
    let covered = COVERED.iter().filter(|path| is_covered(Path::new(path)) && is_free(Path::new(path)));
    let write: Vec<PathBuf> =
        order.write.iter().cloned().chain(DEVICES.iter().chain(covered).map(PathBuf::from)).collect();
    let read: Vec<PathBuf> = order.read.iter().cloned().chain([PathBuf::from("/proc")]).collect();
    let rules = rules.create().map_err(failed)?;
    let rules = rules.add_rules(path_beneath_rules(read, AccessFs::from_read(RULES))).map_err(failed)?;
    let rules = rules.add_rules(path_beneath_rules(write, AccessFs::from_all(RULES))).map_err(failed)?;
    match rules.restrict_self().map_err(failed)?.ruleset {
        RulesetStatus::NotEnforced => Err("this kernel has no Landlock".to_owned()),
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
    }
}

/// Refuses to make sockets: all, or, with the network, those that lead to other programs of this machine, which might
/// start something for whoever asks.
fn filter(network: bool) -> io::Result<()> {
    let failed = |error: seccompiler::BackendError| io::Error::other(error.to_string());
    let local = u64::from(libc::AF_UNIX.unsigned_abs());
    let condition = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, local).map_err(failed)?;
    let some = if network { vec![SeccompRule::new(vec![condition]).map_err(failed)?] } else { Vec::new() };
    // What io_uring is asked for passes no filter.
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        BTreeMap::from([(libc::SYS_socket, some), (libc::SYS_io_uring_setup, Vec::new())]);
    if cfg!(target_arch = "x86_64") {
        // The same calls by the numbers of another interface of that kernel.
        const X32: i64 = 0x4000_0000;
        let again: Vec<_> = rules.iter().map(|(number, rules)| (number | X32, rules.clone())).collect();
        rules.extend(again);
    }
    let refuse = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    let machine = std::env::consts::ARCH.try_into().map_err(failed)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, machine).map_err(failed)?;
    let program: BpfProgram = filter.try_into().map_err(failed)?;
    seccompiler::apply_filter(&program).map_err(|error| io::Error::other(error.to_string()))
}
