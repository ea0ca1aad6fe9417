//! Configuration in layers: options beat the environment, which beats `.git-implement.toml` at the root of the
//! repository, which beats git's configuration, which beats the defaults. The only reader of the environment.
//!
//! [`registry::KEYS`] is the one table of keys. [`Sources`] is what was said, as data; [`Sources::resolve`] is what
//! counts, as a [`Config`] whose every [`Setting`] remembers where it comes from. What the repository says is
//! believed only as far as the key's [`registry::Trust`] goes.
//!
//! Does not know what any setting does, starts no program and opens no repository.

mod agreed;
mod asked;
mod choice;
mod credentials;
mod file;
mod gitconfig;
mod layer;
pub mod registry;
mod resolve;
mod reviewer;
mod secret;
mod setting;
mod take;
mod value;
mod vendor;
mod verify;
mod words;

#[cfg(test)]
mod tests;

pub use crate::environment::Environment;
pub use agreed::{Agreed, digest};
pub use asked::{Asked, asked_by};
pub use credentials::{KeySource, key_from_command, key_from_credential};
pub use gitconfig::{GIT_CONFIG_ARGUMENTS, GitEntry, parse as parse_git_config};
pub use registry::{KEYS, Key, MOST_ROUNDS, Trust, ValueKind};
pub use reviewer::Reviewer;
pub use setting::{List, Origin, Scope, Setting};
pub use value::is_loopback;
pub use vendor::Vendors;
pub use verify::Verify;
pub use words::{CommitStyle, FormatChoice, LspMode, ProviderKind, Recorded, ReviewShows, Trailer, VerifyWhen, When};

use crate::finding::Finding;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The repository's own configuration file, at its root.
pub const FILE_NAME: &str = ".git-implement.toml";

/// More than this is not a configuration file.
const FILE_LIMIT: u64 = 1 << 20;

/// The process's environment. Nothing else in the crate reads it.
pub fn read_environment() -> Environment {
    std::env::vars_os().collect()
}

/// Everything that was said, before anybody judged it.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    pub environment: Environment,
    /// The text of the repository's file.
    pub repo_file: Option<String>,
    /// The person has approved that text, for this repository.
    pub approved: bool,
    /// Weakest scope first, as git prints them.
    pub git: Vec<GitEntry>,
    /// `(key, value)` under the keys' names (`max-files`); a flag is `true` or `false`, a list one pair an item.
    pub options: Vec<(String, String)>,
}

/// What counts. `None` and an empty list: nobody said anything, and there is no default.
#[derive(Debug, Clone)]
pub struct Config {
    /// Named, or implied by a `command` or `replay` of the same layer.
    pub provider: Option<Setting<ProviderKind>>,
    pub model: Option<Setting<String>>,
    /// Without a `/` at its end. Ask [`Config::base_url_of`].
    pub base_url: Option<Setting<String>>,
    /// Known to split by POSIX quoting, and to name a program.
    pub command: Option<Setting<String>>,
    /// Program and arguments. Ask [`Config::key_source`].
    pub key_command: Option<Setting<Vec<String>>>,
    pub recordings: Option<Setting<PathBuf>>,
    pub replay: Option<Setting<PathBuf>>,

    /// US dollars.
    pub max_cost: Option<Setting<f64>>,
    /// Of a run, input and output.
    pub max_tokens: Option<Setting<u64>>,
    /// Tokens.
    pub context_window: Option<Setting<u32>>,
    /// Tokens of one reply.
    pub max_output_tokens: Option<Setting<u32>>,
    /// Silence within a reply.
    pub idle_timeout: Setting<Duration>,
    /// Silence before a reply begins.
    pub first_byte_timeout: Setting<Duration>,
    /// Silence of a provider's command.
    pub command_idle_timeout: Setting<Duration>,
    /// One try in all.
    pub reply_timeout: Setting<Duration>,
    /// At least 1: the first try counts.
    pub max_tries: Setting<u32>,
    /// Beyond the first try; 0 means one shot.
    pub truncation_retries: Setting<u32>,
    /// How often a refused reply goes back with what was found.
    pub repair: Setting<u32>,

    /// How often a reviewer has a say.
    pub rounds: Setting<u32>,
    pub reviewer: Reviewer,

