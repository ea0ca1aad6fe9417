//! `git implement log`: the runs that there are records of, the newest first.

use super::session::{Session, reading};
use crate::exit::ExitCode;
use crate::git::GitError;
use crate::record;
use crate::ui::{self, printer};

/// List the runs that there are records of: design, branch, files, model, cost, and what became of each
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only so many, the newest
    #[arg(short = 'n', long, value_name = "count")]
    pub max_count: Option<usize>,
    /// Write JSON
    #[arg(long, overrides_with = "no_json")]
    pub json: bool,
    #[arg(long, hide = true, overrides_with = "json")]
    no_json: bool,
}

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> ExitCode {
    reading(args.json, |session| list(args, session))
}

fn list(args: &Args, session: &Session) -> Result<ExitCode, GitError> {
    let mut runs = record::runs(&session.repository)?;
    if runs.is_empty() && !args.json {
        ui::log::none();
        return Ok(ExitCode::Done);
    }
    runs.truncate(args.max_count.unwrap_or(usize::MAX));
    let written = match args.json {
        true => ui::log::json(&mut printer::out(), &runs),
        false => session.page(&ui::log::text(&runs, printer::out_width().unwrap_or(usize::MAX))),
    };
    Ok(if written.is_ok() { ExitCode::Done } else { ExitCode::ReaderGone })
}
