//! Applies a model's reply to a file with the light library: no repository, no network, no terminal.
//!
//! ```text
//! cargo run --example apply_reply --no-default-features -- <file> <reply>
//! ```
//! The new text goes to stdout. Where each edit went, or why the reply was refused, goes to stderr.

use git_implement::edit::{self, Tier};
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, reply] = &arguments[..] else {
        eprintln!("usage: apply_reply <file> <reply>");
        return ExitCode::from(129);
    };
    match run(file, reply) {
        Ok(done) => done,
        Err(error) => {
            eprintln!("fatal: {error}");
            ExitCode::from(128)
        }
    }
}

fn run(file: &str, reply: &str) -> io::Result<ExitCode> {
    let base = match fs::read_to_string(file) {
        // The reply may be for a new file.
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        base => Some(base?),
    };
    // Without a format: as the reply looks.
    match edit::apply(None, file, base.as_deref(), &fs::read_to_string(reply)?) {
        Ok(applied) => {
            for place in applied.edits.iter().filter(|place| place.tier > Tier::TrailingSpace) {
                eprintln!("note: line {} of '{file}' was matched loosely ({:?})", place.line, place.tier);
            }
            print!("{}", applied.text);
            Ok(ExitCode::SUCCESS)
        }
        Err(refusal) => {
            eprintln!("error: {}", refusal.message);
            if let Some(hint) = refusal.hint {
                eprintln!("hint: {hint}");
            }
            Ok(ExitCode::from(1))
        }
    }
}