    pub format: Setting<FormatChoice>,
    pub max_files: Setting<usize>,
    pub edit_lines: Setting<usize>,
    pub edit_bytes: Setting<usize>,
    pub context: List,
    /// Of excerpts that are chosen; 0: none are.
    pub context_tokens: Setting<u32>,
    /// Globs, not judged yet.
    pub context_exclude: List,

    pub allow: List,
    /// Globs, not judged yet.
    pub exclude: List,
    /// What it is relative to depends on where it was said.
    pub baseline: Option<Setting<PathBuf>>,
    pub summary_phrases: List,
    /// `<id>=off|warning|error`, not judged yet.
    pub gates: List,

    /// Commands that judge the result, in the order in which they were said.
    pub verify: Vec<Verify>,
    pub lsp: Setting<LspMode>,
    /// Names of servers that may be started although they run code of the repository.
    pub lsp_server: List,
    pub bisectable: Setting<bool>,
    /// Neither commands nor servers are run.
    pub no_exec: Setting<bool>,

    pub commit: Setting<CommitStyle>,
    pub record: Setting<Recorded>,
    pub notes: Setting<bool>,
    pub trailer: Setting<Trailer>,
    /// `None`: as `commit.gpgSign` says.
    pub gpg_sign: Option<Setting<bool>>,

    /// The whole URL that spans are posted to.
    pub otlp_traces_url: Option<Setting<String>>,
    /// `auto` is settled by `NO_COLOR` where that is set.
    pub color: Setting<When>,
    /// `None`: on a terminal that is not dumb.
    pub progress: Option<Setting<bool>>,

    /// What other tools' variables say.
    pub vendors: Vendors,
    /// `TRACEPARENT`: the trace that the caller wants the run to be part of, in W3C form.
    pub traceparent: Option<String>,
    /// Warnings and notes about what was left out, to be shown to the person.
    pub findings: Vec<Finding>,
}

impl Sources {
    /// Nothing is approved yet. Reads the file at the root of the working tree (`None`: there is none) and takes in what the git executable
    /// printed for [`GIT_CONFIG_ARGUMENTS`].
    pub fn gather(
        environment: Environment,
        root: Option<&Path>,
        git_config: &[u8],
        options: Vec<(String, String)>,
    ) -> Result<Sources, Finding> {
        let repo_file = match root {
            Some(root) => read_file(&root.join(FILE_NAME))?,
            None => None,
        };
        Ok(Sources { environment, repo_file, approved: false, git: parse_git_config(git_config)?, options })
    }

    /// What counts, or everything that is wrong. Findings whose id begins with `usage-` are about options.
    pub fn resolve(&self) -> Result<Config, Vec<Finding>> {
        let mut findings = Vec::new();
        let mut given = Vec::new();
        gitconfig::layer(&self.git, &mut given, &mut findings);
        if let Some(text) = &self.repo_file {
            file::layer(text, &mut given, &mut findings);
        }
        layer::environment(&self.environment, &mut given, &mut findings);
        layer::options(&self.options, &mut given, &mut findings);
        let vendors = vendor::read(&self.environment, &mut findings);
        let counting = resolve::resolve(given, self.approved, &mut findings);
        if findings.iter().any(Finding::is_error) {
            return Err(findings);
        }
        let mut config = take::config(counting, vendors, &self.environment, findings)
            .ok_or_else(|| vec![Finding::error("config-default", "a default does not fit its key: this is a bug")])?;
        if let (false, Some(color)) = (config.color.is_set(), gitconfig::color(&self.git)) {
            config.color = color;
        }
        Ok(config)
    }
}

/// The file's text. Only a regular file counts: a symbolic link would let a repository show any file of the machine
/// in an error message.
fn read_file(path: &Path) -> Result<Option<String>, Finding> {
    let error = |problem: String| Finding::error("config-file", format!("cannot read '{FILE_NAME}': {problem}"));
    match std::fs::symlink_metadata(path) {
        Err(missing) if missing.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(other) => return Err(error(other.to_string())),
        Ok(metadata) if !metadata.is_file() => return Err(error("not a regular file".into())),
        Ok(_) => {}
    }
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|problem| error(problem.to_string()))?;
    file.take(FILE_LIMIT + 1).read_to_string(&mut text).map_err(|problem| error(problem.to_string()))?;
    if text.len() as u64 > FILE_LIMIT {
        return Err(error(format!("more than {FILE_LIMIT} bytes")));
    }
    Ok(Some(text))
}
