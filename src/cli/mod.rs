//! The command line: clap, one file per verb.
// Doc comments of arguments are help texts, in which <name> is a placeholder.
#![allow(rustdoc::invalid_html_tags)]

mod agree;
pub mod apply;
pub mod check;
pub mod completions;
pub mod demo;
pub mod hook;
pub mod implement;
pub mod man;
pub mod options;
pub mod plan;
mod session;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::io::Write;

/// The exit status of a usage error, as git's own commands have it.
const USAGE: u8 = 129;
/// The exit status of what cannot even be tried.
const FATAL: u8 = 128;

/// Verbs that are to come. They are no designs today, lest a script mean something else tomorrow.
const COMING: &[&str] = &["doctor", "log", "review", "show", "task", "trust", "verify"];

/// Turn a low-level design into a branch of mechanically checked commits
#[derive(Debug, Parser)]
#[command(
    name = "git-implement",
    bin_name = "git implement",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
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
    /// Judge what is about to be committed, commits, or files
    Check(check::Args),
    /// Turn a model's reply into the new text of a file (plumbing)
    Apply(apply::Args),
    /// Run the main job on a small repository that comes with the program, offline
    Demo(demo::Args),
    /// Have git check every commit, or every push to a bare repository
    Hook(hook::Args),
    /// Print a script that completes this command in a shell
    Completions(completions::Completions),
    /// Print the manual page, or put it where 'man' finds it
    Man(man::Man),
}

/// The whole command line, as clap knows it.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the command line `arguments`, the program's name first. Returns the exit status.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            let _ = error.print();
            if asked {
                return 0;
            }
            let text = error.to_string();
            let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            implement::ended(wants_events(&arguments), &[], USAGE, message.to_owned());
            return USAGE;
        }
    };
    let (mut out, mut err) = (std::io::stdout(), std::io::stderr());
    let done = match &cli.verb {
        None => Ok(implement::run(&cli.main)),
        Some(Verb::Plan(args)) => plan::run(args),
        Some(Verb::Check(args)) => check::run(args),
        Some(Verb::Apply(args)) => apply::run(args),
        Some(Verb::Demo(args)) => demo::run(args),
        Some(Verb::Hook(args)) => hook::run(args, &mut out, &mut err),
        Some(Verb::Completions(args)) => completions::run(args, command(), &mut out).map(|()| 0).map_err(Into::into),
        Some(Verb::Man(args)) => man::run(args, &crate::config::read_environment(), &mut out, &mut err).map(|()| 0),
    };
    let _ = out.flush();
    done.unwrap_or_else(|error| fatal(&error))
}

/// Does this command line, which clap could not read, ask for the events of the main job?
fn wants_events(arguments: &[OsString]) -> bool {
    let options = arguments.iter().take_while(|argument| *argument != "--");
    let verb = |name: &OsString| Cli::command().get_subcommands().any(|verb| *name == *verb.get_name());
    !arguments.get(1).is_some_and(verb) && options.filter(|argument| *argument == "--json").count() > 0
}

/// What no verb has a better word for. A reader of our output that went away is no failure of ours, but no success
/// either: git ends by SIGPIPE then, and shells call that 141.
fn fatal(error: &anyhow::Error) -> u8 {
    let gone = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(gone) {
        return 141;
    }
    crate::ui::failure::fatal(&format!("{error:#}"), &[]);
    FATAL
}
