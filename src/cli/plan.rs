//! `git implement plan`: what would be done, without a network and without a change.

pub(super) mod propose;

pub use propose::Propose;

use super::implement::rounds_of;
use super::meant;
use super::options::{Excerpts, Face, Tasks};
use super::session::{NotOpened, Session, gates, standard_input};
use crate::check::Author;
use crate::config::Verify;
use crate::exit::ExitCode;
use crate::finding::{Finding, Severity};
use crate::git::{Design, GIVEN, MOST_DESIGN, documents_on_disk, input};
use crate::implement::{self, Prepared, Rounds};
use crate::lld::{self, Lld};
use crate::passage::add_commands;
use crate::plan::{Estimate, Listing, MAX_FILES, Options, Row, Shown, Started, Total, plan_no_repo};
use crate::process::Interrupt;
use crate::prompt::{Material, TooLong, forecast};
use crate::ui::{self, printer};
use std::io::{self, Write};
use std::path::Path;

/// Show what a design would do: files, change types, strategy, size, tokens and cost.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// The design: a file, a folder, `<rev>:<path>`, or `-` for standard input
    #[arg(value_name = "lld")]
    pub lld: String,
    /// Read the document alone, outside any repository
    #[arg(long, overrides_with = "repo", conflicts_with_all = ["base", "paths", "propose"])]
    pub no_repo: bool,
    #[arg(long, hide = true, overrides_with = "no_repo")]
    repo: bool,
    /// Write JSON
    #[arg(long, overrides_with = "no_json")]
    pub json: bool,
    #[arg(long, hide = true, overrides_with = "json")]
    no_json: bool,
    /// The commit that the plan is judged against [default: HEAD]
    #[arg(long, value_name = "commit")]
    pub base: Option<String>,
    /// How modified files are asked for
    #[arg(long, value_name = "format", value_parser = ["auto", "whole", "find-replace", "search-replace", "unified", "v4a"])]
    pub format: Option<String>,
    /// Permit a finding, everywhere or at one path
    #[arg(long, value_name = "id[:path]")]
    pub allow: Vec<String>,
    /// The most files that one run may write [default: 50]
    #[arg(long, value_name = "n")]
    pub max_files: Option<usize>,
    /// Whose prices to reckon with, and with --propose who is asked
    #[arg(long, value_name = "name", value_parser = ["anthropic", "openai", "ollama", "command", "replay"])]
    pub provider: Option<String>,
    /// Which model's, or which model
    #[arg(long, value_name = "name")]
    pub model: Option<String>,
    /// The model is shown these files, too
    #[arg(long, value_name = "path")]
    pub context: Vec<String>,
    #[command(flatten)]
    pub excerpts: Excerpts,
    #[command(flatten)]
    pub propose: propose::Propose,
    #[command(flatten)]
    pub tasks: Tasks,
    /// Only these planned files
    #[arg(last = true, value_name = "path")]
    pub paths: Vec<String>,
}

impl Args {
    /// As if `plan --propose` were typed with these.
    pub fn proposing(lld: String, provider: Option<String>, model: Option<String>, propose: &Propose) -> Args {
        Args {
            lld,
            no_repo: false,
            repo: false,
            json: false,
            no_json: false,
            base: None,
            format: None,
            allow: Vec::new(),
            max_files: None,
            provider,
            model,
            context: Vec::new(),
            excerpts: Excerpts::default(),
            propose: propose.clone(),
            tasks: Tasks::default(),
            paths: Vec::new(),
        }
    }

    /// What the command line says, by the names of the settings.
    fn settings(&self) -> Vec<(String, String)> {
        let one = |key: &str, value: Option<String>| value.map(|value| (key.to_owned(), value));
        let allow = self.allow.iter().map(|allow| ("allow".to_owned(), allow.clone()));
        let single = [
            one("format", self.format.clone()),
            one("max-files", self.max_files.map(|n| n.to_string())),
            one("provider", self.provider.clone()),
            one("model", self.model.clone()),
        ];
        let context = self.context.iter().map(|path| ("context".to_owned(), path.clone()));
        let single = single.into_iter().flatten().chain(self.excerpts.settings());
        single.chain(self.propose.settings()).chain(allow).chain(context).collect()
    }
}

