//! `git implement apply`: a model's reply into the new text of one file. Plumbing: no repository, no configuration, no
//! network; one reply as arguments, or many as lines of JSON.

use crate::check::{self, Candidate, Settings};
use crate::edit::{self, Applied, Edit, Format, Refusal};
use crate::finding::{Finding, Severity};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Read, Write};
use std::path::Path;
use std::time::Instant;

/// Turn a model's reply into the new text of a file, on standard output.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file that the reply is for; any path
    #[arg(long, value_name = "path", required_unless_present = "jsonl")]
    pub target: Option<String>,
    /// The file's present text [default: the target]
    #[arg(long, value_name = "file", conflicts_with_all = ["no_base", "jsonl"])]
    pub base: Option<String>,
    /// There is no such file yet
    #[arg(long, conflicts_with = "jsonl")]
    pub no_base: bool,
    /// The form of the reply: auto, whole, find-replace, search-replace, unified or v4a
    #[arg(long, value_name = "format", default_value = "auto", conflicts_with = "jsonl", value_parser = format_names())]
    pub format: String,
    /// Run the content gates on the result
    #[arg(long, conflicts_with = "jsonl")]
    pub check: bool,
    /// Permit a finding (with --check)
    #[arg(long, value_name = "id[:path]", conflicts_with = "jsonl")]
    pub allow: Vec<String>,
    /// Print the outcome as JSON
    #[arg(long, conflicts_with = "jsonl")]
    pub json: bool,
    /// Read a request a line from standard input, and write a result a line
    #[arg(long, conflicts_with_all = ["target", "reply"])]
    pub jsonl: bool,
    /// The reply; - for standard input
    #[arg(value_name = "reply", required_unless_present = "jsonl")]
    pub reply: Option<String>,
}

fn format_names() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(std::iter::once("auto").chain(edit::FORMATS.iter().map(|spec| spec.name)))
}

/// Runs the verb. `Ok` is the exit status: 0 applied or unchanged, 1 refused. `Err` is fatal: a file cannot be read.
pub fn run(args: &Args) -> Result<u8> {
    let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
    if args.jsonl { serve(input, output) } else { once(args, input, output, std::io::stderr().lock()) }
}

/// What became of a reply.
#[derive(Debug, Serialize)]
struct Outcome<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a serde_json::Value>,
    outcome: &'static str,
    format: Option<&'static str>,
    text: Option<String>,
    edits: Vec<Edit>,
    findings: Vec<Finding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nanos: Option<u64>,
}

impl Outcome<'_> {
    fn new(format: Option<Format>, target: &str, base: Option<&str>, result: Result<Applied, Refusal>) -> Self {
        let mut outcome = Outcome {
            id: None,
            outcome: "refused",
            format: format.map(Format::name),
            text: None,
            edits: vec![],
            findings: vec![],
            nanos: None,
        };
        match result {
            Ok(applied) => {
                outcome.outcome = if base == Some(applied.text.as_str()) { "unchanged" } else { "applied" };
                outcome.format = Some(applied.format.name());
                outcome.text = Some(applied.text);
                outcome.edits = applied.edits;
            }
            Err(refusal) => outcome.findings.push(finding(target, refusal)),
        }
        outcome
    }
    fn refuse(&mut self) {
        (self.outcome, self.text) = ("refused", None);
        self.edits.clear();
    }
    fn status(&self) -> u8 {
        u8::from(self.text.is_none())
    }
}

fn finding(target: &str, refusal: Refusal) -> Finding {
    let finding = Finding::error(refusal.id, refusal.message).path(target);
    Finding { line: refusal.line, hint: refusal.hint, ..finding }
}

