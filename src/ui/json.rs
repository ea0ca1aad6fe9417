//! JSON for programs, in which nothing steers a terminal or a CI that shows it; and `--json`: one event a line on stdout.

use super::plain::neutralise_json;
use super::printer;
use crate::event::{Event, Sink};
use serde::Serialize;
use std::io::{self, Write};

/// A value on one line, with its end.
pub fn line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", neutralise_json(&serde_json::to_string(value)?))
}

/// A value for people, too: indented, with the end of its last line.
pub fn indented(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", neutralise_json(&serde_json::to_string_pretty(value)?))
}

/// Writes every event but the stream's pieces, each flushed.
pub struct JsonLines;

impl Sink for JsonLines {
    fn event(&mut self, event: &Event) {
        if matches!(event, Event::Streaming { .. }) {
            return;
        }
        let mut out = printer::out();
        // What is not read is the printer's business: it is no reason to lose the run.
        let _ = line(&mut out, event);
        let _ = out.flush();
    }
}