/// Where to write, and how wide the terminal is.
pub struct Page<'a> {
    pub out: &'a mut dyn Write,
    pub err: &'a mut dyn Write,
    /// In columns; `usize::MAX` where there is no terminal.
    pub width: usize,
    pub colour: bool,
}

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> ExitCode {
    if args.no_repo {
        let style = ui::Style::new(None, Some(false), false, false);
        let given = if args.lld == GIVEN { standard_input() } else { Ok(Vec::new()) };
        return match given {
            Ok(given) => page(style, |page| run_no_repo(args, given, page)),
            Err(NotOpened { status, .. }) => status,
        };
    }
    let opened = Session::open(&Face::plain(args.json), args.settings());
    let opened = opened.and_then(|mut session| session.take_input(&args.lld).map(|()| session));
    let session = match opened {
        Ok(session) => session,
        Err(failed) => return failed.status,
    };
    let options =
        Options { tasks: args.tasks.choice(), tick: !args.tasks.no_tick, ..session.plan_options(&args.paths) };
    if args.propose.propose {
        return propose::run(args, &session, &options);
    }
    match implement::prepare(&session.repository, session.named(&args.lld), args.base.as_deref(), &options) {
        Ok(prepared) => show(&session, &args.lld, &prepared, args.json, Run::of_design(&session)),
        Err(error) => meant::failed(&error, &session, &args.lld),
    }
}

/// The run that a plan is of.
pub struct Run {
    /// It starts the person's hooks.
    pub hooks: bool,
    pub rounds: Rounds,
}

impl Run {
    /// As the main job would carry a design out, with what is configured.
    fn of_design(session: &Session) -> Run {
        Run { hooks: true, rounds: rounds_of(false, &session.config) }
    }
}

/// Shows the plan of a design in its repository. Returns the exit status.
pub fn show(session: &Session, name: &str, prepared: &Prepared, json: bool, run: Run) -> ExitCode {
    let mut findings = prepared.examined.findings.clone();
    let sending = sending(session, prepared, run, &mut findings);
    findings.extend(implement::written_out(prepared));
    let name = document_name(name, &prepared.design);
    let rows = &prepared.examined.rows;
    page(session.style, |page| write(json, &name, &prepared.lld, (rows, &sending), &findings, page))
}

/// What a run would send.
#[derive(Debug, Default)]
struct Sending {
    /// One a row; none if nothing would be sent.
    rows: Vec<Estimate>,
    /// Talk and review, beside them.
    said: Estimate,
    context: Vec<Shown>,
    total: Option<Total>,
    /// Commands that could judge the result, if nobody has said which do.
    verify: Vec<String>,
    /// Commands that judge it.
    runs: Vec<Verify>,
}

