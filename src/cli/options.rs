//! The options of the main job, as clap reads them.

use crate::config::LspMode;
use crate::git::GIVEN;
use crate::implement::Delivery;
use crate::plan::Choice;
use crate::transcript::Typed;
use clap::builder::PossibleValuesParser;
use clap::{ArgAction, Args};
use std::path::PathBuf;

/// `git implement [<options>] <lld>... [-- <path>...]`
///
/// Every boolean has its `--no-` form; the last one given counts.
#[derive(Debug, Default, Args)]
pub struct Main {
    /// The designs to carry out, relative to the current directory; <rev>:<path> reads a commit's, - standard input
    #[arg(value_name = "lld", required_unless_present_any = ["continue", "abort", "status"])]
    pub llds: Vec<String>,
    /// Make only these of the planned files
    #[arg(value_name = "path", last = true)]
    pub paths: Vec<String>,

    #[command(flatten)]
    pub stopped: StoppedRun,
    #[command(flatten)]
    pub how: How,

    /// With --continue: take what was accepted though what is asked for has changed since
    #[arg(long, overrides_with = "no_keep_accepted")]
    pub keep_accepted: bool,
    #[arg(long, hide = true, overrides_with = "keep_accepted")]
    no_keep_accepted: bool,
    /// Every commit passes the commands, not only the last
    #[arg(long, overrides_with = "no_bisectable")]
    pub bisectable: bool,
    #[arg(long, hide = true, overrides_with = "bisectable")]
    no_bisectable: bool,
    /// One commit per file, per task of a list, or a single one
    #[arg(long, value_name = "how", value_parser = PossibleValuesParser::new(["per-file", "per-task", "single"]))]
    pub commit: Option<String>,
    /// Take new files from the code that the plan has written out, if the gates let it pass
    #[arg(long, overrides_with = "no_use_plan_code")]
    pub use_plan_code: bool,
    #[arg(long, hide = true, overrides_with = "use_plan_code")]
    no_use_plan_code: bool,
    #[command(flatten)]
    pub tasks: Tasks,

    /// The design is a task that somebody has typed, and talked over: see 'git implement task'
    #[arg(long, hide = true)]
    pub as_task: bool,
    /// What becomes of the change: a branch, a patch, or both
    #[arg(long, hide = true, value_name = "what", value_parser = PossibleValuesParser::new(Delivery::WORDS))]
    pub deliver: Option<String>,
    /// Where a task leaves its files
    #[arg(skip)]
    pub output: Option<PathBuf>,
}

/// How a run is carried out, whatever it makes.
#[derive(Debug, Clone, Default, Args)]
pub struct How {
    /// Show what would be done, and stop
    #[arg(short = 'n', long, overrides_with = "no_dry_run")]
    pub dry_run: bool,
    #[arg(long, hide = true, overrides_with = "dry_run")]
    no_dry_run: bool,

    /// The branch to make (default: implement/<issue or name>)
    #[arg(short, long, value_name = "name")]
    pub branch: Option<String>,
    /// The commit to build on (default: HEAD)
    #[arg(long, value_name = "commit")]
    pub base: Option<String>,
    /// Replace the branch if it exists
    #[arg(long, overrides_with = "no_force")]
    pub force: bool,
    #[arg(long, hide = true, overrides_with = "force")]
    no_force: bool,

    /// Who writes: anthropic, openai, ollama, command or replay (default: what is there)
    #[arg(long, value_name = "name", value_parser = PossibleValuesParser::new(["anthropic", "openai", "ollama", "command", "replay"]), hide_possible_values = true)]
    pub provider: Option<String>,
    /// The model to ask
    #[arg(long, value_name = "name")]
    pub model: Option<String>,
    /// Where the provider's API is; a loopback address needs no key
    #[arg(long, value_name = "url")]
    pub base_url: Option<String>,
    /// The program of the provider 'command': prompt on its stdin, reply on its stdout
    #[arg(long, value_name = "program")]
    pub command: Option<String>,
    /// Answer from the replies recorded in this folder; beside a provider, ask it for the rest
    #[arg(long, value_name = "dir")]
    pub replay: Option<PathBuf>,
    /// Record every reply in this folder
    #[arg(long, value_name = "dir")]
    pub record: Option<PathBuf>,

