//! Hooks that this program puts into a repository: where git looks for hooks, and what may be written there. It does not
//! know what a hook does (its script does), nor how the user's hooks are run (`git::hook`).

mod configured;
mod file;
mod seal;

pub use configured::{Configured, NAME as CONFIGURED_NAME};
pub use file::{Conflict, HookFile, HookState};

use super::{GitError, Repository};
use std::path::{Path, PathBuf};

/// The folder in which git looks for the hooks of a repository, by whose it is. It need not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HooksPlace {
    /// The repository's own, all its worktrees share it.
    Own(PathBuf),
    /// `core.hooksPath` is empty, or names what is no folder (`/dev/null`): no hook file is run.
    Off,
    /// In the working tree: the project's files, or those of a program that manages hooks.
    Tree(PathBuf),
    /// Somewhere else, where other repositories may look, too.
    Outside(PathBuf),
}

impl Repository {
    /// Where git looks for hooks here. Symbolic links are followed to see whose folder it is.
    pub fn hooks_place(&self) -> Result<HooksPlace, GitError> {
        let Some(folder) = self.hooks_dir()? else { return Ok(HooksPlace::Off) };
        if folder.exists() && !folder.is_dir() {
            return Ok(HooksPlace::Off);
        }
        let place = real(&folder);
        let within = |root: &Path| place.starts_with(real(root));
        Ok(if within(self.common_dir()) || within(self.git_dir()) {
            HooksPlace::Own(folder)
        } else if self.workdir().is_some_and(within) {
            HooksPlace::Tree(folder)
        } else {
            HooksPlace::Outside(folder)
        })
    }
}

/// The path without symbolic links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let known = path.ancestors().find_map(|known| Some((known, known.canonicalize().ok()?)));
    match known.and_then(|(known, real)| Some((real, path.strip_prefix(known).ok()?))) {
        // Joining nothing would add a slash.
        Some((real, rest)) if rest.as_os_str().is_empty() => real,
        Some((real, rest)) => real.join(rest),
        None => path.to_owned(),
    }
}
