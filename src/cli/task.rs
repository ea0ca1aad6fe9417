//! `git implement task`: a task that is told in words, and no design. The program writes the design; from there on it is the
//! main job, with a talk before the files and a reviewer behind them, and a patch comes of it.

use super::implement;
use super::options::{How, Main};
use super::plan::{self, Propose, propose};
use super::session::{NotOpened, Session};
use crate::event::Sink;
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::git::{GIVEN, MOST_DESIGN, input};
use crate::implement::{Delivery, Earlier, ImplementError};
use crate::lld::typed::{self, Target};
use crate::path::RepoPath;
use crate::plan::EntryKind;
use crate::process::Interrupt;
use crate::ui;
use clap::builder::PossibleValuesParser;
use std::io;
use std::path::PathBuf;

/// Carry out a task that is told in words, with a reviewer; a patch comes of it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What is to be done; - reads standard input
    #[arg(value_name = "what")]
    pub what: String,
    /// A file to change or to make, relative to the current directory; may be given again (default: the model names files,
    /// and you agree)
    #[arg(long, value_name = "path")]
    pub target: Vec<String>,
    /// Make a branch, too, as the main job does: in a single commit, unless another way is named
    #[arg(long, value_name = "how", num_args = 0..=1, require_equals = true, default_missing_value = "single", value_parser = PossibleValuesParser::new(["per-file", "single"]))]
    pub commit: Option<String>,
    /// Leave patch, transcript and summary in this folder (default: one beside the repository, in its git directory)
    #[arg(long, value_name = "dir")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub how: How,
}

/// Why nothing was begun.
struct Misused {
    message: String,
    hint: String,
}

impl Misused {
    fn new(message: impl Into<String>, hint: impl Into<String>) -> Misused {
        Misused { message: message.into(), hint: hint.into() }
    }
}

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> ExitCode {
    let json = args.how.face.json;
    let misused = |Misused { message, hint }: Misused| {
        ui::failure::fatal(&message, &[hint]);
        implement::ended(json, &[], ExitCode::Usage, message);
        ExitCode::Usage
    };
    let what = match words(&args.what) {
        Ok(what) => what,
        Err(wrong) => return misused(wrong),
    };
    let main = main_of(args);
    if let Some((message, hint)) = implement::wrong_rounds(&main) {
        return misused(Misused { message, hint });
    }
    if let Some((message, hint)) = implement::leaves(&main).in_the_way(None) {
        return misused(Misused { message, hint });
    }
    if let Some(wrong) = without_a_branch(args) {
        return misused(wrong);
    }
    if args.how.dry_run && args.target.is_empty() {
        let hint = "name the files: --target <path>; without them a model is asked, which costs something";
        return misused(Misused::new("a dry run asks nobody, and no file is named", hint));
    }
    let mut session = match Session::open(&args.how.face, main.settings()) {
        Ok(session) => session,
        Err(NotOpened { status, error, findings }) => {
            implement::ended(json, &findings, status, error);
            return status;
        }
    };
    let failed = |error: &ImplementError, hints: &[String], session: &Session, told: bool| {
        ui::failure::show(error, hints, session.style);
        if !told {
            implement::ended(json, error.findings(), error.exit_code(), error.to_string());
        }
        error.exit_code()
    };
    if !args.how.dry_run {
        session.repository.may_fetch();
    }
    let design = match targets(args, &session) {
        Err(error) => return failed(&error, &[], &session, false),
        Ok(targets) => targets.and_then(|targets| {
            typed::design(&what, &targets).map_err(|path| {
                let message =
                    format!("cannot name '{path}' in a list of files: it has characters that set names off there");
                Misused::new(message, "rename the file first (git mv), commit that, and name it so")
            })
        }),
    };
    match design {
        Ok(design) => session.take_task(design.into_bytes()),
        Err(wrong) => return misused(wrong),
    }
    if args.target.is_empty() {
        let interrupt = Interrupt::on_signals();
        let mut face = implement::Watched::new(&session);
        match files(args, &main, &session, &interrupt, &mut face) {
            Ok(Some(earlier)) => session.earlier = earlier,
            Ok(None) => {
                let error = "no files are agreed to".to_owned();
                if args.how.face.quiet {
                    ui::failure::fatal(&error, &["--yes: agrees to the files that are named".to_owned()]);
                }
                implement::ended(json, &[], ExitCode::Fatal, error);
                return ExitCode::Fatal;
            }
            Err(error) => {
                let is_refused = face.ended && error.exit_code() == ExitCode::Refused;
                let hints = is_refused.then(|| "name the files yourself: --target <path>".to_owned());
                return failed(&error, hints.as_slice(), &session, face.ended);
            }
        }
    }
    implement::run_in(&main, &mut session)
}

