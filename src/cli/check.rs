//! `git implement check`: the gates on what is staged, on commits, or on files.

use super::baseline;
use super::fix::fix;
use super::session::{colour, configure, gates};
use crate::check::{Author, Baseline, Settings};
use crate::config::{Config, GIT_CONFIG_ARGUMENTS, read_environment};
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::git::{self, GitError, Listing, Oid, Repository};
use crate::ui::report::{FORMS, Form, TEXT};
use crate::ui::{self, printer};
use crate::validate::{self, Report};
use anyhow::{Context, Result};
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, ScopedJoinHandle};

/// Judge what is about to be committed, commits, or files.
#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("form"),
    override_usage = "git implement check [<options>] [<rev-range> | <path>...] [-- <path>...]"
)]
pub struct Args {
    /// Judge what is staged (default, if nothing is named)
    #[arg(long, conflicts_with = "stdin")]
    pub cached: bool,
    /// Judge the commits, tags, trees and blobs that standard input lists, one a line
    #[arg(long)]
    pub stdin: bool,
    /// Write JSON
    #[arg(long, group = "form")]
    pub json: bool,
    /// Write SARIF 2.1.0
    #[arg(long, group = "form")]
    pub sarif: bool,
    /// Write annotations for GitHub Actions
    #[arg(long, group = "form")]
    pub github: bool,
    /// A gate that could not run counts as an error
    #[arg(long, overrides_with = "no_strict")]
    pub strict: bool,
    #[arg(long, hide = true, overrides_with = "strict")]
    no_strict: bool,
    /// Permit a finding, everywhere or at one path
    #[arg(long, value_name = "id>[:<path>")]
    pub allow: Vec<String>,
    /// Mend what is mechanical: a fence round a file, characters that only hide or reorder
    #[arg(long, conflicts_with_all = ["stdin", "write_baseline"])]
    pub fix: bool,
    /// With --fix, only show what would be written
    #[arg(short = 'n', long, requires = "fix")]
    pub dry_run: bool,
    /// Leave out what this file holds
    #[arg(long, value_name = "file")]
    pub baseline: Option<String>,
    /// Write what is found to a baseline [default: .git-implement-baseline.json at the root]
    #[arg(long, value_name = "file", num_args = 0..=1, require_equals = true, default_missing_value = "",
        conflicts_with_all = ["cached", "stdin", "form", "baseline"])]
    pub write_baseline: Option<String>,
    /// Colours
    #[arg(long, value_name = "when", value_parser = ["auto", "always", "never"])]
    pub color: Option<String>,
    /// Say nothing but what is found
    #[arg(short, long)]
    pub quiet: bool,
    /// Commits (as git rev-list takes them) or files
    #[arg(value_name = "rev-range>|<path")]
    pub names: Vec<String>,
    /// Files; with commits or --cached, only these
    #[arg(value_name = "path", last = true)]
    pub paths: Vec<String>,
}

impl Args {
    /// What the command line says, by the names of the settings.
    fn settings(&self) -> Vec<(String, String)> {
        let color = self.color.iter().map(|when| ("color".to_owned(), when.clone()));
        let baseline = self.baseline.iter().map(|file| ("baseline".to_owned(), file.clone()));
        color.chain(baseline).chain(self.allow.iter().map(|allow| ("allow".to_owned(), allow.clone()))).collect()
    }

    /// Is the index judged? Whatever is named then are paths.
    fn is_about_staged(&self) -> bool {
        self.cached || !self.stdin && self.write_baseline.is_none() && self.names.is_empty() && self.paths.is_empty()
    }

    fn form(&self) -> &'static Form {
        let asked = [("json", self.json), ("sarif", self.sarif), ("github", self.github)];
        let asked = asked.into_iter().find(|(_, asked)| *asked);
        asked.and_then(|(name, _)| FORMS.iter().find(|form| form.name == name)).unwrap_or(&TEXT)
    }
}

