//! [`GitError`]: everything that can go wrong with a repository, as data; worded as git words it.

use super::Oid;
use crate::exit::ExitCode;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitError {
    /// git itself does not open it: no repository, somebody else's, an extension or format it does not know, a
    /// configuration that does not parse. The words are git's.
    CannotOpen {
        message: String,
    },
    /// A kind of repository, or of file, that would come out wrong. `id` is a stable name (`unsupported-reftable`).
    Unsupported {
        id: &'static str,
        what: String,
        hint: String,
    },
    /// HEAD names a branch without a commit.
    UnbornHead {
        branch: String,
    },
    /// `git var` gives no author or committer.
    NoIdentity {
        message: String,
    },
    BadRevision {
        spec: String,
        message: String,
    },
    /// It names neither a commit nor a file.
    Ambiguous {
        argument: String,
    },
    DesignMissing {
        design: String,
    },
    DesignOutside {
        design: String,
        root: PathBuf,
    },
    DesignDirectory {
        design: String,
    },
    DesignSymlink {
        design: String,
    },
    DesignNotUtf8 {
        design: String,
    },
    DesignPath {
        design: String,
    },
    BranchName {
        name: String,
    },
    BranchExists {
        name: String,
        commit: Oid,
    },
    /// `doing` is `checked out`, `being rebased` or `being bisected`.
    BranchCheckedOut {
        name: String,
        worktree: PathBuf,
        doing: &'static str,
    },
    /// A branch that cannot stand beside the new one: `implement` beside `implement/x`, or one that differs in case.
    BranchConflict {
        name: String,
        other: String,
    },
    /// A file or tree that the commit names is not in the object database, or does not unpack.
    BadObject {
        id: String,
        path: String,
        message: String,
    },
    /// A hook of the user's said no. `output` is safe to print.
    Hook {
        name: String,
        output: String,
    },
    /// A hook of the user's changed files that are none of the commit's. `output` is safe to print.
    HookChanged {
        name: String,
        paths: Vec<String>,
        output: String,
    },
    /// A hook of the user's changes its own work each time it runs.
    HookUnsettled {
        name: String,
        paths: Vec<String>,
    },
    Signing {
        message: String,
    },
    /// The tree to be committed differs from its parent at a path that was not staged.
    Scope {
        path: String,
    },
    /// A link or a submodule stands where a file was staged.
    NotAFile {
        path: String,
    },
    /// The branch is not where it was; somebody else moved, made or deleted it during the run.
    RefMoved {
        name: String,
        expected: Option<Oid>,
        found: Option<Oid>,
    },
    /// The refs could not be written, though nobody moved them: a lock, a full disk, no permission.
    RefRefused {
        message: String,
    },
    /// The files that a hook needs could not be checked out: a filter that fails, a full disk.
    Checkout {
        message: String,
    },
    /// The disk of `place` has less room than the run may need. In bytes.
    NoRoom {
        place: PathBuf,
        needed: u64,
        free: u64,
    },
    /// A git child failed.
    Git {
        verb: String,
        message: String,
    },
    Libgit2 {
        doing: String,
        message: String,
    },
    Io {
        doing: String,
        path: PathBuf,
        message: String,
    },
    Interrupted,
}

impl GitError {
    pub(crate) fn io(doing: impl Into<String>, path: &Path, error: &std::io::Error) -> GitError {
        let message = error.to_string();
        // The number says nothing that the words do not.
        let message = message.split(" (os error").next().unwrap_or_default().to_owned();
        GitError::Io { doing: doing.into(), path: path.to_owned(), message }
    }
    /// For `map_err`: what was being done when libgit2 failed.
    pub(super) fn libgit2(doing: impl Into<String>) -> impl FnOnce(git2::Error) -> GitError {
        move |error| GitError::Libgit2 { doing: doing.into(), message: error.message().to_owned() }
    }

