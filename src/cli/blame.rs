//! `git implement blame <path>`: each line with its commit, its run, the row of the design and the reply.

use super::session::{Session, reading};
use crate::exit::ExitCode;
use crate::git::GitError;
use crate::record;
use crate::ui::{self, printer};
use std::ops::RangeInclusive;

/// Say of each line of a file which commit, run, row of a design and reply it comes from
#[derive(Debug, clap::Args)]
#[command(override_usage = "git implement blame [<options>] [<rev>] <path>")]
pub struct Args {
    /// The file, as the commit has it [default commit: HEAD]
    #[arg(value_name = "rev> <path", num_args = 1..=2, required = true)]
    pub names: Vec<String>,
    /// Only this line, or these: <first>,<last> or <first>,+<count>
    #[arg(short = 'L', long, value_name = "n>[,<m>]", value_parser = lines)]
    pub line: Option<RangeInclusive<usize>>,
    /// Write JSON
    #[arg(long, overrides_with = "no_json")]
    pub json: bool,
    #[arg(long, hide = true, overrides_with = "json")]
    no_json: bool,
}

/// Reads a range of lines as `git blame` takes it, but for patterns.
fn lines(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|number| *number > 0);
    let range = match text.split_once(',') {
        None => number(text).map(|only| only..=only),
        Some((first, rest)) => match rest.strip_prefix('+') {
            Some(count) => {
                number(first).zip(number(count)).map(|(first, count)| first..=first.saturating_add(count - 1))
            }
            None => number(first).zip(number(rest)).map(|(first, last)| first.min(last)..=first.max(last)),
        },
    };
    range.ok_or_else(|| "it is <n>, <first>,<last> or <first>,+<count>, from 1".to_owned())
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
    let lines = record::blame(&session.repository, revision, &path, args.line.clone())?;
    let written = match args.json {
        true => ui::blame::json(&mut printer::out(), &path, &lines),
        false => session.page(&ui::blame::text(&lines)),
    };
    Ok(if written.is_ok() { ExitCode::Done } else { ExitCode::ReaderGone })
}