/// What is to be judged.
#[derive(Debug, PartialEq, Eq)]
enum What {
    Staged,
    /// Revisions; `None`: the commits that standard input lists.
    Commits(Option<Vec<String>>),
    Files,
}

/// What the names on the command line mean, and the paths among them: a name that is there is a path, as it is for git,
/// which has none in a bare repository nor in `.git`. Outside of any repository there is nothing but paths.
fn what(args: &Args, cwd: &Path, repository: Option<&Repository>) -> (What, Vec<String>) {
    let all = || args.names.iter().chain(&args.paths).cloned().collect();
    if args.stdin {
        return (What::Commits(None), all());
    }
    if args.is_about_staged() {
        return (What::Staged, all());
    }
    let is_path = |name: &&String| match repository {
        Some(repository) => !repository.is_bare_at(cwd) && cwd.join(name).symlink_metadata().is_ok(),
        None => true,
    };
    let (there, revisions): (Vec<&String>, Vec<&String>) = args.names.iter().partition(is_path);
    let paths = there.into_iter().chain(&args.paths).cloned().collect();
    match revisions.is_empty() {
        true => (What::Files, paths),
        false => (What::Commits(Some(revisions.into_iter().cloned().collect())), paths),
    }
}

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> Result<ExitCode> {
    let cwd = std::env::current_dir().context("cannot find the current directory")?;
    let mut place = match CheckContext::find(args, &cwd) {
        Ok(place) => place,
        Err(status) => return Ok(status),
    };
    let (what, mut paths) = what(args, &cwd, place.repository.as_ref());
    if (args.write_baseline.is_some() || args.fix) && matches!(what, What::Commits(_)) {
        ui::failure::fatal("commits are judged, and neither mended nor taken into a baseline", &[]);
        return Ok(ExitCode::Usage);
    }
    let root = place.repository.as_ref().and_then(Repository::workdir).map(Path::to_owned);
    if args.write_baseline.is_some() && paths.is_empty() {
        let away = root.as_ref().filter(|root| cwd.canonicalize().is_ok_and(|cwd| cwd != **root));
        paths = vec![away.map_or(".".to_owned(), |root| root.to_string_lossy().into_owned())];
    }
    if what == What::Staged && place.repository.as_ref().is_some_and(|repository| !repository.has_index()) {
        let hints = ["name the commits to judge: git implement check <rev-range>".to_owned()];
        ui::failure::fatal("nothing is staged in a bare repository", &hints);
        return Ok(ExitCode::Fatal);
    }
    let report = place.judge(&what, &paths, &cwd);
    let report = report.and_then(|first| match args.fix {
        true if fix(args, &first.0, what == What::Staged, (place.repository.as_ref(), &cwd), &place.settings)? => {
            place.judge(&what, &paths, &cwd)
        }
        _ => Ok(first),
    });
    let (report, judged) = match report {
        Ok(report) => report,
        Err(error) => return Ok(failed(&error)),
    };
    if let Some(file) = &args.write_baseline {
        let file = match file.as_str() {
            "" => root.as_deref().unwrap_or(&cwd).join(baseline::FILE),
            name => cwd.join(name),
        };
        baseline::write(&file, &cwd, &report, &judged, root.as_deref())?;
    } else if let (What::Files, Some(known), false) = (&what, &place.settings.baseline, args.quiet) {
        baseline::tell_stale(known, &report, &judged, root.as_deref());
    }
    show(args, &report, place.colour)
}

/// Where a check runs, and which settings count there.
struct CheckContext {
    /// Files need none.
    repository: Option<Repository>,
    settings: Settings,
    /// What is staged, if that is what is judged.
    ahead: Option<Listing>,
    colour: Option<bool>,
}

