//! git's credential helpers, asked for an API key.

use super::GitError;
use super::child::Git;
use crate::environment::Environment;
use crate::process::Interrupt;
use std::path::Path;

/// What `git credential fill` answers to `input`; `None` if no helper knows. Nobody is asked on the terminal, and
/// only helpers outside the repository's own configuration have a say.
///
/// # Errors
/// If the person interrupts it, and nothing else.
pub fn credential(environment: &Environment, input: &str, interrupt: &Interrupt) -> Result<Option<String>, GitError> {
    let git = Git::outside(environment, Path::new("/"));
    let git = git.env("GIT_ASKPASS", "").env("SSH_ASKPASS", "").env("GIT_CEILING_DIRECTORIES", "/");
    match git.args(["credential", "fill"]).stdin(input.as_bytes().to_vec()).output_until(interrupt) {
        Ok(output) => Ok(output.ok().then(|| String::from_utf8_lossy(&output.stdout).into_owned())),
        Err(GitError::Interrupted) => Err(GitError::Interrupted),
        Err(_) => Ok(None),
    }
}
