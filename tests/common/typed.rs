//! A person at a terminal: what they type, and what they see.
#![allow(dead_code)]

use nix::pty::openpty;
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// Runs `command` on a terminal at which somebody types `typed` as soon as it is there. Returns the status, and what is
/// seen; results on standard output are not.
pub fn at_terminal(mut command: Command, typed: &str) -> (Option<i32>, String) {
    let pty = openpty(None, None).unwrap();
    let (mut person, seat) = (File::from(pty.master), File::from(pty.slave));
    command.stdin(seat.try_clone().unwrap()).stderr(seat).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    // The command holds the terminal open, and its end would not be seen.
    drop(command);
    person.write_all(typed.as_bytes()).unwrap();
    let mut seen = Vec::new();
    let mut piece = [0; 4096];
    // Linux says so of a terminal at which nobody is any more; others say that it has ended.
    while let Ok(length @ 1..) = person.read(&mut piece) {
        seen.extend_from_slice(&piece[..length]);
    }
    (child.wait().unwrap().code(), String::from_utf8_lossy(&seen).replace("\r\n", "\n"))
}

/// Runs `command` on a terminal that shows its results, too, and at which nobody types. Returns the status, and what is seen.
pub fn on_terminal(mut command: Command) -> (Option<i32>, String) {
    let pty = openpty(None, None).unwrap();
    let (mut person, seat) = (File::from(pty.master), File::from(pty.slave));
    command.stdin(seat.try_clone().unwrap()).stderr(seat.try_clone().unwrap()).stdout(seat);
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut seen = Vec::new();
    let mut piece = [0; 4096];
    while let Ok(length @ 1..) = person.read(&mut piece) {
        seen.extend_from_slice(&piece[..length]);
    }
    (child.wait().unwrap().code(), String::from_utf8_lossy(&seen).replace("\r\n", "\n"))
}
