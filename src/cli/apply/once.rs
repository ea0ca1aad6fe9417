//! A reply for one file: its new text on standard output, or the outcome as JSON. Neither needs a repository.

use super::{Args, Judge, finding, judge, loose, read};
use crate::check::Candidate;
use crate::edit::{self, Applied, Edit, Format, Refusal};
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::ui;
use anyhow::Result;
use serde::Serialize;
use std::io::{Read, Write};
use std::path::Path;

/// What became of a reply.
#[derive(Debug, Serialize)]
pub(super) struct Outcome<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a serde_json::Value>,
    pub outcome: &'static str,
    pub format: Option<&'static str>,
    pub text: Option<String>,
    pub edits: Vec<Edit>,
    pub findings: Vec<Finding>,
    /// The new errors that a language server finds, as a model is shown them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lsp: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nanos: Option<u64>,
}

impl Outcome<'_> {
    pub fn new(
        format: Option<Format>,
        target: &str,
        (base, reply): (Option<&str>, &str),
        result: Result<Applied, Refusal>,
    ) -> Self {
        let mut outcome = Outcome {
            id: None,
            outcome: "refused",
            format: format.map(Format::name),
            text: None,
            edits: vec![],
            findings: vec![],
            lsp: None,
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
            Err(refusal) => outcome.findings.push(finding(target, refusal, base, reply)),
        }
        outcome
    }
    fn refuse(&mut self) {
        (self.outcome, self.text) = ("refused", None);
        self.edits.clear();
    }
    fn status(&self) -> ExitCode {
        ExitCode::refused_if(self.text.is_none())
    }
}

/// Runs the verb for one file.
pub(super) fn run(args: &Args, input: impl Read, mut output: impl Write, mut errors: impl Write) -> Result<ExitCode> {
    let target = args.target.as_deref().unwrap_or_default();
    let reply = super::reply(args, input)?;
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
        Err(Refusal { id: "edit-directory", line: None, change: None, message, hint: None })
    } else {
        edit::apply(format, target, base.as_deref(), &reply)
    };
    let mut outcome = Outcome::new(format, target, (base.as_deref(), &reply), result);
    if args.check
        && let Some(text) = &outcome.text
    {
        let whole = outcome.format == Some(Format::Whole.name());
        let candidate = Candidate { path: target, base: base.as_deref(), text, whole, ..Candidate::default() };
        let judged = judge(&candidate, &[], &args.allow);
        outcome.findings.extend(judged);
        if outcome.findings.iter().any(Finding::is_error) {
            outcome.refuse();
        }
    }
    if !args.json {
        output.write_all(outcome.text.as_deref().unwrap_or("").as_bytes())?;
        // Nobody waits for a server to have the text. Whether there was a reader is the printer's to say.
        let _ = output.flush();
        ui::findings::write(&mut errors, &outcome.findings, None, false)?;
    }
    outcome.lsp = outcome.text.as_deref().and_then(|text| Judge::wanted(args)?.block_of(target, base.as_deref(), text));
    if args.json {
        ui::json::line(&mut output, &outcome)?;
    } else if let Some(block) = &outcome.lsp {
        writeln!(errors, "{}", ui::plain::neutralise_lines(block))?;
    }
    Ok(outcome.status())
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
        let status = run(&args, input.as_bytes(), &mut output, &mut errors).expect("not fatal");
        (status.number(), String::from_utf8(output).unwrap(), String::from_utf8(errors).unwrap())
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
            &["--base", "a", "--index", "-"],
            &["--no-base", "--cached", "-"],
            &["--jsonl", "--cached"],
            &["--worktree", "--cached", "-"],
            &["--index", "--lsp-timeout", "5", "-"],
            &["--index", "--lsp", "--lsp-timeout", "0", "-"],
            &["--index"],
            &["--target", "a", "--format", "wiki", "-"],
        ] {
            assert!(Line::try_parse_from(["apply"].iter().chain(bad)).is_err(), "{bad:?}");
        }
    }
}
