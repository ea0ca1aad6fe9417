//! Runs that stopped, for people and for programs.

use super::numbers::{count, dollars};
use super::plain::neutralise;
use crate::exit::ExitCode;
use crate::transcript::Spent;
use serde_json::json;
use std::io::{self, Write};

/// One of them.
pub struct Row<'a> {
    pub run: &'a str,
    pub design: &'a str,
    pub branch: &'a str,
    pub state: State<'a>,
    /// Files that were accepted, and files in all.
    pub accepted: Option<(usize, usize)>,
    pub spent: Spent,
    /// Requests that nothing came of.
    pub unanswered: usize,
}

/// How a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State<'a> {
    Running,
    Killed,
    Ended(ExitCode),
    /// Why its record cannot be read.
    Unreadable(&'a str),
}

impl State<'_> {
    /// The word for it, which programs go by.
    pub fn word(self) -> &'static str {
        match self {
            State::Running => "running",
            State::Killed => "killed",
            State::Unreadable(_) => "unreadable",
            State::Ended(ExitCode::Refused) => "refused",
            State::Ended(ExitCode::NoAnswer) => "no-answer",
            State::Ended(ExitCode::Moved) => "moved",
            State::Ended(ExitCode::OverBudget) => "over-budget",
            State::Ended(ExitCode::Interrupted) => "interrupted",
            State::Ended(_) => "failed",
        }
    }
}

/// A run in one line: `20260101T000000Z-ab12cd docs/4.md on implement/4: refused, 2 of 3 files accepted, $0.12`.
pub fn line(row: &Row) -> String {
    let mut line = neutralise(row.run).into_owned();
    if !row.design.is_empty() {
        line.push_str(&format!(" {}", neutralise(row.design)));
    }
    // A task makes a patch.
    if !row.branch.is_empty() {
        line.push_str(&format!(" on {}", neutralise(row.branch)));
    }
    line.push_str(&format!(": {}", row.state.word()));
    if let State::Unreadable(why) = row.state {
        line.push_str(&format!(" ({})", neutralise(why)));
    }
    match row.accepted {
        Some((_, 0)) if matches!(row.state, State::Ended(_)) => line.push_str(", before its files were named"),
        Some((accepted, all)) => line.push_str(&format!(", {accepted} of {all} files accepted")),
        None => {}
    }
    let usage = row.spent.usage;
    if usage.input + usage.output > 0 {
        line.push_str(&format!(", {} tokens in, {} out", count(usage.input), count(usage.output)));
    }
    match row.unanswered {
        0 => {}
        1 => line.push_str(", 1 request unanswered"),
        many => line.push_str(&format!(", {many} requests unanswered")),
    }
    if let Some(cost) = row.spent.cost.filter(|cost| *cost > 0.0) {
        line.push_str(&format!(", {}", dollars(cost)));
    }
    line
}

/// A line each.
pub fn write(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    if rows.is_empty() {
        return writeln!(out, "no run has stopped");
    }
    rows.iter().try_for_each(|row| writeln!(out, "{}", line(row)))
}

/// A list of objects.
pub fn json(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    let object = |row: &Row| {
        let Spent { usage, cost } = row.spent;
        let spent = json!({"input": usage.input, "output": usage.output, "cost": cost});
        json!({"run": row.run, "design": row.design, "branch": row.branch, "state": row.state.word(), "spent": spent})
    };
    super::json::indented(out, &rows.iter().map(object).collect::<Vec<_>>())
}
