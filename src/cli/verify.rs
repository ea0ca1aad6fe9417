//! `git implement verify <rev-range>`: the commits that a run made, made again from its record and compared.

use super::session::{Session, colour, reading};
use crate::exit::ExitCode;
use crate::git::GitError;
use crate::record::verify::{Judged, verify};
use crate::ui::verify::{FORMS, Form, TEXT};
use crate::ui::{self, printer};

/// Make generated commits again from their records, offline, and say what a person changed
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("form"))]
pub struct Args {
    /// The commits: revisions and ranges, as main..implement/4, without options or paths
    #[arg(value_name = "rev-range", required = true)]
    pub revisions: Vec<String>,
    /// Let the gates judge what was made once more
    #[arg(long, overrides_with = "no_gates")]
    pub gates: bool,
    #[arg(long, hide = true, overrides_with = "gates")]
    no_gates: bool,
    /// Write JSON
    #[arg(long, group = "form")]
    pub json: bool,
    /// Write annotations for GitHub Actions
    #[arg(long, group = "form")]
    pub github: bool,
    /// Leave differences out, and commits against which there is nothing to say
    #[arg(short, long)]
    pub quiet: bool,
}

impl Args {
    fn form(&self) -> &'static Form {
        let asked = [("json", self.json), ("github", self.github)].into_iter().find(|(_, asked)| *asked);
        asked.and_then(|(name, _)| FORMS.iter().find(|form| form.name == name)).unwrap_or(&TEXT)
    }
}

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> ExitCode {
    reading(args.json, |session| compare(args, session))
}

fn compare(args: &Args, session: &Session) -> Result<ExitCode, GitError> {
    let past = session.repository.past(&args.revisions)?;
    let judged = verify(&session.repository, &past, args.gates)?;
    let colour = colour(&session.config).unwrap_or_else(printer::out_is_terminal);
    let written = (args.form().write)(&mut printer::out(), &judged, ui::verify::Shape { colour, quiet: args.quiet });
    Ok(match written {
        Ok(()) => ExitCode::refused_if(!judged.iter().all(Judged::is_good)),
        Err(_) => ExitCode::ReaderGone,
    })
}
