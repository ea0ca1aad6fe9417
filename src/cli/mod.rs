//! The command line: clap, one file per verb.
// Doc comments of arguments are help texts, in which <name> is a placeholder.
#![allow(rustdoc::invalid_html_tags)]

mod agree;
pub mod apply;
mod baseline;
pub mod blame;
pub mod check;
pub mod completions;
pub mod demo;
pub mod doctor;
mod fix;
pub mod gc;
pub mod hook;
pub mod implement;
pub mod man;
pub mod log;
mod meant;
pub mod new;
pub mod options;
pub mod plan;
pub mod review;
pub mod rehome;
mod session;
pub mod show;
pub mod task;
pub mod trust;
mod unfinished;
mod unheeded;
pub mod verify;

use crate::exit::ExitCode;
use crate::ui::printer;
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;

/// Turn a low-level design into a branch of mechanically checked commits
#[derive(Debug, Parser)]
#[command(
    name = "git-implement",
    bin_name = "git implement",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    args_override_self = true,
    disable_help_subcommand = true,
    override_usage = "git implement [<options>] <lld>... [-- <path>...]\n       git implement <verb> …",
    after_help = "A design that is called like a verb is ./<name>. 'git implement --help' opens the manual page, once \
                  'git implement man --install' has put it there."
)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    main: options::Main,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Show what a design would do: files, change types, strategy, size, tokens and cost
    Plan(Box<plan::Args>),
    /// Carry out a task that is told in words, with a reviewer; a patch comes of it
    Task(Box<task::Args>),
    /// Make a design to fill in, from a title and free text
    New(Box<new::Args>),
    /// Judge what is about to be committed, commits, or files
    Check(check::Args),
    /// Turn a model's reply into the new text of a file (plumbing)
    Apply(apply::Args),
    /// Run the main job on a small repository that comes with the program, offline
    Demo(demo::Args),
    /// List the runs that there are records of, and what became of each
    Log(log::Args),
    /// Show a run, what a commit was made of, or where a line comes from
    Show(show::Args),
    /// Say of each line of a file which run, row of a design and reply it comes from
    Blame(blame::Args),
    /// Show a branch with its evidence, for whoever reviews it; as a page, too
    Review(review::Args),
    /// Make generated commits again from their records, and say what a person changed
    Verify(verify::Args),
    /// Write notes for other tools on generated commits, as after a rebase
    Rehome(rehome::Args),
    /// Take away old records of runs; say first which
    Gc(gc::Args),
    /// Have git check every commit, or every push to a bare repository
    Hook(hook::Args),
    /// Approve what this repository's configuration would run, until it changes
    Trust(trust::Args),
    /// Say what works here: repository, identity, signing, provider, sandbox
    Doctor(doctor::Args),
    /// Print a script that completes this command in a shell
    Completions(completions::Completions),
    /// Print the manual page, or put it where 'man' finds it
    Man(man::Man),
}

/// The whole command line, as clap knows it.
pub fn command() -> clap::Command {
    Cli::command()
}

/// If this process was started to confine a command, does that, and returns the status to end with: the command's, or 126,
/// of which a shell says that a command cannot be run.
pub fn confined(arguments: &[OsString]) -> Option<u8> {
    let done = crate::process::sandbox::entered(arguments)?;
    Some(done.unwrap_or_else(|error| {
        crate::ui::failure::fatal(&format!("cannot confine the command: {error}"), &[]);
        126
    }))
}

/// Runs the command line `arguments`, the program's name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    printer::ending(carry_out(arguments.into_iter().collect()))
}

fn carry_out(arguments: Vec<OsString>) -> ExitCode {
    if let Some(status) = meant::before_reading(&arguments) {
        let error = "no design is named, and no verb that there is".to_owned();
        implement::ended(wants_events(&arguments), &[], status, error);
        return status;
    }
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let printed = error.print();
            if error.use_stderr() {
                if let Some(hint) = meant::joined(&arguments) {
                    crate::ui::failure::hints(&[hint]);
                }
                let text = error.to_string();
                let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
                implement::ended(wants_events(&arguments), &[], ExitCode::Usage, message.to_owned());
                return ExitCode::Usage;
            }
            printer::wrote(printed);
            return ExitCode::Done;
        }
    };
    let done = match &cli.verb {
        None if cli.main.stopped.is_meant() => Ok(unfinished::run(&cli.main, &arguments)),
        None => Ok(implement::run(&cli.main)),
        Some(Verb::Plan(args)) => Ok(plan::run(args)),
        Some(Verb::Task(args)) => Ok(task::run(args)),
        Some(Verb::New(args)) => Ok(new::run(args)),
        Some(Verb::Check(args)) => check::run(args),
        Some(Verb::Apply(args)) => apply::run(args),
        Some(Verb::Demo(args)) => demo::run(args),
        Some(Verb::Log(args)) => Ok(log::run(args)),
        Some(Verb::Blame(args)) => Ok(blame::run(args)),
        Some(Verb::Show(args)) => Ok(show::run(args)),
        Some(Verb::Review(args)) => Ok(review::run(args)),
        Some(Verb::Rehome(args)) => Ok(rehome::run(args)),
        Some(Verb::Gc(args)) => Ok(gc::run(args)),
        Some(Verb::Verify(args)) => Ok(verify::run(args)),
        Some(Verb::Hook(args)) => hook::run(args, &mut printer::out(), &mut printer::err()),
        Some(Verb::Trust(args)) => trust::run(args),
        Some(Verb::Doctor(args)) => Ok(doctor::run(args)),
        Some(Verb::Completions(args)) => {
            completions::run(args, command(), &mut printer::out()).map(|()| ExitCode::Done).map_err(Into::into)
        }
        Some(Verb::Man(args)) => {
            man::run(args, &crate::config::read_environment(), &mut printer::out(), &mut printer::err())
                .map(|()| ExitCode::Done)
        }
    };
    done.unwrap_or_else(|error| {
        crate::ui::failure::fatal(&format!("{error:#}"), &[]);
        ExitCode::Fatal
    })
}

/// Says what git has to say, and how the program ends by it.
fn failed(error: &crate::git::GitError) -> ExitCode {
    crate::ui::failure::fatal(&error.to_string(), &error.hints());
    error.exit_code()
}

/// Does this command line, which clap could not read, ask for the events of the main job?
fn wants_events(arguments: &[OsString]) -> bool {
    let mut options = arguments.iter().take_while(|argument| *argument != "--");
    let verb = |name: &OsString| Cli::command().get_subcommands().any(|verb| *name == *verb.get_name());
    !arguments.get(1).is_some_and(verb) && options.any(|argument| argument == "--json")
}
