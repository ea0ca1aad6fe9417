//! `git implement doctor`: what a run would find here. It reads, and runs nothing of the repository's; nobody is called.

mod tools;

use super::session;
use crate::config::{Config, GIT_CONFIG_ARGUMENTS, KeySource, ProviderKind, read_environment};
use crate::environment::Environment;
use crate::exit::ExitCode;
use crate::finding::{Finding, Severity};
use crate::git::{self, Repository};
use crate::process::find_program;
use crate::ui::doctor::{self, Row, State};
use crate::ui::plain::reason;
use crate::ui::printer;
use std::path::{Path, PathBuf};

/// Older ones lack what a run needs.
const OLDEST_GIT: (u32, u32) = (2, 36);

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Write JSON
    #[arg(long, overrides_with = "no_json")]
    json: bool,
    #[arg(long, hide = true, overrides_with = "json")]
    no_json: bool,
}

/// Runs the verb. Returns the exit status.
pub fn run(args: &Args) -> ExitCode {
    let rows = look(&read_environment(), std::env::current_dir());
    let mut out = printer::out();
    let written = if args.json { doctor::json(&mut out, &rows) } else { doctor::write(&mut out, &rows) };
    match written {
        Ok(()) => ExitCode::refused_if(rows.iter().any(|row| row.state == State::Missing)),
        Err(_) => ExitCode::ReaderGone,
    }
}

/// Where it is looked, when the current directory is gone: what depends on no repository is said all the same.
const ELSEWHERE: &str = "/";

fn look(environment: &Environment, cwd: std::io::Result<PathBuf>) -> Vec<Row> {
    let mut rows = vec![version(environment)];
    let repository = match &cwd {
        Ok(cwd) => {
            let repository = Repository::discover(cwd, environment);
            rows.push(match &repository {
                Ok(repository) => shape(repository),
                Err(error) => Row::missing("repository", error.to_string(), error.hints().join("; ")),
            });
            repository.ok()
        }
        Err(error) => {
            let detail = format!("cannot find the current directory: {}", reason(error));
            rows.push(Row::missing("repository", detail, "cd to a folder that is there"));
            None
        }
    };
    if let Some(repository) = &repository {
        rows.push(match repository.identity() {
            Ok(identity) => Row::ok("identity", format!("{} <{}>", identity.author.name, identity.author.email)),
            Err(error) => Row::missing("identity", error.to_string(), error.hints().join("; ")),
        });
    }
    let cwd = cwd.unwrap_or_else(|_| PathBuf::from(ELSEWHERE));
    let (config, wrong) = configured(environment, repository.as_ref(), &cwd);
    rows.extend(wrong);
    if let Some(config) = config {
        rows.extend(repository.as_ref().map(|repository| signing(repository, &config, environment)));
        rows.push(provider(&config, environment));
        let tree = repository.as_ref().and_then(Repository::workdir);
        rows.extend(tools::commands(&config, environment, tree));
        rows.push(tools::servers(&config, environment, tree.unwrap_or(&cwd)));
    }
    rows.push(tools::sandbox(environment));
    rows
}

/// What counts here, and what is wrong with it. What is wrong is left out, so that the rest can be said.
fn configured(environment: &Environment, repository: Option<&Repository>, cwd: &Path) -> (Option<Config>, Vec<Row>) {
    let mut rows = Vec::new();
    let said = git::config_output(environment, cwd, GIT_CONFIG_ARGUMENTS).unwrap_or_else(|error| {
        rows.push(Row::missing("configuration", error.to_string(), error.hints().join("; ")));
        Vec::new()
    });
    let row = |finding: &Finding| {
        let (detail, hint) = (finding.message.clone(), finding.hint.clone().unwrap_or_default());
        match finding.severity {
            Severity::Error => Some(Row::missing("configuration", detail, hint)),
            Severity::Warning => Some(Row::warning("configuration", detail, hint)),
            Severity::Note => None,
        }
    };
    for (repository, said) in [(repository, &said[..]), (None, &said[..]), (None, &[][..])] {
        match session::settings(environment, repository, said, Vec::new()) {
            Ok(config) => {
                let others = config.findings.iter().filter(|finding| finding.id != tools::NOT_APPROVED);
                rows.extend(others.filter_map(row));
                return (Some(config), rows);
            }
            Err(findings) => {
                for row in findings.iter().filter(|finding| finding.is_error()).filter_map(row) {
                    if !rows.iter().any(|known| known.detail == row.detail) {
                        rows.push(row);
                    }
                }
            }
        }
    }
    (None, rows)
}