/// Foresees what a run of this plan would send, by the very prompts; what is against it comes to `findings`.
fn sending(session: &Session, prepared: &Prepared, Run { hooks, rounds }: Run, findings: &mut Vec<Finding>) -> Sending {
    let Some(plan) = &prepared.examined.plan else { return Sending::default() };
    let repository = &session.repository;
    match implement::unread(repository, prepared) {
        Ok(unread) if hooks => findings.extend(unread),
        Ok(_) => {}
        Err(error) => findings.push(Finding::warning("hook-runs-it", format!("cannot look at your hooks: {error}"))),
    }
    let expected = implement::expected(&session.config);
    let background =
        match implement::background(repository, prepared, &session.config, expected.limits.room(), &Interrupt::never())
        {
            Ok(background) => background,
            Err(error) => {
                let said = error.findings();
                findings.extend_from_slice(said);
                findings.extend(said.is_empty().then(|| Finding::error("context", error.to_string())));
                return Sending::default();
            }
        };
    findings.extend(background.findings);
    findings.extend(secrets(session, &background.material, expected.local));
    let steps = plan.steps();
    let foreseen = forecast(steps, &background.material, session.edits(), expected.limits, expected.prices.as_ref());
    for (path, TooLong { tokens, room }) in &foreseen.too_long {
        let message =
            format!("the prompt for '{path}' has about {tokens} tokens, and the model's window has room for {room}");
        let hint = "show less of the repository, or choose a model with a larger window";
        findings.push(Finding::error("prompt-too-long", message).path(path.as_str()).hint(hint));
    }
    let row = |row: &Row| {
        let mut sum = Estimate::default();
        let own = steps.iter().zip(&foreseen.steps).filter(|(step, _)| step.path.as_str() == row.path);
        own.for_each(|(_, estimate)| sum += *estimate);
        sum
    };
    let rows = prepared.examined.rows.iter().map(row).collect();
    let repairs = implement::most_repairs(&session.config, &session.environment, repository, steps);
    let mut total = foreseen.total();
    let reviewer = session.config.of_reviewer().map_or(expected.prices, |other| implement::expected(&other).prices);
    let [mut said, others] =
        rounds.foreseen(&background.material, &total, expected.limits, [expected.prices, reviewer]);
    said += others;
    total += said;
    let total = Total::new(&total, &foreseen.repaired(repairs));
    let nobody_says = session.config.verify.is_empty() && !session.config.no_exec.value;
    // It is a service, and no reason to show no plan.
    let verify = match nobody_says {
        true => implement::verifying(repository, prepared).unwrap_or_default(),
        false => Vec::new(),
    };
    let runs: Vec<Verify> = implement::commands(&session.config, steps).into_iter().cloned().collect();
    let cannot = runs.iter().filter_map(|it| implement::cannot_run(it, &session.environment, repository.workdir()));
    findings.extend(cannot.map(|finding| Finding { severity: Severity::Warning, ..finding }));
    findings.extend(session.unheeded(steps));
    Sending { rows, said, context: background.shown, total: Some(total), verify, runs }
}

/// What a run would refuse to send. Nothing is sent to what is this machine's (`local`); where nobody has named a provider, a
/// local one may still be found.
fn secrets(session: &Session, material: &Material, local: Option<bool>) -> Vec<Finding> {
    let Ok(settings) = gates(&session.config, Author::Model) else { return Vec::new() };
    let found = implement::secrets(material, &settings.allow).into_iter();
    match local {
        Some(true) => Vec::new(),
        Some(false) => found.collect(),
        None => found.map(|finding| Finding { severity: Severity::Warning, ..finding }).collect(),
    }
}

/// The design by the name that the person gave it.
fn document_name(name: &str, design: &Design) -> String {
    let named = name.trim_end_matches('/');
    if design.is_task() {
        return design.path.to_string();
    }
    if name.ends_with(design.path.file_name()) || design.is_given() || !design.parts.is_empty() {
        return named.to_owned();
    }
    // A folder was named, of which one document is the design.
    let folder = named.rsplit(['/', ':']).next().unwrap_or(named);
    let inside = design.path.as_str().split_once(&format!("{folder}/")).map(|(_, inside)| inside);
    format!("{named}/{}", inside.unwrap_or(design.path.file_name()))
}

