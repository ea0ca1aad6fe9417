//! `git implement review [<branch>]`: a branch with its evidence, for whoever reviews it.

use super::session::{Session, colour, reading};
use crate::evidence::{Evidence, NotReviewed, Run, gather};
use crate::exit::ExitCode;
use crate::git::GitError;
use crate::record::Record;
use crate::ui::{self, printer};
use std::collections::HashMap;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Show a branch commit by commit, each change with its row of the design, its tests and what was found; or as a page
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The branch, a run of it, or a range [default: the one that is checked out, if a run made it, else the newest]
    #[arg(value_name = "branch")]
    pub branch: Option<String>,
    /// Write one page that needs nothing else, to be opened in a browser; '-' is standard output
    #[arg(long, value_name = "file")]
    pub html: Option<PathBuf>,
}

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> ExitCode {
    reading(false, |session| review(args, session))
}

fn review(args: &Args, session: &Session) -> Result<ExitCode, GitError> {
    let evidence = match gather(&session.repository, args.branch.as_deref())? {
        Ok(evidence) => evidence,
        Err(why) => return Ok(not_reviewed(&why, session.top_above())),
    };
    if let Some(file) = &args.html {
        return Ok(page(session, &evidence, file));
    }
    let colour = colour(&session.config).unwrap_or_else(printer::out_is_terminal);
    let written = session.page(&ui::evidence::text(&evidence, colour));
    Ok(if written.is_ok() { ExitCode::Done } else { ExitCode::ReaderGone })
}

fn not_reviewed(why: &NotReviewed, top: Option<&Path>) -> ExitCode {
    let (message, hints) = match why {
        NotReviewed::NoBranch { patch } => {
            let any = "git implement review <branch>, or <commit>..<commit>: any other".to_owned();
            let hints = patch.iter().map(|patch| take(patch, top, "the newest patch of a run")).chain([any]);
            ("no run has left a branch here".to_owned(), hints.collect())
        }
        NotReviewed::NoBranchOfRun { run, patch } => {
            let tell = format!("git implement show {run}: what was asked and answered");
            let hints = patch.iter().map(|patch| take(patch, top, "its patch")).chain([tell]);
            (format!("run '{run}' has left a patch, and no branch to review"), hints.collect())
        }
        NotReviewed::Empty { name } => (
            format!("'{name}' has no commits of its own"),
            vec!["git implement log: the runs that there are".to_owned()],
        ),
        NotReviewed::NoBase { name } => (
            format!("nothing tells where '{name}' began"),
            vec![format!(
                "git implement review {}: what came after that commit",
                shell_words::quote(&format!("<commit>..{name}"))
            )],
        ),
    };
    ui::failure::fatal(&message, &hints);
    ExitCode::Fatal
}

/// How a patch is taken.
fn take(patch: &Path, top: Option<&Path>, which: &str) -> String {
    let (patch, top) = (patch.display().to_string(), top.map(|top| top.display().to_string()));
    format!("{}: takes {which}, into the working tree", ui::terminal::take(&patch, top.as_deref()))
}

fn page(session: &Session, review: &Evidence, file: &Path) -> ExitCode {
    let records = records(session, review);
    let piece = |run: &Run, name: &str| -> Option<Rc<str>> { records.get(&run.id)?.block(name).ok() };
    let page = ui::evidence::page(review, session.repository.common_dir(), &piece);
    if file.as_os_str() == "-" {
        let written = printer::out().write_all(page.as_bytes());
        return if written.is_ok() { ExitCode::Done } else { ExitCode::ReaderGone };
    }
    let place = session.cwd.join(file);
    if let Some((why, hint)) = in_the_way(session, &place) {
        ui::failure::fatal(
            &format!("cannot write '{}': {why}", ui::plain::neutralise(&file.display().to_string())),
            &[hint],
        );
        return ExitCode::Fatal;
    }
    let folder = place.parent().unwrap_or(&session.cwd);
    let write = || -> std::io::Result<()> {
        let mut draft = tempfile::Builder::new()
            .prefix(".review-")
            .permissions(std::fs::Permissions::from_mode(0o666))
            .tempfile_in(folder)?;
        draft.write_all(page.as_bytes())?;
        draft.persist(&place)?;
        Ok(())
    };
    if let Err(error) = write() {
        let message = format!("cannot write '{}': {}", file.display(), ui::plain::reason(&error));
        ui::failure::fatal(&message, &[]);
        return ExitCode::Fatal;
    }
    printer::say(format_args!("wrote {}", ui::plain::neutralise(&file.display().to_string())));
    ExitCode::Done
}

/// What is at that place that a page must not be written over, and what to do. Earlier pages are.
fn in_the_way(session: &Session, place: &Path) -> Option<(&'static str, String)> {
    let folder = place.parent().and_then(|folder| folder.canonicalize().ok());
    let common = session.repository.common_dir().canonicalize().ok();
    if folder.zip(common).is_some_and(|(folder, common)| folder.starts_with(common)) {
        return Some(("it lies in the repository itself", "name a file somewhere else".to_owned()));
    }
    let data = std::fs::symlink_metadata(place).ok()?;
    if data.is_dir() {
        return Some(("it is a directory", "name a file in it".to_owned()));
    }
    if !data.is_file() {
        return Some(("it is there, and no regular file", "'-' is standard output".to_owned()));
    }
    let mut head = Vec::new();
    let read = std::fs::File::open(place).and_then(|file| file.take(4096).read_to_end(&mut head));
    let is_page = read.is_ok() && memchr::memmem::find(&head, ui::evidence::MARK.as_bytes()).is_some();
    (!is_page && data.len() > 0)
        .then(|| ("it is there, and no page of a review", "name another file, or remove that one".to_owned()))
}

/// The records of the review's runs, for the texts of prompts.
fn records<'r>(session: &'r Session, review: &Evidence) -> HashMap<String, Record<'r>> {
    let found = session.repository.run_refs().unwrap_or_default();
    let wanted = found.iter().filter(|found| review.runs.iter().any(|run| run.id == found.run));
    wanted.filter_map(|found| Some((found.run.clone(), Record::open(&session.repository, found).ok()?.ok()?))).collect()
}
