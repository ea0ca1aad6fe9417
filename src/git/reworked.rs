//! What a program of the person's has made of the files on disk: planned ones are read back, through the index, so that
//! filters have been applied; others are named.

use super::filled::Filled;
use super::hook::PRE_COMMIT;
use super::index::Index;
use super::snapshot::split;
use super::{GitError, Mode, Oid, Scratch};
use crate::path::RepoPath;
use crate::process::Interrupt;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// A file of the commit as the program wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reworked {
    pub path: RepoPath,
    pub blob: Oid,
    pub text: String,
    pub mode: Mode,
}

/// What a program has done, as far as it is known before contents are compared.
#[derive(Default)]
struct Done {
    /// Files that are there, and may be others now.
    perhaps: BTreeSet<String>,
    /// What has changed, and is not planned or not a file any more.
    others: BTreeSet<String>,
}

/// How git looks for differences.
const DIFFERENCES: [&str; 4] = ["diff-index", "-z", "--no-renames", "--ignore-submodules=all"];

impl Scratch<'_> {
    /// What a program has made of `planned` files, of those that `tree` has and that were on disk; and what else it has
    /// changed of what git knows. Costs what it has changed, where the system tells what that is.
    pub fn reworked(
        &mut self,
        tree: Oid,
        planned: &[&RepoPath],
        interrupt: &Interrupt,
    ) -> Result<(Vec<Reworked>, Vec<String>), GitError> {
        let mut filled = self.filled.take();
        // News that is lost once is lost for good.
        filled.take_if(|filled| filled.is_told() && !filled.hear());
        let is_told = filled.as_ref().is_some_and(Filled::is_told);
        let Done { perhaps, mut others } = match filled.as_mut().filter(|_| is_told) {
            Some(filled) => self.touched(tree, planned, filled, interrupt)?,
            None => self.found(tree, planned, interrupt)?,
        };
        let mut ours = Vec::new();
        if !perhaps.is_empty() {
            for (name, file) in self.read_back(tree, &perhaps, interrupt)? {
                match planned.iter().find(|path| path.as_str() == name).zip(file) {
                    Some((path, (mode, blob))) => ours.push(self.reworked_file(path, mode, blob)?),
                    None => drop(others.insert(name)),
                }
            }
        }
        let changed = !perhaps.is_empty() || !others.is_empty();
        self.filled = filled.filter(|_| is_told || !changed).map(|mut filled| {
            filled.index = filled.index.and_then(Index::reread);
            filled.touched.extend(others.iter().cloned());
            filled
        });
        Ok((ours, others.iter().map(|name| super::message::plain(name)).collect()))
    }

    /// From what the system has told of files, and what was staged.
    fn touched(
        &self,
        tree: Oid,
        planned: &[&RepoPath],
        filled: &mut Filled,
        interrupt: &Interrupt,
    ) -> Result<Done, GitError> {
        let mut done = Done::default();
        if !filled.index.as_ref().is_some_and(Index::is_current) {
            for (status, name) in self.differences(&["--cached"], tree, interrupt)? {
                if status != 'M' || !is_planned(planned, &name) {
                    done.others.insert(name.clone());
                }
                filled.touched.insert(name);
            }
        }
        let root = self.worktree();
        let is_there = |name: &str| fs::symlink_metadata(root.join(name)).is_ok_and(|data| !data.is_dir());
        for name in &filled.touched {
            if !done.others.contains(name) {
                let of = if is_there(name) { &mut done.perhaps } else { &mut done.others };
                of.insert(name.clone());
            }
        }
        Ok(done)
    }

    /// By looking at every file.
    fn found(&self, tree: Oid, planned: &[&RepoPath], interrupt: &Interrupt) -> Result<Done, GitError> {
        let mut found = self.differences(&[], tree, interrupt)?;
        if !found.is_empty() {
            // Files that were only touched are found to be the same.
            let _ = self.plain_git().args(["update-index", "-q", "--refresh"]).output_until(interrupt)?;
            found = self.differences(&[], tree, interrupt)?;
        }
        let mut done = Done::default();
        for (status, name) in found {
            let of = if status == 'M' && is_planned(planned, &name) { &mut done.perhaps } else { &mut done.others };
            of.insert(name);
        }
        Ok(done)
    }

    /// Where the index or a file that it knows differs from `tree`, with git's letter for how.
    fn differences(&self, how: &[&str], tree: Oid, interrupt: &Interrupt) -> Result<Vec<(char, String)>, GitError> {
        let git = self.plain_git().args(DIFFERENCES).args(["--name-status"]).args(how);
        let listing = git.args([&tree.to_string()]).run_until(interrupt)?;
        let words: Vec<String> = split(&listing).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        let pairs = words.chunks_exact(2).filter_map(|pair| match pair {
            [letter, name] => Some((letter.chars().next()?, name.clone())),
            _ => None,
        });
        Ok(pairs.collect())
    }

    /// Takes these files into the index, as `git add` does, and says which of them it has otherwise than `tree`; with the
    /// mode and the id of what was a regular file and is one.
    fn read_back(
        &self,
        tree: Oid,
        files: &BTreeSet<String>,
        interrupt: &Interrupt,
    ) -> Result<BTreeMap<String, Option<(Mode, Oid)>>, GitError> {
        let names: Vec<u8> = files.iter().flat_map(|path| [path.as_bytes(), b"\0"].concat()).collect();
        // For nobody but the next line.
        let git = self.plain_git().option("index.skipHash=true").args(["update-index", "-z", "--stdin"]);
        git.stdin(names).run_until(interrupt)?;
        let git = self.plain_git().args(DIFFERENCES).args(["--cached", "--raw", "--no-abbrev"]);
        let listing = git.args([&tree.to_string()]).run_until(interrupt)?;
        let words: Vec<String> = split(&listing).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        let mut changed = BTreeMap::new();
        for pair in words.chunks_exact(2) {
            // `:<mode> <mode> <id> <id> M`, then the path.
            let [facts, name] = pair else { continue };
            let facts: Vec<&str> = facts.split(' ').collect();
            if files.contains(name) {
                changed.insert(name.clone(), regular_file(&facts));
            }
        }
        Ok(changed)
    }

    fn reworked_file(&self, path: &RepoPath, mode: Mode, blob: Oid) -> Result<Reworked, GitError> {
        let text = String::from_utf8(self.repository.read(blob, "blob", path.as_str())?).map_err(|_| {
            GitError::Hook { name: PRE_COMMIT.to_owned(), output: format!("it made '{path}' something else than text") }
        })?;
        Ok(Reworked { path: path.clone(), blob, text, mode })
    }
}

fn is_planned(planned: &[&RepoPath], name: &str) -> bool {
    planned.iter().any(|path| path.as_str() == name)
}

/// What a line of `--raw` says of a file that was modified.
fn regular_file(facts: &[&str]) -> Option<(Mode, Oid)> {
    let [_, mode, _, id, "M"] = facts else { return None };
    let mode = match *mode {
        "100755" => Mode::Executable,
        "100644" => Mode::Regular,
        _ => return None,
    };
    Some((mode, Oid::from_str(id).ok()?))
}
