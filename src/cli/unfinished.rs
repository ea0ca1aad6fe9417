//! Runs that stopped: `--continue` goes on from one, `--abort` takes one away, `--status` lists them.

use super::Cli;
use super::implement;
use super::options::{Main, option_of};
use super::session::{NotOpened, Session};
use crate::event::{Event, Sink};
use crate::exit::ExitCode;
use crate::git::{GIVEN, GitError, Unfinished};
use crate::implement::Continued;
use crate::transcript::{HEADER, Header, RunRecord};
use crate::ui;
use crate::ui::json::JsonLines;
use crate::ui::status::{Row, State};
use clap::Parser;
use std::ffi::OsString;

/// Does what `args` ask for; `arguments` is the command line that they were read from. Returns the exit status.
pub fn run(args: &Main, arguments: &[OsString]) -> ExitCode {
    let session = match Session::open(&args.how.face, Vec::new()) {
        Ok(session) => session,
        Err(failed) => return not_opened(args, failed),
    };
    let named = &args.stopped;
    let done = match (&named.r#continue, &named.abort, &named.status) {
        (Some(run), ..) => go_on(args, &session, run, arguments),
        (_, Some(run), _) => abort(&session, run),
        (.., Some(run)) => status(args, &session, run),
        _ => Ok(ExitCode::Done),
    };
    done.unwrap_or_else(|stopped| {
        let NotDone { status, message, hints } = stopped;
        match status {
            ExitCode::Done => ui::printer::say(&message),
            _ => ui::failure::fatal(&message, &hints),
        }
        if args.how.face.json && args.stopped.status.is_none() {
            JsonLines.event(&Event::ended(status, Some(message).filter(|_| status != ExitCode::Done)));
        }
        status
    })
}

fn not_opened(args: &Main, NotOpened { status, error, findings }: NotOpened) -> ExitCode {
    implement::ended(args.how.face.json, &findings, status, error);
    status
}

/// Why nothing is done, in the words for it; [`ExitCode::Done`] if there is nothing to do.
struct NotDone {
    status: ExitCode,
    message: String,
    hints: Vec<String>,
}

impl NotDone {
    fn new(status: ExitCode, message: impl Into<String>) -> NotDone {
        NotDone { status, message: message.into(), hints: Vec::new() }
    }
    fn hint(self, hint: impl Into<String>) -> NotDone {
        NotDone { hints: vec![hint.into()], ..self }
    }
}

impl From<GitError> for NotDone {
    fn from(error: GitError) -> NotDone {
        NotDone { status: error.exit_code(), message: error.to_string(), hints: error.hints() }
    }
}

/// A run of which there may be a record.
struct Run {
    unfinished: Unfinished,
    /// Or why there is none that could be read.
    record: Result<RunRecord, String>,
}

impl Run {
    fn row(&self) -> Row<'_> {
        let state = match (&self.record, self.unfinished.is_running) {
            (_, true) => State::Running,
            (Err(why), _) => State::Unreadable(why),
            (Ok(record), _) => record.ended().map_or(State::Killed, State::Ended),
        };
        let record = self.record.as_ref().ok();
        Row {
            run: &self.unfinished.run,
            design: record.map_or("", |record| &record.header.lld),
            branch: record.map_or("", |record| &record.header.branch),
            state,
            accepted: record.map(|record| (record.accepted().len(), record.files())),
            spent: record.map(RunRecord::spent).unwrap_or_default(),
            unanswered: record.map_or(0, RunRecord::unanswered),
        }
    }
}

/// All unfinished runs, or the one that is named.
fn runs(session: &Session, name: &str) -> Result<Vec<Run>, GitError> {
    let all = session.repository.unfinished()?.into_iter();
    let wanted = all.filter(|run| name.is_empty() || run.run == name);
    let read = |unfinished: Unfinished| {
        let record = RunRecord::open(&unfinished.folder).map_err(|error| error.to_string());
        Run { unfinished, record }
    };
    Ok(wanted.map(read).collect())
}

fn status(args: &Main, session: &Session, name: &str) -> Result<ExitCode, NotDone> {
    let runs = runs(session, name)?;
    if runs.is_empty() && !name.is_empty() {
        return Err(none(session, name)?);
    }
    let rows: Vec<Row> = runs.iter().map(Run::row).collect();
    let mut out = ui::printer::out();
    let written =
        if args.how.face.json { ui::status::json(&mut out, &rows) } else { ui::status::write(&mut out, &rows) };
    Ok(if written.is_ok() { ExitCode::Done } else { ExitCode::ReaderGone })
}

