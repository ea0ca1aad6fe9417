//! The one table of configuration keys. Everything derives from it: the reading of each layer, the suggestion for an
//! unknown key, and the tests that hold the example file and the man page to it.
//!
//! A key has one name in four spellings: `--max-cost`, `GIT_IMPLEMENT_MAX_COST`, `max-cost` at the top level of the
//! repository's file, and `implement.maxCost` in git's configuration.

use super::words::{CommitStyle, FormatChoice, LspMode, ProviderKind, Recorded, ReviewShows, Trailer, When};
use crate::check::is_guarded;
use Trust::{Anywhere, Guarded, Protected, Tighten};
use ValueKind::{Command, Commands, Count, Duration, Flag, List, Money, Path, Text, UpTo, Url, Word};

/// The most rounds that anything has.
pub const MOST_ROUNDS: u32 = 5;

/// What a value must look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Any text that is not empty.
    Text,
    /// One of these.
    Word(&'static [&'static str]),
    /// A whole number, at least this.
    Count(u32),
    /// A whole number, at most this.
    UpTo(u32),
    /// `120s`, `30m`, `1h`, `500ms`; a bare number is seconds.
    Duration,
    /// US dollars: `2`, `0.50`.
    Money,
    Flag,
    /// `http` or `https`, with a host, and without a password, a query or a fragment.
    Url,
    /// A program and its arguments, split by POSIX quoting and never given to a shell.
    Command,
    /// Several of them, each a command line of its own.
    Commands,
    /// A path of the machine; `~/` is the home directory.
    Path,
    /// Several texts.
    List,
}

/// How far the repository (its own file, or its local git configuration) is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// As anybody else.
    Anywhere,
    /// It may only make the person's own value stricter: less to spend, more signatures.
    Tighten,
    /// As anybody else, except about the gates that only the person loosens: see [`loosens`].
    Guarded,
    /// Not at all, unless the person has approved the file: the key runs a program, or says where source or a secret goes.
    Protected,
}

#[derive(Debug)]
pub struct Key {
    pub name: &'static str,
    pub kind: ValueKind,
    /// As it would be written in the environment.
    pub default: Option<&'static str>,
    pub trust: Trust,
    pub doc: &'static str,
}

impl Key {
    /// `GIT_IMPLEMENT_MAX_FILES`; none for a name that tells a provider's command something and is never read.
    pub fn environment_name(&self) -> Option<String> {
        let name = format!("{ENVIRONMENT_PREFIX}{}", self.name.to_ascii_uppercase().replace(['-', '.'], "_"));
        (!NEVER_CONFIGURATION.contains(&name.as_str())).then_some(name)
    }

    /// `implement.maxFiles`.
    pub fn git_name(&self) -> String {
        let mut name = String::from("implement.");
        let mut upper = false;
        for c in self.name.chars() {
            match c {
                '-' => upper = true,
                c if std::mem::take(&mut upper) => name.push(c.to_ascii_uppercase()),
                c => name.push(c),
            }
        }
        name
    }
}

pub use crate::environment::PREFIX as ENVIRONMENT_PREFIX;

/// What a provider's command is told about the request that it answers. Never read: a run inside a run would take
/// them for its own configuration.
pub const NEVER_CONFIGURATION: &[&str] = &[
    "GIT_IMPLEMENT_PATH",
    "GIT_IMPLEMENT_FORMAT",
    "GIT_IMPLEMENT_ATTEMPT",
    "GIT_IMPLEMENT_ROLE",
    "GIT_IMPLEMENT_ROUND",
];

/// Names that only the project's own tests use.
pub const TEST_PREFIX: &str = "GIT_IMPLEMENT_TEST_";

const fn key(
    name: &'static str,
    kind: ValueKind,
    default: Option<&'static str>,
    trust: Trust,
    doc: &'static str,
) -> Key {
    Key { name, kind, default, trust, doc }
}

