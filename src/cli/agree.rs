//! Before source leaves the machine: who is asked and why, what is sent, what it may cost; and, where nobody has agreed to
//! it yet, a question.
//!
//! What counts as an agreement: a server on this machine, or recorded replies, since nothing leaves it; `--command`, since
//! whoever types the program means it; `-y`; and what the person has agreed to before for this repository. Everything else
//! is asked on a terminal, and refused without one.

use super::session::Session;
use crate::config::Agreed;
use crate::finding::{Finding, Permission, Severity};
use crate::implement::{Chosen, ImplementError};
use crate::plan::Estimate;
use crate::process::Interrupt;
use crate::ui;

/// Says what will be sent where, and makes sure that the person agrees. Nothing is said of a provider on this machine.
pub fn agree(
    session: &Session,
    chosen: &Chosen,
    sent: &[&str],
    (total, repairs): (&Estimate, &Estimate),
    yes: bool,
    interrupt: &Interrupt,
) -> Result<(), ImplementError> {
    if chosen.local {
        return Ok(());
    }
    let place = format!("{} at {}", chosen.provider.name(), chosen.place);
    if !session.style.quiet {
        ui::ask::announce(&place, chosen.provider.model(), &chosen.why, sent, total, repairs);
    }
    if yes || chosen.by_option {
        return Ok(());
    }
    let mut agreed = Agreed::read(&session.environment, session.repository.common_dir());
    if agreed.holds(&chosen.agreement) {
        return Ok(());
    }
    if !ui::ask::can_ask() {
        return Err(ImplementError::NobodyToAsk { place });
    }
    match ui::ask::yes("Send them?", interrupt) {
        Some(true) => {}
        Some(false) => return Err(ImplementError::NotAgreed),
        None => return Err(ImplementError::Interrupted),
    }
    if let Err(error) = agreed.add(&chosen.agreement) {
        let message = format!("cannot remember that you agreed: {error}");
        session.findings(&[Finding::warning("agreement-not-kept", message)], None)?;
    }
    Ok(())
}

/// What only the person may let a plan write, and has not been asked about yet: findings about files that instruct git,
/// hooks or agents, or that the repository ignores.
#[derive(Debug, Default)]
pub struct Doubts(Vec<Finding>);

impl Doubts {
    /// Those of `findings`, if a person is there to ask, and nothing else is wrong.
    pub fn of(findings: &[Finding]) -> Doubts {
        let errors: Vec<&Finding> = findings.iter().filter(|finding| finding.is_error()).collect();
        let asked =
            |finding: &&Finding| matches!(finding.id.as_ref(), "protected" | "ignored") && finding.path.is_some();
        match ui::ask::can_ask() && errors.iter().all(asked) {
            true => Doubts(errors.into_iter().cloned().collect()),
            false => Doubts::default(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What a yes to each of them permits.
    pub fn permissions(&self) -> impl Iterator<Item = Permission> {
        let paths = self.0.iter().filter_map(|finding| finding.path.as_ref());
        paths.map(|path| Permission::literal(format!("protected:{path}"), "your answer before the run"))
    }

    /// Asks about each file by its name. No other agreement covers them.
    ///
    /// # Errors
    /// With what was found, if one of the answers is no.
    pub fn ask(&self, lld: &str, interrupt: &Interrupt) -> Result<(), ImplementError> {
        for finding in &self.0 {
            let warning = Finding { severity: Severity::Warning, ..finding.clone() };
            ui::failure::findings(&[warning], Some(lld), false);
            let question = format!("Let a model write '{}'?", finding.path.as_deref().unwrap_or_default());
            match ui::ask::yes(&question, interrupt) {
                Some(true) => {}
                Some(false) => {
                    return Err(ImplementError::Plan { lld: lld.to_owned(), findings: self.0.clone() });
                }
                None => return Err(ImplementError::Interrupted),
            }
        }
        Ok(())
    }
}
