//! `git implement plan`: what would be done, without a network and without a change.

use crate::finding::Finding;
use crate::lld::{self, Lld};
use crate::plan::{
    Estimate, Examined, Listing, MAX_FILES, Options, Prices, Row, Snapshot, Strategy, estimate, estimate_tokens,
    examine, plan_no_repo,
};
use crate::ui;
use std::io::{self, Write};

/// Show what a design would do: files, change types, strategy, size, tokens and cost.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// The design: a file, or `<rev>:<path>`
    #[arg(value_name = "lld")]
    pub lld: String,
    /// Read the document alone, outside any repository
    #[arg(long, overrides_with = "repo", conflicts_with_all = ["base", "paths"])]
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
    /// Only these planned files
    #[arg(last = true, value_name = "path")]
    pub paths: Vec<String>,
}

impl Args {
    /// What the command line says over what the configuration says.
    pub fn options(&self, configured: Options) -> Options {
        Options {
            max_files: self.max_files.unwrap_or(configured.max_files),
            force: match self.format.as_deref() {
                None => configured.force,
                Some("auto") => None,
                Some("whole") => Some(Strategy::Whole),
                Some(_) => Some(Strategy::Edits),
            },
            allow: [configured.allow, self.allow.clone()].concat(),
            only: self.paths.clone(),
            ..configured
        }
    }
}

/// Where to write, and how wide the terminal is.
pub struct Page<'a> {
    pub out: &'a mut dyn Write,
    pub err: &'a mut dyn Write,
    /// In columns; `usize::MAX` where there is no terminal.
    pub width: usize,
}

/// Status 0, or 1 if a finding is an error.
const FINDINGS: u8 = 1;
/// Status of what cannot even be tried.
const FATAL: u8 = 128;

/// `plan --no-repo`: the document alone. Returns the exit status.
pub fn run_no_repo(args: &Args, page: &mut Page) -> io::Result<u8> {
    let (text, broken) = match read(&args.lld) {
        Ok(read) => read,
        Err(error) => {
            let reason = error.to_string();
            let reason = reason.split(" (os error").next().unwrap_or_default();
            ui::findings::fatal(page.err, &format!("cannot read '{}': {reason}", args.lld), None)?;
            return Ok(FATAL);
        }
    };
    let mut lld = lld::parse(&args.lld, &text);
    lld.findings.extend(broken);
    let (rows, findings) = plan_no_repo(&lld, args.max_files.unwrap_or(MAX_FILES));
    let estimates = estimate(&rows, estimate_tokens(&text), None);
    show(args.json, &args.lld, &lld, (&rows, &estimates), &findings, page)
}

/// `plan` in a repository, when design and tree have been read. `standing` is what every prompt begins with, in tokens:
/// at least the design's own. Returns the exit status.
pub fn report(
    args: &Args,
    lld: &Lld,
    snapshot: &Snapshot,
    options: &Options,
    costs: (u64, Option<&Prices>),
    page: &mut Page,
) -> io::Result<u8> {
    let Examined { rows, findings, .. } = examine(lld, snapshot, options);
    let (standing, prices) = costs;
    let estimates = estimate(&rows, standing, prices);
    show(args.json, &args.lld, lld, (&rows, &estimates), &findings, page)
}

fn show(
    json: bool,
    name: &str,
    lld: &Lld,
    (rows, estimates): (&[Row], &[Estimate]),
    findings: &[Finding],
    page: &mut Page,
) -> io::Result<u8> {
    let listing = Listing::new(name, lld, rows, findings);
    if json {
        serde_json::to_writer_pretty(&mut *page.out, &listing)?;
        writeln!(page.out)?;
    } else {
        ui::plan::write(page.out, &listing, estimates, page.width)?;
        page.out.flush()?;
        ui::findings::write(page.err, findings, Some(name))?;
    }
    Ok(if listing.has_errors() { FINDINGS } else { 0 })
}

/// The document's text, and a finding if it is not UTF-8; the rest of it is read all the same.
fn read(path: &str) -> io::Result<(String, Option<Finding>)> {
    let bytes = std::fs::read(path)?;
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