impl CheckContext {
    /// What the gates say, and of which files, from the root, if files are what is judged.
    fn judge(&mut self, what: &What, paths: &[String], cwd: &Path) -> Result<(Report, Vec<String>), GitError> {
        let ahead = self.ahead.take();
        let settings = &self.settings;
        let commits_alone = |report| (report, Vec::new());
        match (&self.repository, what) {
            (Some(repository), What::Staged) => {
                let paths = rooted(repository, cwd, paths);
                validate::staged(repository, &paths, ahead, settings).map(commits_alone)
            }
            (Some(repository), What::Commits(named)) => {
                let (ids, paths) = (commits(repository, named.as_deref())?, rooted(repository, cwd, paths));
                validate::objects(repository, &ids, &paths, settings).map(commits_alone)
            }
            (repository, _) => {
                let place = repository.as_ref().map(|repository| (repository, cwd));
                let files = files(paths, place)?;
                let report = validate::files(&files, place, settings)?;
                let from_root = |name: &String| repository.as_ref().map_or(name.clone(), |it| it.from_root(name, cwd));
                Ok((report, files.iter().map(from_root).collect()))
            }
        }
    }

    /// What is wrong has been said when this returns an exit status.
    fn find(args: &Args, cwd: &Path) -> Result<CheckContext, ExitCode> {
        let environment = read_environment();
        let all_staged = args.is_about_staged() && args.names.is_empty() && args.paths.is_empty();
        // Each of them is a process: at once they take half of the time.
        let (repository, git_config, ahead) = thread::scope(|scope| {
            let config = scope.spawn(|| git::config_output(&environment, cwd, GIT_CONFIG_ARGUMENTS));
            let ahead = scope.spawn(|| all_staged.then(|| git::ask_ahead(&environment, cwd)).transpose());
            (Repository::find(cwd, &environment), joined(config), joined(ahead))
        });
        let about_files = !args.stdin && !args.is_about_staged();
        let repository = match repository {
            Ok(repository) => Some(repository),
            // Files can be judged anywhere, but in a bare repository names are none, also in one that may not be used.
            Err(GitError::CannotOpen { message }) if about_files && !message.contains("bare repository") => None,
            Err(GitError::Unsupported { .. }) if about_files => None,
            Err(error) => return Err(failed(&error)),
        };
        let config = configure(&environment, repository.as_ref(), git_config, args.settings())
            .map_err(|failed| failed.status)?;
        if !args.quiet {
            // No command runs here, and a hook would say so at each commit.
            let matters = |finding: &&Finding| finding.id != "config-not-approved";
            let findings: Vec<Finding> = config.findings.iter().filter(matters).cloned().collect();
            ui::failure::findings(&findings, None, false);
        }
        let settings = gates(&config, Author::Anyone).map_err(|findings| {
            ui::failure::findings(&findings, None, false);
            ExitCode::Fatal
        })?;
        // In a quarantine git has what somebody pushes and nobody has taken in yet.
        let pushed = args.stdin || environment.text("GIT_QUARANTINE_PATH").is_some();
        let known = match args.write_baseline {
            Some(_) => Some(Baseline::of_all()),
            None => known_before(args, &config, cwd, repository.as_ref().and_then(Repository::workdir))?,
        };
        let settings = Settings { strict: args.strict, pushed, baseline: known.map(Arc::new), ..settings };
        let ahead = ahead.map_err(|error| failed(&error))?;
        Ok(CheckContext { repository, settings, ahead, colour: colour(&config) })
    }
}

/// What the baseline has, if there is one.
fn known_before(args: &Args, config: &Config, cwd: &Path, root: Option<&Path>) -> Result<Option<Baseline>, ExitCode> {
    let told = |finding: Finding| ui::failure::findings(&[finding], None, false);
    let wrong = |finding: Finding| {
        told(finding);
        ExitCode::Fatal
    };
    let Some(file) = baseline::place(config, cwd, root).map_err(wrong)? else { return Ok(None) };
    let (known, ignored) = baseline::read(&file).map_err(wrong)?;
    ignored.filter(|_| !args.quiet).into_iter().for_each(told);
    Ok(Some(known))
}

fn failed(error: &GitError) -> ExitCode {
    ui::failure::fatal(&error.to_string(), &error.hints());
    error.exit_code()
}

