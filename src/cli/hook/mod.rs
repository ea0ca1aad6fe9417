//! `git implement hook (install | uninstall | status)`: the gates as a hook of git, in whatever way fits what is there.

mod install;
mod runners;
mod script;
mod status;
mod uninstall;

use crate::config::read_environment;
use crate::environment::Environment;
use crate::exit::ExitCode;
use crate::git::{GitError, HookFile, HooksPlace, Repository};
use crate::ui::{failure, plain};
use anyhow::Context;
use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Check every commit here, or in a bare repository every push
    Install(Install),
    /// Take the hook away, and put back what was there before
    Uninstall,
    /// Say what is installed, where, and what would run
    Status,
}

#[derive(Debug, clap::Args)]
pub struct Install {
    /// Put the hook into git's configuration, not into a file [default: if git runs it from there: 2.54 and newer]
    #[arg(long, overrides_with = "no_config")]
    config: bool,
    #[arg(long, hide = true, overrides_with = "config")]
    no_config: bool,
}

impl Install {
    /// What the person said, if anything.
    fn config(&self) -> Option<bool> {
        if self.config || self.no_config { Some(self.config) } else { None }
    }
}

/// What a merge commit and any other commit pass.
const COMMITS: &[&str] = &["pre-commit", "pre-merge-commit"];
/// What a push passes.
const PUSHES: &[&str] = &["pre-receive"];

/// A repository, as hooks see it.
struct Scene {
    repository: Repository,
    environment: Environment,
    place: HooksPlace,
    /// What is at each hook's place, in the order of the events, if git looks in a folder.
    files: Vec<(&'static str, HookFile)>,
    /// Programs of which the project has the configuration.
    runners: Vec<runners::Seen>,
}

impl Scene {
    fn look(repository: Repository, environment: Environment) -> Result<Scene, GitError> {
        let place = repository.hooks_place()?;
        let events = if repository.is_bare() { PUSHES } else { COMMITS };
        let files = match &place {
            HooksPlace::Off => Vec::new(),
            HooksPlace::Own(folder) | HooksPlace::Tree(folder) | HooksPlace::Outside(folder) => {
                let look = |event: &&'static str| Ok((*event, HookFile::look(folder, event)?));
                events.iter().map(look).collect::<Result<_, GitError>>()?
            }
        };
        let runners = repository.workdir().map(runners::seen).unwrap_or_default();
        Ok(Scene { repository, environment, place, files, runners })
    }

    fn events(&self) -> &'static [&'static str] {
        if self.repository.is_bare() { PUSHES } else { COMMITS }
    }
}

/// Returns the exit status. Results go to `out`, advice to `err`.
pub fn run(args: &Args, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let cwd = std::env::current_dir().context("cannot find the current directory")?;
    let environment = read_environment();
    let opened = Repository::discover(&cwd, &environment);
    let done = opened.and_then(|repository| Scene::look(repository, environment)).map(|scene| match &args.action {
        Action::Install(args) => install::run(args, &scene, out, err),
        Action::Uninstall => uninstall::run(&scene, out, err),
        Action::Status => status::run(&scene, out, err),
    });
    let error = match done {
        Ok(Ok(status)) => return Ok(status),
        Ok(Err(error)) => error.downcast::<GitError>()?,
        Err(error) => error,
    };
    failure::fatal(&error.to_string(), &error.hints());
    Ok(error.exit_code())
}

/// A path, safe to print.
fn shown(path: &Path) -> String {
    plain::neutralise(&path.display().to_string()).into_owned()
}

/// `error: …`, and hints.
fn refuse(err: &mut dyn Write, message: &str, hints: &[Cow<str>]) -> std::io::Result<ExitCode> {
    writeln!(err, "error: {}", plain::neutralise(message))?;
    hints.iter().try_for_each(|hint| writeln!(err, "hint: {}", plain::neutralise(hint)))?;
    Ok(ExitCode::Refused)
}

/// Every conflict, with its hints. Nothing has been done.
fn refuse_all(err: &mut dyn Write, conflicts: &[crate::git::Conflict]) -> std::io::Result<ExitCode> {
    for conflict in conflicts {
        let hints: Vec<Cow<str>> = conflict.hints().into_iter().map(Cow::Owned).collect();
        refuse(err, &conflict.to_string(), &hints)?;
    }
    Ok(ExitCode::Refused)
}
