//! The face: how everything is worded and laid out. Only `printer` prints.

pub mod ask;
pub mod blame;
mod closing;
pub mod doctor;
pub mod evidence;
pub mod failure;
pub mod findings;
pub mod gc;
pub mod json;
mod live;
pub mod log;
pub mod numbers;
pub mod pager;
pub mod plain;
pub mod plan;
pub mod printer;
pub mod proposal;
pub mod rehome;
pub mod report;
pub mod show;
pub mod status;
mod talk;
pub mod table;
pub mod terminal;
pub mod verify;

use std::io::Write;

/// How to speak, decided once at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub colour: bool,
    /// Show a live line with the state of the file being made.
    pub progress: bool,
    pub quiet: bool,
    /// Show each file's patch.
    pub verbose: bool,
    /// Columns of the terminal, or 80.
    pub width: usize,
}

impl Style {
    /// What the person said (`None`: nothing), and for the rest what stderr is.
    pub fn new(colour: Option<bool>, progress: Option<bool>, quiet: bool, verbose: bool) -> Style {
        let terminal = printer::err_is_terminal();
        Style {
            colour: colour.unwrap_or(terminal),
            progress: progress.unwrap_or(terminal) && !quiet,
            quiet,
            verbose,
            width: printer::err_width().unwrap_or(80),
        }
    }
}

/// Where the demo's repository is, and what is about to be done in it: what a person would type after `git implement`.
pub fn demo_made(root: &std::path::Path, arguments: &[&str]) {
    printer::say(format_args!("made a repository in '{}'", plain::neutralise(&root.display().to_string())));
    printer::say(format_args!("git implement {}", arguments.join(" ")));
}

/// What to look at in the demo's repository: commands, each with what it shows.
pub fn demo_done(root: &std::path::Path, look: &[(&str, &str)]) {
    let root = root.display().to_string();
    let mut out = printer::out();
    let _ = writeln!(out, "\nIn this order, for a look at it:\n  cd {}", plain::neutralise(&root));
    let width = look.iter().map(|(command, _)| command.len()).max().unwrap_or_default();
    for (command, what) in look {
        let _ = writeln!(out, "  {command:width$}  # {what}");
    }
}
