//! [`Setting`]: a value that remembers where it comes from, so that a run can say why it does what it does.

use crate::finding::Permission;
use std::fmt;

/// The layers, weakest first: the order of the variants is the order of precedence.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Nobody said anything.
    Default,
    /// git's configuration, read through the git executable.
    Git(Scope),
    /// The repository's file, at this line (counted from 1).
    File { line: usize },
    /// This environment variable.
    Environment(String),
    /// This option of the command line, with its dashes.
    Option(String),
}

/// git's own word for where a configuration value stands (`git config --show-scope`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    System,
    Global,
    Local,
    Worktree,
    /// `git -c` and `GIT_CONFIG_*`.
    Command,
    /// A scope that git gained later. Not protected, because nobody has looked at it.
    Other,
}

impl Scope {
    pub fn from_word(word: &str) -> Scope {
        match word {
            "system" => Scope::System,
            "global" => Scope::Global,
            "local" => Scope::Local,
            "worktree" => Scope::Worktree,
            "command" => Scope::Command,
            _ => Scope::Other,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Scope::System => "system",
            Scope::Global => "global",
            Scope::Local => "local",
            Scope::Worktree => "worktree",
            Scope::Command => "command line",
            Scope::Other => "other",
        }
    }
}

impl Origin {
    /// Did the person say it, rather than the repository? git calls its part of this "protected configuration":
    /// whoever can write a repository cannot write it.
    pub fn is_protected(&self) -> bool {
        match self {
            Origin::Git(scope) => matches!(scope, Scope::System | Scope::Global | Scope::Command),
            Origin::File { .. } => false,
            Origin::Default | Origin::Environment(_) | Origin::Option(_) => true,
        }
    }

    /// The layer of the command line.
    pub(super) const STRONGEST: u8 = 4;

    /// How strong the layer is; scopes of git's configuration and lines of the file are one layer each.
    pub(super) fn layer(&self) -> u8 {
        match self {
            Origin::Default => 0,
            Origin::Git(_) => 1,
            Origin::File { .. } => 2,
            Origin::Environment(_) => 3,
            Origin::Option(_) => Self::STRONGEST,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::Git(scope) => write!(f, "git config ({})", scope.word()),
            Origin::File { line } => write!(f, "{} line {line}", super::FILE_NAME),
            Origin::Environment(name) | Origin::Option(name) => f.write_str(name),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Setting<T> {
    pub value: T,
    pub origin: Origin,
}

impl<T> Setting<T> {
    pub fn new(value: T, origin: Origin) -> Self {
        Setting { value, origin }
    }

    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Setting<U> {
        Setting { value: f(self.value), origin: self.origin }
    }

    /// Is it what somebody asked for, rather than the default?
    pub fn is_set(&self) -> bool {
        self.origin != Origin::Default
    }
}

/// A setting of several values. Layers add up, weakest first, each value with its own origin; an empty value clears
/// what came before it, as with git's own lists.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct List(pub Vec<Setting<String>>);

impl List {
    pub fn values(&self) -> Vec<String> {
        self.0.iter().map(|item| item.value.clone()).collect()
    }

    /// The values, each with where it was said.
    pub fn permissions(&self) -> Vec<Permission> {
        self.0.iter().map(|item| Permission::new(&item.value, item.origin.to_string())).collect()
    }
}
