//! Notes on commits under `refs/notes/ai`, where other tools look for what a model wrote. git writes them, with its own
//! hooks and reflog.

use super::{GitError, Oid, Repository};
use std::collections::BTreeMap;

const REF: &str = "refs/notes/ai";

impl Repository {
    /// The commits that have notes, with the blobs of these.
    pub fn notes(&self) -> Result<BTreeMap<Oid, Oid>, GitError> {
        if self.ref_target(REF)?.is_none() {
            return Ok(BTreeMap::new());
        }
        let listed = self.git().args(["notes", "--ref", REF, "list"]).run()?;
        let one = |line: &str| {
            let (blob, commit) = line.split_once(' ')?;
            Some((Oid::from_str(commit).ok()?, Oid::from_str(blob).ok()?))
        };
        Ok(String::from_utf8_lossy(&listed).lines().filter_map(one).collect())
    }

    /// Puts this note in the place of the one that the commit has.
    pub fn set_note(&self, commit: Oid, text: &str) -> Result<(), GitError> {
        let written = self.git().args(["hash-object", "-w", "--stdin"]).stdin(text.as_bytes().to_vec()).run()?;
        let blob = String::from_utf8_lossy(&written).trim().to_owned();
        // As it is: of what comes by another way git takes white space.
        self.with_hooks()?.args(["notes", "--ref", REF, "add", "-f", "-C", &blob, &commit.to_string()]).run()?;
        Ok(())
    }

    /// Takes the commit's note away. Nothing to do if it has none.
    pub fn remove_note(&self, commit: Oid) -> Result<(), GitError> {
        let git = self.with_hooks()?.args(["notes", "--ref", REF, "remove", "--ignore-missing", &commit.to_string()]);
        git.run()?;
        Ok(())
    }

    /// Does any branch, tag or remote branch lead to the commit?
    pub fn is_in_history(&self, commit: Oid) -> Result<bool, GitError> {
        if !self.has_object(commit)? {
            return Ok(false);
        }
        let contains = format!("--contains={commit}");
        let git =
            self.git().args(["for-each-ref", "--count=1", &contains, "refs/heads/", "refs/tags/", "refs/remotes/"]);
        Ok(!git.run()?.is_empty())
    }

    fn with_hooks(&self) -> Result<super::child::Git, GitError> {
        let git = self.git();
        Ok(match self.hooks_option()? {
            Some(hooks) => git.option(hooks),
            None => git,
        })
    }
}
