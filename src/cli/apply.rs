//! `git implement apply`: a model's reply into the new text of one file. Plumbing: no repository, no configuration, no
//! network; one reply as arguments, or many as lines of JSON.

use crate::check::{self, Candidate, Settings};
use crate::edit::{self, Applied, Edit, Format, Refusal, Tier};
use crate::finding::{Finding, Severity};
use crate::ui;
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
                outcome.findings = applied.edits.iter().filter_map(|edit| loose(target, edit)).collect();
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
        let mut judged = check::judge(&candidate, &settings(&args.allow));
        judged.iter_mut().filter(|finding| finding.id == check::SIZE).for_each(|finding| {
            // A design's row may permit it, and there is no row here: the person is told, and decides.
            finding.severity = finding.severity.min(Severity::Warning);
        });
        outcome.findings.extend(judged);
        if outcome.findings.iter().any(Finding::is_error) {
            outcome.refuse();
        }
    }
    if args.json {
        serde_json::to_writer(&mut output, &outcome)?;
        writeln!(output)?;
    } else {
        output.write_all(outcome.text.as_deref().unwrap_or("").as_bytes())?;
        ui::findings::write(&mut errors, &outcome.findings, None, false)?;
    }
    output.flush()?;
    Ok(outcome.status())
}

fn settings(allow: &[String]) -> Settings {
    Settings { allow: allow.to_vec(), ..Settings::default() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use serde_json::{Value, json};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    /// Status, standard output, standard error.
    fn apply(options: &[&str], input: &str) -> (u8, String, String) {
        let args = Line::try_parse_from(["apply"].iter().chain(options)).expect("usage").args;
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let status = once(&args, input.as_bytes(), &mut output, &mut errors).expect("not fatal");
        (status, String::from_utf8(output).unwrap(), String::from_utf8(errors).unwrap())
    }

    fn file(dir: &tempfile::TempDir, name: &str, text: &str) -> String {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    const EDIT: &str = "<<<<<<< SEARCH\nb\n=======\nx\n>>>>>>> REPLACE\n";

    #[test]
    fn the_new_text_and_nothing_else_goes_to_standard_output() {
        let dir = tempfile::tempdir().unwrap();
        let target = file(&dir, "a.py", "a\nb\n");
        assert_eq!(apply(&["--target", &target, "-"], EDIT), (0, "a\nx\n".into(), String::new()));
        let reply = file(&dir, "reply", "```\nnew\n```\n");
        assert_eq!(apply(&["--target", &target, "--format", "whole", &reply], "").1, "new\n");
        let base = file(&dir, "base", "b\n");
        assert_eq!(apply(&["--target", "no/such/dir/a.py", "--base", &base, "-"], EDIT).1, "x\n");
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "a\nb\n");
    }

    #[test]
    fn a_refusal_is_status_1_with_nothing_on_standard_output() {
        let dir = tempfile::tempdir().unwrap();
        let target = file(&dir, "a.py", "b\nb\n");
        let (status, output, errors) = apply(&["--target", &target, "-"], EDIT);
        assert_eq!((status, output.as_str()), (1, ""));
        assert!(
            errors.starts_with(&format!("error: {target}:1: cannot apply block 1 to '"))
                && errors.contains("SEARCH matches lines 1 and 2\nhint: "),
            "{errors}"
        );
        let (status, _, errors) = apply(&["--target", dir.path().to_str().unwrap(), "-"], EDIT);
        assert_eq!(status, 1);
        assert!(errors.contains("it is a directory"));
    }

    #[test]
    fn json_says_what_became_of_the_reply_and_where() {
        let dir = tempfile::tempdir().unwrap();
        let target = file(&dir, "a.py", "a\nb \n");
        let parse = |options: &[&str], input: &str| -> (u8, Value) {
            let (status, output, errors) = apply(options, input);
            assert_eq!(errors, "");
            (status, serde_json::from_str(&output).unwrap())
        };
        let (status, applied) = parse(&["--json", "--target", &target, "-"], EDIT);
        let edits = json!([{"line": 2, "lines": 1, "tier": "trailing-space"}]);
        let want =
            json!({"outcome": "applied", "format": "search-replace", "text": "a\nx\n", "edits": edits, "findings": []});
        assert_eq!((status, applied), (0, want));
        let (status, same) = parse(&["--json", "--target", &target, "-"], "```\na\nb \n```\n");
        assert_eq!((status, &same["outcome"], &same["text"]), (0, &json!("unchanged"), &json!("a\nb \n")));
        let (status, refused) = parse(&["--json", "--no-base", "--target", "x.py", "-"], "All tests pass.");
        assert_eq!((status, &refused["outcome"], &refused["text"]), (1, &json!("refused"), &Value::Null));
        assert_eq!(refused["findings"][0]["id"], "reply-report");
    }

    #[test]
    fn a_terminal_escape_from_a_reply_is_made_visible() {
        let (_, _, errors) = apply(&["--no-base", "--target", "a.py", "-"], "```src/\u{1b}[31m.py x/y.py\nx\n```\n");
        assert!(!errors.contains('\u{1b}'), "{errors:?}");
    }

    #[test]
    fn options_that_do_not_go_together_are_usage_errors() {
        for bad in [
            &["-"][..],
            &["--target", "a"],
            &["--target", "a", "--base", "b", "--no-base", "-"],
            &["--jsonl", "--target", "a"],
            &["--target", "a", "--worktree", "-"],
            &["--target", "a", "--format", "wiki", "-"],
        ] {
            assert!(Line::try_parse_from(["apply"].iter().chain(bad)).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn every_line_of_requests_gets_one_line_of_results() {
        let input = [
            json!({"id": 7, "target": "a.py", "base": "a\nb\n", "reply": EDIT, "format": "search-replace"}).to_string(),
            json!({"id": "x", "target": "a.py", "base": null, "reply": "", "format": "auto"}).to_string(),
            json!({"id": 8, "target": "a.py", "base": "", "reply": EDIT, "format": "wiki"}).to_string(),
            "no json".to_owned(),
        ];
        let mut output = Vec::new();
        assert_eq!(serve(input.join("\n").as_bytes(), &mut output).unwrap(), 0);
        let lines: Vec<Value> =
            String::from_utf8(output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 4);
        assert_eq!((&lines[0]["id"], &lines[0]["text"]), (&json!(7), &json!("a\nx\n")));
        assert!(lines[0]["nanos"].as_u64().is_some_and(|nanos| nanos > 0));
        assert_eq!((&lines[1]["id"], &lines[1]["findings"][0]["id"]), (&json!("x"), &json!("reply-empty")));
        assert_eq!((&lines[2]["id"], &lines[2]["findings"][0]["id"]), (&json!(8), &json!("reply-request")));
        assert_eq!((&lines[3]["id"], &lines[3]["outcome"]), (&Value::Null, &json!("refused")));
    }
}
