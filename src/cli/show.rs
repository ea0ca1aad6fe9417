//! `git implement show <run | commit | path:line>`: what was asked, what was answered, at what cost, and what became of it.

use super::session::{Session, reading};
use crate::exit::ExitCode;
use crate::git::{GitError, Repository};
use crate::record::verify::{self, Judged};
use crate::record::{self, Became, From, Ran, Record, Story, Unread};
use crate::transcript::Recipe;
use crate::ui::show::{Look, Subject};
use crate::ui::{self, printer};

/// Show a run, what a commit was made of, or where a line comes from: prompt, reply, model, cost, matches, gates
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The id of a run, or its beginning; a commit; or <path>:<line>, as HEAD has it
    #[arg(value_name = "run>|<commit>|<path:line")]
    pub name: String,
    /// Prompts and replies whole
    #[arg(long, overrides_with = "no_full")]
    pub full: bool,
    #[arg(long, hide = true, overrides_with = "full")]
    no_full: bool,
    /// Write what a commit has of runs as a record of Agent Trace, for other tools
    #[arg(long, conflicts_with_all = ["json", "full"])]
    pub agent_trace: bool,
    /// Write JSON
    #[arg(long, overrides_with = "no_json")]
    pub json: bool,
    #[arg(long, hide = true, overrides_with = "json")]
    no_json: bool,
}

/// What the name means.
enum Named {
    Run(Box<Ran>),
    /// A commit of runs, with what `verify` says of it.
    Commit(Box<Judged>),
    Line(Box<record::Line>),
}

/// Why nothing is shown.
struct NotShown {
    message: String,
    hints: Vec<String>,
    status: ExitCode,
}

impl NotShown {
    fn new(message: impl Into<String>) -> NotShown {
        NotShown { message: message.into(), hints: Vec::new(), status: ExitCode::Fatal }
    }
    fn hint(self, hint: impl Into<String>) -> NotShown {
        NotShown { hints: vec![hint.into()], ..self }
    }
}

impl std::convert::From<GitError> for NotShown {
    fn from(error: GitError) -> NotShown {
        NotShown { message: error.to_string(), hints: error.hints(), status: error.exit_code() }
    }
}

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> ExitCode {
    reading(args.json, |session| {
        Ok(show(args, session).unwrap_or_else(|NotShown { message, hints, status }| {
            ui::failure::fatal(&message, &hints);
            status
        }))
    })
}

fn show(args: &Args, session: &Session) -> Result<ExitCode, NotShown> {
    let repository = &session.repository;
    if args.agent_trace {
        return agent_trace(args, repository);
    }
    let named = named(args, session)?;
    let (run, paths) = match &named {
        Named::Run(ran) => (ran.run.clone(), None),
        Named::Commit(judged) => {
            let Some(run) = judged.run.clone() else { return Err(not_generated(judged)) };
            (run, Some(Vec::new()))
        }
        Named::Line(line) => match &line.from {
            From::Run(origin) => (origin.run.clone(), Some(vec![origin.path.clone()])),
            From::Person => return Err(NotShown::new(format!("'{}' is a line of no run", args.name))),
            From::Unknown => {
                let message = format!("nothing shows where '{}' comes from", args.name);
                return Err(NotShown::new(message).hint(format!("git implement show {}", line.commit)));
            }
        },
    };
    let ran = match &named {
        Named::Run(ran) => Some((**ran).clone()),
        _ => record::named(repository, &run)?.ok().flatten(),
    };
    let Some(ran) = ran else {
        return Err(NotShown::new(format!("there is no record of run '{run}' here"))
            .hint(format!("git fetch <remote> refs/implement/runs/{run}:refs/implement/runs/{run}")));
    };
    let unread = |unread: Unread| NotShown::new(format!("the record of run '{run}' {unread}"));
    let record = open(repository, &ran)?.map_err(unread)?;
    record.read_ahead()?;
    let recipe = record.recipe().map_err(unread)?;
    let mut story = Story::of(&record, recipe.as_ref()).map_err(unread)?;
    let paths = match &named {
        Named::Commit(judged) => Some(paths_of(recipe.as_ref(), judged)),
        _ => paths,
    };
    if let Some(paths) = &paths {
        story.only(paths);
    }
    let subject = Subject {
        ran: &ran,
        about: &record.about,
        story: &story,
        judged: match &named {
            Named::Commit(judged) => Some(judged),
            _ => None,
        },
        line: match &named {
            Named::Line(line) => Some(line),
            _ => None,
        },
    };
    let look = Look { full: args.full, texts: args.full || paths.is_some() };
    let block = |name: &str| record.block(name).ok();
    let written = match args.json {
        true => ui::show::json(&mut printer::out(), &subject, look, &block),
        false => session.page(&ui::show::text(&subject, look, &block)),
    };
    Ok(if written.is_ok() { ExitCode::Done } else { ExitCode::ReaderGone })
}

