//! `git implement blame <path>`: each line with its commit, its run, the row of the design and the reply.

use super::session::{Session, reading};
use crate::exit::ExitCode;
use crate::git::GitError;
use crate::record;
use crate::ui::{self, printer};

/// Say of each line of a file which commit, run, row of a design and reply it comes from
#[derive(Debug, clap::Args)]
#[command(override_usage = "git implement blame [<options>] [<rev>] <path>")]
pub struct Args {
    /// The file, as the commit has it [default commit: HEAD]
    #[arg(value_name = "rev> <path", num_args = 1..=2, required = true)]
    pub names: Vec<String>,
    /// Only this line
    #[arg(short = 'L', long, value_name = "n")]
    pub line: Option<usize>,
    /// Write JSON
    #[arg(long, overrides_with = "no_json")]
    pub json: bool,
    #[arg(long, hide = true, overrides_with = "json")]
    no_json: bool,
}

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> ExitCode {
    reading(args.json, |session| blame(args, session))
}

fn blame(args: &Args, session: &Session) -> Result<ExitCode, GitError> {
    let (revision, path) = match args.names.as_slice() {
        [revision, path] => (revision.as_str(), path.as_str()),
        [path] => ("HEAD", path.as_str()),
        _ => return Ok(ExitCode::Usage),
    };
    let path = session.repository.from_root(path, &session.cwd);
    let lines = record::blame(&session.repository, revision, &path, args.line)?;
    let written = match args.json {
        true => ui::blame::json(&mut printer::out(), &path, &lines),
        false => session.page(&ui::blame::text(&lines)),
    };
    Ok(if written.is_ok() { ExitCode::Done } else { ExitCode::ReaderGone })
}
