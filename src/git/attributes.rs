//! Planned files whose bytes git would convert through a program or an encoding: refused by name.
//!
//! Line ends, `text` and `ident` need nothing: they change files on disk, and everything here is in blob form. Only who
//! writes such a file to a disk must leave that to git.

use super::snapshot::{joined, split};
use super::{Base, GitError, Repository, Scratch};
use crate::path::RepoPath;
use crate::process::Interrupt;
use std::collections::HashSet;

impl Repository {
    /// Refuses if an attribute of the base's tree sends one of `paths` through a filter (Git LFS is one) or gives it an
    /// encoding other than UTF-8. gits older than 2.41 read the attributes of the working tree.
    pub fn unsupported(&self, base: &Base, paths: &[RepoPath]) -> Result<(), GitError> {
        if paths.is_empty() {
            return Ok(());
        }
        let listing = self
            .git()
            .env("GIT_ATTR_SOURCE", base.commit.to_string())
            // It would read the whole index, to no end.
            .env("GIT_INDEX_FILE", self.git_dir().join("implement-reads-no-index"))
            .args(["check-attr", "-z", "--stdin", "filter", "working-tree-encoding"])
            .stdin(joined(paths))
            .run()?;
        let mut fields = split(&listing).map(String::from_utf8_lossy);
        while let (Some(path), Some(attribute), Some(value)) = (fields.next(), fields.next(), fields.next()) {
            if matches!(value.as_ref(), "unspecified" | "unset") || attribute == "working-tree-encoding" && utf8(&value)
            {
                continue;
            }
            let (path, value) = (super::message::plain(&path), super::message::plain(&value));
            let (id, what) = if attribute == "filter" {
                ("filter-driver", format!("'{path}' goes through the filter '{value}'"))
            } else {
                ("working-tree-encoding", format!("'{path}' is kept as {value} in the working tree"))
            };
            let what = format!("{what}, which git implement does not support");
            let hint = "leave it out of the design's file list, and change it by hand".to_owned();
            return Err(GitError::Unsupported { id, what, hint });
        }
        Ok(())
    }
}

impl Scratch<'_> {
    /// Which of these files git would write to the worktree byte for byte as they are, by the attributes that lie there. Where
    /// these are among the files themselves, none.
    pub(super) fn unconverted(&self, paths: &[&RepoPath], interrupt: &Interrupt) -> Result<HashSet<String>, GitError> {
        let says = |path: &RepoPath| path.as_str().rsplit('/').next() == Some(".gitattributes");
        if paths.is_empty() || paths.iter().any(|path| says(path)) || self.repository.ends_lines_otherwise()? {
            return Ok(HashSet::new());
        }
        let names: Vec<u8> = paths.iter().flat_map(|path| [path.as_str().as_bytes(), b"\0"].concat()).collect();
        let git = self.plain_git().env("GIT_INDEX_FILE", self.admin_dir().join("reads-no-index")).args(["check-attr"]);
        let git = git.args(["-z", "--stdin", "filter", "working-tree-encoding", "ident", "eol", "crlf"]);
        let listing = git.stdin(names).run_until(interrupt)?;
        let mut unconverted: HashSet<String> = paths.iter().map(|path| path.to_string()).collect();
        let mut fields = split(&listing).map(String::from_utf8_lossy);
        while let (Some(path), Some(attribute), Some(value)) = (fields.next(), fields.next(), fields.next()) {
            let is_none = matches!(value.as_ref(), "unspecified" | "unset");
            if !is_none && (attribute.as_ref(), value.as_ref()) != ("eol", "lf") {
                unconverted.remove(path.as_ref());
            }
        }
        Ok(unconverted)
    }
}

impl Repository {
    /// May files without any attribute have other line ends on disk?
    fn ends_lines_otherwise(&self) -> Result<bool, GitError> {
        let is = |key: &str, value: &str| Ok(self.config_str(key)?.is_some_and(|set| set.eq_ignore_ascii_case(value)));
        let as_they_come = self.config_str("core.autocrlf")?.is_none() || is("core.autocrlf", "input")?;
        Ok(!as_they_come && self.config_bool("core.autocrlf")? != Some(false) || is("core.eol", "crlf")?)
    }
}

fn utf8(encoding: &str) -> bool {
    encoding.eq_ignore_ascii_case("utf-8") || encoding.eq_ignore_ascii_case("utf8")
}
