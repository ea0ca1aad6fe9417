//! Which git there is.

use super::GitError;
use super::child::Git;
use crate::environment::Environment;
use std::path::Path;

/// As git says it: `2.47.1`, with whatever its packagers put behind.
///
/// # Errors
/// If it cannot be started.
pub fn version(environment: &Environment) -> Result<String, GitError> {
    let said = Git::outside(environment, Path::new("/")).args(["--version"]).run()?;
    let said = String::from_utf8_lossy(&said);
    Ok(said.trim().trim_start_matches("git version ").to_owned())
}
