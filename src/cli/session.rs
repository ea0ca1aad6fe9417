//! What every verb that works in a repository begins with: environment, configuration, repository, face.

use super::options::Face;
use crate::check::{self, Author, Override, Settings};
use crate::config::{
    Agreed, CommitStyle, Config, FormatChoice, GIT_CONFIG_ARGUMENTS, Origin, Sources, When, parse_git_config,
    read_environment,
};
use crate::edit::Format;
use crate::environment::Environment;
use crate::event::Sink;
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::git::{GIVEN, GitError, MOST_DESIGN, Repository, STANDARD_INPUT, TASK, input};
use crate::implement::{Continued, Earlier, ImplementError, Named};
use crate::ledger::{Ceiling, Ledger};
use crate::path::Excluded;
use crate::plan::{Options, Strategy};
use crate::provider::Taken;
use crate::ui::{self, Style, printer};
use std::io;
use std::path::{Path, PathBuf};

/// What git says of the pager, and who has said it.
const PAGER_ARGUMENTS: &[&str] = &["config", "--show-scope", "-z", "--get-regexp", r"^core\.pager$"];

pub struct Session {
    pub environment: Environment,
    pub cwd: PathBuf,
    pub repository: Repository,
    pub config: Config,
    /// What all that is asked of models draws on.
    pub ledger: Ledger,
    pub style: Style,
    pub json: bool,
    /// The run that is gone on from.
    pub continued: Option<Continued>,
    /// What was asked before there is a run.
    pub earlier: Vec<Earlier>,
    /// Recorded replies that count whatever is asked.
    pub taken: Taken,
    /// The design that came from standard input.
    pub given: Vec<u8>,
    /// The name of that design.
    pub given_as: &'static str,
}

impl Session {
    /// Opens the repository around the current directory. `options` are the command line's settings, by the names of
    /// their keys.
    pub fn open(face: &Face, options: Vec<(String, String)>) -> Result<Session, NotOpened> {
        let cwd = std::env::current_dir().map_err(|error| {
            let message = format!("cannot find the current directory: {error}");
            ui::failure::fatal(&message, &[]);
            NotOpened { status: ExitCode::Fatal, error: message, findings: Vec::new() }
        })?;
        Session::open_at(&cwd, read_environment(), face, options)
    }

    pub fn open_at(
        cwd: &Path,
        environment: Environment,
        face: &Face,
        options: Vec<(String, String)>,
    ) -> Result<Session, NotOpened> {
        let repository = Repository::discover(cwd, &environment).map_err(NotOpened::told)?;
        let git_config = repository.config_output(GIT_CONFIG_ARGUMENTS);
        let config = configure(&environment, Some(&repository), git_config, options)?;
        let colour = colour(&config);
        let progress = config
            .progress
            .as_ref()
            .map(|progress| progress.value)
            .or_else(|| (environment.terminal_is_dumb() || face.json).then_some(false));
        let style = Style::new(colour, progress, face.quiet, face.verbose);
        if !face.quiet {
            ui::failure::findings(&config.findings, None, style.colour);
        }
        let ledger = Ledger::new(Ceiling {
            cost: config.max_cost.as_ref().map(|most| most.value),
            tokens: config.max_tokens.as_ref().map(|most| most.value),
        });
        let (cwd, json) = (cwd.to_owned(), face.json);
        let (given, given_as) = (Vec::new(), STANDARD_INPUT);
        Ok(Session {
            environment,
            cwd,
            repository,
            config,
            ledger,
            style,
            json,
            continued: None,
            earlier: Vec::new(),
            taken: Taken::new(),
            given,
            given_as,
        })
    }

    /// Reads standard input, if a design is to come from there.
    pub fn take_input(&mut self, lld: &str) -> Result<(), NotOpened> {
        if lld == GIVEN {
            self.given = standard_input()?;
        }
        Ok(())
    }

    /// Takes the design that the program has written for a task.
    pub fn take_task(&mut self, design: Vec<u8>) {
        (self.given, self.given_as) = (design, TASK);
    }

    /// The design that the person names.
    pub fn named<'a>(&'a self, lld: &'a str) -> Named<'a> {
        Named { argument: lld, cwd: &self.cwd, given: &self.given, given_as: self.given_as }
    }

    /// What the plan goes by.
    pub fn plan_options(&self, only: &[String]) -> Options {
        let config = &self.config;
        Options {
            max_files: config.max_files.value,
            edit_lines: config.edit_lines.value,
            edit_bytes: config.edit_bytes.value,
            force: match config.format.value {
                FormatChoice::Auto => None,
                FormatChoice::Whole => Some(Strategy::Whole),
                _ => Some(Strategy::Edits),
            },
            allow: config.allow.permissions(),
            only: only.to_vec(),
            per_task: config.commit.value == CommitStyle::PerTask,
            ..Options::default()
        }
    }

    /// The form in which edits are asked for.
    pub fn edits(&self) -> Format {
        self.config.format.value.format().filter(|format| *format != Format::Whole).unwrap_or(Format::FindReplace)
    }

    /// Who shows the run.
    pub fn face(&self) -> Box<dyn Sink> {
        if self.json {
            return Box::new(ui::json::JsonLines);
        }
        // Where they make no sense there is no run.
        let gates = gates(&self.config, Author::Model).map(|settings| check::in_force(&settings)).unwrap_or_default();
        Box::new(ui::terminal::Terminal::new(self.style, gates, self.top_above()))
    }

