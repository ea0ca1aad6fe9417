//! `git implement apply`: a model's reply into new text. Plumbing: no configuration, no network, no model.
//!
//! One reply for one file (`once`) or many as lines of JSON (`jsonl`), for which there need be no repository; or a reply
//! that names its files, applied to working tree or index (`tree`).

mod jsonl;
mod judge;
mod once;
mod report;
mod tree;

use crate::check::{self, Candidate, Ground, Mask, Settings};
use crate::config::read_environment;
use crate::edit::{self, Edit, Refusal, Tier};
use crate::exit::ExitCode;
use crate::finding::{Finding, Severity};
use crate::git::{Location, Repository, input};
use crate::ui::printer;
use anyhow::{Context, Result};
use judge::Judge;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

/// Turn a model's reply into the new text of a file, on standard output, or of the files that it names, in place.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("place").conflicts_with_all(["target", "base", "no_base", "jsonl"]))]
pub struct Args {
    /// The file that the reply is for; any path
    #[arg(long, value_name = "path", required_unless_present_any = ["jsonl", "place"])]
    pub target: Option<String>,
    /// The file's present text [default: the target]
    #[arg(long, value_name = "file", conflicts_with_all = ["no_base", "jsonl"])]
    pub base: Option<String>,
    /// There is no such file yet
    #[arg(long, conflicts_with = "jsonl")]
    pub no_base: bool,
    /// Apply a reply that names its files to the working tree, all of it or nothing
    #[arg(long, group = "place")]
    pub worktree: bool,
    /// Apply it to the index
    #[arg(long, group = "place")]
    pub cached: bool,
    /// Apply it to both, which must agree
    #[arg(long, group = "place")]
    pub index: bool,
    /// The form of the reply: auto, whole, find-replace, search-replace, unified or v4a
    #[arg(long, value_name = "format", default_value = "auto", conflicts_with = "jsonl", value_parser = format_names())]
    pub format: String,
    /// Run the content gates on the result
    #[arg(long, conflicts_with = "jsonl")]
    pub check: bool,
    /// Permit a finding
    #[arg(long, value_name = "id[:path]", conflicts_with = "jsonl")]
    pub allow: Vec<String>,
    /// Print the outcome as JSON
    #[arg(long, conflicts_with = "jsonl")]
    pub json: bool,
    /// Read a request a line from standard input, and write a result a line
    #[arg(long, conflicts_with_all = ["target", "reply"])]
    pub jsonl: bool,
    /// Say which new errors a language server finds in what was written
    #[arg(long)]
    pub lsp: bool,
    /// The longest wait for a language server, for one file [default: 60 for its first answer, then 10]
    #[arg(long, value_name = "seconds", requires = "lsp", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub lsp_timeout: Option<u64>,
    /// The reply; - for standard input
    #[arg(value_name = "reply", required_unless_present = "jsonl")]
    pub reply: Option<String>,
}

fn format_names() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(std::iter::once("auto").chain(edit::FORMATS.iter().map(|spec| spec.name)))
}

/// Runs the verb. `Ok` is the exit status: 0 applied or unchanged, 1 refused, and what a repository has to say for
/// itself. `Err` is fatal: a file cannot be read.
pub fn run(args: &Args) -> Result<ExitCode> {
    let (input, output, errors) = (std::io::stdin().lock(), printer::out(), printer::err());
    let place = match args {
        Args { worktree: true, .. } => Some(Location::Worktree),
        Args { cached: true, .. } => Some(Location::Cached),
        Args { index: true, .. } => Some(Location::Index),
        _ => None,
    };
    match place {
        Some(place) => tree::run(args, place, input, output, errors),
        None if args.jsonl => jsonl::serve(Judge::wanted(args).as_mut(), input, output),
        None => once::run(args, input, output, errors),
    }
}

/// A note on an edit whose place was found by more than white space.
fn loose(target: &str, edit: &Edit) -> Option<Finding> {
    let how = match edit.tier {
        Tier::Exact | Tier::TrailingSpace | Tier::Space => return None,
        Tier::Elided => "elided",
        Tier::Aligned => "not quite the file's",
    };
    let message = format!("the edit at line {} of '{target}' was placed although its context is {how}", edit.line);
    Some(Finding::note("edit-loose", message).path(target).line(edit.line))
}

/// Why a reply was refused, without the secrets of it and of the base, which messages quote.
fn finding(target: &str, refusal: Refusal, base: Option<&str>, reply: &str) -> Finding {
    Mask::of([reply].into_iter().chain(base)).finding(Finding::from(refusal).path(target))
}

/// What the content gates say of a new text, as far as `allow` does not permit it. `beside`: paths of other files that come
/// with it.
fn judge(candidate: &Candidate, beside: &[String], allow: &[String]) -> Vec<Finding> {
    let settings = Settings { allow: allow.iter().map(|what| what.as_str().into()).collect(), ..Settings::default() };
    let mut judged = check::judge(candidate, &settings);
    judged.iter_mut().filter(|finding| finding.id == check::SIZE).for_each(|finding| {
        // A design's row may permit it, and there is no row here: the person is told, and decides.
        finding.severity = finding.severity.min(Severity::Warning);
    });
    judged.extend(missing_imports(candidate, beside, &settings));
    judged
}

/// What there is to say of imports of what the repository round the current directory does not have; nothing outside of one.
fn missing_imports(candidate: &Candidate, beside: &[String], settings: &Settings) -> Vec<Finding> {
    let Candidate { path, base, text, .. } = *candidate;
    let find = || {
        if !check::wants_ground(path, (base, text), settings) {
            return None;
        }
        let cwd = std::env::current_dir().ok()?;
        let repository = Repository::find(&cwd, &read_environment()).ok()?;
        let files = repository.staged_files().ok()?;
        let place = repository.from_root(path, &cwd);
        let names: BTreeSet<String> =
            files.iter().map(|file| file.path.clone()).chain([place.clone()]).chain(beside.iter().cloned()).collect();
        let read = |path: &str| repository.texts(&[files.iter().find(|file| file.path == path)?]).ok()?.pop()?;
        let found = check::imported(&place, (base, text), &Ground::new(&names, &read), settings).findings;
        Some(found.into_iter().map(|finding| finding.path(path)).collect())
    };
    find().unwrap_or_default()
}

/// The reply that the command line names.
fn reply(args: &Args, input: impl Read) -> Result<String> {
    match args.reply.as_deref().unwrap_or("-") {
        "-" => text(input, "standard input"),
        file => read(file),
    }
}

fn read(file: &str) -> Result<String> {
    utf8(input::read(Path::new(file), input::MOST_BYTES), file)
}

fn text(from: impl Read, name: &str) -> Result<String> {
    utf8(input::all(from, input::MOST_BYTES), name)
}

fn utf8(bytes: std::io::Result<Vec<u8>>, name: &str) -> Result<String> {
    let bytes = bytes.with_context(|| format!("cannot read '{name}'"))?;
    String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("cannot read '{name}': it is not UTF-8"))
}
