//! Planned files whose bytes git would convert through a program or an encoding: refused by name.
//!
//! Line ends, `text` and `ident` need nothing: they change files on disk, and everything here is in blob form.

use super::snapshot::{joined, split};
use super::{Base, GitError, Repository};
use crate::path::RepoPath;

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

fn utf8(encoding: &str) -> bool {
    encoding.eq_ignore_ascii_case("utf-8") || encoding.eq_ignore_ascii_case("utf8")
}
