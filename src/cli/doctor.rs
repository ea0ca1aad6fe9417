//! `git implement doctor`: what a run would find here. It reads, and runs nothing of the repository's; nobody is called.

use super::session;
use crate::config::{Config, GIT_CONFIG_ARGUMENTS, KeySource, LspMode, ProviderKind, read_environment};
use crate::environment::Environment;
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::git::{self, Repository};
use crate::lsp::{self, Known};
use crate::process::sandbox::Means;
use crate::process::{Sandbox, find_program};
use crate::ui::doctor::{self, Row, State};
use crate::ui::printer;
use std::path::Path;

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
    let rows = look(&read_environment(), &std::env::current_dir().unwrap_or_default());
    let mut out = printer::out();
    let written = if args.json { doctor::json(&mut out, &rows) } else { doctor::write(&mut out, &rows) };
    match written {
        Ok(()) => ExitCode::refused_if(rows.iter().any(|row| row.state == State::Missing)),
        Err(_) => ExitCode::ReaderGone,
    }
}

fn look(environment: &Environment, cwd: &Path) -> Vec<Row> {
    let mut rows = vec![version(environment)];
    let repository = Repository::discover(cwd, environment);
    rows.push(match &repository {
        Ok(repository) => shape(repository),
        Err(error) => Row::missing("repository", error.to_string(), error.hints().join("; ")),
    });
    let repository = repository.ok();
    if let Some(repository) = &repository {
        rows.push(match repository.identity() {
            Ok(identity) => Row::ok("identity", format!("{} <{}>", identity.author.name, identity.author.email)),
            Err(error) => Row::missing("identity", error.to_string(), error.hints().join("; ")),
        });
    }
    let said = git::config_output(environment, cwd, GIT_CONFIG_ARGUMENTS).unwrap_or_default();
    match session::settings(environment, repository.as_ref(), &said, Vec::new()) {
        Ok(config) => {
            rows.extend(repository.as_ref().map(|repository| signing(repository, &config, environment)));
            rows.push(provider(&config, environment));
            rows.push(commands(&config));
            rows.push(servers(&config, environment));
        }
        Err(findings) => rows.extend(findings.iter().filter(|finding| finding.is_error()).map(wrong)),
    }
    rows.push(sandbox(environment));
    rows
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

/// What would judge the result beside the gates.
fn commands(config: &Config) -> Row {
    let name = "commands";
    if let Some(finding) = config.findings.iter().find(|finding| finding.id == "config-not-approved") {
        return Row::warning(name, &*finding.message, finding.hint.as_deref().unwrap_or_default());
    }
    let lines: Vec<String> = config.verify.iter().map(|verify| format!("'{}'", verify.text)).collect();
    match (config.no_exec.value, lines.is_empty()) {
        (true, _) => Row::ok(name, format!("none may run, by {}", config.no_exec.origin)),
        (false, true) => Row::ok(name, "none: give --verify '<command>' what must run well on the result"),
        (false, false) => Row::ok(name, lines.join(", ")),
    }
}

/// Which language servers are installed.
fn servers(config: &Config, environment: &Environment) -> Row {
    let name = "servers";
    if config.no_exec.value {
        return Row::ok(name, format!("none may run, by {}", config.no_exec.origin));
    }
    if config.lsp.value == LspMode::Off {
        return Row::ok(name, format!("nobody is asked, by {}", config.lsp.origin));
    }
    let installed = || lsp::known().filter(|server| find_program(environment, server.program).is_some());
    let is_named = |server: &Known| config.lsp_server.0.iter().any(|named| named.value == server.name);
    let of = |asked: bool| -> Vec<&str> {
        installed().filter(|server| (!server.runs_workspace || is_named(server)) == asked).map(|it| it.name).collect()
    };
    let (asked, others) = (of(true).join(", "), of(false).join(", "));
    let others = if others.is_empty() {
        String::new()
    } else {
        format!("; only when you name it (implement.lspServer), since it runs code of the repository: {others}")
    };
    match asked.is_empty() {
        true => Row::ok(name, format!("none is on the PATH: types are not checked{others}")),
        false => Row::ok(name, format!("{asked}{others}")),
    }
}

fn wrong(finding: &Finding) -> Row {
    Row::missing("configuration", &*finding.message, finding.hint.as_deref().unwrap_or_default())
}

fn sandbox(environment: &Environment) -> Row {
    let found = Sandbox::find(environment);
    let hint = "install bubblewrap";
    match found.means() {
        Means::Bubblewrap | Means::Namespaces => Row::ok("sandbox", found.name()),
        Means::Landlock => Row::warning(
            "sandbox",
            format!("{}: no test can have a server of its own, or shared memory", found.name()),
            hint,
        ),
        Means::None => Row::warning("sandbox", "none: commands and servers run as you", hint),
    }
}
