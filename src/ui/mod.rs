//! The face: the only files that print. Results go to stdout, everything else to stderr.

pub mod ask;
pub mod failure;
pub mod findings;
pub mod json;
pub mod numbers;
pub mod plain;
pub mod plan;
pub mod proposal;
pub mod report;
pub mod table;
pub mod terminal;

use std::io::IsTerminal;

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
        let terminal = std::io::stderr().is_terminal();
        Style {
            colour: colour.unwrap_or(terminal),
            progress: progress.unwrap_or(terminal) && !quiet,
            quiet,
            verbose,
            width: terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(width, _)| usize::from(width.0)),
        }
    }
}

/// Where the demo's repository is, and what is about to be done in it: what a person would type after `git implement`.
pub fn demo_made(root: &std::path::Path, arguments: &[&str]) {
    eprintln!("made a repository in '{}'", plain::neutralise(&root.display().to_string()));
    eprintln!("git implement {}", arguments.join(" "));
}

/// What to look at in the demo's repository: commands, each with what it shows.
pub fn demo_done(root: &std::path::Path, look: &[(&str, &str)]) {
    use std::io::Write;
    let root = root.display().to_string();
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "\nIn this order, for a look at it:\n  cd {}", plain::neutralise(&root));
    let width = look.iter().map(|(command, _)| command.len()).max().unwrap_or_default();
    for (command, what) in look {
        let _ = writeln!(out, "  {command:width$}  # {what}");
    }
}