    /// How modified files are asked for (default: edits for large ones)
    #[arg(long, value_name = "format", value_parser = PossibleValuesParser::new(["auto", "whole", "find-replace", "search-replace", "unified", "v4a"]))]
    pub format: Option<String>,
    /// How often a refused reply goes back with what was found (default: 1; 0 is one shot)
    #[arg(long, value_name = "n")]
    pub repair: Option<u32>,
    /// Show the model these files, too
    #[arg(long, value_name = "path")]
    pub context: Vec<String>,
    /// How many rounds a second model has a say (default: 0; at most 2; of a task 1, at most 5)
    #[arg(long, value_name = "n")]
    pub rounds: Option<String>,
    /// Who reviews: a provider, <provider>:<model>, or command:<program> (default: whoever writes)
    #[arg(long, value_name = "who")]
    pub reviewer: Option<String>,
    #[command(flatten)]
    pub excerpts: Excerpts,
    /// Permit a finding, everywhere or for one file
    #[arg(long, value_name = "id[:path]")]
    pub allow: Vec<String>,
    /// Run this on the result: it must end with status 0 before anything is published
    #[arg(long, value_name = "command")]
    pub verify: Vec<String>,
    /// What becomes of errors that language servers find: off, report or gate (default: report)
    #[arg(long, value_name = "how", value_parser = PossibleValuesParser::new(LspMode::WORDS), hide_possible_values = true)]
    pub lsp: Option<String>,
    /// Run no command and no language server
    #[arg(long, overrides_with = "exec")]
    pub no_exec: bool,
    #[arg(long, hide = true, overrides_with = "no_exec")]
    exec: bool,
    /// The most files that one run may write (default: 50)
    #[arg(long, value_name = "n")]
    pub max_files: Option<usize>,
    /// Stop before the run would cost more than this many US dollars
    #[arg(long, value_name = "dollars")]
    pub max_cost: Option<String>,
    /// Stop before the run would take more than this many tokens, in and out
    #[arg(long, value_name = "n")]
    pub max_tokens: Option<String>,

    /// Do not ask before source leaves the machine
    #[arg(short, long, overrides_with = "no_yes")]
    pub yes: bool,
    #[arg(long, hide = true, overrides_with = "yes")]
    no_yes: bool,
    /// Do not run the pre-commit and commit-msg hooks
    #[arg(long)]
    pub no_verify: bool,
    /// Sign the commits
    #[arg(short = 'S', long, value_name = "key", num_args = 0..=1, require_equals = true, default_missing_value = "", overrides_with = "no_gpg_sign")]
    pub gpg_sign: Option<String>,
    #[arg(long, hide = true, overrides_with = "gpg_sign")]
    pub no_gpg_sign: bool,
    /// Add a Signed-off-by trailer
    #[arg(short, long, overrides_with = "no_signoff")]
    pub signoff: bool,
    #[arg(long, hide = true, overrides_with = "signoff")]
    no_signoff: bool,

    #[command(flatten)]
    pub face: Face,
}

/// Settings that are in no record, and that count for one run only as far as they are typed for it: they run a program, say
/// where source goes, or permit something.
const TYPED_AGAIN: &[&str] = &["command", "base-url", "reviewer.provider", "allow", "verify"];
/// Settings that are typed without a value.
const FLAGS: &[&str] = &["bisectable", "no-exec"];
/// Settings of which a run that goes on is better off without: it has replies of its own, and a terminal.
const OF_THE_MOMENT: &[&str] = &["replay", "recordings", "color", "progress", "reviewer.model", "reviewer.command"];

impl Main {
    /// What carries out a task that a session has been given.
    pub fn of_task(how: How, commit: Option<String>, deliver: Delivery, output: Option<PathBuf>) -> Main {
        Main {
            llds: vec![GIVEN.to_owned()],
            how,
            commit,
            as_task: true,
            deliver: Some(deliver.word().to_owned()),
            output,
            ..Main::default()
        }
    }

    /// What becomes of what is made.
    pub fn delivery(&self) -> Delivery {
        self.deliver.as_deref().and_then(Delivery::from_word).unwrap_or_default()
    }

