//! Records of published runs, found by their refs and read a file at a time: who looks through a thousand of them reads one
//! small file of each. Knows nothing of what is in the files, which anybody may have pushed here: of each there is a limit.

use super::loose;
use super::objects::Answer;
use super::{GitError, Oid, Repository};
use crate::plan::EntryKind;
use std::collections::{BTreeMap, HashMap};
use std::num::NonZero;
use std::thread;

/// Where the refs of records are.
pub const RUNS: &str = "refs/implement/runs/";

/// A record has two levels of folders at the most. Whoever makes deeper ones has made no record.
const DEEPEST: usize = 4;
/// More files than this no run writes.
const MOST_FILES: usize = 50_000;
/// As many names fit into a pipe at once.
const ASKED_AT_ONCE: usize = 400;

/// The ref of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRef {
    pub run: String,
    /// The tree of its files; in records of the first schema a commit of that.
    pub object: Oid,
}

/// Can this be the name of a run? It becomes part of refs and paths.
pub fn is_run(name: &str) -> bool {
    !name.is_empty() && name.len() <= 100 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

impl Repository {
    /// The records that there are, by the names of their runs: the oldest first.
    pub fn run_refs(&self) -> Result<Vec<RunRef>, GitError> {
        let format = "--format=%(objectname) %(refname)";
        let listing = self.git().args(["for-each-ref", "--sort=refname", format, RUNS]).run()?;
        let one = |line: &str| {
            let (object, name) = line.split_once(' ')?;
            let run = name.strip_prefix(RUNS).filter(|run| is_run(run))?.to_owned();
            Some(RunRef { run, object: Oid::from_str(object).ok()? })
        };
        Ok(String::from_utf8_lossy(&listing).lines().filter_map(one).collect())
    }

    /// The record of one run; `None` if there is none.
    pub fn run_ref(&self, run: &str) -> Result<Option<RunRef>, GitError> {
        if !is_run(run) {
            return Ok(None);
        }
        let object = self.ref_target(&format!("{RUNS}{run}"))?;
        Ok(object.map(|object| RunRef { run: run.to_owned(), object }))
    }

    /// The files of a record, by their names in it.
    ///
    /// # Errors
    /// If some of its trees are not there, or it has what no record has.
    pub fn record_files(&self, object: Oid) -> Result<BTreeMap<String, Oid>, GitError> {
        let bad = |message: &str| GitError::BadObject {
            id: object.to_string(),
            path: "a record".to_owned(),
            message: message.to_owned(),
        };
        let mut files = BTreeMap::new();
        let mut folders = vec![(String::new(), self.tree_of(object)?, 0)];
        while let Some((folder, tree, depth)) = folders.pop() {
            for (name, entry) in self.read_tree(tree, "a record")? {
                let path = format!("{folder}{name}");
                match entry.kind {
                    EntryKind::Directory if depth < DEEPEST => folders.push((path + "/", entry.id, depth + 1)),
                    EntryKind::File => _ = files.insert(path, entry.id),
                    _ => return Err(bad("it has what no record has")),
                }
                if files.len() + folders.len() > MOST_FILES {
                    return Err(bad("it has more files than any record"));
                }
            }
        }
        Ok(files)
    }

    /// The tree of a commit, or the tree itself.
    fn tree_of(&self, object: Oid) -> Result<Oid, GitError> {
        let (kind, answer) = self.with_objects(|objects| {
            objects.ask([object])?;
            objects.any(object, "a record", 1 << 20)
        })?;
        match (kind.as_str(), answer) {
            ("commit", Answer::Bytes(bytes)) => {
                let text = String::from_utf8_lossy(&bytes);
                let tree = text.strip_prefix("tree ").and_then(|rest| Oid::from_str(rest.get(..40)?).ok());
                Ok(tree.unwrap_or(object))
            }
            _ => Ok(object),
        }
    }

    /// A file of a record; `None` if it has more than `most` bytes.
    ///
    /// # Errors
    /// If it is not there.
    pub fn record_file(&self, id: Oid, name: &str, most: u64) -> Result<Option<Vec<u8>>, GitError> {
        self.read_within(id, name, most)
    }

    /// The file of this name of each of these records; `None` where there is none that could be read.
    pub fn in_each_record(&self, records: &[RunRef], name: &str, most: u64) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        // Those that no gc has packed yet are read without git: two objects a record are many to be asked for.
        let store = self.store();
        let loose = |record: &RunRef| {
            let blob = loose::entry(&loose::path(store, record.object), name)?;
            match loose::blob(&loose::path(store, blob), most)? {
                Answer::Bytes(bytes) => Some(bytes),
                Answer::TooLarge | Answer::Missing => None,
            }
        };
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let share = records.len().div_ceil(cores).max(1);
        let mut found: Vec<Option<Vec<u8>>> = Vec::new();
        found.resize_with(records.len(), || None);
        thread::scope(|scope| {
            for (records, found) in records.chunks(share).zip(found.chunks_mut(share)) {
                scope.spawn(|| records.iter().zip(found).for_each(|(record, found)| *found = loose(record)));
            }
        });
        let mut others: Vec<(&RunRef, &mut Option<Vec<u8>>)> =
            records.iter().zip(&mut found).filter(|(_, found)| found.is_none()).collect();
        for some in others.chunks_mut(ASKED_AT_ONCE) {
            self.with_objects(|objects| {
                objects.ask_named(some.iter().map(|(record, _)| format!("{}:{name}", record.object)))?;
                for (record, found) in some {
                    if let (kind, Answer::Bytes(bytes)) = objects.any(record.object, name, most)?
                        && kind == "blob"
                    {
                        **found = Some(bytes);
                    }
                }
                Ok(())
            })?;
        }
        Ok(found)
    }

    /// Takes records away, all or none; only those that are still what they were.
    pub fn forget_runs(&self, records: &[RunRef]) -> Result<(), GitError> {
        if records.is_empty() {
            return Ok(());
        }
        let line = |record: &RunRef| format!("delete {RUNS}{}\0{}\0", record.run, record.object);
        let commands: String = records.iter().map(line).collect();
        let mut git = self.git();
        if let Some(hooks) = self.hooks_option()? {
            git = git.option(hooks);
        }
        let output = git.args(["update-ref", "--stdin", "-z"]).stdin(commands.into_bytes()).output()?;
        if output.ok() { Ok(()) } else { Err(GitError::RefRefused { message: output.message() }) }
    }

    /// All commits in the history of any ref or worktree that name a run, with their messages.
    pub fn named_in_history(&self) -> Result<HashMap<Oid, String>, GitError> {
        let git = self.git().args(["log", "-z", "--no-color", "--encoding=UTF-8", "--format=%H%n%B", "-i", "-F"]);
        let listing = git.args(["--grep=implement-run:", "--all", "--"]).run()?;
        let one = |entry: &str| {
            let (id, message) = entry.split_once('\n')?;
            Some((Oid::from_str(id).ok()?, message.to_owned()))
        };
        Ok(String::from_utf8_lossy(&listing).split('\0').filter_map(one).collect())
    }

    /// The commits of that history that have one parent, each with the parent's tree and its own. In time and space linear in
    /// their number.
    pub fn steps_in_history(&self) -> Result<Vec<(Oid, Oid, Oid)>, GitError> {
        let listing = self.git().args(["log", "--no-color", "--format=%H %T %P", "--all", "--"]).run()?;
        let listing = String::from_utf8_lossy(&listing);
        let ids = |line: &str| line.split_whitespace().filter_map(|id| Oid::from_str(id).ok()).collect::<Vec<Oid>>();
        let (mut trees, mut steps) = (HashMap::new(), Vec::new());
        for line in listing.lines() {
            let ids = ids(line);
            let [commit, tree, parents @ ..] = ids.as_slice() else { continue };
            trees.insert(*commit, *tree);
            if let [parent] = parents {
                steps.push((*commit, *parent, *tree));
            }
        }
        let step = |(commit, parent, tree)| Some((commit, *trees.get(&parent)?, tree));
        Ok(steps.into_iter().filter_map(step).collect())
    }

    /// The branches that there are, and where they point.
    pub fn branch_tips(&self) -> Result<BTreeMap<String, Oid>, GitError> {
        self.tips("refs/heads/", |name| Some(name))
    }

    /// The branches that remotes have, by their names there; of several remotes one.
    pub fn remote_tips(&self) -> Result<BTreeMap<String, Oid>, GitError> {
        self.tips("refs/remotes/", |name| Some(name.split_once('/')?.1))
    }

    fn tips(&self, prefix: &str, short: impl Fn(&str) -> Option<&str>) -> Result<BTreeMap<String, Oid>, GitError> {
        let listing = self.git().args(["for-each-ref", "--format=%(objectname) %(refname)", prefix]).run()?;
        let one = |line: &str| {
            let (id, name) = line.split_once(' ')?;
            Some((short(name.strip_prefix(prefix)?)?.to_owned(), Oid::from_str(id).ok()?))
        };
        Ok(String::from_utf8_lossy(&listing).lines().filter_map(one).collect())
    }
}
