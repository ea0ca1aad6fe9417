//! Which child sees which part of the person's environment.

use crate::check::secrets;
use crate::environment::{Environment, GIT_LOCAL, is_git_local, is_ours, is_secret, may_hold_secret};

/// Variables that say where the repository is. A child that works for the person's repository gets them from us.
const PLACES: &[&str] = &["GIT_COMMON_DIR", "GIT_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_WORK_TREE"];

/// Variables that change what paths on a command line mean; ours are always literal.
const PATHSPECS: &[&str] = &["GIT_GLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_NOGLOB_PATHSPECS"];

/// Variables of a repository that a child in the scratch worktree keeps: where objects are, and what the person
/// configured.
const KEPT_IN_SCRATCH: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_QUARANTINE_PATH",
];

/// What a child is, which decides the variables that it gets. No child but the provider's sees an API key, and none
/// sees variables of ours, which a nested run would take for its configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildKind {
    /// git as the person would run it here: `GIT_DIR` and its like are in it, because it is this repository that git is
    /// asked about.
    Git,
    /// git for a repository whose place is known: it gets that explicitly.
    Repository,
    /// git in the scratch worktree, and the hooks that it runs: nothing that names the person's repository or index,
    /// so that a leaked `GIT_INDEX_FILE` cannot make it write there.
    Scratch,
    /// The program of provider `command`: the person's environment, keys too, because it may be a client that needs one;
    /// but nothing that leads it to the repository.
    Provider,
    /// A command that judges what was written, or a language server, in a sandbox: nothing that looks like a secret or leads
    /// to somebody who has one, no repository, and nothing that lies in the person's home.
    Confined,
    /// Any other program: no keys, no repository.
    Other,
}

impl ChildKind {
    /// The part of `environment` that such a child gets.
    pub fn variables(self, environment: &Environment) -> Environment {
        let kept_in_scratch = |name: &str| KEPT_IN_SCRATCH.contains(&name) || !GIT_LOCAL.contains(&name);
        let kept = environment.less(|name| {
            is_ours(name)
                || match self {
                    ChildKind::Git => is_secret(name),
                    ChildKind::Repository => is_secret(name) || PLACES.contains(&name) || PATHSPECS.contains(&name),
                    ChildKind::Scratch => is_secret(name) || !kept_in_scratch(name),
                    ChildKind::Provider => is_git_local(name),
                    ChildKind::Confined | ChildKind::Other => is_secret(name) || is_git_local(name),
                }
        });
        if self == ChildKind::Confined { confined(kept) } else { kept }
    }
}

/// Variables that lead to a session, an agent or a store of the person's, or to places in their home.
const LEADS: &[&str] = &[
    "BASH_ENV",
    "DISPLAY",
    "ENV",
    "GNUPGHOME",
    "GPG_AGENT_INFO",
    "ICEAUTHORITY",
    "KRB5CCNAME",
    "KUBECONFIG",
    "NETRC",
    "OLDPWD",
    "PIP_CONFIG_FILE",
    "SSH_AGENT_PID",
    "TEMP",
    "TMP",
    "TMUX",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
];
/// What the names of others begin with.
const LEADING: &[&str] = &["AWS_", "AZURE_", "DBUS_", "DOCKER_", "GIT_ASKPASS", "SSH_", "XDG_", "npm_config_"];

fn confined(environment: Environment) -> Environment {
    environment.without(|name, value| {
        let leads = LEADS.contains(&name) || LEADING.iter().any(|prefix| name.starts_with(prefix));
        leads || may_hold_secret(name, value) || !secrets(&format!("{name}={value}")).is_empty()
    })
}