    /// What a run that goes on from this one has to go by.
    pub fn kept(&self) -> Typed {
        let mut options = Typed { paths: self.paths.clone(), ..Typed::default() };
        if self.appends() {
            options.kept.extend(self.how.base.iter().map(|base| format!("--base={base}")));
        }
        for (key, value) in self.settings() {
            let program = key == "provider" && value == "command";
            if TYPED_AGAIN.contains(&key.as_str()) {
                options.again.push(option_of(&key).to_owned());
            } else if FLAGS.contains(&key.as_str()) {
                let turned = if key.starts_with("no-") { "--exec".to_owned() } else { format!("--no-{key}") };
                options.kept.push(if value == "true" { format!("--{key}") } else { turned });
            } else if !OF_THE_MOMENT.contains(&key.as_str()) && !program {
                options.kept.push(format!("--{key}={value}"));
            }
        }
        options.again.dedup();
        let Tasks { tasks, phase, story, no_tick, .. } = &self.tasks;
        let valued = [("phase", phase), ("story", story)];
        let valued = valued.into_iter().filter_map(|(name, value)| Some(format!("--{name}={}", value.as_ref()?)));
        let tasks = (!tasks.is_empty()).then(|| format!("--tasks={}", tasks.join(",")));
        let key =
            self.how.gpg_sign.as_ref().map(|key| if key.is_empty() { "-S".to_owned() } else { format!("-S={key}") });
        let flags = [
            ("--no-tick", *no_tick),
            ("--force", self.how.force),
            ("--use-plan-code", self.use_plan_code),
            ("--no-verify", self.how.no_verify),
            ("--no-gpg-sign", self.how.no_gpg_sign),
            ("--signoff", self.how.signoff),
            ("--as-task", self.as_task),
        ];
        let flags = flags.into_iter().filter(|(_, given)| *given).map(|(name, _)| name.to_owned());
        let deliver = self.deliver.as_ref().map(|what| format!("--deliver={what}"));
        options.kept.extend(valued.chain(tasks).chain(key).chain(deliver).chain(flags));
        options
    }

    /// Does it add to the branch that it builds on?
    pub fn appends(&self) -> bool {
        self.how.branch.is_some() && self.how.base == self.how.branch
    }

    /// What the command line says, by the names of the settings.
    pub fn settings(&self) -> Vec<(String, String)> {
        let said = |yes: bool, no: bool| if yes || no { Some(yes.to_string()) } else { None };
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
        let single = [
            ("provider", self.how.provider.clone()),
            ("model", self.how.model.clone()),
            ("base-url", self.how.base_url.clone()),
            ("command", self.how.command.clone()),
            ("replay", path(&self.how.replay)),
            ("recordings", path(&self.how.record)),
            ("format", self.how.format.clone()),
            ("repair", self.how.repair.map(|n| n.to_string())),
            ("rounds", self.how.rounds.clone()),
            ("lsp", self.how.lsp.clone()),
            ("bisectable", said(self.bisectable, self.no_bisectable)),
            ("no-exec", said(self.how.no_exec, self.how.exec)),
            ("commit", self.commit.clone()),
            ("max-files", self.how.max_files.map(|n| n.to_string())),
            ("max-cost", self.how.max_cost.clone()),
            ("max-tokens", self.how.max_tokens.clone()),
            ("color", self.how.face.color.clone()),
            ("progress", self.how.face.progress().map(|progress| progress.to_string())),
        ];
        let lists = [("context", &self.how.context), ("allow", &self.how.allow), ("verify", &self.how.verify)];
        let single = single.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        let lists =
            lists.into_iter().flat_map(|(key, items)| items.iter().map(move |item| (key.to_owned(), item.clone())));
        let reviewer = self.how.reviewer.iter().flat_map(|who| reviewer(who));
        single.chain(self.how.excerpts.settings()).chain(reviewer).chain(lists).collect()
    }
}

/// The name of the option that says this setting.
pub fn option_of(key: &str) -> &str {
    key.split_once('.').map_or(key, |(option, _)| option)
}