/// The answer of a thread, which does not panic.
fn joined<T>(thread: ScopedJoinHandle<T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn rooted(repository: &Repository, cwd: &Path, paths: &[String]) -> Vec<String> {
    paths.iter().map(|path| repository.from_root(path, cwd)).collect()
}

fn commits(repository: &Repository, named: Option<&[String]>) -> Result<Vec<Oid>, GitError> {
    match named {
        Some(names) => revisions(repository, names),
        None => listed(),
    }
}

/// The objects that standard input lists.
fn listed() -> Result<Vec<Oid>, GitError> {
    let bad = |spec: &str| GitError::BadRevision { spec: spec.to_owned(), message: "not an object's full name".into() };
    let mut commits = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| bad(&error.to_string()))?;
        commits.push(Oid::from_str(line.trim()).ok().filter(|_| line.trim().len() == 40).ok_or_else(|| bad(&line))?);
    }
    Ok(commits)
}

/// The commits that revisions name: `<rev>` alone is that commit, anything else is a range.
fn revisions(repository: &Repository, names: &[String]) -> Result<Vec<Oid>, GitError> {
    if let [name] = names
        && !name.contains("..")
        && !name.starts_with('^')
    {
        let unknown = || GitError::Ambiguous { argument: name.clone() };
        return repository.commit_named(name)?.map(|commit| vec![commit]).ok_or_else(unknown);
    }
    repository.commits(names)
}

/// The files on disk that paths name; of a directory, those that git has or would take, and all of it where git has no
/// say.
fn files(paths: &[String], place: Option<(&Repository, &Path)>) -> Result<Vec<String>, GitError> {
    let mut files = Vec::new();
    for name in paths {
        // A link is no directory, whatever it leads to.
        let is_directory = Path::new(name).symlink_metadata().is_ok_and(|data| data.is_dir());
        match place.filter(|(repository, _)| repository.workdir().is_some_and(|root| is_within(name, root))) {
            _ if !is_directory => files.push(name.clone()),
            Some((repository, cwd)) => {
                let directory = repository.from_root(name, cwd);
                let below = |path: &String| {
                    let below = path.strip_prefix(&directory).unwrap_or(path).trim_start_matches('/');
                    Path::new(if name == "." { "" } else { name }).join(below).to_string_lossy().into_owned()
                };
                // Not what is deleted there, a link or a submodule.
                let is_file = |path: &String| cwd.join(path).symlink_metadata().is_ok_and(|data| data.is_file());
                files.extend(repository.files_under(&directory)?.iter().map(below).filter(is_file));
            }
            None => walk(Path::new(name), &mut files)?,
        }
    }
    Ok(files)
}

fn is_within(directory: &str, root: &Path) -> bool {
    Path::new(directory).canonicalize().is_ok_and(|directory| directory.starts_with(root))
}

/// All files below a directory but git's own, in the order of their names.
fn walk(directory: &Path, files: &mut Vec<String>) -> Result<(), GitError> {
    let failed = |error: std::io::Error| GitError::io("read", directory, &error);
    let mut names: Vec<_> = std::fs::read_dir(directory).map_err(failed)?.flatten().collect();
    names.sort_by_key(std::fs::DirEntry::file_name);
    for entry in names {
        let path = directory.strip_prefix(".").unwrap_or(directory).join(entry.file_name());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && entry.file_name() != ".git" => walk(&path, files)?,
            Ok(kind) if kind.is_file() => files.push(path.to_string_lossy().into_owned()),
            _ => {}
        }
    }
    Ok(())
}

fn show(args: &Args, report: &Report, colour: Option<bool>) -> Result<ExitCode> {
    let colour = colour.unwrap_or_else(printer::out_is_terminal);
    (args.form().write)(&mut printer::out(), report, colour)?;
    if !args.quiet {
        ui::report::summary(report);
    }
    Ok(ExitCode::refused_if(report.has_errors()))
}
