//! `git implement plan`: what would be done, without a network and without a change.

mod propose;

use super::options::{Face, Tasks};
use super::session::Session;
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::git::Design;
use crate::implement::{self, Prepared};
use crate::lld::{self, Lld, folder};
use crate::plan::{Estimate, Examined, Listing, MAX_FILES, Options, Row, estimate, estimate_tokens, plan_no_repo};
use crate::ui::{self, printer};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Show what a design would do: files, change types, strategy, size, tokens and cost.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// The design: a file, or `<rev>:<path>`
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
    #[arg(long, value_name = "id>[:<path>")]
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
    #[command(flatten)]
    pub propose: propose::Propose,
    #[command(flatten)]
    pub tasks: Tasks,
    /// Only these planned files
    #[arg(last = true, value_name = "path")]
    pub paths: Vec<String>,
}

impl Args {
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
        single.into_iter().flatten().chain(self.propose.settings()).chain(allow).collect()
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
        return page(style, |page| run_no_repo(args, page));
    }
    let session = match Session::open(&Face::plain(args.json), args.settings()) {
        Ok(session) => session,
        Err(status) => return status,
    };
    let options = Options { tasks: args.tasks.choice(), ..session.plan_options(&args.paths) };
    if args.propose.propose {
        return propose::run(args, &session, &options);
    }
    match implement::prepare(&session.repository, &args.lld, &session.cwd, args.base.as_deref(), &options) {
        Ok(prepared) => show(&session, &args.lld, &prepared, args.json),
        Err(error) => {
            ui::failure::show(&error, session.style);
            error.exit_code()
        }
    }
}

/// Shows the plan of a design in its repository. Returns the exit status.
pub fn show(session: &Session, name: &str, prepared: &Prepared, json: bool) -> ExitCode {
    let Examined { rows, findings, .. } = &prepared.examined;
    let prices = implement::prices(&session.config);
    let estimates = estimate(rows, implement::standing(prepared), prices.as_ref());
    let name = document_name(name, &prepared.design);
    page(session.style, |page| write(json, &name, &prepared.lld, (rows, &estimates), findings, page))
}

/// The design by the name that the person gave it.
fn document_name(name: &str, design: &Design) -> String {
    let list = design.path.file_name();
    match name.ends_with(list) {
        true => name.to_owned(),
        // A folder was named.
        false => format!("{}/{list}", name.trim_end_matches('/')),
    }
}

/// `plan --no-repo`: the document alone. Returns the exit status.
fn run_no_repo(args: &Args, page: &mut Page) -> io::Result<ExitCode> {
    let document = document(&args.lld);
    let (text, broken) = match read(&document) {
        Ok(read) => read,
        Err(error) => {
            let message = format!("cannot read '{}': {}", args.lld, ui::plain::reason(&error));
            ui::findings::fatal(page.err, &message, &[])?;
            return Ok(ExitCode::Fatal);
        }
    };
    let mut lld = lld::parse(&document.to_string_lossy(), &text);
    lld.findings.extend(broken);
    let max_files = args.max_files.unwrap_or(MAX_FILES);
    let options = Options { max_files, tasks: args.tasks.choice(), ..Options::default() };
    let (rows, findings) = plan_no_repo(&lld, &options);
    let estimates = estimate(&rows, estimate_tokens(&text), None);
    write(args.json, &args.lld, &lld, (&rows, &estimates), &findings, page)
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
    (rows, estimates): (&[Row], &[Estimate]),
    findings: &[Finding],
    page: &mut Page,
) -> io::Result<ExitCode> {
    let listing = Listing::new(name, lld, rows, findings);
    if json {
        ui::json::indented(page.out, &listing)?;
    } else {
        ui::plan::write(page.out, &listing, estimates, page.width)?;
        ui::findings::write(page.err, findings, Some(name), page.colour)?;
    }
    Ok(ExitCode::refused_if(listing.has_errors()))
}

/// The task list of a folder that has one, else the file itself.
fn document(path: &str) -> PathBuf {
    let list = Path::new(path).join(folder::TASK_LIST);
    if list.is_file() { list } else { PathBuf::from(path) }
}

/// The document's text, and a finding if it is not UTF-8; the rest of it is read all the same.
fn read(path: &Path) -> io::Result<(String, Option<Finding>)> {
    let bytes = crate::git::input::read(Path::new(path), crate::git::MOST_DESIGN)?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let line = 1 + memchr::memchr_iter(b'\n', &error.as_bytes()[..error.utf8_error().valid_up_to()]).count();
            let finding = Finding::error("encoding", "the design is not UTF-8").line(line).hint("save it as UTF-8");
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(finding))
        }
    })
}

#[cfg(test)]
mod tests;
