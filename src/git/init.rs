//! A repository made from nothing, for the demo.

use super::GitError;
use super::child::Git;
use crate::environment::Environment;
use std::path::Path;

/// The author of the first commit; a machine that has just got its git has none configured.
const PERSON: [(&str, &str); 2] = [("user.name", "A Demo"), ("user.email", "demo@example.invalid")];

/// Makes a repository of all files under `root`, with one commit on `main`. Its own configuration says who commits,
/// and that neither hooks nor signatures of the person's have a part in it.
pub fn init(root: &Path, environment: &Environment, message: &str) -> Result<(), GitError> {
    let git = |arguments: &[&str]| Git::new(environment, root).args(arguments).run().map(drop);
    git(&["init", "--quiet", "--initial-branch=main", "--template="])?;
    for (key, value) in PERSON.into_iter().chain([("commit.gpgSign", "false"), ("core.hooksPath", "")]) {
        git(&["config", key, value])?;
    }
    // Whatever the person ignores everywhere, the demo has.
    git(&["add", "--all", "--force"])?;
    git(&["commit", "--quiet", "--message", message])
}
