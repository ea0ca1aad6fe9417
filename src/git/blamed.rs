//! Lines of a file with the commits that brought them, as `git blame` knows.

use super::{GitError, Oid, Past, Repository};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlamedLine {
    pub commit: Oid,
    /// Counted from 1: in the file now, and in the file as that commit has it.
    pub line: usize,
    pub line_then: usize,
    /// The path that the file had then.
    pub path_then: String,
    pub text: String,
}

impl Repository {
    /// The lines of the file at `path` in `revision`, or those with these numbers. Of a commit, and not of the working
    /// tree: to read that, git may run what a filter names.
    pub fn blame(
        &self,
        revision: &str,
        path: &str,
        only: Option<RangeInclusive<usize>>,
    ) -> Result<Vec<BlamedLine>, GitError> {
        let id = self.resolve(revision, "commit")?;
        let commit = id.to_string();
        let git = self.git().option("core.quotePath=false").option("blame.ignoreRevsFile=");
        let mut git = git.args(["blame", "--line-porcelain", "--no-textconv", "--no-progress"]);
        if let Some(lines) = only {
            git = git.args([format!("-L{},{}", lines.start(), lines.end())]);
        }
        let output = git.args([commit.as_str(), "--", path]).output()?;
        if !output.ok()
            && output.message().contains("no such path")
            && self.at(self.tree_of_commit(id)?, path)?.is_some()
        {
            let message = format!(
                "not all texts of '{path}' are here; 'git blame {path}' fetches what a partial clone has left out"
            );
            return Err(GitError::Git { verb: "blame".to_owned(), message });
        }
        if !output.ok() {
            return Err(GitError::Git { verb: "blame".to_owned(), message: output.message() });
        }
        Ok(read(&String::from_utf8_lossy(&output.stdout), path))
    }

    /// A commit by its id.
    pub fn past_of(&self, commit: Oid) -> Result<Past, GitError> {
        let bytes = self.read(commit, "commit", "")?;
        let text = String::from_utf8_lossy(&bytes);
        let (head, message) = text.split_once("\n\n").unwrap_or((&text, ""));
        let ids = |name: &str| -> Vec<Oid> {
            let of = head.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            of.filter_map(|id| Oid::from_str(id).ok()).collect()
        };
        let parents = ids("parent");
        let parent_tree = self.first_tree(&parents, &BTreeMap::new())?;
        let tree = ids("tree").first().copied().unwrap_or(Oid::ZERO_SHA1);
        Ok(Past { commit, parents, tree, parent_tree, message: message.to_owned(), author: None })
    }
}

/// `<commit> <line then> <line now>`, headers, and the line behind a tab.
fn read(listing: &str, path: &str) -> Vec<BlamedLine> {
    let mut found = Vec::new();
    let mut head: Option<(Oid, usize, usize)> = None;
    let mut path_then = path.to_owned();
    for line in listing.split('\n') {
        if let Some(text) = line.strip_prefix('\t') {
            if let Some((commit, line_then, line)) = head.take() {
                let text = text.to_owned();
                found.push(BlamedLine { commit, line, line_then, path_then: path_then.clone(), text });
            }
            path_then = path.to_owned();
            continue;
        }
        let mut words = line.split(' ');
        match (words.next().and_then(|word| Oid::from_str(word).ok().filter(|_| word.len() == 40)), head) {
            (Some(commit), None) => {
                let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or_default();
                head = Some((commit, number(), number()));
            }
            _ => {
                // One in quotes has what no planned path has.
                if let Some(name) = line.strip_prefix("filename ").filter(|name| !name.starts_with('"')) {
                    path_then = name.to_owned();
                }
            }
        }
    }
    found
}
