//! Records that are taken away, or would be.

use super::numbers::plural;
use super::plain::neutralise;
use super::printer;
use crate::record::Ran;
use serde_json::{Value, json};
use std::io::{self, Write};

/// The version of the form for programs; it goes up when a reader of the old form would misread the new one.
const SCHEMA: u32 = 1;

/// A line each, and how many of how many.
pub fn write(out: &mut dyn Write, chosen: &[&Ran], all: usize) -> io::Result<()> {
    for ran in chosen {
        let (design, became) = (neutralise(&ran.summary.design), ran.became.word().replace('-', " "));
        writeln!(out, "{} {became} {design}", neutralise(&ran.run))?;
    }
    writeln!(out, "{} of {} may go", chosen.len(), plural(all, "record"))
}

/// `taken`: they are taken away, and not only named.
pub fn json(out: &mut dyn Write, chosen: &[&Ran], taken: bool) -> io::Result<()> {
    let runs: Vec<Value> = chosen.iter().map(|ran| super::log::object(ran)).collect();
    super::json::line(out, &json!({"schema": SCHEMA, "taken": taken, "runs": runs}))
}

pub fn taken(count: usize) {
    printer::say(format_args!("took {} away", plural(count, "record")));
}

/// What takes them away, where nobody can be asked: the same command with `--yes`. `options`: those that were typed.
pub fn hint(options: &str) {
    printer::say(format_args!("hint: git implement gc{options} --yes: takes them away"));
}
