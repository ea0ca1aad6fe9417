//! `--json`: one event a line on stdout.

use crate::event::{Event, Sink};
use std::io::Write;

/// Writes every event but the stream's pieces, each flushed.
pub struct JsonLines;

impl Sink for JsonLines {
    fn event(&mut self, event: &Event) {
        if matches!(event, Event::Streaming { .. }) {
            return;
        }
        let mut out = std::io::stdout().lock();
        // A reader that went away (`| head -1`) is no reason to lose the run.
        let _ = serde_json::to_writer(&mut out, event).map_err(std::io::Error::from).and_then(|()| writeln!(out));
        let _ = out.flush();
    }
}
