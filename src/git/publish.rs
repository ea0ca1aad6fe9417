//! The one moment at which refs move: branch and run record in one transaction, or neither.

use super::{GitError, Oid, Record, Repository, Unpublished};

/// What is to be published.
#[derive(Debug)]
pub struct Publication<'a> {
    /// Without `refs/heads/`.
    pub branch: &'a str,
    /// Where the branch was when the run began ([`Repository::branch_free`]).
    pub expected: Option<Oid>,
    /// The last commit of the run.
    pub tip: Unpublished,
    pub record: Option<&'a Record>,
    /// `implement: <lld> (<run>)`
    pub reflog: &'a str,
}

impl Repository {
    /// Moves the refs if, and only if, they are what was expected; runs the user's reference-transaction hook. Not
    /// interruptible: what has begun is finished or undone by git.
    pub fn publish(&self, publication: Publication) -> Result<(), GitError> {
        let Publication { branch, expected, tip, record, reflog } = publication;
        let tip = tip.commit();
        // Between the start and now somebody may have checked it out.
        let existing = expected.map_or(super::branch::Existing::Refuse, |_| super::branch::Existing::Replace);
        match self.branch_free(branch, existing) {
            Ok(found) if found == expected => {}
            Ok(found) => return Err(moved(branch, expected, found)),
            Err(GitError::BranchExists { commit, .. }) => return Err(moved(branch, expected, Some(commit))),
            Err(error) => return Err(error),
        }
        let full = format!("refs/heads/{branch}");
        let mut commands = String::from("start\0");
        match expected {
            Some(old) => commands += &format!("update {full}\0{tip}\0{old}\0"),
            None => commands += &format!("create {full}\0{tip}\0"),
        }
        if let Some(record) = record {
            commands += &format!("create {}\0{}\0", record.ref_name(), record.commit());
        }
        commands += "prepare\0commit\0";
        let reflog = super::message::plain(reflog).replace('\n', " ");
        let mut git = self.git();
        if let Some(hooks) = self.hooks_option()? {
            git = git.option(hooks);
        }
        let output = git.args(["update-ref", "-m", &reflog, "--stdin", "-z"]).stdin(commands.into_bytes()).output()?;
        if output.ok() {
            return Ok(());
        }
        let found = self.ref_target(&full)?;
        if found != expected {
            return Err(moved(branch, expected, found));
        }
        let message = output.message();
        if message.contains("aborted by hook") {
            return Err(GitError::Hook { name: "reference-transaction".to_owned(), output: message });
        }
        Err(GitError::RefRefused { message })
    }
}

fn moved(branch: &str, expected: Option<Oid>, found: Option<Oid>) -> GitError {
    GitError::RefMoved { name: branch.to_owned(), expected, found }
}