/// What `--reviewer <who>` says, by the names of the settings: `<provider>`, `<provider>:<model>` or `command:<program>`.
fn reviewer(who: &str) -> impl Iterator<Item = (String, String)> {
    let (provider, what) = who.split_once(':').map_or((who, None), |(provider, what)| (provider, Some(what)));
    let key = if provider == "command" { "reviewer.command" } else { "reviewer.model" };
    let what = what.map(|what| (key.to_owned(), what.to_owned()));
    std::iter::once(("reviewer.provider".to_owned(), provider.to_owned())).chain(what)
}

/// How much of other files is shown beside what is named.
#[derive(Debug, Clone, Default, Args)]
pub struct Excerpts {
    /// Show the model at most this many tokens of other files that the change builds on (default: 20000)
    #[arg(long, value_name = "n", overrides_with = "no_context")]
    pub context_tokens: Option<String>,
    /// Show it none of them, only what is named
    #[arg(long)]
    pub no_context: bool,
}

impl Excerpts {
    pub fn settings(&self) -> Option<(String, String)> {
        let tokens = if self.no_context { Some("0".to_owned()) } else { self.context_tokens.clone() };
        tokens.map(|tokens| ("context-tokens".to_owned(), tokens))
    }
}

/// What is to become of a run that stopped.
#[derive(Debug, Clone, Default, Args)]
#[group(multiple = false)]
pub struct StoppedRun {
    /// Go on where a run stopped: what was accepted is not asked for again
    #[arg(long = "continue", value_name = "run", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["llds", "paths"])]
    pub r#continue: Option<String>,
    /// Take away what a run left
    #[arg(long, value_name = "run", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["llds", "paths"])]
    pub abort: Option<String>,
    /// List the runs that stopped, with what each has cost
    #[arg(long, value_name = "run", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["llds", "paths"])]
    pub status: Option<String>,
}

impl StoppedRun {
    pub fn is_meant(&self) -> bool {
        self.r#continue.is_some() || self.abort.is_some() || self.status.is_some()
    }
}

/// Which tasks of a list are made: those that all of these name, and that are not done.
#[derive(Debug, Clone, Default, Args)]
pub struct Tasks {
    /// Make only these tasks of a list: ids, and ranges of them
    #[arg(long, value_name = "T001-T020,T031", value_delimiter = ',')]
    pub tasks: Vec<String>,
    /// Make only this phase of a list of tasks
    #[arg(long, value_name = "n")]
    pub phase: Option<String>,
    /// Make only this story of a list of tasks
    #[arg(long, value_name = "id")]
    pub story: Option<String>,
    /// Do not tick the tasks that were made
    #[arg(long, overrides_with = "tick")]
    pub no_tick: bool,
    #[arg(long, hide = true, overrides_with = "no_tick")]
    tick: bool,
}

impl Tasks {
    pub fn choice(&self) -> Choice {
        Choice { ids: self.tasks.clone(), phase: self.phase.clone(), story: self.story.clone() }
    }
}

/// How a verb speaks.
#[derive(Debug, Clone, Default, Args)]
pub struct Face {
    /// Say only what goes wrong
    #[arg(short, long, overrides_with = "no_quiet")]
    pub quiet: bool,
    #[arg(long, hide = true, overrides_with = "quiet")]
    no_quiet: bool,
    /// Show each file's patch
    #[arg(short, long, action = ArgAction::SetTrue, overrides_with = "no_verbose")]
    pub verbose: bool,
    #[arg(long, hide = true, overrides_with = "verbose")]
    no_verbose: bool,
    /// Show progress though stderr is no terminal
    #[arg(long, overrides_with = "no_progress")]
    progress: bool,
    /// Show no progress
    #[arg(long, overrides_with = "progress")]
    no_progress: bool,
    /// Colours
    #[arg(long, value_name = "when", value_parser = PossibleValuesParser::new(["auto", "always", "never"]))]
    pub color: Option<String>,
    /// Print one JSON event a line
    #[arg(long, overrides_with = "no_json")]
    pub json: bool,
    #[arg(long, hide = true, overrides_with = "json")]
    no_json: bool,
}

impl Face {
    /// For a verb that has no options of its own about it but `--json`.
    pub fn plain(json: bool) -> Face {
        Face { json, ..Face::default() }
    }

    /// What was said about progress, if anything.
    pub fn progress(&self) -> Option<bool> {
        if self.progress { Some(true) } else { self.no_progress.then_some(false) }
    }
}
