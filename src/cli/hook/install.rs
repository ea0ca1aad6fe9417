//! Puts the hook where it fits: into git's configuration if git runs hooks from there; else into hook files, if they are
//! this repository's own and no other program will take their place; else it says which lines to add where.

use super::{Install, Scene, refuse, refuse_all, runners, script, shown};
use crate::exit::ExitCode;
use crate::git::{CONFIGURED_NAME, Configured, Conflict, HookFile, HookState, HooksPlace};
use anyhow::Result;
use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

/// What checks what is staged, in somebody else's hook.
const LINE: &str = "git implement check --cached || exit\n";

pub fn run(args: &Install, scene: &Scene, out: &mut dyn Write, err: &mut dyn Write) -> Result<ExitCode> {
    let repository = &scene.repository;
    let program = script::program(&scene.environment);
    let configured = repository.configured_hook()?;
    let ours = scene.files.iter().find(|(_, file)| file.is_ours() && matches!(scene.place, HooksPlace::Own(_)));
    // git gives each configured hook what was pushed, but a bare repository's hooks are its own anyway.
    let able = !repository.is_bare() && repository.runs_configured_hooks()?;
    let instead = "take it away first: git implement hook uninstall";
    match (args.config(), &configured, ours) {
        (Some(true), ..) if repository.is_bare() => {
            return Ok(refuse(err, "in a bare repository the hook is a file", &[])?);
        }
        (Some(true), ..) if !able => {
            let hint = "git 2.54 and newer do; leave out --config for a file";
            return Ok(refuse(err, "this git does not run hooks from its configuration", &[hint.into()])?);
        }
        (Some(true), _, Some((_, file))) => {
            let message = format!("the hook is installed as the file '{}'", file.path.display());
            return Ok(refuse(err, &message, &[instead.into()])?);
        }
        (Some(false), Some(_), _) => {
            return Ok(refuse(err, "the hook is installed in git's configuration", &[instead.into()])?);
        }
        (config, _, ours) => {
            if config.unwrap_or(able && ours.is_none()) {
                let status = configure(scene, configured, program.as_deref(), out, err)?;
                share(scene, out)?;
                return Ok(status);
            }
        }
    }
    match &scene.place {
        HooksPlace::Own(_) => match scene.runners.iter().find(|seen| seen.runner.takes_over && ours.is_none()) {
            Some(seen) => {
                let why = format!("{} would put its own hooks in the place of this one", seen.runner.name);
                add(scene, &why, None, out, err)
            }
            None => {
                let status = write(scene, program.as_deref(), out, err)?;
                if status == ExitCode::Done {
                    share(scene, out)?;
                }
                Ok(status)
            }
        },
        HooksPlace::Off => {
            let hints = ["see where that is set: git config --show-origin core.hooksPath".into()];
            Ok(refuse(err, "hooks are turned off here by 'core.hooksPath'", &hints)?)
        }
        HooksPlace::Tree(folder) => {
            let why = format!("git looks for hooks in '{}', among the project's files", folder.display());
            add(scene, &why, Some(folder), out, err)
        }
        HooksPlace::Outside(folder) => {
            let why = format!("git looks for hooks in '{}', outside this repository", folder.display());
            add(scene, &why, Some(folder), out, err)
        }
    }
}