/// A commit for other tools: of several runs, by the first.
fn agent_trace(args: &Args, repository: &Repository) -> Result<ExitCode, NotShown> {
    let Some(commit) = repository.commit_named(&args.name)? else {
        return Err(NotShown::new(format!("'{}' is no commit", args.name)));
    };
    let all = record::attributed(repository, &[repository.past_of(commit)?])?;
    let abouts = record::abouts(repository, &all)?;
    let (Some(files), Some(about)) = (all.first(), abouts.values().next()) else {
        return Err(NotShown::new(format!("commit {commit:.10} has no line of which is known that a run has made it")));
    };
    let written = ui::json::indented(&mut printer::out(), &record::trace(&commit.to_string(), files, about));
    Ok(if written.is_ok() { ExitCode::Done } else { ExitCode::ReaderGone })
}

fn open<'r>(repository: &'r Repository, ran: &Ran) -> Result<Result<Record<'r>, Unread>, GitError> {
    if let Became::Unreadable(why) = &ran.became {
        return Ok(Err(Unread(format!("cannot be read: {why}"))));
    }
    match (&ran.published, &ran.unfinished) {
        (Some(found), _) => Record::open(repository, found),
        (None, Some(found)) => Ok(Record::in_folder(repository, &ran.run, &found.folder)),
        (None, None) => Ok(Err(Unread("is not there".to_owned()))),
    }
}

/// A run, a commit, or a line: in this order.
fn named(args: &Args, session: &Session) -> Result<Named, NotShown> {
    let (name, repository) = (args.name.as_str(), &session.repository);
    // The beginning of a date, which a commit's may be, too: then it is the commit.
    let is_date = |name: &str| name.len() >= 8 && name.bytes().take(8).all(|byte| byte.is_ascii_digit());
    if crate::git::is_run(name) && (name.contains('-') || is_date(name) && repository.commit_named(name)?.is_none()) {
        match record::named(repository, name)? {
            Ok(Some(ran)) => return Ok(Named::Run(Box::new(ran))),
            Ok(None) => {}
            Err(several) => {
                let mut stopped = NotShown::new(format!("'{name}' is the beginning of several runs"));
                stopped.hints = several;
                return Err(stopped);
            }
        }
    }
    if let Some((path, line)) = name.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse::<usize>().ok()?)))
    {
        let path = repository.from_root(path, &session.cwd);
        let mut lines = record::blame(repository, "HEAD", &path, Some(line..=line))?;
        let line = lines.pop().ok_or_else(|| NotShown::new(format!("'{path}' has no line {line}")))?;
        return Ok(Named::Line(Box::new(line)));
    }
    let Some(commit) = repository.commit_named(name)? else {
        return Err(NotShown::new(format!("'{name}' is no run, no commit and no <path>:<line>"))
            .hint("git implement log: the runs that there are"));
    };
    let judged = verify::verify(repository, &[repository.past_of(commit)?], false)?.pop();
    judged.map(|judged| Named::Commit(Box::new(judged))).ok_or_else(|| NotShown::new(format!("'{name}' is no commit")))
}

fn not_generated(judged: &Judged) -> NotShown {
    NotShown::new(format!("commit {:.10} '{}' is of no run", judged.commit, judged.subject))
        .hint("git implement log: the runs that there are")
}

/// The paths of the run's commits that a commit is.
fn paths_of(recipe: Option<&Recipe>, judged: &Judged) -> Vec<String> {
    let commits = recipe.map(|recipe| recipe.commits.as_slice()).unwrap_or_default();
    let of_run = judged.of_run.iter().filter_map(|number| commits.get(number.checked_sub(1)?));
    of_run.flat_map(|commit| &commit.files).map(|file| file.path.clone()).collect()
}
