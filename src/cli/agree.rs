//! Before source leaves the machine: who is asked and why, what is sent, what it may cost; and, the first time in a
//! repository, a question.

use super::session::Session;
use crate::implement::{Chosen, ImplementError, Prepared, standing};
use crate::plan::{Estimate, estimate};
use crate::process::Interrupt;
use crate::prompt::Material;
use crate::ui;
use std::path::PathBuf;

/// Says what will be sent where. On a terminal, asks whether it may be, unless the person has said so before here, or
/// said `-y`. Nothing is said of a provider on this machine.
pub fn agree(
    session: &Session,
    prepared: &Prepared,
    chosen: &Chosen,
    material: &Material,
    yes: bool,
    interrupt: &Interrupt,
) -> Result<(), ImplementError> {
    if chosen.local {
        return Ok(());
    }
    let rows = &prepared.examined.rows;
    let mut total = Estimate::default();
    for estimate in estimate(rows, standing(prepared), chosen.prices.as_ref()) {
        total += estimate;
    }
    let bases = rows.iter().filter(|row| row.is_asked() && row.size.is_some()).map(|row| row.path.as_str());
    let context = material.beside.iter().chain(&material.context).map(|document| document.path.as_str());
    let sent: Vec<&str> = std::iter::once(material.design.path.as_str()).chain(context).chain(bases).collect();
    agree_to(session, chosen, &sent, &total, yes, interrupt)
}

/// The same for these files, at this price.
pub fn agree_to(
    session: &Session,
    chosen: &Chosen,
    sent: &[&str],
    total: &Estimate,
    yes: bool,
    interrupt: &Interrupt,
) -> Result<(), ImplementError> {
    if chosen.local {
        return Ok(());
    }
    let place = format!("{} at {}", chosen.provider.name(), chosen.place);
    if !session.style.quiet {
        ui::ask::announce(&place, chosen.provider.model(), &chosen.why, sent, total);
    }
    let known = agreements(session);
    let agreed = std::fs::read_to_string(&known).unwrap_or_default().lines().any(|line| line == place);
    if yes || agreed || !ui::ask::can_ask() {
        return Ok(());
    }
    match ui::ask::yes("Send them?", interrupt) {
        Some(true) => {}
        Some(false) => return Err(ImplementError::NotAgreed),
        None => return Err(ImplementError::Interrupted),
    }
    // Not being able to remember only means asking again.
    let text = std::fs::read_to_string(&known).unwrap_or_default() + &place + "\n";
    let _ = known.parent().map(std::fs::create_dir_all);
    let _ = std::fs::write(&known, text);
    Ok(())
}

/// A line for each provider that the person has agreed to in this repository.
fn agreements(session: &Session) -> PathBuf {
    session.repository.common_dir().join("implement").join("agreed")
}
