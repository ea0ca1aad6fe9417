//! What servers and commands have against the base: found out once, beside the first request, where the base is checked out
//! anyway.

use super::super::ImplementError;
use super::super::run::Run;
use super::Look;
use super::commands::{Place, Ran};
use super::servers::{BaseText, errors_of};
use crate::config::Verify;
use crate::diagnostic::Diagnostic;
use crate::event::{Event, On};
use crate::finding::Finding;
use crate::git::{CheckedOut, Checkout, GitError, Scratch};
use crate::lsp;
use crate::process::Interrupt;
use std::collections::HashMap;
use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;

/// What was found on the base.
#[derive(Default)]
pub(super) struct Ground {
    /// By the command line, what commands said that failed.
    pub failed: HashMap<String, String>,
    /// By file, what a server says of it. A file that was not checked is not in it.
    pub errors: HashMap<String, Vec<Diagnostic>>,
}

/// Somebody who looks at the base, on a thread that stays until all is over: a sandbox ends what it holds with the thread that
/// started it, and servers are started there.
pub(super) struct Waiting {
    at_work: Option<JoinHandle<()>>,
    found: Receiver<Result<Found, GitError>>,
    stop: Interrupt,
}

struct Found {
    checked_out: CheckedOut,
    ran: Vec<(Verify, Ran)>,
    errors: HashMap<String, Vec<Diagnostic>>,
    servers: Option<lsp::Servers>,
}

/// What is asked about the base, and who is asked.
pub(super) struct Questions {
    pub checkout: Checkout,
    pub place: Place,
    pub commands: Vec<Verify>,
    pub servers: Option<lsp::Servers>,
    pub texts: Vec<BaseText>,
}

impl Waiting {
    /// Checks the base out, and then asks.
    pub fn start(questions: Questions, stop: &Interrupt) -> Waiting {
        let (stop, interrupt) = (stop.clone(), stop.clone());
        let (tell, found) = mpsc::channel();
        let at_work = std::thread::spawn(move || {
            // Nobody may want to know any more.
            let _ = tell.send(answer(questions, &interrupt));
            interrupt.wait();
        });
        Waiting { at_work: Some(at_work), found, stop }
    }
}

fn answer(questions: Questions, interrupt: &Interrupt) -> Result<Found, GitError> {
    let Questions { checkout, place, commands, mut servers, texts } = questions;
    let mut checked_out = checkout.carry_out(interrupt)?;
    place.install();
    let errors = errors_of(&mut servers, &texts);
    let mut ran = Vec::new();
    for (at, verify) in commands.into_iter().enumerate() {
        if at > 0 {
            // As it was, whatever the one before has done to it.
            checked_out = checkout.again(interrupt)?;
            place.install();
        }
        let result = place.run(&verify, interrupt).map_err(|_| GitError::Interrupted)?;
        ran.push((verify, result));
    }
    Ok(Found { checked_out, ran, errors, servers })
}

/// Whoever does not want to know any more waits for the end alone.
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
    pub(super) fn know_base(&mut self, run: &mut Run, scratch: &mut Scratch) -> Result<(), ImplementError> {
        if self.base_is_known {
            return Ok(());
        }
        self.base_is_known = true;
        let found = match (self.waiting.found.try_recv(), self.commands.first()) {
            (Ok(found), _) => found,
            (Err(_), verify) => {
                if let Some(verify) = verify {
                    run.say(Event::Running { command: verify.text.clone(), on: On::Base });
                }
                self.waiting.found.recv().unwrap_or(Err(GitError::Interrupted))
            }
        };
        let Found { checked_out, ran, errors, servers } = found?;
        scratch.is_checked_out(checked_out);
        if !ran.is_empty() {
            scratch.may_have_changed();
        }
        self.servers.take_back(servers);
        self.ground.errors = errors;
        if !ran.is_empty()
            && let Some(leaks) = self.place.leaks()
        {
            run.say(Event::Finding(leaks));
        }
        for (verify, ran) in ran {
            run.say(ran.event(&verify, On::Base, &self.place));
            if !ran.passed {
                let message = format!("'{}' fails on the base already", verify.text);
                let hint = "what it has against the base is not given to the model; in the end it must pass all the same, \
                            unless you permit it: --allow verify";
                run.say(Event::Finding(Finding::warning("verify-base", message).hint(hint)));
                self.ground.failed.insert(verify.text, ran.said);
            }
        }
        Ok(())
    }
}
