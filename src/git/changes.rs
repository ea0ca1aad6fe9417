//! Which files the index or commits change, and what is in them: what the validator judges.
//!
//! git is asked, not libgit2: it knows every kind of index and of repository, lists what is staged ten times faster, and
//! takes its index from `GIT_INDEX_FILE` and objects from a quarantine, as its hooks must.

use super::child::{Git, Output};
use super::loose;
use super::objects::{Objects, kind};
use super::snapshot::split;
use super::{Answer, GitError, Oid, Repository};
use crate::environment::Environment;
use crate::plan::EntryKind;
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

/// A file that differs from its parent's, or from all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// From the root, as far as it is text.
    pub path: String,
    /// What was there before, or what it was renamed from; `None`: nothing.
    pub old: Option<Version>,
    /// What is there now; `None`: it is deleted.
    pub new: Option<Version>,
    /// Nothing was called so before.
    pub is_new_name: bool,
    /// The commit that changes it; `None`: the index does.
    pub commit: Option<Oid>,
}

impl Changed {
    /// A blob that is in no tree. It goes by its own name, for it has no other.
    pub fn blob(id: Oid) -> Changed {
        let new = Some(Version { id, kind: EntryKind::File });
        Changed { path: id.to_string(), old: None, new, is_new_name: false, commit: None }
    }
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version {
    pub id: Oid,
    pub kind: EntryKind,
}

/// The tree of no files. git knows it without having it.
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
/// Renames are looked for, since the text that a file had elsewhere is its base. Above so many candidates only those
/// without a change are.
const RAW: &[&str] = &["--raw", "-z", "-r", "--no-abbrev", "-M", "-l400", "--no-ext-diff", "--no-textconv"];

/// What git says of the index before anybody knows where the repository is: to start one process after the other
/// would take longer than all of the rest.
pub struct Listing(Output);

/// Asks git, as it would find the repository in `cwd`, what is staged.
pub fn ask_ahead(environment: &Environment, cwd: &Path) -> Result<Listing, GitError> {
    let here = || Git::new(environment, cwd).unreplaced().option("core.fsmonitor=false");
    Ok(Listing(diff_index(here, "HEAD", &[])?))
}

fn diff_index(git: impl Fn() -> Git, base: &str, paths: &[String]) -> Result<Output, GitError> {
    diff(|| git().args(["diff-index", "--cached"]), |git| git.args([base, "--"]).args(paths))
}

/// Runs a diff of git's, begun and ended so. To find what was renamed and changed it has to read files that nobody may
/// have here, and nothing is fetched: then only what was renamed without a change is found.
fn diff(begin: impl Fn() -> Git, end: impl Fn(Git) -> Git) -> Result<Output, GitError> {
    let output = end(begin().args(RAW)).output()?;
    let message = if output.ok() { String::new() } else { output.message() };
    if !["unable to read", "promisor remote"].iter().any(|words| message.contains(words)) {
        return Ok(output);
    }
    end(begin().args(RAW).args(["-M100%"])).output()
}

impl Repository {
    /// What the index changes: against HEAD, and in a merge against all of its parents. `paths` (none: all) are literal,
    /// from the root.
    pub fn staged(&self, paths: &[String]) -> Result<Vec<Changed>, GitError> {
        self.listed(Listing(diff_index(|| self.git(), "HEAD", paths)?), paths)
    }

    /// [`Repository::staged`], from what was asked ahead.
    pub fn listed(&self, Listing(mut output): Listing, paths: &[String]) -> Result<Vec<Changed>, GitError> {
        if !output.ok() && self.head_is_unborn()? {
            output = diff_index(|| self.git(), EMPTY_TREE, paths)?;
        }
        if !output.ok() {
            return Err(GitError::Git { verb: "diff-index".to_owned(), message: output.message() });
        }
        let mut changed = read(&output.stdout);
        for parent in self.merged()? {
            let differs = self.git().args(["diff-index", "--cached", "--name-only", "-z", &parent, "--"]).run()?;
            let differs: BTreeSet<String> = split(&differs).map(lossy).collect();
            changed.retain(|file| differs.contains(&file.path));
        }
        Ok(changed)
    }

