//! What looks at a result here beside the gates: commands, language servers, and what holds them.

use crate::config::{Config, LspMode};
use crate::environment::Environment;
use crate::implement;
use crate::lsp::{Known, Servers, Settings};
use crate::process::sandbox::Means;
use crate::process::{Interrupt, Sandbox};
use crate::ui::doctor::Row;
use std::path::Path;

/// What is said of commands that the person has not approved.
pub(super) const NOT_APPROVED: &str = "config-not-approved";

/// What would judge the result. `tree`: the person's working tree.
pub(super) fn commands(config: &Config, environment: &Environment, tree: Option<&Path>) -> Vec<Row> {
    let name = "commands";
    if config.no_exec.value {
        return vec![Row::ok(name, format!("none may run, by {}", config.no_exec.origin))];
    }
    let ignored = config.findings.iter().find(|finding| finding.id == NOT_APPROVED);
    let mut rows: Vec<Row> = ignored
        .map(|it| Row::warning(name, &*it.message, it.hint.as_deref().unwrap_or_default()))
        .into_iter()
        .collect();
    let mut lines = Vec::new();
    for verify in &config.verify {
        match implement::cannot_run(verify, environment, tree) {
            Some(finding) => rows.push(Row::missing(name, &*finding.message, finding.hint.unwrap_or_default())),
            None => lines.push(format!("'{}'", verify.text)),
        }
    }
    if !lines.is_empty() {
        rows.push(Row::ok(name, lines.join(", ")));
    } else if rows.is_empty() {
        rows.push(Row::ok(name, "none: give --verify '<command>' what must run well on the result"));
    }
    rows
}

/// Which language servers are there for what lies below `root`.
pub(super) fn servers(config: &Config, environment: &Environment, root: &Path) -> Row {
    let name = "servers";
    if config.no_exec.value {
        return Row::ok(name, format!("none may run, by {}", config.no_exec.origin));
    }
    if config.lsp.value == LspMode::Off {
        return Row::ok(name, format!("nobody is asked, by {}", config.lsp.origin));
    }
    let servers = Servers::new(root, &Settings::with(&config.lsp_server.values()), environment, &Interrupt::never());
    let all = servers.all();
    let names = |fits: &dyn Fn(&Known) -> bool| -> String {
        all.iter().filter(|known| fits(known)).map(|known| known.name).collect::<Vec<_>>().join(", ")
    };
    let asked = names(&|it| it.is_installed && it.is_permitted() && it.lacks.is_none());
    let others = names(&|it| it.is_installed && !it.is_permitted());
    let mut detail = if asked.is_empty() { "none is on the PATH: types are not checked".to_owned() } else { asked };
    if !others.is_empty() {
        let when = "only when you name it (implement.lspServer), since it runs code of the repository";
        detail = format!("{detail}; {when}: {others}");
    }
    // What another does in its place is not missed.
    let missed = |it: &&Known| servers.handles(&format!("a.{}", it.extension)).is_none();
    for known in all.iter().filter(|it| it.is_permitted()).filter(missed) {
        let why = match known.lacks {
            Some(lacks) => lacks.to_owned(),
            None if known.is_named && !known.is_installed => format!("there is no '{}' on the PATH", known.program),
            None => continue,
        };
        return Row::warning(
            name,
            format!("{detail}; {} cannot be asked: {why}", known.name),
            "install what is missing",
        );
    }
    Row::ok(name, detail)
}

/// What holds commands and servers.
pub(super) fn sandbox(environment: &Environment) -> Row {
    let found = Sandbox::find(environment);
    let hint = "install bubblewrap";
    match (found.means(), found.means().leaks()) {
        (Means::None, _) => Row::warning("sandbox", "none: commands and servers run as you", hint),
        (_, None) => Row::ok("sandbox", found.name()),
        (means, Some(leaks)) => {
            let own =
                if means == Means::Landlock { "; no test can have a server of its own, or shared memory" } else { "" };
            Row::warning("sandbox", format!("{}, which {leaks}{own}", found.name()), hint)
        }
    }
}
