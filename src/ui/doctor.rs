//! What works here and what does not, for people and for programs.

use super::plain::neutralise_line;
use serde_json::json;
use std::io::{self, Write};

/// The form of the JSON.
const SCHEMA: u32 = 1;

/// How it stands with something that a run needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Ok,
    /// It works, and not as well as it could.
    Warning,
    /// A run would end with it.
    Missing,
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Warning => "warning",
            State::Missing => "missing",
        }
    }
}

/// One thing that was looked at.
#[derive(Debug)]
pub struct Row {
    pub name: &'static str,
    pub state: State,
    pub detail: String,
    /// What to do next.
    pub hint: Option<String>,
}

impl Row {
    pub fn ok(name: &'static str, detail: impl Into<String>) -> Row {
        Row { name, state: State::Ok, detail: detail.into(), hint: None }
    }

    pub fn warning(name: &'static str, detail: impl Into<String>, hint: impl Into<String>) -> Row {
        Row { state: State::Warning, hint: Some(hint.into()), ..Row::ok(name, detail) }
    }

    pub fn missing(name: &'static str, detail: impl Into<String>, hint: impl Into<String>) -> Row {
        Row { state: State::Missing, ..Row::warning(name, detail, hint) }
    }
}

/// A line each, and one for what to do.
pub fn write(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    for Row { name, state, detail, hint } in rows {
        writeln!(out, "{name:14} {:8} {}", state.word(), neutralise_line(detail))?;
        if let Some(hint) = hint.as_ref().filter(|hint| !hint.is_empty()) {
            writeln!(out, "{:24}hint: {}", "", neutralise_line(hint))?;
        }
    }
    Ok(())
}

pub fn json(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    let object =
        |row: &Row| json!({"name": row.name, "state": row.state.word(), "detail": row.detail, "hint": row.hint});
    super::json::indented(out, &json!({"schema": SCHEMA, "rows": rows.iter().map(object).collect::<Vec<_>>()}))
}