fn version(environment: &Environment) -> Row {
    match git::version(environment) {
        Ok(version) => {
            let mut numbers = version.split('.').map(|number| number.parse::<u32>().unwrap_or_default());
            let found = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
            match found >= OLDEST_GIT {
                true => Row::ok("git", version),
                false => {
                    Row::missing("git", version, format!("install git {}.{} or newer", OLDEST_GIT.0, OLDEST_GIT.1))
                }
            }
        }
        Err(error) => Row::missing("git", error.to_string(), "install git"),
    }
}

/// Where it is, and what is special about it.
fn shape(repository: &Repository) -> Row {
    let is = |key: &str| repository.config_bool(key).ok().flatten() == Some(true);
    let special = [
        (repository.is_bare(), "bare"),
        (repository.git_dir() != repository.common_dir(), "a linked worktree"),
        (repository.common_dir().join("shallow").is_file(), "shallow"),
        (is("core.sparseCheckout"), "sparse"),
        (is("core.splitIndex"), "with a split index"),
        (
            repository.config_str("extensions.partialClone").ok().flatten().is_some(),
            "a partial clone: a run fetches what is missing",
        ),
    ];
    let place = repository.workdir().unwrap_or(repository.git_dir()).display();
    let words: Vec<&str> = special.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect();
    Row::ok("repository", [&[format!("'{place}'").as_str()], &words[..]].concat().join(", "))
}

fn signing(repository: &Repository, config: &Config, environment: &Environment) -> Row {
    let name = "signing";
    let get = |key: &str| repository.config_str(key).ok().flatten();
    let configured = || repository.config_bool("commit.gpgSign").ok().flatten().unwrap_or(false);
    if !config.gpg_sign.as_ref().map_or_else(configured, |sign| sign.value) {
        return Row::ok(name, "off, as 'commit.gpgSign' says");
    }
    let format = get("gpg.format").unwrap_or("openpgp");
    let default = match format {
        "ssh" => "ssh-keygen",
        "x509" => "gpgsm",
        _ => "gpg",
    };
    let program = get(&format!("gpg.{format}.program")).or(get("gpg.program").filter(|_| format == "openpgp"));
    let program = program.unwrap_or(default);
    let is_there =
        if program.contains('/') { Path::new(program).is_file() } else { find_program(environment, program).is_some() };
    match (is_there, format, get("user.signingKey")) {
        (false, ..) => Row::missing(
            name,
            format!("there is no '{program}'"),
            format!("install '{program}', or git config commit.gpgSign false"),
        ),
        (true, "ssh", None) => {
            Row::warning(name, "by ssh, without a key", "git config --global user.signingKey ~/.ssh/id_ed25519.pub")
        }
        _ => Row::ok(name, format!("by '{program}' ({format}); a run tries it before it asks a model")),
    }
}

/// Who would be asked, and with whose key: never the key.
fn provider(config: &Config, environment: &Environment) -> Row {
    let name = "provider";
    let by_key = || {
        let vendors = &config.vendors;
        let anthropic = vendors.anthropic_key.as_ref().map(|_| ProviderKind::Anthropic);
        anthropic.or(vendors.openai_key.as_ref().map(|_| ProviderKind::Openai))
    };
    let Some(kind) = config.provider.as_ref().map(|named| named.value).or_else(by_key) else {
        let hint = "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or git config --global implement.command 'claude -p'";
        return Row::warning(name, "none is set: a model server of this machine, if one runs", hint);
    };
    let word = kind.word();
    let origin = config.provider.as_ref().map_or_else(String::new, |named| format!(", from {}", named.origin));
    // A host that no helper knows: only whether one would be asked counts.
    match (kind, config.key_source(kind, "https://api.invalid")) {
        (ProviderKind::Command, _) => {
            let line = config.command.as_ref().map(|line| line.value.as_str()).unwrap_or_default();
            let program = shell_words::split(line).ok().and_then(|words| words.into_iter().next()).unwrap_or_default();
            let is_there = if program.contains('/') {
                Path::new(&program).is_file()
            } else {
                find_program(environment, &program).is_some()
            };
            match is_there {
                true => Row::ok(name, format!("'{program}'{origin}")),
                false => Row::missing(
                    name,
                    format!("there is no '{program}'{origin}"),
                    "git config --global implement.command 'claude -p'",
                ),
            }
        }
        (_, KeySource::Environment(variable, _)) => {
            Row::ok(name, format!("{word}{origin}, with the key in {variable}"))
        }
        (_, KeySource::Command(_)) => Row::ok(name, format!("{word}{origin}, with the key of 'implement.keyCommand'")),
        (_, KeySource::Credential { .. }) => {
            let detail = format!("{word}{origin}, with a key of git's credential helpers, if one has it");
            Row::warning(
                name,
                detail,
                "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or 'implement.keyCommand' in your own git configuration",
            )
        }
        (_, KeySource::None) => Row::ok(name, format!("{word}{origin}, which needs no key")),
    }
}
