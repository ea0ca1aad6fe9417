//! The one moment at which refs move: branch and run record in one transaction, or neither.
//!
//! git takes a lock for each ref, and then puts the new values in their places one after the other: the record's first,
//! so that there is never a branch without it. What a kill leaves in between (locks, a record without its branch) is known
//! by what the run wrote down before it began, and is taken back by the next.

use super::branch::Existing;
use super::kept::TRIES;
use super::message::plain;
use super::{GitError, Oid, Record, Repository, Scratch, Unpublished};
use std::fs;
use std::path::{Path, PathBuf};

/// What is to be published.
#[derive(Debug)]
pub struct Publication<'a> {
    pub record: &'a Record,
    /// `None` if nothing changed: then the record alone is published.
    pub branch: Option<NewTip<'a>>,
    /// `implement: <lld> (<run>)`
    pub reflog: &'a str,
}

/// A branch and where it is to point.
#[derive(Debug)]
pub struct NewTip<'a> {
    /// Without `refs/heads/`.
    pub name: &'a str,
    /// Where the branch was when the run began ([`Repository::branch_free`]).
    pub expected: Option<Oid>,
    /// The last commit of the run.
    pub commit: Unpublished,
}

/// A ref of a transaction: its whole name, its new value and its old one (`None`: it must not exist).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Update {
    pub name: String,
    pub new: Oid,
    pub old: Option<Oid>,
}

/// The file in a run's directory that holds the [`Update`]s which are about to be made, a line each.
const PUBLISHING: &str = "publishing";

impl Scratch<'_> {
    /// Moves the refs if, and only if, they are what was expected; runs the user's reference-transaction hook. Not
    /// interruptible: what has begun is finished or undone by git.
    pub fn publish(&mut self, publication: Publication) -> Result<(), GitError> {
        let Publication { record, branch, reflog } = publication;
        let mut updates = vec![Update { name: record.ref_name(), new: record.tree(), old: None }];
        if let Some(NewTip { name, expected, commit }) = &branch {
            // Between the start and now somebody may have checked it out.
            let existing = expected.map_or(Existing::Refuse, |_| Existing::Replace);
            match self.repository.branch_free(name, existing) {
                Ok(found) if found == *expected => {}
                Ok(found) => return Err(moved(name, *expected, found)),
                Err(GitError::BranchExists { commit, .. }) => return Err(moved(name, *expected, Some(commit))),
                Err(error) => return Err(error),
            }
            updates.push(Update { name: format!("refs/heads/{name}"), new: commit.commit(), old: *expected });
        }
        self.kept.restore(0)?;
        let mut refused = self.transaction(&updates, reflog, "commit").err();
        // git moves no ref to an object that gc has just deleted.
        for _ in 0..TRIES {
            if refused.is_none() || !self.kept.restore(0)? {
                break;
            }
            refused = self.transaction(&updates, reflog, "commit").err();
        }
        if let Some(error) = refused {
            let Some(NewTip { name, expected, .. }) = branch else { return Err(error) };
            let found = self.repository.ref_target(&format!("refs/heads/{name}"))?;
            return Err(if found == expected { error } else { moved(name, expected, found) });
        }
        self.kept.restore_after_gc(self.repository.common_dir())?;
        self.published = true;
        Ok(())
    }

    /// One transaction of these updates, ended by `end`: `commit`, or `abort`, which finds out all that would hinder it.
    pub(super) fn transaction(&self, updates: &[Update], reflog: &str, end: &str) -> Result<(), GitError> {
        let place = self.directory().join(PUBLISHING);
        write_down(updates, &place).map_err(|error| GitError::io("write", &place, &error))?;
        let mut commands = String::from("start\0");
        for Update { name, new, old } in updates {
            commands += &format!("update {name}\0{new}\0{}\0", old.unwrap_or(Oid::ZERO_SHA1));
        }
        commands += &format!("prepare\0{end}\0");
        let mut git = self.repository.git();
        if let Some(hooks) = self.repository.hooks_option()? {
            git = git.option(hooks);
        }
        let reflog = plain(reflog).replace('\n', " ");
        let alive = self.alive()?;
        let output = git.args(["update-ref", "-m", &reflog, "--stdin", "-z"]).stdin(commands.into_bytes()).output()?;
        drop(alive);
        if !output.ok() {
            let message = output.message();
            return Err(if message.contains("aborted by hook") {
                GitError::Hook { name: "reference-transaction".to_owned(), output: message }
            } else {
                GitError::RefRefused { message }
            });
        }
        Ok(())
    }
}