fn once(args: &Args, input: impl Read, mut output: impl Write, mut errors: impl Write) -> Result<u8> {
    let target = args.target.as_deref().unwrap_or_default();
    let reply = match args.reply.as_deref().unwrap_or("-") {
        "-" => text(input, "standard input")?,
        file => read(file)?,
    };
    let format = Format::from_name(&args.format);
    let directory = args.base.is_none() && !args.no_base && Path::new(target).is_dir();
    let base = match &args.base {
        _ if args.no_base || directory => None,
        Some(file) => Some(read(file)?),
        // A target that is not there is a file to be made.
        None => Path::new(target).exists().then(|| read(target)).transpose()?,
    };
    let result = if directory {
        let message = format!("cannot write to '{target}': it is a directory");
        Err(Refusal { id: "edit-directory", line: None, message, hint: None })
    } else {
        edit::apply(format, target, base.as_deref(), &reply)
    };
    let mut outcome = Outcome::new(format, target, base.as_deref(), result);
    if args.check
        && let Some(text) = &outcome.text
    {
        let whole = outcome.format == Some(Format::Whole.name());
        let candidate = Candidate { path: target, base: base.as_deref(), text, whole, description: "", row_allow: &[] };
        outcome.findings = check::judge(&candidate, &settings(&args.allow));
        if outcome.findings.iter().any(Finding::is_error) {
            outcome.refuse();
        }
    }
    if args.json {
        serde_json::to_writer(&mut output, &outcome)?;
        writeln!(output)?;
    } else {
        output.write_all(outcome.text.as_deref().unwrap_or("").as_bytes())?;
        for finding in &outcome.findings {
            report(&mut errors, finding)?;
        }
    }
    output.flush()?;
    Ok(outcome.status())
}

fn settings(allow: &[String]) -> Settings {
    Settings { allow: allow.to_vec(), summary_phrases: Vec::new() }
}

/// A finding as git words it, with what a terminal would act on made visible.
fn report(mut errors: impl Write, finding: &Finding) -> std::io::Result<()> {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    writeln!(errors, "{severity}: {}", visible(&finding.message))?;
    for line in finding.hint.iter().flat_map(|hint| hint.lines()) {
        writeln!(errors, "hint: {}", visible(line))?;
    }
    Ok(())
}

fn visible(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

fn read(file: &str) -> Result<String> {
    let opened = std::fs::File::open(file).with_context(|| format!("cannot read '{file}'"))?;
    text(opened, file)
}

fn text(mut from: impl Read, name: &str) -> Result<String> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes).with_context(|| format!("cannot read '{name}'"))?;
    String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("cannot read '{name}': it is not UTF-8"))
}

/// One line of `--jsonl`.
#[derive(Deserialize)]
struct Request {
    #[serde(default)]
    id: serde_json::Value,
    target: String,
    /// The text itself.
    base: Option<String>,
    reply: String,
    format: Option<String>,
}

/// A request a line, a result a line, until the input ends. A line that is no request gets a refusal, so that there is
/// always one answer a line.
fn serve(mut input: impl BufRead, mut output: impl Write) -> Result<u8> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(0);
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        answer(&line, &mut output)?;
        writeln!(output)?;
        output.flush()?;
    }
}

fn answer(line: &[u8], output: impl Write) -> Result<()> {
    let request: Request = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => {
            let id = serde_json::from_slice(line).ok().and_then(|value: serde_json::Value| value.get("id").cloned());
            return refuse_request(id.unwrap_or_default(), format!("cannot read the request: {error}"), output);
        }
    };
    let format = match request.format.as_deref() {
        None | Some("auto") => None,
        Some(name) => match Format::from_name(name) {
            None => return refuse_request(request.id, format!("unknown format '{name}'"), output),
            known => known,
        },
    };
    let base = request.base.as_deref();
    let start = Instant::now();
    let result = edit::apply(format, &request.target, base, &request.reply);
    let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let mut outcome = Outcome::new(format, &request.target, base, result);
    (outcome.id, outcome.nanos) = (Some(&request.id), Some(nanos));
    Ok(serde_json::to_writer(output, &outcome)?)
}

fn refuse_request(id: serde_json::Value, message: String, output: impl Write) -> Result<()> {
    let findings = vec![Finding::error("reply-request", message)];
    let outcome = Outcome {
        id: Some(&id),
        outcome: "refused",
        format: None,
        text: None,
        edits: vec![],
        findings,
        nanos: Some(0),
    };
    Ok(serde_json::to_writer(output, &outcome)?)
}
