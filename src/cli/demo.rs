//! `git implement demo`: the main job, for real, on a small repository that comes with the program: only the model's
//! replies were recorded.

use super::options::Main;
use super::{Cli, implement, session};
use crate::config::read_environment;
use crate::exit::ExitCode;
use crate::git;
use crate::process::ChildKind;
use anyhow::{Context, bail};
use clap::Parser;
use include_dir::{Dir, include_dir};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// A repository, and what is done in it.
struct Scenario {
    /// The tree before the run.
    repository: Dir<'static>,
    /// What a model answered, as `--record` wrote it.
    replies: Dir<'static>,
    /// Of these, by file and attempt, those that answer a language server's words, which differ from server to server.
    repairs: &'static [(&'static str, &'static [&'static str])],
    /// The subject of the first commit.
    first: &'static str,
    /// What the person types after `git implement`.
    arguments: &'static [&'static str],
    /// What to look at afterwards, each with what it is.
    look: &'static [(&'static str, &'static str)],
}

static DESIGN: Scenario = Scenario {
    repository: include_dir!("$CARGO_MANIFEST_DIR/fixtures/demo/repo"),
    replies: include_dir!("$CARGO_MANIFEST_DIR/fixtures/demo/replies"),
    repairs: &[("ledger/budget.py", &["", "type-error"])],
    first: "Keep a ledger in plain text",
    arguments: &["docs/lld/7.md"],
    look: &[
        ("git implement plan docs/lld/7.md", "what the design asks for"),
        ("git log -p --reverse main..implement/7", "what became of it"),
        ("git implement review --html review.html implement/7", "a page to review it by: open review.html"),
    ],
};

static SPEC_KIT: Scenario = Scenario {
    repository: include_dir!("$CARGO_MANIFEST_DIR/fixtures/demo-spec-kit/repo"),
    replies: include_dir!("$CARGO_MANIFEST_DIR/fixtures/demo-spec-kit/replies"),
    repairs: &[],
    first: "Weigh packing lists",
    arguments: &["specs/002-shared-load", "--commit", "per-task"],
    look: &[
        ("git implement plan specs/002-shared-load", "which files its tasks write"),
        ("git log -p --reverse main..implement/002-shared-load", "a commit for each task"),
        ("git diff main implement/002-shared-load -- specs", "the tasks that are ticked"),
        (
            "git implement review --html review.html implement/002-shared-load",
            "a page to review it by: open review.html",
        ),
    ],
};

/// Files that are kept under another name, because some program would take the real one for its own.
const RENAMED: &[(&str, &str)] = &[("gitignore", ".gitignore")];

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where to make the repository; must be empty, or not there [default: a new temporary directory]
    #[arg(value_name = "dir")]
    pub dir: Option<PathBuf>,
    /// A feature of spec-kit in TypeScript: a folder of documents and a list of tasks, a commit for each task
    #[arg(long, overrides_with = "no_spec_kit")]
    pub spec_kit: bool,
    #[arg(long, hide = true, overrides_with = "spec_kit")]
    no_spec_kit: bool,
}

/// Makes the repository and runs the main job on it. Returns the exit status.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let scenario = if args.spec_kit { &SPEC_KIT } else { &DESIGN };
    let root = place(args.dir.as_deref())?;
    let replies = tempfile::tempdir().context("cannot make a temporary directory")?;
    write(&scenario.replies, replies.path())?;
    write(&scenario.repository, &root)?;
    // The person's own repository, identity, hooks and settings have nothing to do with this one.
    let environment = ChildKind::Other.variables(&read_environment());
    git::init(&root, &environment, scenario.first)?;
    crate::ui::demo_made(&root, scenario.arguments);
    let command =
        ["git-implement", "--yes", "--replay"].map(OsStr::new).into_iter().chain([replies.path().as_os_str()]);
    let main: Main = Cli::try_parse_from(command.chain(scenario.arguments.iter().map(OsStr::new)))?.main;
    let status = match session::Session::open_at(&root, environment, &main.how.face, main.settings()) {
        Ok(mut session) => {
            let keys = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect();
            session.taken = scenario.repairs.iter().map(|(path, those)| ((*path).to_owned(), keys(those))).collect();
            implement::run_in(&main, &mut session)
        }
        Err(failed) => failed.status,
    };
    if status == ExitCode::Done {
        crate::ui::demo_done(&root, scenario.look);
    }
    Ok(status)
}

/// An empty directory.
fn place(dir: Option<&Path>) -> anyhow::Result<PathBuf> {
    let Some(dir) = dir else {
        let dir = tempfile::Builder::new().prefix("git-implement-demo-").tempdir();
        return Ok(dir.context("cannot make a temporary directory")?.keep());
    };
    fs::create_dir_all(dir).with_context(|| format!("cannot make '{}'", dir.display()))?;
    if fs::read_dir(dir).with_context(|| format!("cannot read '{}'", dir.display()))?.next().is_some() {
        bail!("'{}' is not empty", dir.display());
    }
    Ok(dir.canonicalize()?)
}

fn write(from: &Dir, to: &Path) -> anyhow::Result<()> {
    for file in from.files() {
        let name = file.path().file_name().and_then(OsStr::to_str).unwrap_or_default();
        let name = RENAMED.iter().find(|(kept, _)| *kept == name).map_or(name, |(_, real)| real);
        let path = to.join(file.path()).with_file_name(name);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, file.contents()));
        written.with_context(|| format!("cannot write '{}'", path.display()))?;
    }
    from.dirs().try_for_each(|dir| write(dir, to))
}