/// There is no such unfinished run.
fn none(session: &Session, name: &str) -> Result<NotDone, GitError> {
    if name.is_empty() || session.repository.has_record(name)? {
        return Ok(NotDone::new(ExitCode::Done, "nothing to do"));
    }
    let stopped = NotDone::new(ExitCode::Fatal, format!("there is no run '{name}'"));
    Ok(stopped.hint("git implement --status: the runs that there are"))
}

fn elsewhere(run: &str) -> NotDone {
    NotDone::new(ExitCode::Fatal, format!("the run '{run}' goes on in another process"))
}

/// The one run that is meant.
fn one(session: &Session, name: &str) -> Result<Run, NotDone> {
    session.repository.clear_killed();
    fold(session)?;
    let mut runs = runs(session, name)?;
    if runs.iter().any(|run| !run.unfinished.is_running) {
        runs.retain(|run| !run.unfinished.is_running);
    }
    match runs.pop() {
        None => Err(none(session, name)?),
        Some(run) if !runs.is_empty() => {
            let hints = runs.iter().chain([&run]).map(|run| ui::status::line(&run.row())).collect();
            Err(NotDone { hints, ..NotDone::new(ExitCode::Usage, "several runs have stopped: name one") })
        }
        Some(run) if run.unfinished.is_running => Err(elsewhere(&run.unfinished.run)),
        Some(run) => Ok(run),
    }
}

/// A run that went on from another has all of its replies, or is given them: that one is no run of its own any more.
fn fold(session: &Session) -> Result<(), GitError> {
    let mut runs = runs(session, "")?;
    runs.retain(|run| !run.unfinished.is_running);
    // Who was killed between publishing and this has left the record that it went on from.
    if let Some(first) = runs.iter().map(|run| run.unfinished.run.as_str()).min() {
        let published = session.repository.published_since(first, HEADER)?;
        let finished: Vec<String> = published.iter().filter_map(|header| continued_by(header)).collect();
        for run in runs.extract_if(.., |run| finished.contains(&run.unfinished.run)) {
            session.repository.forget(&run.unfinished.run)?;
        }
    }
    for run in &runs {
        let from = run.record.as_ref().ok().and_then(|record| record.header.continues.as_deref());
        if let Some(from) = from.filter(|from| runs.iter().any(|run| run.unfinished.run == *from)) {
            session.repository.fold(from, &run.unfinished.run)?;
        }
    }
    Ok(())
}

/// The run that the one of this header went on from.
fn continued_by(header: &[u8]) -> Option<String> {
    serde_json::from_slice::<Header>(header).ok()?.continues
}

fn abort(session: &Session, name: &str) -> Result<ExitCode, NotDone> {
    let run = one(session, name)?;
    session.repository.forget(&run.unfinished.run)?;
    ui::printer::say(format!("took away {}", ui::status::line(&run.row())));
    Ok(ExitCode::Done)
}

fn go_on(args: &Main, session: &Session, name: &str, arguments: &[OsString]) -> Result<ExitCode, NotDone> {
    let run = one(session, name)?;
    let record = run.record.map_err(|why| {
        let message = format!("cannot go on from the record of '{}': {why}", run.unfinished.run);
        NotDone::new(ExitCode::Fatal, message).hint(format!("its replies are in '{}'", run.unfinished.folder.display()))
    })?;
    if record.ended().is_some() && record.files() == 0 {
        let message = format!("cannot go on with '{}': it ended before its files were named", record.header.run);
        let again = format!("start it again; --replay '{}' answers what it was answered", record.folder.display());
        return Err(NotDone::new(ExitCode::Fatal, message).hint(again));
    }
    let mut main = options(session, &record, arguments)?;
    if main.as_task {
        main.output = session.repository.task_elsewhere(&record.header.run);
        if let Some((message, hint)) = implement::leaves(&main).in_the_way(Some(&record.header.run)) {
            return Err(NotDone::new(ExitCode::Fatal, message).hint(hint));
        }
    }
    let Some(held) = run.unfinished.hold() else { return Err(elsewhere(&record.header.run)) };
    let mut session = match Session::open(&main.how.face, main.settings()) {
        Ok(session) => session,
        Err(failed) => return Ok(not_opened(args, failed)),
    };
    session.repository.may_fetch();
    if main.llds.iter().any(|lld| lld == GIVEN) {
        let given = record.design().map_err(|error| {
            let message = format!("cannot go on from the record of '{}': it has no design: {error}", record.header.run);
            NotDone::new(ExitCode::Fatal, message)
        })?;
        match main.as_task {
            true => session.take_task(given),
            false => session.given = given,
        }
    }
    session.continued = Some(Continued::of(&record, main.keep_accepted));
    let status = implement::run_in(&main, &mut session);
    drop(held);
    match status {
        _ if main.how.dry_run => {}
        ExitCode::Done => session.repository.forget(&record.header.run)?,
        _ => fold(&session)?,
    }
    Ok(status)
}