/// `plan --no-repo`: the documents alone. Returns the exit status.
fn run_no_repo(args: &Args, given: Vec<u8>, page: &mut Page) -> io::Result<ExitCode> {
    let read = if args.lld == GIVEN { Ok(parsed(GIVEN, given)) } else { read(Path::new(&args.lld)) };
    let lld = match read {
        Ok(lld) => lld,
        Err(error) => {
            let message = format!("cannot read '{}': {}", args.lld, ui::plain::reason(&error));
            ui::findings::fatal(page.err, &message, &[])?;
            return Ok(ExitCode::Fatal);
        }
    };
    let max_files = args.max_files.unwrap_or(MAX_FILES);
    let options = Options { max_files, tasks: args.tasks.choice(), tick: !args.tasks.no_tick, ..Options::default() };
    let (rows, findings) = plan_no_repo(&lld, &options);
    write(args.json, &args.lld, &lld, (&rows, &Sending::default()), &findings, page)
}

/// Hands out stdout and stderr.
fn page(style: ui::Style, write: impl FnOnce(&mut Page) -> io::Result<ExitCode>) -> ExitCode {
    let (mut out, mut err) = (printer::out(), printer::err());
    let width = printer::out_width().unwrap_or(usize::MAX);
    let written = write(&mut Page { out: &mut out, err: &mut err, width, colour: style.colour });
    written.unwrap_or(ExitCode::ReaderGone)
}

fn write(
    json: bool,
    name: &str,
    lld: &Lld,
    (rows, sending): (&[Row], &Sending),
    findings: &[Finding],
    page: &mut Page,
) -> io::Result<ExitCode> {
    let listing = Listing::new(name, lld, rows, findings).sending(&sending.context, sending.total);
    let listing = listing.verifying(&sending.verify).starting(sending.runs.iter().map(started).collect());
    if json {
        ui::json::indented(page.out, &listing)?;
    } else {
        ui::plan::write(page.out, &listing, (&sending.rows, &sending.said), page.width)?;
        ui::findings::write(page.err, findings, Some(name), page.colour)?;
    }
    Ok(ExitCode::refused_if(listing.has_errors()))
}

fn started(verify: &Verify) -> Started<'_> {
    Started { command: &verify.text, when: verify.when.word(), fixes: verify.fixes, by: verify.by.to_string() }
}

/// The design at `path`: a document, or a folder of such.
fn read(path: &Path) -> io::Result<Lld> {
    let bytes = |path: &Path| input::read(path, MOST_DESIGN);
    let Some(folder) = path.is_dir().then(|| documents_on_disk(path)).flatten() else {
        return Ok(parsed(&path.to_string_lossy(), bytes(path)?));
    };
    let mut texts = Vec::new();
    for plan in folder.plans.iter().map(|plan| path.join(plan)) {
        let name = plan.to_string_lossy().into_owned();
        texts.push((name, bytes(&plan)?));
    }
    match texts.len() {
        1 => Ok(texts.into_iter().map(|(name, bytes)| parsed(&name, bytes)).next().unwrap_or_default()),
        _ => {
            let texts: Vec<(String, String)> =
                texts.into_iter().map(|(name, bytes)| (name, String::from_utf8_lossy(&bytes).into_owned())).collect();
            let mut lld = lld::parse_all(
                &path.to_string_lossy(),
                texts.iter().map(|(name, text)| (name.as_str(), text.as_str())),
            );
            let whole: Vec<&str> = texts.iter().flat_map(|(_, text)| text.lines()).collect();
            add_commands(&mut lld, &whole.join("\n"));
            Ok(lld)
        }
    }
}

/// What a document says, with a finding if it is not UTF-8; the rest of it is read all the same.
fn parsed(name: &str, bytes: Vec<u8>) -> Lld {
    let invalid = std::str::from_utf8(&bytes).err().map(|error| {
        let line = 1 + memchr::memchr_iter(b'\n', bytes.get(..error.valid_up_to()).unwrap_or_default()).count();
        Finding::error("encoding", "the design is not UTF-8").line(line).hint("save it as UTF-8")
    });
    let text = String::from_utf8_lossy(&bytes);
    let mut lld = lld::parse(name, &text);
    add_commands(&mut lld, &text);
    lld.findings.extend(invalid);
    lld
}

#[cfg(test)]
mod tests;