    /// How the program ends because of it.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            GitError::Hook { .. } | GitError::HookChanged { .. } | GitError::HookUnsettled { .. } => ExitCode::Refused,
            GitError::RefMoved { .. } => ExitCode::Moved,
            GitError::Interrupted => ExitCode::Interrupted,
            GitError::CannotOpen { .. }
            | GitError::Unsupported { .. }
            | GitError::UnbornHead { .. }
            | GitError::NoIdentity { .. }
            | GitError::BadRevision { .. }
            | GitError::Ambiguous { .. }
            | GitError::DesignMissing { .. }
            | GitError::DesignOutside { .. }
            | GitError::DesignDirectory { .. }
            | GitError::DesignSymlink { .. }
            | GitError::DesignNotUtf8 { .. }
            | GitError::DesignPath { .. }
            | GitError::BranchName { .. }
            | GitError::BranchExists { .. }
            | GitError::BranchCheckedOut { .. }
            | GitError::BranchConflict { .. }
            | GitError::BadObject { .. }
            | GitError::Signing { .. }
            | GitError::Scope { .. }
            | GitError::NotAFile { .. }
            | GitError::RefRefused { .. }
            | GitError::Checkout { .. }
            | GitError::NoRoom { .. }
            | GitError::Git { .. }
            | GitError::Libgit2 { .. }
            | GitError::Io { .. } => ExitCode::Fatal,
        }
    }

    /// What to do next, a line each.
    pub fn hints(&self) -> Vec<String> {
        let hints: &[&str] = match self {
            GitError::CannotOpen { message } if message.starts_with("not a git repository") => {
                &["run it inside a repository, or make one with 'git init'"]
            }
            GitError::CannotOpen { message } if message.contains("dubious ownership") => {
                &["if you trust it: git config --global --add safe.directory <directory>"]
            }
            GitError::Unsupported { hint, .. } => return vec![hint.clone()],
            GitError::UnbornHead { .. } => {
                &["make the first commit: git add <file>... && git commit -m 'first commit'"]
            }
            GitError::NoIdentity { .. } => {
                &["git config user.name '<your name>'", "git config user.email '<your address>'"]
            }
            GitError::BadRevision { .. } => &["name a commit that 'git log -1 <commit>' shows"],
            GitError::Ambiguous { .. } => {
                &["'--' separates paths from revisions: check [<revision>...] -- [<path>...]"]
            }
            GitError::DesignOutside { .. } => {
                &["copy it into the repository, so that the commits can say what they were made from"]
            }
            GitError::DesignDirectory { .. } => &[
                "a folder is a design if it has 'tasks.md', 'plan.md' or numbered plans ('01-setup.md'); else name the file",
            ],
            GitError::DesignSymlink { .. } => &["name the file that it points to"],
            GitError::BranchName { .. } => {
                &["choose a name that 'git check-ref-format --branch' takes, with -b <name>"]
            }
            GitError::BranchExists { name, .. } => {
                return vec![
                    "choose another name with -b <name>".to_owned(),
                    format!("add to it with -b {name} --base {name}, or replace it with --force"),
                ];
            }
            GitError::BranchCheckedOut { doing: "checked out", .. } => {
                &["switch that worktree to another branch, or choose another name with -b <name>"]
            }
            GitError::BranchCheckedOut { .. } => &["finish that first, or choose another name with -b <name>"],
            GitError::BranchConflict { .. } => &["choose another name with -b <name>"],
            GitError::BadObject { id, message, .. } if message == "it is missing" => {
                return vec![format!("in a partial clone 'git cat-file -t {id}' fetches it; else see 'git fsck'")];
            }
            GitError::BadObject { .. } => &["see what is broken with 'git fsck'"],
            GitError::Hook { .. } => {
                &["--no-verify skips your pre-commit and commit-msg hooks, and the record says so"]
            }
            GitError::HookChanged { .. } => {
                &["a hook may change what is planned: let it leave the rest alone, or skip it with --no-verify"]
            }
            GitError::HookUnsettled { .. } => {
                &["run it on such a file by hand until it changes nothing, or skip it with --no-verify"]
            }
            GitError::Signing { .. } => &["try 'git commit-tree -S -m test HEAD^{tree}', or give --no-gpg-sign"],
            GitError::RefRefused { message } if message.contains(".lock") => {
                &["if no other git is at work in this repository, remove that file"]
            }
            GitError::RefRefused { message } if message.contains("; cannot create") => {
                &["rename or delete the ref that is in the way, or choose another name with -b <name>"]
            }
            GitError::Checkout { .. } => &["--no-verify skips your hooks, and then nothing is checked out"],
            GitError::NoRoom { .. } => &["make room: a run keeps every reply until its commits are published"],
            GitError::RefMoved { .. } => &["look at what it is now, then run again"],
            _ => &[],
        };
        hints.iter().map(|&hint| hint.to_owned()).collect()
    }
}