/// In the order of the example file and of the man page.
#[rustfmt::skip]
pub const KEYS: &[Key] = &[
    // Who answers.
    key("provider", Word(ProviderKind::WORDS), None, Protected, "who answers"),
    key("model", Text, None, Anywhere, "the model that is asked, in the provider's own name for it"),
    key("base-url", Url, None, Protected, "where the provider's API is"),
    key("command", Command, None, Protected, "the program that answers, for the provider 'command'"),
    key("key-command", Command, None, Protected, "a program that prints the API key"),
    key("recordings", Path, None, Protected, "a directory that replies are written to, for 'replay'"),
    key("replay", Path, None, Protected, "a directory of recorded replies, which answer first, or instead of a model"),
    // What it may cost, and how long it may take.
    key("max-cost", Money, None, Tighten, "the most that all designs of a command may cost, in US dollars"),
    key("max-tokens", Count(1), None, Tighten, "the most tokens that all designs of a command may use, prompts and replies together"),
    key("context-window", Count(1), None, Anywhere, "the model's context window in tokens, where it is not known or not to be used whole"),
    key("max-output-tokens", Count(1), None, Anywhere, "the most tokens of one reply"),
    key("idle-timeout", Duration, Some("120s"), Anywhere, "how long a provider may be silent within a reply"),
    key("first-byte-timeout", Duration, Some("10m"), Anywhere, "how long a provider may take to begin its reply"),
    key("command-idle-timeout", Duration, Some("30m"), Anywhere, "how long a provider's command may be silent"),
    key("reply-timeout", Duration, Some("2h"), Anywhere, "how long one try may take in all, however much comes meanwhile"),
    key("max-tries", Count(1), Some("5"), Anywhere, "how often one request is sent when the network or the provider fails in passing"),
    key("truncation-retries", Count(0), Some("3"), Anywhere, "how often a file is asked for again when its reply was cut off"),
    key("repair", Count(0), Some("1"), Anywhere, "how often a refused reply goes back to the model with what was found"),
    // Who looks at it.
    key("rounds", UpTo(MOST_ROUNDS), Some("0"), Anywhere, "how often a reviewer has a say about the change"),
    key("reviewer.provider", Word(ProviderKind::WORDS), None, Protected, "who reviews; without it, whoever answers"),
    key("reviewer.model", Text, None, Protected, "the reviewer's model"),
    key("reviewer.base-url", Url, None, Protected, "where the reviewer's API is"),
    key("reviewer.command", Command, None, Protected, "the program that reviews, for the provider 'command'"),
    key("reviewer.shows", Word(ReviewShows::WORDS), Some("callers"), Protected, "what the reviewer is shown: the diff alone, or what it replaces and its callers, too"),
    // What is asked.
    key("format", Word(FormatChoice::WORDS), Some("auto"), Anywhere, "the form of the replies"),
    key("max-files", Count(1), Some("50"), Anywhere, "the most files of one run"),
    key("edit-lines", Count(0), Some("500"), Anywhere, "a file of more lines is modified by edits instead of written anew"),
    key("edit-bytes", Count(0), Some("15000"), Anywhere, "a file of more bytes is modified by edits instead of written anew"),
    key("context", List, None, Anywhere, "files of the repository that every prompt shows"),
    key("context-tokens", Count(0), Some("20000"), Anywhere, "the most tokens of other files that every prompt shows beside what is named; 0 is none"),
    key("context-exclude", List, None, Anywhere, "files that are never shown unless the person names them, as globs"),
    // How it is judged.
    key("allow", List, None, Guarded, "findings that are permitted, as '<id>', '<id>:<path>' or '<id>:<glob>'"),
    key("exclude", List, None, Anywhere, "files that only the gates for secrets and hidden text judge, as globs"),
    key("baseline", Path, None, Anywhere, "a file of findings that are not told again, as 'check --write-baseline' writes it"),
    key("summary-phrases", List, None, Anywhere, "further phrases that give away a summary in place of code"),
    key("gates", List, None, Guarded, "what gates weigh here, as '<id>=off|warning|error'"),
    // What is run on it.
    key("verify", Commands, None, Protected, "commands that must end with status 0 on the result before anything is published"),
    key("lsp", Word(LspMode::WORDS), Some("report"), Protected, "what becomes of errors that language servers find in what was written"),
    key("lsp-server", List, None, Protected, "language servers that may be started although they run code of the repository"),
    key("bisectable", Flag, Some("false"), Anywhere, "every commit passes the commands, not only the last"),
    key("no-exec", Flag, Some("false"), Protected, "no command and no language server is run"),
    // What is committed.
    key("commit", Word(CommitStyle::WORDS), Some("per-file"), Anywhere, "one commit a file, one a task of a list, or one in all"),
    key("trailer", Word(Trailer::WORDS), Some("assisted-by"), Anywhere, "the trailer that says where the text comes from"),
    key("record", Word(Recorded::WORDS), Some("full"), Tighten, "what the published record of a run holds: all, replies without prompts, or neither"),
    key("notes", Flag, Some("false"), Anywhere, "notes for other tools on the commits, in the form of the Git AI Standard"),
    key("gpg-sign", Flag, None, Tighten, "sign the commits; without it, as 'commit.gpgSign' says"),
    // What is told.
    key("otlp-endpoint", Url, None, Protected, "an OpenTelemetry collector that traces of runs are sent to"),
    key("color", Word(When::WORDS), Some("auto"), Anywhere, "when to use colour"),
    key("progress", Flag, None, Anywhere, "show progress; without it, on a terminal"),
];

/// Would this item of `allow` or of `gates` loosen one of [`crate::check::ONLY_THE_PERSON`]?
pub fn loosens(key: &str, item: &str) -> bool {
    let (id, level) = match key {
        "gates" => item.split_once('=').unwrap_or((item, "")),
        _ => (item.split_once(':').map_or(item, |(id, _)| id), "off"),
    };
    level.trim() != "error" && is_guarded(id.trim())
}

/// The key of this name.
pub fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// The one of `names` that `wrong` was probably meant to be.
pub(super) fn closest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = |text: &str| text.to_ascii_lowercase().replace(['-', '_', '.'], "");
    let wrong = folded(wrong);
    names
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&wrong, &folded(name)), name))
        .filter(|(distance, name)| *distance <= 1.max(folded(name).len() / 3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}
