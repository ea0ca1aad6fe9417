//! Takes away what was installed, wherever that was, and puts back what was there before; all of it or nothing.

use super::install::is_ours;
use super::{Scene, refuse, refuse_all, shown};
use crate::exit::ExitCode;
use crate::git::{CONFIGURED_NAME, Conflict, HookState, HooksPlace};
use anyhow::Result;
use std::io::Write;

pub fn run(scene: &Scene, out: &mut dyn Write, err: &mut dyn Write) -> Result<ExitCode> {
    let repository = &scene.repository;
    let configured = repository.configured_hook()?;
    if configured.as_ref().is_some_and(|there| !is_ours(there, scene.events())) {
        let message = format!("hook.{CONFIGURED_NAME} in git's configuration was edited, or is somebody else's");
        let hints = [format!("take it away yourself: git config --remove-section hook.{CONFIGURED_NAME}").into()];
        return Ok(refuse(err, &message, &hints)?);
    }
    // Elsewhere nothing was written.
    let files = if matches!(scene.place, HooksPlace::Own(_)) { scene.files.as_slice() } else { &[] };
    let conflicts: Vec<Conflict> = files.iter().filter_map(|(_, file)| file.conflict_with_removal()).collect();
    if !conflicts.is_empty() {
        return Ok(refuse_all(err, &conflicts)?);
    }
    if configured.is_some() {
        repository.forget_configured_hook()?;
        writeln!(out, "took hook.{CONFIGURED_NAME} out of git's configuration")?;
    }
    for (_, file) in files {
        file.remove()?;
        match &file.state {
            HookState::Ours { keeps: Some(_), .. } => {
                writeln!(out, "put back '{}', as it was", shown(&file.path))?;
            }
            HookState::Ours { keeps: None, .. } => writeln!(out, "took away '{}'", shown(&file.path))?,
            _ => {}
        }
    }
    if configured.is_none() && !files.iter().any(|(_, file)| file.is_ours()) {
        writeln!(out, "nothing is installed here")?;
    }
    for seen in scene.runners.iter().filter(|seen| seen.missing().is_empty()) {
        writeln!(err, "hint: {} runs it, too; that is in '{}'", seen.runner.name, seen.config)?;
    }
    Ok(ExitCode::Done)
}
