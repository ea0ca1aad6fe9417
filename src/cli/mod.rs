//! The command line: clap, one file per verb.

pub mod completions;
pub mod man;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
enum Verb {
    /// Print a script that completes this command in a shell
    Completions(completions::Completions),
    /// Print the manual page, or put it where 'man' finds it
    Man(man::Man),
}

/// The whole command line, as clap knows it.
pub fn command() -> clap::Command {
    Verb::augment_subcommands(clap::Command::new("git-implement").bin_name("git implement"))
}