/// The main job that carries it out.
fn main_of(args: &Args) -> Main {
    let deliver = if args.commit.is_some() { Delivery::Both } else { Delivery::Patch };
    let single = || Some("single".to_owned());
    let output = args.output.as_ref().map(|dir| std::path::absolute(dir).unwrap_or_else(|_| dir.clone()));
    Main::of_task(args.how.clone(), args.commit.clone().or_else(single), deliver, output)
}

/// What is to be done.
fn words(what: &str) -> Result<String, Misused> {
    let text = match what {
        GIVEN => {
            let bytes = input::all(io::stdin().lock(), MOST_DESIGN);
            let bytes = bytes.map_err(|error| {
                let why = ui::plain::reason(&error);
                Misused::new(format!("cannot read the task from standard input: {why}"), "give it as an argument")
            })?;
            String::from_utf8(bytes).map_err(|_| Misused::new("the task is not UTF-8", "give it as UTF-8"))?
        }
        what => what.to_owned(),
    };
    match text.trim().is_empty() {
        true => Err(Misused::new("the task is empty", "say what is to be done: git implement task '<what>'")),
        false => Ok(text),
    }
}

/// What is said of a branch that is not to be made.
fn without_a_branch(args: &Args) -> Option<Misused> {
    let what = match &args.how {
        _ if args.commit.is_some() => None,
        How { branch: Some(_), .. } => Some("-b names a branch"),
        How { force: true, .. } => Some("--force replaces a branch"),
        _ => None,
    };
    let message = format!("{}, and a task makes none unless --commit is given", what?);
    Some(Misused::new(message, "--commit makes a branch beside the patch"))
}

/// The targets, with what the base has of them.
fn targets(args: &Args, session: &Session) -> Result<Result<Vec<Target>, Misused>, ImplementError> {
    let repository = &session.repository;
    let base = repository.base(args.how.base.as_deref())?;
    let mut targets: Vec<Target> = Vec::new();
    for named in &args.target {
        let from_root = repository.from_root(named, &session.cwd);
        let path = match RepoPath::new(&from_root) {
            Ok(path) if !named.ends_with('/') => path,
            Ok(_) => return Ok(Err(Misused::new(format!("'{named}' is a directory"), "name the files in it"))),
            Err(why) => {
                let message = format!("'{named}' is no file of the repository: {why}");
                return Ok(Err(Misused::new(message, "--target takes paths relative to the current directory")));
            }
        };
        if targets.iter().any(|target| target.path == path) {
            continue;
        }
        let kind = repository.tree_snapshot(&base, std::slice::from_ref(&path), &[])?.kind(path.as_str());
        if let Some((what, hint)) = kind.and_then(no_file) {
            return Ok(Err(Misused::new(format!("'{named}' is {what}"), hint)));
        }
        let exists = kind.is_some();
        if !exists {
            let message = format!("'{path}' is not in the base: it is to be made");
            session.findings(&[Finding::note("target-new", message)], None)?;
        }
        targets.push(Target { path, exists });
    }
    Ok(Ok(targets))
}

/// What something is that is no file, and what to name in its place.
fn no_file(kind: EntryKind) -> Option<(&'static str, &'static str)> {
    match kind {
        EntryKind::Directory => Some(("a directory", "name the files in it")),
        EntryKind::Symlink => Some(("a symbolic link", "name the file that it leads to")),
        EntryKind::Submodule => Some(("a submodule", "work in its own repository")),
        EntryKind::File | EntryKind::Executable => None,
    }
}

/// Has a model name the files, and the person agree: what was asked for it, if they do.
fn files(
    args: &Args,
    main: &Main,
    session: &Session,
    interrupt: &Interrupt,
    watched: &mut dyn Sink,
) -> Result<Option<Vec<Earlier>>, ImplementError> {
    let How { provider, model, base, yes, face, .. } = &args.how;
    let asked = Propose::asking(*yes);
    let mut plan = plan::Args::proposing(GIVEN.to_owned(), provider.clone(), model.clone(), &asked);
    (plan.base, plan.json) = (base.clone(), face.json);
    let options = session.plan_options(&[]);
    let task = implement::of_task(main, session, interrupt)?;
    propose::files_of_task(&plan, session, &options, &task, watched, interrupt)
}