/// Into git's configuration.
fn configure(
    scene: &Scene,
    there: Option<Configured>,
    program: Option<&Path>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<ExitCode> {
    let mut wanted = Configured { command: script::command(program), ..Configured::default() };
    wanted.events = scene.events().iter().map(|&event| event.to_owned()).collect();
    match there {
        Some(there) if there == wanted => {
            writeln!(out, "already installed in git's configuration, as hook.{CONFIGURED_NAME}")?;
        }
        Some(there) if !is_ours(&there, scene.events()) => {
            let message = format!("hook.{CONFIGURED_NAME} in git's configuration was edited, or is somebody else's");
            let hints = [format!("take it away yourself: git config --remove-section hook.{CONFIGURED_NAME}").into()];
            return Ok(refuse(err, &message, &hints)?);
        }
        _ => {
            scene.repository.configure_hook(&wanted)?;
            writeln!(out, "installed in git's configuration, as hook.{CONFIGURED_NAME}; hook files run after it")?;
        }
    }
    Ok(ExitCode::Done)
}

/// Is it as this program wrote it, in this version or another?
pub fn is_ours(there: &Configured, events: &[&str]) -> bool {
    there.others.iter().all(|(key, _)| key.ends_with(".enabled"))
        && script::is_command(&there.command)
        && there.events.iter().all(|event| events.contains(&event.as_str()))
}

/// Into hook files, all of them or none.
fn write(scene: &Scene, program: Option<&Path>, out: &mut dyn Write, err: &mut dyn Write) -> Result<ExitCode> {
    let by_itself = |file: &HookFile| matches!(&file.state, HookState::Theirs { text } if script::runs_us(text));
    let wanted = scene.files.iter().filter(|(_, file)| !by_itself(file));
    let conflicts: Vec<Conflict> = wanted.filter_map(|(_, file)| file.conflict_with_writing()).collect();
    if !conflicts.is_empty() {
        return Ok(refuse_all(err, &conflicts)?);
    }
    for (event, file) in &scene.files {
        let path = shown(&file.path);
        let text = script::script(event, program);
        match &file.state {
            _ if by_itself(file) => writeln!(out, "left alone '{path}', which runs git implement already")?,
            HookState::Ours { script, .. } if *script == text && file.is_executable() => {
                writeln!(out, "already installed: '{path}'")?
            }
            state => {
                file.write(&text)?;
                match state {
                    HookState::Theirs { .. } => {
                        writeln!(out, "installed '{path}'; the hook that was there is '{}' now", shown(&file.kept))?;
                        writeln!(out, "and runs first, with what git gives it; if it refuses, so it is")?;
                    }
                    HookState::Absent => writeln!(out, "installed '{path}'")?,
                    HookState::Ours { .. } | HookState::Edited => writeln!(out, "brought up to date: '{path}'")?,
                }
            }
        }
    }
    Ok(ExitCode::Done)
}

/// Nothing is written: says why, and what to add where, if it is missing. `folder`: where git looks.
fn add(scene: &Scene, why: &str, folder: Option<&Path>, out: &mut dyn Write, err: &mut dyn Write) -> Result<ExitCode> {
    if scene.runners.is_empty() {
        let missing: Vec<_> = scene
            .files
            .iter()
            .filter(|(_, file)| !matches!(&file.state, HookState::Theirs { text } if script::runs_us(text)))
            .collect();
        if missing.is_empty() {
            writeln!(out, "the hooks in '{}' run git implement already", folder.map(shown).unwrap_or_default())?;
            return Ok(ExitCode::Done);
        }
        refuse(err, &format!("{why}: nothing was written"), &["add these lines yourself:".into()])?;
        for (event, file) in missing {
            lines(out, &shown(&file.path), &needed(event, &file.state))?;
        }
        return Ok(ExitCode::Refused);
    }
    let todo: Vec<&runners::Seen> = scene.runners.iter().filter(|seen| !seen.missing().is_empty()).collect();
    if todo.len() < scene.runners.len() {
        writeln!(out, "{} runs git implement already", names(scene, |seen| seen.missing().is_empty()))?;
        return Ok(ExitCode::Done);
    }
    refuse(err, &format!("{why}: nothing was written"), &[Cow::from("add these lines yourself:")])?;
    for seen in todo {
        to_runner(out, seen)?;
    }
    Ok(ExitCode::Refused)
}

/// What a hook file of somebody else's needs: a line, or where there is none, a file. A push is more than a line.
fn needed(event: &str, state: &HookState) -> String {
    match state {
        _ if event == "pre-receive" => script::script(event, None),
        HookState::Absent => format!("#!/bin/sh\n{LINE}"),
        _ => LINE.to_owned(),
    }
}

/// How the rest of the team gets it.
fn share(scene: &Scene, out: &mut dyn Write) -> Result<()> {
    for seen in scene.runners.iter().filter(|seen| !seen.missing().is_empty()) {
        writeln!(out)?;
        writeln!(out, "To have {} run it for everybody who works here:", seen.runner.name)?;
        to_runner(out, seen)?;
    }
    Ok(())
}

fn to_runner(out: &mut dyn Write, seen: &runners::Seen) -> Result<()> {
    for (file, text) in seen.missing() {
        lines(out, file, text)?;
    }
    if let Some(then) = seen.runner.then {
        writeln!(out, "then run: {then}")?;
    }
    Ok(())
}

fn lines(out: &mut dyn Write, file: &str, text: &str) -> Result<()> {
    writeln!(out, "add to '{file}':\n")?;
    Ok(writeln!(out, "{text}")?)
}

fn names(scene: &Scene, which: impl Fn(&&runners::Seen) -> bool) -> String {
    let names: Vec<&str> = scene.runners.iter().filter(which).map(|seen| seen.runner.name).collect();
    names.join(" and ")
}
