//! `git implement gc`: takes away records that are old and that nothing needs, and says first which.

use super::session::{Session, reading};
use crate::exit::ExitCode;
use crate::git::{GitError, RunRef};
use crate::process::Interrupt;
use crate::record::{self, Limits, prunable};
use crate::ui::{self, ask, printer};
use std::collections::HashSet;

/// Take away old records of runs; say first which
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What began more than so many days ago is old
    #[arg(long, value_name = "days", default_value_t = 90)]
    pub older_than: u32,
    /// As many of the newest stay, however old they are
    #[arg(long, value_name = "count", default_value_t = 20)]
    pub keep: usize,
    /// Also records of commits that are in a branch, a tag or a remote branch, which can then not be verified any more
    #[arg(long, overrides_with = "no_all")]
    pub all: bool,
    #[arg(long, hide = true, overrides_with = "all")]
    no_all: bool,
    /// Say what would be taken away, and stop
    #[arg(short = 'n', long, overrides_with = "no_dry_run")]
    pub dry_run: bool,
    #[arg(long, hide = true, overrides_with = "dry_run")]
    no_dry_run: bool,
    /// Do not ask
    #[arg(short, long, overrides_with = "no_yes")]
    pub yes: bool,
    #[arg(long, hide = true, overrides_with = "yes")]
    no_yes: bool,
    /// Write JSON
    #[arg(long, overrides_with = "no_json")]
    pub json: bool,
    #[arg(long, hide = true, overrides_with = "json")]
    no_json: bool,
}

impl Args {
    /// The options that say what goes, to be typed again.
    fn typed(&self) -> String {
        let mut typed = format!(" --older-than {} --keep {}", self.older_than, self.keep);
        typed.push_str(if self.all { " --all" } else { "" });
        typed
    }
}

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> ExitCode {
    reading(args.json, |session| prune(args, session))
}

fn prune(args: &Args, session: &Session) -> Result<ExitCode, GitError> {
    let repository = &session.repository;
    let needed = if args.all { HashSet::new() } else { record::verify::needed(repository)? };
    let runs = record::runs(repository)?;
    let limits = Limits { before: days_ago(args.older_than), keep: args.keep, also_needed: args.all };
    let chosen = prunable(&runs, &limits, &needed);
    let goes = !args.dry_run && (args.yes || !args.json && !chosen.is_empty() && ask::can_ask());
    let mut out = printer::out();
    let written = match args.json {
        true => ui::gc::json(&mut out, &chosen, goes),
        false => ui::gc::write(&mut out, &chosen, runs.len()),
    };
    if written.is_err() {
        return Ok(ExitCode::ReaderGone);
    }
    if chosen.is_empty() || args.dry_run {
        return Ok(ExitCode::Done);
    }
    if !goes {
        if !args.json {
            ui::gc::hint(&args.typed());
        }
        return Ok(ExitCode::Done);
    }
    if !args.yes {
        match ask::yes("Take these away?", &Interrupt::on_signals()) {
            Some(true) => {}
            Some(false) => return Ok(ExitCode::Done),
            None => return Ok(ExitCode::Interrupted),
        }
    }
    let refs: Vec<RunRef> = chosen.iter().filter_map(|ran| ran.published.clone()).collect();
    repository.forget_runs(&refs)?;
    for found in chosen.iter().filter_map(|ran| ran.unfinished.as_ref()) {
        // Nobody goes on from it meanwhile.
        if let Some(_held) = found.hold() {
            repository.forget(&found.run)?;
        }
    }
    ui::gc::taken(chosen.len());
    Ok(ExitCode::Done)
}

/// The moment so many days ago, as names of runs begin.
fn days_ago(days: u32) -> String {
    let now = jiff::Timestamp::now();
    let then = now.checked_sub(jiff::SignedDuration::from_hours(i64::from(days) * 24)).unwrap_or(jiff::Timestamp::MIN);
    then.strftime("%Y%m%dT%H%M%SZ").to_string()
}