/// The options of the run that goes on: those of the record, and those that were typed now.
fn options(session: &Session, record: &RunRecord, arguments: &[OsString]) -> Result<Main, NotDone> {
    let run = &record.header.run;
    if record.folder.file_name().is_none_or(|name| name != run.as_str()) || !kept_by_us(record) {
        let stopped = NotDone::new(ExitCode::Fatal, format!("the record of '{run}' has what no record has"));
        return Err(stopped.hint("who has written it? git implement --abort takes it away"));
    }
    let (design, revision) = (&record.header.lld, record.header.options.revision.as_ref());
    let root = session.repository.workdir().filter(|_| revision.is_none());
    let design = revision.or(record.header.options.folder.as_ref()).unwrap_or(design);
    let design = root.map_or_else(|| design.into(), |root| root.join(design).into_os_string());
    let cli = Cli::try_parse_from(typed(record, design, arguments)).map_err(|error| {
        let text = error.to_string();
        NotDone::new(ExitCode::Usage, text.lines().next().unwrap_or_default().trim_start_matches("error: "))
    })?;
    let given: Vec<String> = cli.main.settings().iter().map(|(key, _)| option_of(key).to_owned()).collect();
    // Who names another provider now means that one.
    let settled = |key: &str| match key {
        key if given.iter().any(|it| it == key) => true,
        "verify" => cli.main.how.no_exec,
        "allow" | "reviewer" => false,
        _ => cli.main.how.provider.is_some(),
    };
    let missing: Vec<&String> = record.header.options.again.iter().filter(|key| !settled(key)).collect();
    if missing.is_empty() {
        return Ok(cli.main);
    }
    let named = missing.iter().map(|key| format!("--{key}")).collect::<Vec<_>>().join(" and ");
    let typed: String = missing.iter().map(|key| format!(" --{key} \u{2026}")).collect();
    let (are, them) = if missing.len() == 1 { ("is", "it") } else { ("are", "them") };
    let message = format!("the run was started with {named}, which {are} in no record");
    let hint = format!("give {them} again: git implement --continue {run}{typed}");
    Err(NotDone::new(ExitCode::Fatal, message).hint(hint))
}

/// Are the options of the record such as are kept in records? Somebody else may have written it, and would have a program run.
fn kept_by_us(record: &RunRecord) -> bool {
    let kept = &record.header.options.kept;
    let line = std::iter::once("git-implement").chain(kept.iter().map(String::as_str)).chain(["x"]);
    Cli::try_parse_from(line).is_ok_and(|cli| {
        let (mut ours, mut theirs) = (cli.main.kept().kept, kept.clone());
        // Without the branch it does not show that the run appends to it.
        ours.extend(theirs.iter().filter(|option| option.starts_with("--base=")).cloned());
        ours.sort();
        theirs.sort();
        cli.verb.is_none() && ours == theirs
    })
}

/// The command line of the run that goes on: what the record has, then what was typed now, of which the last counts.
fn typed(record: &RunRecord, design: OsString, arguments: &[OsString]) -> Vec<OsString> {
    let header = &record.header;
    let mut line: Vec<OsString> = vec!["git-implement".into()];
    line.extend(header.options.kept.iter().map(OsString::from));
    if !header.branch.is_empty() {
        line.push(format!("--branch={}", header.branch).into());
    }
    if !header.options.kept.iter().any(|option| option.starts_with("--base=")) {
        line.push(format!("--base={}", header.base).into());
    }
    let mut rest = arguments.iter().skip(1).peekable();
    while let Some(argument) = rest.next() {
        if argument == "--continue" {
            // Its value is an argument of its own, or there is none.
            rest.next_if(|value| !value.as_encoded_bytes().starts_with(b"-"));
        } else if !argument.as_encoded_bytes().starts_with(b"--continue=") {
            line.push(argument.clone());
        }
    }
    line.push(design);
    if !header.options.paths.is_empty() {
        line.push("--".into());
        line.extend(header.options.paths.iter().map(OsString::from));
    }
    line
}