impl std::fmt::Display for GitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GitError::CannotOpen { message } => f.write_str(message),
            GitError::Unsupported { what, .. } => f.write_str(what),
            GitError::UnbornHead { branch } => {
                write!(f, "your current branch '{branch}' does not have any commits yet")
            }
            GitError::NoIdentity { message } => write!(f, "git does not know who makes the commits: {message}"),
            GitError::BadRevision { spec, message } => write!(f, "'{spec}' is not a commit: {message}"),
            GitError::Ambiguous { argument } => {
                write!(f, "ambiguous argument '{argument}': unknown revision or path not in the working tree")
            }
            GitError::DesignMissing { design } => write!(f, "cannot find the design '{design}'"),
            GitError::DesignOutside { design, root } => {
                write!(f, "the design '{design}' is outside the repository at '{}'", root.display())
            }
            GitError::DesignDirectory { design } => write!(f, "'{design}' is a directory, not a design"),
            GitError::DesignSymlink { design } => write!(f, "the design '{design}' is a symbolic link"),
            GitError::DesignNotUtf8 { design } => write!(f, "the design '{design}' is not UTF-8 text"),
            GitError::DesignPath { design } => write!(f, "the design's path '{design}' is not a path of a repository"),
            GitError::BranchName { name } => write!(f, "'{name}' is not a valid branch name"),
            GitError::BranchExists { name, commit } => {
                write!(f, "a branch named '{name}' already exists, at {}", short(Some(*commit)))
            }
            GitError::BranchCheckedOut { name, worktree, doing } => {
                write!(f, "branch '{name}' is {doing} in '{}'", worktree.display())
            }
            GitError::BranchConflict { name, other } => {
                write!(f, "cannot make branch '{name}': branch '{other}' is in the way")
            }
            GitError::BadObject { id, path, message } => write!(f, "cannot read object {id} of '{path}': {message}"),
            GitError::Hook { name, output } if output.is_empty() => write!(f, "the {name} hook refused"),
            GitError::Hook { name, output } => write!(f, "the {name} hook refused:\n{output}"),
            GitError::HookChanged { name, paths, output } => {
                write!(f, "the {name} hook changed what is not planned: '{}'", paths.join("', '"))?;
                if output.is_empty() { Ok(()) } else { write!(f, "\n{output}") }
            }
            GitError::HookUnsettled { name, paths } => {
                write!(f, "the {name} hook changes its own work when it runs again: '{}'", paths.join("', '"))
            }
            GitError::Signing { message } => write!(f, "cannot sign the commit: {message}"),
            GitError::Scope { path } => write!(f, "the tree to be committed differs at '{path}', which was not staged"),
            GitError::NotAFile { path } => write!(f, "'{path}' is a symbolic link or a submodule, not a file"),
            GitError::RefMoved { name, expected, found } => write!(
                f,
                "branch '{name}' moved during the run: expected {}, found {}",
                short(*expected),
                short(*found)
            ),
            GitError::RefRefused { message } => write!(f, "cannot publish: {message}"),
            GitError::Checkout { message } => {
                write!(f, "cannot check out the files for your pre-commit hook: {message}")
            }
            GitError::NoRoom { place, needed, free } => write!(
                f,
                "no room in '{}': the run may need {} MB, and {} MB are free",
                place.display(),
                needed.div_ceil(1_000_000),
                free / 1_000_000
            ),
            GitError::Git { verb, message } => write!(f, "git {verb}: {message}"),
            GitError::Libgit2 { doing, message } => write!(f, "cannot {doing}: {message}"),
            GitError::Io { doing, path, message } if path.as_os_str().is_empty() => {
                write!(f, "cannot {doing}: {message}")
            }
            GitError::Io { doing, path, message } => write!(f, "cannot {doing} '{}': {message}", path.display()),
            GitError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for GitError {}

fn short(id: Option<Oid>) -> String {
    id.map_or_else(|| "none".to_owned(), |id| id.to_string().chars().take(12).collect())
}