    /// What each of these commits changes, in their order; a merge, where it differs from all of its parents.
    pub fn changed_by(&self, commits: &[Oid], paths: &[String]) -> Result<Vec<Changed>, GitError> {
        if commits.is_empty() {
            return Ok(Vec::new());
        }
        let list: String = commits.iter().map(|id| format!("{id}\n")).collect();
        let begin = || self.git().args(["diff-tree", "--stdin", "-c", "--root"]);
        let output = diff(begin, |git| git.args(["--"]).args(paths).stdin(list.clone().into_bytes()))?;
        if !output.ok() {
            return Err(GitError::Git { verb: "diff-tree".to_owned(), message: output.message() });
        }
        Ok(read(&output.stdout))
    }

    /// Everything that is in a tree, as new.
    pub fn all_of(&self, tree: Oid) -> Result<Vec<Changed>, GitError> {
        let git = self.git().args(["diff-tree", "--raw", "-z", "-r", "--no-abbrev", "--no-renames", EMPTY_TREE]);
        Ok(read(&git.args([&tree.to_string(), "--"]).run()?))
    }

    /// The commits that `revisions` name as `git rev-list` understands them, oldest first.
    pub fn commits(&self, revisions: &[String]) -> Result<Vec<Oid>, GitError> {
        let spec = revisions.join(" ");
        let output =
            self.git().args(["rev-list", "--reverse", "--end-of-options"]).args(revisions).args(["--"]).output()?;
        if !output.ok() {
            return Err(GitError::BadRevision { spec, message: output.message() });
        }
        Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(|line| Oid::from_str(line).ok()).collect())
    }

