//! git's credential helpers, asked for an API key.

use super::child::Git;
use crate::environment::Environment;
use std::path::Path;

/// What `git credential fill` answers to `input`; `None` if no helper knows. Nobody is asked on the terminal, and
/// only helpers outside the repository's own configuration have a say.
pub fn credential(environment: &Environment, input: &str) -> Option<String> {
    let git = Git::new(&environment.for_others(), Path::new("/"));
    let git = git.env("GIT_ASKPASS", "").env("SSH_ASKPASS", "").env("GIT_CEILING_DIRECTORIES", "/");
    let output = git.args(["credential", "fill"]).stdin(input.as_bytes().to_vec()).output().ok()?;
    output.ok().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
