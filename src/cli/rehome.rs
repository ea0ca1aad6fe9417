//! `git implement rehome <rev-range>`: notes in the form of the Git AI Standard, on commits as they are now.

use super::options::Face;
use super::session::Session;
use crate::exit::ExitCode;
use crate::record::{Noted, rehome};
use crate::ui::printer;
use std::io::Write;

/// Write notes for other tools (refs/notes/ai) on the generated commits of a range, as after a rebase
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The commits, as 'git rev-list' takes them
    #[arg(value_name = "rev-range", required = true)]
    pub revisions: Vec<String>,
}

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> ExitCode {
    let session = match Session::open(&Face::plain(false), Vec::new()) {
        Ok(session) => session,
        Err(failed) => return failed.status,
    };
    let past = session.repository.past(&args.revisions);
    let noted = match past.and_then(|past| rehome(&session.repository, &past)) {
        Ok(noted) => noted,
        Err(error) => return super::failed(&error),
    };
    let mut out = printer::out();
    for (commit, what) in noted {
        let word = match what {
            Noted::Written => "written",
            Noted::Same => "as it was",
            Noted::Foreign => "another tool's, left alone",
            Noted::Removed => "removed: it is on no branch any more",
        };
        let _ = writeln!(out, "{commit:.10} {word}");
    }
    ExitCode::Done
}
