//! What became of the notes of commits, for people and for programs.

use crate::git::Oid;
use crate::record::Noted;
use serde_json::{Value, json};
use std::io::{self, Write};

/// The version of the form for programs; it goes up when a reader of the old form would misread the new one.
const SCHEMA: u32 = 1;

/// A line each.
pub fn text(out: &mut dyn Write, noted: &[(Oid, Noted)]) -> io::Result<()> {
    noted.iter().try_for_each(|(commit, what)| {
        let words = match what {
            Noted::Written => "written",
            Noted::Same => "as it was",
            Noted::Foreign => "another tool's, left alone",
            Noted::Removed => "removed: it is on no branch any more",
        };
        writeln!(out, "{commit:.10} {words}")
    })
}

pub fn json(out: &mut dyn Write, noted: &[(Oid, Noted)]) -> io::Result<()> {
    let note = |(commit, what): &(Oid, Noted)| json!({"commit": commit.to_string(), "note": word(what)});
    let notes: Vec<Value> = noted.iter().map(note).collect();
    super::json::line(out, &json!({"schema": SCHEMA, "notes": notes}))
}

/// The word for it, which programs go by.
fn word(what: &Noted) -> &'static str {
    match what {
        Noted::Written => "written",
        Noted::Same => "same",
        Noted::Foreign => "foreign",
        Noted::Removed => "removed",
    }
}
