//! Branch names: making one from a text, and whether it may be made or moved.

use super::{GitError, Oid, Repository};
use std::path::{Path, PathBuf};

/// Makes one component of a branch name from any text, by the rules of `git check-ref-format` and so that no shell
/// or case-insensitive file system minds: letters and digits of any script, `.`, `_`, `-`. `None` if nothing is left.
pub fn component(text: &str) -> Option<String> {
    let mut name = String::new();
    for letter in text.trim().chars() {
        match letter {
            letter if letter.is_alphanumeric() || letter == '_' => name.push(letter),
            '.' if !name.ends_with(['.', '-']) && !name.is_empty() => name.push('.'),
            // Everything else becomes one dash between what is kept.
            _ if !name.is_empty() && !name.ends_with(['.', '-']) => name.push('-'),
            _ => {}
        }
    }
    // A file name holds 255 bytes, and git adds `.lock`.
    while name.len() > 100 {
        name.pop();
    }
    let mut name = name.trim_end_matches(['.', '-']).to_owned();
    while let Some(shorter) = name.strip_suffix(".lock") {
        name = shorter.trim_end_matches(['.', '-']).to_owned();
    }
    if name.is_empty() { None } else { Some(name) }
}

/// Is `name` (without `refs/heads/`) one that git takes as a branch?
pub fn is_valid(name: &str) -> bool {
    // `HEAD` and a leading dash are refs that git would write and then misread.
    name != "HEAD" && !name.starts_with('-') && git2::Branch::name_is_valid(name).unwrap_or(false)
}

/// What the run may do with a branch that is already there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Refuse.
    Refuse,
    /// `-b X --base X`: append to it; it must still point at this commit.
    Append(Oid),
    /// `--force`: replace it.
    Replace,
}

impl Repository {
    /// May `name` be written? Returns the value that publishing must find there: `None` if it must not exist.
    pub fn branch_free(&self, name: &str, existing: Existing) -> Result<Option<Oid>, GitError> {
        if !is_valid(name) {
            return Err(GitError::BranchName { name: name.to_owned() });
        }
        if let Some((worktree, doing)) = self.branch_in_use(name)? {
            return Err(GitError::BranchCheckedOut { name: name.to_owned(), worktree, doing });
        }
        let found = self.ref_target(&format!("refs/heads/{name}"))?;
        match (found, existing) {
            (Some(commit), Existing::Refuse) => Err(GitError::BranchExists { name: name.to_owned(), commit }),
            (Some(commit), Existing::Append(tip)) if commit != tip => {
                Err(GitError::RefMoved { name: name.to_owned(), expected: Some(tip), found: Some(commit) })
            }
            (Some(commit), _) => Ok(Some(commit)),
            (None, _) => match self.branch_in_the_way(name)? {
                Some(other) => Err(GitError::BranchConflict { name: name.to_owned(), other }),
                None => Ok(None),
            },
        }
    }

    /// Where a branch is checked out, or held by a rebase or a bisection that is not finished.
    fn branch_in_use(&self, name: &str) -> Result<Option<(PathBuf, &'static str)>, GitError> {
        let mut places = vec![(self.common_dir().to_owned(), None)];
        if let Ok(entries) = std::fs::read_dir(self.common_dir().join("worktrees")) {
            for admin in entries.flatten().map(|entry| entry.path()) {
                let link = std::fs::read_to_string(admin.join("gitdir")).unwrap_or_default();
                let worktree = admin.join(link.trim_end()).parent().map(Path::to_owned);
                places.push((admin, worktree));
            }
        }
        let full = format!("refs/heads/{name}");
        for (admin, worktree) in places {
            let Some(doing) = held(&admin, &full, name) else { continue };
            // HEAD of a bare repository is a default, not a checkout.
            let main = worktree.is_none();
            if main && doing == "checked out" && self.config_bool("core.bare")? == Some(true) {
                continue;
            }
            let worktree = worktree.unwrap_or_else(|| match self.workdir() {
                Some(root) if self.git_dir() == self.common_dir() => root.to_owned(),
                _ => admin.parent().unwrap_or(&admin).to_owned(),
            });
            return Ok(Some((worktree, doing)));
        }
        Ok(None)
    }

