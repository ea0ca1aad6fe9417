//! `--json`: one event a line on stdout.

use super::printer;
use crate::event::{Event, Sink};
use std::io::Write;

/// Writes every event but the stream's pieces, each flushed.
pub struct JsonLines;

impl Sink for JsonLines {
    fn event(&mut self, event: &Event) {
        if matches!(event, Event::Streaming { .. }) {
            return;
        }
        let mut out = printer::out();
        // What is not read is the printer's business: it is no reason to lose the run.
        let _ = serde_json::to_writer(&mut out, event).map_err(std::io::Error::from).and_then(|()| writeln!(out));
        let _ = out.flush();
    }
}
