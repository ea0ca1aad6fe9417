//! What servers and commands have against the base: found out once, beside the first request, where the base is checked out
//! anyway.

use super::Look;
use super::commands::{Place, Ran};
use super::servers::{BaseText, Open};
use super::super::ImplementError;
use super::super::run::Run;
use crate::config::Verify;
use crate::diagnostic::Diagnostic;
use crate::event::{Event, On};
use crate::finding::Finding;
use crate::git::{CheckedOut, Checkout, GitError, Scratch};
use crate::process::Interrupt;
use std::collections::HashMap;
use std::thread::JoinHandle;

/// What was found on the base.
#[derive(Default)]
pub(super) struct Ground {
    /// By the command line, what commands said that failed.
    pub failed: HashMap<String, String>,
    /// By file, the errors that a server finds in it. A file that was not checked is not in it.
    pub errors: HashMap<String, Vec<Diagnostic>>,
}

/// Somebody who looks at the base.
pub(super) struct Waiting {
    at_work: Option<JoinHandle<Result<Found, GitError>>>,
    stop: Interrupt,
}

struct Found {
    checked_out: CheckedOut,
    ran: Vec<(Verify, Ran)>,
    errors: HashMap<String, Vec<Diagnostic>>,
    servers: Open,
}

impl Waiting {
    /// Checks the base out, and then asks servers about `texts` and commands about all of it.
    pub fn start(checkout: Checkout, place: Place, commands: Vec<Verify>, servers: Open, texts: Vec<BaseText>) -> Waiting {
        let stop = Interrupt::default();
        let interrupt = stop.clone();
        let at_work = std::thread::spawn(move || {
            let checked_out = checkout.carry_out(&interrupt)?;
            place.link_installed();
            let mut servers = servers;
            let errors = servers.errors_of(&texts, &interrupt);
            let mut ran = Vec::new();
            for verify in commands {
                match place.run(&verify, &interrupt) {
                    Ok(result) => ran.push((verify, result)),
                    Err(_) => return Err(GitError::Interrupted),
                }
            }
            Ok(Found { checked_out, ran, errors, servers })
        });
        Waiting { at_work: Some(at_work), stop }
    }
}

/// Whoever does not want to know any more does not wait for what is found.
impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(at_work) = self.at_work.take() {
            self.stop.set();
            let _ = at_work.join();
        }
    }
}

impl Look<'_> {
    /// Waits until the base is known, and tells what is wrong with it.
    pub(super) fn base_is_known(&mut self, run: &mut Run, scratch: &mut Scratch) -> Result<(), ImplementError> {
        let Some(mut waiting) = self.waiting.take() else { return Ok(()) };
        let Some(at_work) = waiting.at_work.take() else { return Ok(()) };
        if !at_work.is_finished() {
            run.say(Event::Running { command: "the base".to_owned(), on: On::Base });
        }
        // The person's interruption ends it as well: it comes to both.
        while !at_work.is_finished() {
            if run.interrupt.is_set() {
                waiting.stop.set();
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let found = at_work.join().map_err(|_| ImplementError::Interrupted)?;
        let Found { checked_out, ran, errors, servers } = found?;
        scratch.is_checked_out(checked_out);
        scratch.is_dirty();
        self.servers.take_back(servers);
        self.ground.errors = errors;
        for (verify, ran) in ran {
            run.say(ran.event(&verify, On::Base));
            if !ran.passed {
                let message = format!("'{}' fails on the base already", verify.text);
                let hint = "what it has against the base is not given to the model; it must pass in the end all the same, or be permitted: --allow verify";
                run.say(Event::Finding(Finding::warning("verify-base", message).hint(hint)));
                self.ground.failed.insert(verify.text, ran.said);
            }
        }
        Ok(())
    }
}