    /// A branch that cannot stand beside `name`: a prefix of it, one below it, or the same but for case.
    fn branch_in_the_way(&self, name: &str) -> Result<Option<String>, GitError> {
        let parts: Vec<&str> = name.split('/').collect();
        if let Some(branch) = loose_in_the_way(&self.common_dir().join("refs/heads"), "", &parts) {
            return Ok(Some(branch));
        }
        let packed = std::fs::read(self.common_dir().join("packed-refs")).unwrap_or_default();
        let wanted = name.to_lowercase();
        let packed = String::from_utf8_lossy(&packed);
        let branches = packed.lines().filter_map(|line| line.split_once(" refs/heads/").map(|(_, branch)| branch));
        Ok(branches.map(str::to_owned).find(|branch| in_the_way(&wanted, branch)))
    }
}

/// Are the two the same, or one a directory of the other, but for case? `wanted` is in lower case.
fn in_the_way(wanted: &str, branch: &str) -> bool {
    let first = wanted.bytes().next();
    // Most branches of a big repository differ at once.
    if branch.is_ascii() && branch.bytes().next().map(|byte| byte.to_ascii_lowercase()) != first {
        return false;
    }
    let branch = branch.to_lowercase();
    let below = |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with('/'));
    branch == wanted || below(&branch, wanted) || below(wanted, &branch)
}

/// The same among the loose refs below `place`, whose name so far is `sofar` (empty, or with a final slash). An empty
/// directory is no branch. Reads only directories on the way to the name.
fn loose_in_the_way(place: &Path, sofar: &str, parts: &[&str]) -> Option<String> {
    std::fs::read_dir(place).ok()?.flatten().find_map(|entry| {
        let sibling = entry.file_name().into_string().ok()?;
        let on_the_way = parts.first().is_none_or(|part| sibling.to_lowercase() == part.to_lowercase());
        if !on_the_way || sibling.ends_with(".lock") {
            return None;
        }
        let name = format!("{sofar}{sibling}");
        if entry.path().is_dir() {
            loose_in_the_way(&entry.path(), &format!("{name}/"), parts.get(1..).unwrap_or_default())
        } else {
            Some(name)
        }
    })
}

/// What the worktree at `admin` does with the branch.
fn held(admin: &Path, full: &str, name: &str) -> Option<&'static str> {
    let read = |file: &str| std::fs::read_to_string(admin.join(file)).unwrap_or_default();
    if read("HEAD").trim_end().strip_prefix("ref:").is_some_and(|target| target.trim() == full) {
        return Some("checked out");
    }
    let rebased = ["rebase-merge/head-name", "rebase-apply/head-name"].iter().any(|file| read(file).trim_end() == full);
    if rebased || read("rebase-merge/update-refs").lines().any(|line| line == full) {
        return Some("being rebased");
    }
    let bisected = read("BISECT_START");
    let bisected = bisected.trim_end();
    if bisected == name || bisected == full { Some("being bisected") } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_becomes_a_component_that_git_takes_or_none() {
        let cases = [
            ("324", Some("324")),
            ("#324: Add a thing", Some("324-Add-a-thing")),
            ("  ..hidden", Some("hidden")),
            ("a..b", Some("a.b")),
            ("x.lock", Some("x")),
            ("x.lock.lock.", Some("x")),
            ("a@{b}~^:?*[\\c", Some("a-b-c")),
            ("-rf", Some("rf")),
            ("größe 3", Some("größe-3")),
            ("設計", Some("設計")),
            ("a/b", Some("a-b")),
            ("\u{1b}[31mred", Some("31mred")),
            ("...", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(component(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn git_takes_whatever_comes_out() {
        for text in ["x.lock", &"ä".repeat(300), "@", "HEAD", "a.b.", "-", "CON", "v1.0 (draft)", "a\u{200c}b"] {
            if let Some(name) = component(text) {
                assert!(is_valid(&format!("implement/{name}")), "{name:?}");
                assert!(name.len() <= 100);
            }
        }
    }

    #[test]
    fn names_that_git_would_misread_are_not_valid() {
        for name in ["HEAD", "-x", "a..b", "a.lock", "a b", "/a", "a/", "a//b", "", "a\u{7}"] {
            assert!(!is_valid(name), "{name:?}");
        }
    }

    #[test]
    fn prefixes_and_spellings_are_in_the_way_and_neighbours_are_not() {
        assert!(in_the_way("implement/x", "implement"));
        assert!(in_the_way("implement/x", "Implement/X"));
        assert!(in_the_way("implement/x", "implement/x/y"));
        assert!(!in_the_way("implement/x", "implement/xy"));
        assert!(!in_the_way("implement/x", "implementation"));
    }
}
