//! The live line: what is being done right now, on the last row of a terminal, drawn anew some times a second.
//!
//! It is one row always: what is wider than the terminal is shortened. The cursor waits at its beginning, and all that
//! is below is erased with every drawing. A terminal that is made narrower breaks the row into several, and the cursor
//! stays with the first of them: so nothing is left behind, and nothing above is touched.

use super::numbers::duration;
use super::printer;
use super::table::shorten_left;
use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What turns at the beginning of the line.
const FRAMES: [char; 8] = ['⠁', '⠂', '⠄', '⡀', '⢀', '⠠', '⠐', '⠈'];
const TICK: Duration = Duration::from_millis(120);
/// A path is not shortened to less than this many columns.
const NARROWEST: usize = 8;

/// The live line of a run. Nothing is ever drawn where the person wants none.
pub struct LiveLine {
    shown: Option<(Arc<Shared>, JoinHandle<()>)>,
}

#[derive(Default)]
struct Shared {
    line: Mutex<Line>,
    over: Condvar,
}

/// What is on the line.
#[derive(Default)]
struct Line {
    /// `[2/5]`
    position: String,
    path: String,
    /// What is being done with it; empty: nothing yet, and nothing is drawn.
    state: String,
    since: Option<Instant>,
    drawn: Option<Instant>,
    frame: usize,
    is_over: bool,
}

impl LiveLine {
    pub fn new(wanted: bool) -> LiveLine {
        let shown = wanted.then(|| {
            let shared = Arc::new(Shared::default());
            let turning = Arc::clone(&shared);
            (shared, thread::spawn(move || turning.turn()))
        });
        LiveLine { shown }
    }

    fn line(&self) -> Option<MutexGuard<'_, Line>> {
        self.shown.as_ref().map(|(shared, _)| shared.lock())
    }

    /// The next file. Nothing is said of it before something is done.
    pub fn begin(&self, position: &str, path: &str) {
        let Some(mut line) = self.line() else { return };
        line.erase();
        let (position, path) = (position.to_owned(), path.to_owned());
        *line = Line { position, path, since: Some(Instant::now()), frame: line.frame, ..Line::default() };
    }

    /// What is being done with the file now. States that follow each other at once may go unseen, but for the first.
    pub fn state(&self, state: String) {
        let Some(mut line) = self.line() else { return };
        line.state = state;
        if line.drawn.is_none_or(|drawn| drawn.elapsed() > TICK / 2) {
            line.draw();
        }
    }

    /// Prints something above the line.
    pub fn above<T>(&self, print: impl FnOnce() -> T) -> T {
        let mut line = self.line();
        line.iter_mut().for_each(|line| line.erase());
        let done = print();
        line.iter_mut().for_each(|line| line.draw());
        done
    }

    /// Takes the line away.
    pub fn end(&self) {
        let Some(mut line) = self.line() else { return };
        line.erase();
        *line = Line::default();
    }
}

impl Drop for LiveLine {
    fn drop(&mut self) {
        self.end();
        if let Some((shared, turning)) = self.shown.take() {
            shared.lock().is_over = true;
            shared.over.notify_all();
            let _ = turning.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Line> {
        // A line that somebody panicked over is still a line.
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn turn(&self) {
        let mut line = self.lock();
        while !line.is_over {
            line = self.over.wait_timeout(line, TICK).unwrap_or_else(PoisonError::into_inner).0;
            line.frame += 1;
            line.draw();
        }
    }
}

impl Line {
    fn draw(&mut self) {
        if !self.state.is_empty() && !self.is_over {
            let width = printer::err_width().unwrap_or(80);
            // At once, so that no terminal shows half of it.
            let _ = printer::err().write_all(format!("\r{}\x1b[J\r", self.text(width)).as_bytes());
            self.drawn = Some(Instant::now());
        }
    }

    fn erase(&mut self) {
        if self.drawn.take().is_some() {
            let _ = printer::err().write_all(b"\r\x1b[J");
        }
    }

    /// In fewer than `width` columns: a terminal may go on to the next row when the last column is written.
    fn text(&self, width: usize) -> String {
        let seconds = self.since.map_or(0.0, |since| since.elapsed().as_secs_f64());
        let took = if seconds < 60.0 { format!("{seconds:.0} s") } else { duration(seconds) };
        let turning = FRAMES.get(self.frame % FRAMES.len()).copied().unwrap_or(' ');
        let (before, after) = (format!("{turning} {} ", self.position), format!(" {} ({took})", self.state));
        let room = width.saturating_sub(1);
        let left = room.saturating_sub(before.width() + after.width()).max(NARROWEST);
        let whole = format!("{before}{}{after}", shorten_left(&self.path, left));
        let mut used = 0;
        let fits = |c: &char| {
            used += c.width().unwrap_or(0);
            used <= room
        };
        whole.chars().take_while(fits).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_one_row_of_any_terminal_and_gives_way_in_its_path_first() {
        let line = Line {
            position: "[2/5]".into(),
            path: "src/a/long/folder/路径/module.py".into(),
            state: "asking, about 3.1k tokens".into(),
            ..Line::default()
        };
        assert_eq!(line.text(100), "⠁ [2/5] src/a/long/folder/路径/module.py asking, about 3.1k tokens (0 s)");
        assert_eq!(line.text(60), "⠁ [2/5] …/路径/module.py asking, about 3.1k tokens (0 s)");
        for width in 0..120 {
            assert!(line.text(width).width() <= width.saturating_sub(1), "{width}");
        }
    }
}