    /// The top of the working tree, for somebody who is below it.
    pub fn top_above(&self) -> Option<&Path> {
        let is_here = |top: &&Path| self.cwd.canonicalize().ok() == top.canonicalize().ok();
        self.repository.workdir().filter(|top| !is_here(top))
    }

    /// Shows a result, by the person's pager where there is a terminal. What the repository says of pagers does not count.
    pub fn page(&self, text: &str) -> io::Result<()> {
        let said = match printer::out_is_terminal() {
            true => self.repository.config_output(PAGER_ARGUMENTS).unwrap_or_default(),
            false => Vec::new(),
        };
        let entries = parse_git_config(&said).unwrap_or_default().into_iter();
        let mut own = entries.filter(|entry| Origin::Git(entry.scope).is_protected());
        ui::pager::show(&self.environment, own.next_back().and_then(|entry| entry.value).as_deref(), text)
    }

    /// Shows findings that belong to no run yet. `design`: their lines are lines of this document.
    ///
    /// # Errors
    /// If one of them is an error.
    pub fn findings(&self, findings: &[Finding], design: Option<&str>) -> Result<(), ImplementError> {
        let errors = findings.iter().any(Finding::is_error);
        if errors {
            return Err(ImplementError::Configuration { findings: findings.to_vec() });
        }
        if !self.style.quiet {
            ui::failure::findings(findings, design, self.style.colour);
        }
        Ok(())
    }
}

/// Runs a verb that reads what runs have left, and has no settings of its own, in the repository around the current directory.
/// Returns the exit status.
pub fn reading(json: bool, verb: impl FnOnce(&Session) -> Result<ExitCode, GitError>) -> ExitCode {
    match Session::open(&Face::plain(json), Vec::new()) {
        Ok(session) => verb(&session).unwrap_or_else(|error| super::failed(&error)),
        Err(failed) => failed.status,
    }
}

/// Why a verb could not begin. The person has been told; this is for programs that read along.
#[derive(Debug)]
pub struct NotOpened {
    /// The exit status.
    pub status: ExitCode,
    pub error: String,
    pub findings: Vec<Finding>,
}

impl NotOpened {
    /// Tells the person, too.
    pub fn told(error: GitError) -> NotOpened {
        ui::failure::fatal(&error.to_string(), &error.hints());
        NotOpened { status: error.exit_code(), error: error.to_string(), findings: Vec::new() }
    }
}

/// The design that somebody hands in.
pub fn standard_input() -> Result<Vec<u8>, NotOpened> {
    input::all(io::stdin().lock(), MOST_DESIGN).map_err(|error| {
        let message = format!("cannot read the design from standard input: {}", ui::plain::reason(&error));
        ui::failure::fatal(&message, &[]);
        NotOpened { status: ExitCode::Fatal, error: message, findings: Vec::new() }
    })
}

/// What counts in `repository`, or outside of any; `git_config` is what git printed for [`GIT_CONFIG_ARGUMENTS`].
pub fn configure(
    environment: &Environment,
    repository: Option<&Repository>,
    git_config: Result<Vec<u8>, GitError>,
    options: Vec<(String, String)>,
) -> Result<Config, NotOpened> {
    let git_config = git_config.map_err(NotOpened::told)?;
    settings(environment, repository, &git_config, options).map_err(|findings| {
        ui::failure::findings(&findings, None, false);
        let is_usage = |finding: &Finding| finding.id.starts_with("usage-");
        let status = if findings.iter().any(is_usage) { ExitCode::Usage } else { ExitCode::Fatal };
        NotOpened { status, error: "cannot begin with these settings".to_owned(), findings }
    })
}

/// The same, for whoever words it.
pub fn settings(
    environment: &Environment,
    repository: Option<&Repository>,
    git_config: &[u8],
    options: Vec<(String, String)>,
) -> Result<Config, Vec<Finding>> {
    let root = repository.and_then(Repository::workdir);
    let sources = Sources::gather(environment.clone(), root, git_config, options);
    let mut sources = sources.map_err(|finding| vec![finding])?;
    if let (Some(repository), Some(text)) = (repository, &sources.repo_file) {
        sources.approved = Agreed::read(environment, repository.common_dir()).approves(text);
    }
    sources.resolve()
}

/// `None`: as the terminal has it.
pub fn colour(config: &Config) -> Option<bool> {
    match config.color.value {
        When::Auto => None,
        When::Always => Some(true),
        When::Never => Some(false),
    }
}

/// What the configuration says of the gates, for this author's texts.
///
/// # Errors
/// A finding for each item of `gates` that makes no sense.
pub fn gates(config: &Config, author: Author) -> Result<Settings, Vec<Finding>> {
    let mut settings = Settings { allow: config.allow.permissions(), author, ..Settings::default() };
    settings.summary_phrases.extend(config.summary_phrases.values());
    let mut wrong = Vec::new();
    for said in &config.gates.0 {
        match Override::parse(&said.value) {
            Ok(said) => settings.levels.push(said),
            Err(why) => {
                let message = format!("bad gate '{}' ({}): {why}", said.value, said.origin);
                wrong.push(Finding::error("config-value", message));
            }
        }
    }
    match Excluded::of(config.exclude.0.iter().map(|said| said.value.as_str())) {
        Ok(exclude) => settings.exclude = exclude,
        Err((glob, why)) => {
            wrong.push(Finding::error("config-value", format!("bad glob '{glob}' in 'exclude': {why}")))
        }
    }
    if wrong.is_empty() { Ok(settings) } else { Err(wrong) }
}
