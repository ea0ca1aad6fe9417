//! Runs, a row each, for people and for programs.

use super::numbers::{count, dollars};
use super::printer;
use super::table::{Column, render};
use crate::record::{Became, Ran};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The version of the form for programs; it goes up when a reader of the old form would misread the new one.
const SCHEMA: u32 = 1;

/// There is nothing to list.
pub fn none() {
    printer::say("there is no record of any run here");
    printer::say(
        "hint: git fetch <remote> 'refs/implement/runs/*:refs/implement/runs/*': fetches those that a remote has",
    );
}

/// The table. `width` is that of the terminal in columns, `usize::MAX` where there is none.
pub fn text(runs: &[Ran], width: usize) -> String {
    if runs.is_empty() {
        return String::new();
    }
    let columns = [
        Column::Left("run"),
        Column::Left("became"),
        Column::Right("files"),
        Column::Right("tokens"),
        Column::Right("cost"),
        Column::Left("model"),
        Column::Left("branch"),
        Column::Shrinking("design"),
    ];
    let rows: Vec<Vec<String>> = runs.iter().map(row).collect();
    let mut text = render(&columns, &rows, None, width);
    for ran in runs {
        let patch = ran.patch.as_ref().map(|patch| format!("the patch is '{}'", patch.display()));
        let why = match &ran.became {
            Became::Unreadable(why) => Some(why),
            Became::Ended(_) => ran.summary.error.as_ref(),
            _ => patch.as_ref(),
        };
        if let Some(why) = why {
            let line = why.lines().next().unwrap_or_default();
            text.push_str(&super::plain::neutralise_line(&format!("{}: {line}", ran.run)));
            text.push('\n');
        }
    }
    text
}

fn row(ran: &Ran) -> Vec<String> {
    let summary = &ran.summary;
    let usage = summary.spent.usage;
    let some = |text: String| if text.is_empty() { "-".to_owned() } else { text };
    vec![
        ran.run.clone(),
        ran.became.word().replace('-', " "),
        summary.files.len().to_string(),
        count(usage.input + usage.output),
        summary.spent.cost.map_or("-".to_owned(), dollars),
        some(summary.model.clone()),
        some(summary.branch.clone()),
        some(summary.design.clone()),
    ]
}

pub fn json(out: &mut dyn Write, runs: &[Ran]) -> io::Result<()> {
    let runs: Vec<Value> = runs.iter().map(object).collect();
    super::json::line(out, &json!({"schema": SCHEMA, "runs": runs}))
}

/// A run for programs.
pub fn object(ran: &Ran) -> Value {
    let summary = &ran.summary;
    let usage = summary.spent.usage;
    let files: Vec<&str> = summary.files.iter().map(|file| file.path.as_str()).collect();
    let commits: Vec<&str> = summary.commits.iter().map(|commit| commit.commit.as_str()).collect();
    let record = match (&ran.published, &ran.unfinished) {
        (Some(_), _) => format!("refs/implement/runs/{}", ran.run),
        (None, Some(found)) => found.folder.display().to_string(),
        (None, None) => String::new(),
    };
    json!({
        "run": ran.run, "started": summary.started, "design": summary.design, "branch": summary.branch,
        "became": ran.became.word(), "provider": summary.provider, "model": summary.model, "files": files,
        "commits": commits, "unchanged": summary.unchanged, "seconds": summary.seconds, "status": summary.status,
        "spent": {"input": usage.input, "output": usage.output, "cost": summary.spent.cost}, "error": summary.error,
        "continues": summary.continues, "record": record,
        "patch": ran.patch.as_ref().map(|patch| patch.display().to_string()),
    })
}
