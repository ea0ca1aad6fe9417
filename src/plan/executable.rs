//! The executable bit: which files of a plan are written with mode 755. This is the only place that decides it.
//!
//! A file that the base has keeps its bit. For a new file the plan looks at its neighbours and its name before any text
//! exists; when the text is there, a `#!` line may still make a program of it.

use super::decide::Case;
use super::neighbours::{Neighbours, extension};
use super::{Blob, Step};
use crate::path::RepoPath;

/// What can be said before the text is known. The base's bit is kept. A new file does as its neighbours with the same
/// extension do; without any, shell scripts and hooks are programs and everything else is not.
pub(super) fn planned(case: &Case, neighbours: &Neighbours) -> bool {
    if let Some(Blob { executable, .. }) = case.base {
        return *executable;
    }
    let path = &case.spec.path;
    let beside = neighbours.of(path.parent());
    let (programs, files) = beside.programs.get(&extension(path.file_name())).copied().unwrap_or_default();
    if files > 0 {
        return programs * 2 > files;
    }
    let hooks = path.parent().rsplit('/').next().is_some_and(is_for_hooks);
    matches!(path.extension(), Some("sh" | "bash" | "zsh" | "fish")) || (hooks && path.extension().is_none())
}

impl Step {
    /// Is the file to be written with mode 755, now that its text is known?
    pub fn is_executable(&self, text: &str) -> bool {
        self.executable || is_executable(&self.path, self.base.as_ref(), text)
    }
}

/// What a file's own text and name say. A file that exists keeps its bit. A new one is executable if its text starts with
/// `#!` and its name says that people run it: `.sh`, `.bash` or `.zsh`, or no suffix, or in a directory called `bin`,
/// `hooks`, `.githooks` or `.husky`. (A Python module with a `#!` line is mostly imported.)
pub fn is_executable(path: &RepoPath, base: Option<&Blob>, text: &str) -> bool {
    if let Some(base) = base {
        return base.executable;
    }
    let by_name = matches!(path.extension(), None | Some("sh" | "bash" | "zsh"));
    let by_place = path.parent().split('/').any(|directory| directory == "bin" || is_for_hooks(directory));
    text.starts_with("#!") && (by_name || by_place)
}

/// Is it the name of a directory that keeps hooks?
fn is_for_hooks(directory: &str) -> bool {
    matches!(directory, "hooks" | ".githooks" | ".husky")
}
