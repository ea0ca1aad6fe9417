//! What is installed, where, which program would run, and what stands in the way. Status 0 if every commit, or every
//! push, is checked.

use super::{Scene, script, shown};
use crate::exit::ExitCode;
use crate::git::{CONFIGURED_NAME, Configured, HookFile, HookState, HooksPlace};
use anyhow::Result;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

pub fn run(scene: &Scene, out: &mut dyn Write, err: &mut dyn Write) -> Result<ExitCode> {
    let repository = &scene.repository;
    let configured = repository.configured_hook()?;
    let able = configured.is_some() && repository.runs_configured_hooks()?;
    let mut status = Status { scene, out, programs: BTreeSet::new() };
    let (mut all, mut any) = (true, false);
    for &event in scene.events() {
        let mut runs = false;
        if let Some(hook) = configured.as_ref().filter(|hook| hook.events.iter().any(|name| name == event)) {
            runs = status.configured(event, hook, able)?;
        }
        match scene.files.iter().find(|(name, _)| *name == event) {
            Some((_, file)) => runs |= status.file(event, file, configured.is_some())?,
            None if runs => {}
            None => writeln!(status.out, "{event}: hooks are turned off by 'core.hooksPath'")?,
        }
        all &= runs;
        any |= runs;
    }
    status.runners()?;
    let found = !any || status.programs()?;
    if !all {
        writeln!(err, "hint: 'git implement hook install' installs it, or says what to do")?;
    } else if !found {
        writeln!(err, "hint: put git-implement on your PATH, and run 'git implement hook install'")?;
    }
    Ok(ExitCode::refused_if(!(all && found)))
}

struct Status<'a> {
    scene: &'a Scene,
    out: &'a mut dyn Write,
    /// Where hooks look for the program first; `None`: one looks where anybody would.
    programs: BTreeSet<Option<PathBuf>>,
}

impl Status<'_> {
    /// The hook in git's configuration. Does it run?
    fn configured(&mut self, event: &str, hook: &Configured, able: bool) -> Result<bool> {
        let repository = &self.scene.repository;
        let mut off = None;
        for name in [CONFIGURED_NAME, event] {
            if repository.hook_is_disabled(name)? {
                off = Some(name);
            }
        }
        let what = match off {
            Some(name) => format!("is turned off: hook.{name}.enabled is false"),
            None if !able => "does not run: this git runs none from there (2.54 and newer do)".to_owned(),
            None => "runs".to_owned(),
        };
        writeln!(self.out, "{event}: hook.{CONFIGURED_NAME} in git's configuration {what}")?;
        self.programs.insert(script::recorded(&hook.command));
        Ok(off.is_none() && able)
    }

    /// The hook file. Does it run us? `configured`: it need not.
    fn file(&mut self, event: &str, file: &HookFile, configured: bool) -> Result<bool> {
        let path = shown(&file.path);
        let own = matches!(self.scene.place, HooksPlace::Own(_));
        let place = match &self.scene.place {
            HooksPlace::Tree(_) => format!("'{path}' (among the project's files)"),
            HooksPlace::Outside(_) => format!("'{path}' (outside this repository)"),
            HooksPlace::Own(_) | HooksPlace::Off => format!("'{path}'"),
        };
        let by = self.scene.runners.iter().find(|seen| seen.is_installed(file) && seen.missing().is_empty());
        let (what, runs) = match &file.state {
            HookState::Absent if configured => return Ok(false),
            HookState::Absent if own => ("not installed".to_owned(), false),
            HookState::Absent => (format!("not installed; git looks at {place}"), false),
            _ if !file.is_executable() => {
                (format!("not installed; git does not run {place}, it is not executable"), false)
            }
            HookState::Ours { script, .. } => {
                self.programs.insert(script::recorded(script));
                (format!("{place} runs"), true)
            }
            HookState::Edited => (format!("{place} was edited after it was installed; see what it does now"), true),
            HookState::Theirs { text } if script::runs_us(text) => {
                self.programs.insert(None);
                (format!("{place} runs git implement"), true)
            }
            HookState::Theirs { .. } => match by {
                Some(seen) => {
                    self.programs.insert(None);
                    (format!("{place} is the hook of {}, which runs git implement", seen.runner.name), true)
                }
                None if configured => return Ok(false),
                None => (format!("not installed; {place} is another hook"), false),
            },
        };
        writeln!(self.out, "{event}: {what}")?;
        if let Some(kept) = file.chained() {
            writeln!(self.out, "{event}: before it runs '{}', which was there before", shown(kept))?;
        } else if own && file.kept.symlink_metadata().is_ok() {
            writeln!(self.out, "{event}: '{}' is left over and does not run", shown(&file.kept))?;
        }
        Ok(runs)
    }

    /// What the programs that run hooks have in their configuration.
    fn runners(&mut self) -> std::io::Result<()> {
        self.scene.runners.iter().try_for_each(|seen| {
            let has = if seen.missing().is_empty() { "has" } else { "does not have" };
            writeln!(self.out, "{}: '{}' {has} the lines", seen.runner.name, seen.config)
        })
    }

    /// Which program would run. Is it there?
    fn programs(&mut self) -> std::io::Result<bool> {
        let found = script::found(&self.scene.environment);
        let mut all = true;
        for path in &self.programs {
            match (path, &found) {
                (Some(path), _) if path.is_file() => writeln!(self.out, "program: '{}'", shown(path))?,
                (Some(path), Some(found)) => {
                    writeln!(self.out, "program: '{}', since '{}' is gone", shown(found), shown(path))?;
                }
                (None, Some(found)) => writeln!(self.out, "program: '{}'", shown(found))?,
                (path, None) => {
                    let was = path.as_ref().map(|path| format!("'{}' is gone, and ", shown(path))).unwrap_or_default();
                    writeln!(self.out, "program: not found: {was}none is on the PATH; the hook refuses")?;
                    all = false;
                }
            }
        }
        Ok(all)
    }
}
