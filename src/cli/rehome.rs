//! `git implement rehome <rev-range>`: notes in the form of the Git AI Standard, on commits as they are now.

use super::session::{Session, reading};
use crate::exit::ExitCode;
use crate::git::GitError;
use crate::record::rehome;
use crate::ui::{self, printer};

/// Write notes for other tools (refs/notes/ai) on the generated commits of a range, as after a rebase
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The commits: revisions and ranges, as main..implement/4, without options or paths
    #[arg(value_name = "rev-range", required = true)]
    pub revisions: Vec<String>,
    /// Write JSON
    #[arg(long, overrides_with = "no_json")]
    pub json: bool,
    #[arg(long, hide = true, overrides_with = "json")]
    no_json: bool,
}

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> ExitCode {
    reading(args.json, |session| write(args, session))
}

fn write(args: &Args, session: &Session) -> Result<ExitCode, GitError> {
    let past = session.repository.past(&args.revisions)?;
    let noted = rehome(&session.repository, &past)?;
    let mut out = printer::out();
    let written = match args.json {
        true => ui::rehome::json(&mut out, &noted),
        false => ui::rehome::text(&mut out, &noted),
    };
    Ok(if written.is_ok() { ExitCode::Done } else { ExitCode::ReaderGone })
}