    /// The commit that `name` names, if it names one.
    pub fn commit_named(&self, name: &str) -> Result<Option<Oid>, GitError> {
        let commit = format!("{name}^{{commit}}");
        let output = self.git().args(["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]).output()?;
        Ok(Oid::from_str(String::from_utf8_lossy(&output.stdout).trim()).ok().filter(|_| output.ok()))
    }

    /// The commit that `name` must name.
    pub fn tip_named(&self, name: &str) -> Result<Oid, GitError> {
        self.resolve(name, "commit")
    }

    /// The files under a directory that git has or would take, from the root. `directory` is literal, from the root.
    pub fn files_under(&self, directory: &str) -> Result<Vec<String>, GitError> {
        let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", "--"];
        let within: &[&str] = if directory.is_empty() { &[] } else { &[directory] };
        Ok(split(&self.git().args(arguments).args(within).run()?).map(lossy).collect())
    }

    /// A reader of blobs of its own, which a thread may take with it.
    pub fn blobs(&self) -> Blobs {
        Blobs { packed: Objects::new(self.git()), store: self.store().to_owned(), asked: VecDeque::new() }
    }

    fn head_is_unborn(&self) -> Result<bool, GitError> {
        Ok(!self.git().args(["rev-parse", "--verify", "--quiet", "HEAD"]).output()?.ok())
    }

    /// The other parents of the merge that is being made. `git merge` writes them down after its hook only, and till then
    /// says by variables which commits it merges.
    fn merged(&self) -> Result<Vec<String>, GitError> {
        let commit = |text: &str| Oid::from_str(text).is_ok().then(|| text.to_owned());
        match std::fs::read_to_string(self.git_dir().join("MERGE_HEAD")) {
            Ok(heads) => Ok(heads.lines().filter_map(commit).collect()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let names = self.environment().iter().filter_map(|(name, _)| name.to_str());
                Ok(names.filter_map(|name| commit(name.strip_prefix("GITHEAD_")?)).collect())
            }
            Err(error) => Err(GitError::io("read", &self.git_dir().join("MERGE_HEAD"), &error)),
        }
    }
}

/// Reads blobs in order: loose ones itself, the others through a child, which is asked for many at once, so that git
/// unpacks one while another is judged.
pub struct Blobs {
    packed: Objects,
    store: PathBuf,
    /// For each blob that was asked for, where it lies if it is loose.
    asked: VecDeque<Option<PathBuf>>,
}

impl Blobs {
    /// The most that may be asked for at once: their names must fit into a pipe.
    pub const MOST: usize = 256;

    /// Asks for at most [`Blobs::MOST`] blobs; as many calls of [`Blobs::next`] must follow.
    pub fn ask(&mut self, ids: impl IntoIterator<Item = Oid>) -> Result<(), GitError> {
        let mut packed = Vec::new();
        for id in ids.into_iter().take(Self::MOST) {
            let place = Some(loose::path(&self.store, id)).filter(|place| place.is_file());
            packed.extend(place.is_none().then_some(id));
            self.asked.push_back(place);
        }
        self.packed.ask(packed)
    }

    /// The next of the blobs that were asked for, of which at most `most` bytes are read. `path` is for the error.
    pub fn next(&mut self, id: Oid, path: &str, most: u64) -> Result<Answer, GitError> {
        match self.asked.pop_front().flatten() {
            Some(place) => loose::blob(&place, most).ok_or_else(|| GitError::BadObject {
                id: id.to_string(),
                path: path.to_owned(),
                message: "it does not unpack".to_owned(),
            }),
            None => self.packed.answer(id, "blob", path, most),
        }
    }
}

/// Reads what `--raw -z` lists: names of commits, and for each file modes, ids, a letter and one or two paths.
fn read(listing: &[u8]) -> Vec<Changed> {
    let mut pieces = listing.split(|byte| *byte == 0).filter(|piece| !piece.is_empty());
    let (mut changed, mut commit) = (Vec::new(), None);
    while let Some(piece) = pieces.next() {
        let text = lossy(piece);
        let record = text.trim_start_matches(':');
        let sides = text.len() - record.len() + 1;
        if sides == 1 {
            commit = Oid::from_str(text.trim()).ok();
            continue;
        }
        let words: Vec<&str> = record.split(' ').collect();
        let version = |side: usize| {
            let mode = u32::from_str_radix(words.get(side)?, 8).ok().filter(|mode| *mode != 0)?;
            Some(Version { id: Oid::from_str(words.get(sides + side)?).ok()?, kind: kind(mode) })
        };
        let letter = words.last().and_then(|word| word.chars().next()).unwrap_or('X');
        let mut path = pieces.next();
        if sides == 2 && matches!(letter, 'R' | 'C') {
            path = pieces.next();
        }
        // Unmerged: git will not commit it.
        if let (Some(path), true) = (path, letter != 'U') {
            let (old, new) = (version(0), version(sides - 1));
            let is_new_name = new.is_some() && (old.is_none() || letter != 'M' && sides == 2);
            changed.push(Changed { path: lossy(path), old, new, is_new_name, commit });
        }
    }
    changed
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_of_indexes_commits_and_merges_are_read() {
        let (a, b, c) = ("a".repeat(40), "b".repeat(40), "c".repeat(40));
        let none = "0".repeat(40);
        let listing = format!(
            ":000000 100755 {none} {a} A\0new.sh\0:100644 000000 {a} {none} D\0old\0:100644 100644 {a} {b} R090\0from\0to\0\
             {c}\0::100644 100644 100644 {a} {b} {c} MM\0both\0:100644 100644 {a} {none} U\0torn\0"
        );
        let at = |id: &str, kind| Some(Version { id: Oid::from_str(id).unwrap(), kind });
        let file = |path: &str, old, new: Option<Version>, commit: Option<Oid>| {
            let is_new_name = matches!(path, "new.sh" | "to");
            Changed { path: path.to_owned(), old, new, is_new_name, commit }
        };
        assert_eq!(
            read(listing.as_bytes()),
            [
                file("new.sh", None, at(&a, EntryKind::Executable), None),
                file("old", at(&a, EntryKind::File), None, None),
                file("to", at(&a, EntryKind::File), at(&b, EntryKind::File), None),
                file("both", at(&a, EntryKind::File), at(&c, EntryKind::File), Oid::from_str(&c).ok()),
            ]
        );
    }
}
