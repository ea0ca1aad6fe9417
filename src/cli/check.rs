//! `git implement check`: the gates on what is staged, on commits, or on files.

use super::FATAL;
use super::session::{colour, configure, gates};
use crate::check::{Author, Settings};
use crate::config::{GIT_CONFIG_ARGUMENTS, read_environment};
use crate::git::{self, GitError, Oid, Repository};
use crate::ui;
use crate::ui::report::{FORMS, Form, TEXT};
use crate::validate::{self, Report};
use anyhow::{Context, Result};
use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;
use std::thread::{self, ScopedJoinHandle};

/// Judge what is about to be committed, commits, or files.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("form"))]
pub struct Args {
    /// Judge what is staged (default, if nothing is named)
    #[arg(long, conflicts_with = "stdin")]
    pub cached: bool,
    /// Judge the commits that standard input lists, one a line
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
        color.chain(self.allow.iter().map(|allow| ("allow".to_owned(), allow.clone()))).collect()
    }

    fn form(&self) -> &'static Form {
        let asked = [("json", self.json), ("sarif", self.sarif), ("github", self.github)];
        let asked = asked.into_iter().find(|(_, asked)| *asked);
        asked.and_then(|(name, _)| FORMS.iter().find(|form| form.name == name)).unwrap_or(&TEXT)
    }
}

/// Status if a finding is an error.
const FINDINGS: u8 = 1;

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> Result<u8> {
    let cwd = std::env::current_dir().context("cannot find the current directory")?;
    let staged = args.cached || !args.stdin && args.names.is_empty() && args.paths.is_empty();
    let on_disk = |name: &String| cwd.join(name).symlink_metadata().is_ok();
    let files = !staged && !args.stdin && args.names.iter().all(on_disk);
    let environment = read_environment();
    let git = environment.for_git();
    // Each of them is a process: at once they take half of the time.
    let all_staged = staged && args.names.is_empty() && args.paths.is_empty();
    let (repository, git_config, ahead) = thread::scope(|scope| {
        let config = scope.spawn(|| git::config_output(&git, &cwd, GIT_CONFIG_ARGUMENTS));
        let ahead = scope.spawn(|| all_staged.then(|| git::ask_ahead(&git, &cwd)).transpose());
        (Repository::find(&cwd, &git), joined(config), joined(ahead))
    });
    let repository = match repository {
        Ok(repository) => Some(repository),
        // Files can be judged anywhere.
        Err(GitError::CannotOpen { .. } | GitError::Unsupported { .. }) if files => None,
        Err(error) => return Ok(failed(&error)),
    };
    let config = match configure(&environment, repository.as_ref(), git_config, args.settings()) {
        Ok(config) => config,
        Err(status) => return Ok(status),
    };
    if !args.quiet {
        ui::failure::findings(&config.findings, None, false);
    }
    let mut settings = match gates(&config, Author::Anyone) {
        Ok(settings) => settings,
        Err(findings) => {
            ui::failure::findings(&findings, None, false);
            return Ok(FATAL);
        }
    };
    settings.strict = args.strict;
    let report = match &repository {
        Some(repository) if staged => {
            let rooted = |path: &String| repository.from_root(path, &cwd);
            let paths: Vec<String> = args.names.iter().chain(&args.paths).map(rooted).collect();
            ahead.and_then(|ahead| validate::staged(repository, &paths, ahead, &settings)).map_err(|e| failed(&e))
        }
        Some(repository) if !files => judge_commits(args, repository, &cwd, &settings).map_err(|e| failed(&e)),
        repository => judge_files(args, repository.as_ref(), &cwd, &settings),
    };
    match report {
        Ok(report) => show(args, &report, colour(&config)),
        Err(status) => Ok(status),
    }
}

fn failed(error: &GitError) -> u8 {
    ui::failure::fatal(&error.to_string(), &error.hints());
    error.exit_code()
}

/// The answer of a thread, which does not panic.
fn joined<T>(thread: ScopedJoinHandle<T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn judge_commits(args: &Args, repository: &Repository, cwd: &Path, settings: &Settings) -> Result<Report, GitError> {
    let paths: Vec<String> = args.paths.iter().map(|path| repository.from_root(path, cwd)).collect();
    let commits = if args.stdin { listed()? } else { named(repository, &args.names)? };
    validate::commits(repository, &commits, &paths, settings)
}

/// The commits that standard input lists.
fn listed() -> Result<Vec<Oid>, GitError> {
    let bad = |spec: &str| GitError::BadRevision { spec: spec.to_owned(), message: "not a commit's full name".into() };
    let mut commits = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| bad(&error.to_string()))?;
        commits.push(Oid::from_str(line.trim()).ok().filter(|_| line.trim().len() == 40).ok_or_else(|| bad(&line))?);
    }
    Ok(commits)
}

/// The commits that revisions name: `<rev>` alone is that commit, anything else is a range.
fn named(repository: &Repository, names: &[String]) -> Result<Vec<Oid>, GitError> {
    if let [name] = names
        && !name.contains("..")
        && !name.starts_with('^')
    {
        let unknown = || GitError::BadRevision {
            spec: name.clone(),
            message: "unknown revision or path not in the working tree".into(),
        };
        return repository.commit_named(name)?.map(|commit| vec![commit]).ok_or_else(unknown);
    }
    repository.commits(names)
}

/// Files on disk; of a directory, those that git has or would take.
fn judge_files(args: &Args, repository: Option<&Repository>, cwd: &Path, settings: &Settings) -> Result<Report, u8> {
    let mut files = Vec::new();
    for name in args.names.iter().chain(&args.paths) {
        if !cwd.join(name).is_dir() {
            files.push(name.clone());
            continue;
        }
        let Some(repository) = repository else {
            ui::failure::fatal(&format!("'{name}' is a directory, and in no repository: name its files"), &[]);
            return Err(FATAL);
        };
        let directory = repository.from_root(name, cwd);
        let under = repository.files_under(&directory).map_err(|error| failed(&error))?;
        let below = |path: &String| {
            let below = path.strip_prefix(&directory).unwrap_or(path).trim_start_matches('/');
            let name = if name == "." { "" } else { name };
            Path::new(name).join(below).to_string_lossy().into_owned()
        };
        // Not what is deleted there, a link or a submodule.
        files.extend(
            under.iter().map(below).filter(|path| cwd.join(path).symlink_metadata().is_ok_and(|it| it.is_file())),
        );
    }
    let place = repository.map(|repository| (repository, cwd));
    validate::files(&files, place, settings).map_err(|error| failed(&error))
}

fn show(args: &Args, report: &Report, colour: Option<bool>) -> Result<u8> {
    let mut out = std::io::stdout().lock();
    let colour = colour.unwrap_or_else(|| out.is_terminal());
    (args.form().write)(&mut out, report, colour)?;
    out.flush()?;
    if !args.quiet {
        ui::report::summary(report);
    }
    Ok(if report.has_errors() { FINDINGS } else { 0 })
}
