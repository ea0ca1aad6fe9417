//! The difference between a base and a new text: as a patch that `git apply` takes, and in numbers.

use similar::{ChangeTag, TextDiff};

/// Lines added and removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Stat {
    pub added: usize,
    pub removed: usize,
}

impl std::ops::AddAssign for Stat {
    fn add_assign(&mut self, other: Stat) {
        self.added += other.added;
        self.removed += other.removed;
    }
}

impl Stat {
    /// Counts `after` where `before` was counted.
    pub fn replace(&mut self, before: Stat, after: Stat) {
        self.added = (self.added + after.added).saturating_sub(before.added);
        self.removed = (self.removed + after.removed).saturating_sub(before.removed);
    }
}

/// Counts the lines that differ, as `git diff --numstat` does.
pub fn stat(base: Option<&str>, text: Option<&str>) -> Stat {
    let (base, text) = (base.unwrap_or_default(), text.unwrap_or_default());
    let mut stat = Stat::default();
    for change in TextDiff::from_lines(base, text).iter_all_changes() {
        match change.tag() {
            ChangeTag::Insert => stat.added += 1,
            ChangeTag::Delete => stat.removed += 1,
            ChangeTag::Equal => {}
        }
    }
    stat
}

/// A unified diff with git's headers; `None` stands for a file that is not there. Empty if nothing differs.
///
/// The path is written as it is: a [`crate::path::RepoPath`] holds no control bytes, so git needs no quotes for it.
pub fn unified(path: &str, base: Option<&str>, text: Option<&str>) -> String {
    if base == text {
        return String::new();
    }
    let side = |letter: char, there: bool| if there { format!("{letter}/{path}") } else { "/dev/null".to_owned() };
    let diff = TextDiff::from_lines(base.unwrap_or_default(), text.unwrap_or_default());
    let mut out = format!("diff --git a/{path} b/{path}\n");
    match (base, text) {
        (None, _) => out.push_str("new file mode 100644\n"),
        (_, None) => out.push_str("deleted file mode 100644\n"),
        _ => {}
    }
    out.push_str(
        &diff
            .unified_diff()
            .context_radius(3)
            .header(&side('a', base.is_some()), &side('b', text.is_some()))
            .to_string(),
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn numbers_count_each_changed_line_on_its_side() {
        assert_eq!(stat(Some("a\nb\nc\n"), Some("a\nx\nc\nd\n")), Stat { added: 2, removed: 1 });
        assert_eq!(stat(None, Some("a\nb")), Stat { added: 2, removed: 0 });
        assert_eq!(stat(Some("a\n"), None), Stat { added: 0, removed: 1 });
    }

    #[test]
    fn git_itself_applies_the_patch_to_the_same_bytes() {
        let cases = [
            ("one\ntwo\nthree\n", "one\n2\nthree\nfour\n"),
            ("no newline", "no newline\nat first"),
            ("crlf\r\nlines\r\n", "crlf\r\nother\r\n"),
        ];
        for (base, text) in cases {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("f.txt"), base).unwrap();
            std::fs::write(folder.path().join("p"), unified("f.txt", Some(base), Some(text))).unwrap();
            let git = Command::new("git").args(["apply", "p"]).current_dir(folder.path()).output().unwrap();
            assert!(git.status.success(), "{}", String::from_utf8_lossy(&git.stderr));
            assert_eq!(std::fs::read_to_string(folder.path().join("f.txt")).unwrap(), text);
        }
    }
}
