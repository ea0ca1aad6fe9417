//! A run in a real terminal: what the person sees on the screen, whatever the terminal's width becomes meanwhile.

use crate::repo::{PATIENCE, Repo, wait_for};
use nix::pty::{Winsize, openpty};
use rustix::termios::{Winsize as Size, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};

const DESIGN: &str = "# 3 - Two files\n\n### 2.1 Files Changed\n\n| File | Change Type | Description |\n|---|---|---|\n\
                      | `src/with/a/rather/long/path/a.py` | Add | A value |\n| `src/b.py` | Add | Another |\n";
const LONG: &str = "src/with/a/rather/long/path/a.py";

/// A run whose stderr is a terminal, and everything that it wrote there.
struct Terminal {
    device: OwnedFd,
    written: Arc<Mutex<Vec<u8>>>,
    child: Child,
}

impl Terminal {
    fn start(repo: &Repo, columns: u16) -> Terminal {
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = openpty(Some(&size), None).unwrap();
        let provider = repo.provider();
        let mut process = repo.process(&["--provider", "command", "--command", &provider, "docs/3.md"]);
        let child = process.stdout(Stdio::null()).stderr(pty.slave).spawn().unwrap();
        // What holds the other end open is the child alone: when it ends, reading ends.
        drop(process);
        let written = Arc::new(Mutex::new(Vec::new()));
        let (mut reader, kept) = (File::from(pty.master.try_clone().unwrap()), Arc::clone(&written));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                kept.lock().unwrap().extend_from_slice(&bytes[..count]);
            }
        });
        Terminal { device: pty.master, written, child }
    }

    /// Waits until this was written behind the first `from` bytes. Returns how many there are then.
    fn shows(&self, text: &str, from: usize) -> usize {
        let holds = || String::from_utf8_lossy(&self.written.lock().unwrap()[from..]).contains(text);
        wait_for(&format!("{text} in {:?}", String::from_utf8_lossy(&self.written.lock().unwrap())), holds);
        // Not in the middle of a drawing.
        let written = self.written.lock().unwrap();
        from + written[from..].iter().rposition(|byte| *byte == b'\r').map_or(0, |at| at + 1)
    }

    fn resize(&self, columns: u16) {
        tcsetwinsize(&self.device, Size { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    }

    /// Everything that was written until the end.
    fn end(mut self) -> Vec<u8> {
        let deadline = std::time::Instant::now() + PATIENCE;
        while self.child.try_wait().unwrap().is_none() {
            assert!(std::time::Instant::now() < deadline, "the run does not end");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert!(self.child.wait().unwrap().success());
        let size = || self.written.lock().unwrap().len();
        // The last bytes may still be on their way: the device gives them all before it says that nobody holds it.
        let mut before = usize::MAX;
        wait_for("the last of the output", || std::mem::replace(&mut before, size()) == size());
        self.written.lock().unwrap().clone()
    }
}

/// What a terminal makes of bytes: as much of it as the program uses.
struct Screen {
    /// Paragraphs: what was written until a line feed, of whatever length.
    lines: Vec<Vec<char>>,
    /// The paragraph of the cursor, and its place there.
    at: (usize, usize),
    columns: usize,
    /// Narrowing breaks rows, as most terminals do; others cut them.
    breaks: bool,
}

impl Screen {
    fn new(columns: usize, breaks: bool) -> Screen {
        Screen { lines: vec![Vec::new()], at: (0, 0), columns, breaks }
    }

    fn resize(&mut self, columns: usize) {
        self.columns = columns;
        if !self.breaks {
            self.lines.iter_mut().for_each(|line| line.truncate(columns));
            self.at.1 = self.at.1.min(columns - 1);
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            let (line, column) = self.at;
            match c {
                '\n' => {
                    self.at = (line + 1, column % self.columns);
                    if self.at.0 == self.lines.len() {
                        self.lines.push(Vec::new());
                    }
                }
                // To the first column of the row, not of the paragraph that is broken into rows.
                '\r' => self.at.1 = column / self.columns * self.columns,
                '\x1b' => {
                    let mut sequence = String::new();
                    while !sequence.ends_with(|c: char| c.is_ascii_alphabetic()) {
                        sequence.extend(rest.next());
                    }
                    if sequence == "[J" {
                        self.lines.truncate(line + 1);
                        self.lines[line].truncate(column);
                    } else {
                        assert!(sequence.ends_with('m'), "neither erasing nor a colour: {sequence:?}");
                    }
                }
                c => {
                    let row = &mut self.lines[line];
                    if column < row.len() {
                        row[column] = c;
                    } else {
                        row.push(c);
                    }
                    self.at.1 += 1;
                }
            }
        }
    }

    fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned());
        lines.collect::<Vec<_>>().join("\n").trim_end().to_owned()
    }
}

fn repo() -> Repo {
    let repo = Repo::of(&[("docs/3.md", DESIGN)]);
    repo.answer(LONG, "```python\nA = 2\nB = A + 1\n```\n");
    repo.answer("src/b.py", "```python\nC = 3\nD = C + 1\n```\n");
    let waits = format!("while [ ! -f '{}' ]; do sleep 0.02; done", repo.place("go").display());
    repo.before("src/b.py", &waits);
    repo
}

#[test]
fn what_is_asked_is_said_before_what_is_checked_and_never_of_another_file() {
    let repo = repo();
    let terminal = Terminal::start(&repo, 100);
    terminal.shows("src/b.py asking", 0);
    std::fs::write(repo.place("go"), "").unwrap();
    let written = String::from_utf8(terminal.end()).unwrap();
    let first = |what: &str| written.find(what).unwrap_or(usize::MAX);
    for (position, path) in [("[1/2]", LONG), ("[2/2]", "src/b.py")] {
        let (asking, checking) =
            (first(&format!("{position} {path} asking")), first(&format!("{position} {path} checking")));
        assert!(asking < checking && asking != usize::MAX, "{path}: {written:?}");
    }
    assert!(!written.contains("[2/2] src/with"), "{written:?}");
}

#[test]
fn a_terminal_that_changes_its_width_has_no_debris_on_it() {
    let repo = repo();
    let terminal = Terminal::start(&repo, 100);
    let mut seen = vec![terminal.shows("src/b.py asking", 0)];
    let widths = [100, 24, 100, 12, 60];
    for columns in &widths[1..] {
        terminal.resize(*columns);
        // Two drawings later it is sure that one was made for this width.
        let mut size = *seen.last().unwrap();
        for _ in 0..2 {
            size = terminal.shows("\x1b[J\r", size);
        }
        seen.push(size);
    }
    std::fs::write(repo.place("go"), "").unwrap();
    let written = terminal.end();
    // What came after the last change of width belongs to that width.
    *seen.last_mut().unwrap() = written.len();
    for breaks in [true, false] {
        let mut screen = Screen::new(100, breaks);
        let mut from = 0;
        for (columns, to) in widths.iter().zip(&seen) {
            screen.resize(usize::from(*columns));
            screen.write(&written[from..*to]);
            from = *to;
        }
        let text = screen.text();
        assert!(
            !text.contains("asking,") && !text.contains("checking"),
            "{text}\n{:?}",
            String::from_utf8_lossy(&written)
        );
        assert_eq!(text.matches("[2/2]").count(), 1, "{text}");
        let last = text.lines().last().unwrap_or_default();
        assert!(last.starts_with("[2/2] src/b.py: added, 2 lines ("), "{text}");
    }
}