fn moved(branch: &str, expected: Option<Oid>, found: Option<Oid>) -> GitError {
    GitError::RefMoved { name: branch.to_owned(), expected, found }
}

/// Writes the updates down, whole or not at all.
fn write_down(updates: &[Update], place: &Path) -> std::io::Result<()> {
    let line = |update: &Update| {
        let old = update.old.unwrap_or(Oid::ZERO_SHA1);
        format!("{} {} {old}\n", update.name, update.new)
    };
    let unfinished = place.with_extension("new");
    fs::write(&unfinished, updates.iter().map(line).collect::<String>())?;
    fs::rename(&unfinished, place)
}

fn read_back(place: &Path) -> Vec<Update> {
    let text = fs::read_to_string(place).unwrap_or_default();
    let read = |line: &str| {
        let mut words = line.split(' ');
        let name = words.next().filter(|name| name.starts_with("refs/"))?.to_owned();
        let (new, old) = (Oid::from_str(words.next()?).ok()?, Oid::from_str(words.next()?).ok()?);
        Some(Update { name, new, old: Some(old).filter(|old| !old.is_zero()) })
    };
    text.lines().filter_map(read).collect()
}

/// Settles what a run that was killed was about to publish. The caller holds the run's lock: neither the run nor the git
/// that it started for this is alive. Says whether the run is published; if not, nothing of the attempt is left.
pub(super) fn settle(repository: &Repository, directory: &Path) -> bool {
    let updates = read_back(&directory.join(PUBLISHING));
    let Some((record, branches)) = updates.split_first() else { return false };
    for update in &updates {
        remove_lock(repository, update);
    }
    let is =
        |update: &Update, value: Option<Oid>| repository.ref_target(&update.name).is_ok_and(|found| found == value);
    if !is(record, Some(record.new)) {
        return false;
    }
    if branches.iter().all(|branch| !is(branch, branch.old)) {
        return true;
    }
    // The record's ref goes last: as long as it is there, what is not done yet is done by the next.
    for branch in branches.iter().filter(|branch| branch.old.is_none() && is(branch, None)) {
        let log = repository.common_dir().join("logs").join(&branch.name);
        let _ = fs::remove_file(&log);
        remove_parents(repository, &log);
    }
    // By hand, because nobody else has ever heard of this ref, and because git would lock all packed refs for it.
    let loose = repository.common_dir().join(&record.name);
    if fs::remove_file(&loose).is_err() {
        let _ = repository.git().args(["update-ref", "-d", &record.name, &record.new.to_string()]).output();
    }
    remove_parents(repository, &loose);
    false
}

/// Removes the lock of the ref if it is the dead run's: it is empty, or holds the value that the run was to write.
fn remove_lock(repository: &Repository, update: &Update) {
    let mut file = repository.common_dir().join(&update.name).into_os_string();
    file.push(".lock");
    let lock = PathBuf::from(file);
    if let Ok(text) = fs::read_to_string(&lock)
        && (text.is_empty() || text.trim_end() == update.new.to_string())
    {
        let _ = fs::remove_file(&lock);
    }
    remove_parents(repository, &lock);
}

/// Removes the directories that git made for a ref or its lock, as far as they are empty.
pub(super) fn remove_parents(repository: &Repository, path: &Path) {
    let common = repository.common_dir();
    let stop = ["refs/heads", "refs", "logs/refs/heads", "logs/refs"].map(|place| common.join(place));
    for parent in path.ancestors().skip(1) {
        if stop.iter().any(|stop| stop == parent) || !parent.starts_with(common) || fs::remove_dir(parent).is_err() {
            return;
        }
    }
}
