//! Lines with what they come from, for people and for programs.

use super::plain::neutralise;
use crate::record::{From, Line, maker};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The version of the form for programs; it goes up when a reader of the old form would misread the new one.
const SCHEMA: u32 = 1;

/// `<commit> <run> <row of the design> <reply> <line>) <text>`.
pub fn text(lines: &[Line]) -> String {
    let rows: Vec<[String; 4]> = lines.iter().map(cells).collect();
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..4).map(|at| width(at).unwrap_or_default()).collect();
    let last = lines.last().map_or(1, |line| line.number).to_string().len();
    let mut text = String::new();
    for (line, row) in lines.iter().zip(&rows) {
        for (cell, width) in row.iter().zip(&widths) {
            text.push_str(&format!("{cell:<width$} "));
        }
        let shown = neutralise(&line.text.replace('\t', "    ")).into_owned();
        text.push_str(&format!("{:>last$}) {shown}\n", line.number));
    }
    text
}

fn cells(line: &Line) -> [String; 4] {
    let commit = format!("{:.10}", line.commit);
    match &line.from {
        From::Person => [commit, "-".to_owned(), String::new(), String::new()],
        From::Unknown => [commit, "unknown".to_owned(), String::new(), String::new()],
        From::Run(origin) => {
            let design = origin.design.rsplit('/').next().unwrap_or_default();
            let row = origin.row.as_ref().map_or(String::new(), |(line, _)| format!("{design}:{line}"));
            let reply = origin.reply().map_or_else(|| maker(&origin.by), |answer| format!("{:.10}", answer.key));
            [commit, origin.run.clone(), neutralise(&row).into_owned(), neutralise(&reply).into_owned()]
        }
    }
}

pub fn json(out: &mut dyn Write, path: &str, lines: &[Line]) -> io::Result<()> {
    let lines: Vec<Value> = lines.iter().map(line).collect();
    super::json::line(out, &json!({"schema": SCHEMA, "path": path, "lines": lines}))
}

fn line(line: &Line) -> Value {
    let mut object = json!({"line": line.number, "text": line.text, "commit": line.commit.to_string()});
    let state = match &line.from {
        From::Person => "not-generated",
        From::Unknown => "unknown",
        From::Run(_) => "generated",
    };
    object["state"] = state.into();
    if let From::Run(origin) = &line.from {
        let reply = origin.reply().map(|answer| json!({"key": answer.key, "nth": answer.nth}));
        let row = origin.row.as_ref().map(|(line, says)| json!({"line": line, "description": says}));
        object["run"] = origin.run.as_str().into();
        object["path"] = origin.path.as_str().into();
        object["how"] = origin.how.word().into();
        object["by"] = maker(&origin.by).into();
        object["reply"] = reply.into();
        object["design"] = origin.design.as_str().into();
        object["row"] = row.into();
    }
    object
}
