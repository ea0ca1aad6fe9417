//! The difference between a base and a new text: as a patch that `git apply` takes, and in numbers.

use similar::{ChangeTag, TextDiff};
use std::ops::Range;

/// Lines added and removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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

/// The lines of `text` that `base` has not, from and to, counted from 1. Where lines of the base are gone, the line before
/// that place stands for it.
pub fn changed_lines(base: &str, text: &str) -> Vec<(usize, usize)> {
    let range = |new: Range<usize>| if new.is_empty() { (new.start, new.start) } else { (new.start + 1, new.end) };
    changes(base, text).into_iter().map(|(_, new)| range(new)).collect()
}

/// For each line of `text` the line of `base` that it is, counted from 0; `None`: it is new.
pub fn kept_lines(base: &str, text: &str) -> Vec<Option<usize>> {
    let count = text.split_inclusive('\n').count();
    let mut kept = Vec::with_capacity(count);
    let mut after_old = 0;
    for (old, new) in changes(base, text) {
        kept.extend((after_old..old.start).map(Some));
        kept.extend(new.map(|_| None));
        after_old = old.end;
    }
    kept.extend((after_old..).take(count - kept.len()).map(Some));
    kept
}

/// Where two texts differ: lines of the one and of the other, counted from 0, in order.
fn changes(base: &str, text: &str) -> Vec<(Range<usize>, Range<usize>)> {
    /// Of texts with more lines that differ, the search for the best comparison takes too long: all between the first and the
    /// last that differ counts as changed.
    const MOST: usize = 20_000;
    let (old, new): (Vec<&str>, Vec<&str>) =
        (base.split_inclusive('\n').collect(), text.split_inclusive('\n').collect());
    let before = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let shorter = old.len().min(new.len()) - before;
    let behind = old.iter().rev().zip(new.iter().rev()).take(shorter).take_while(|(old, new)| old == new).count();
    let (old_middle, new_middle) = (before..old.len() - behind, before..new.len() - behind);
    if old_middle.is_empty() && new_middle.is_empty() {
        return Vec::new();
    }
    if old_middle.len() + new_middle.len() > MOST {
        return vec![(old_middle, new_middle)];
    }
    let (old, new) = (old.get(old_middle).unwrap_or_default(), new.get(new_middle).unwrap_or_default());
    let ops = TextDiff::from_slices(old, new).ops().to_vec();
    let changed = ops.iter().filter(|op| op.tag() != similar::DiffTag::Equal);
    let moved = |range: Range<usize>| before + range.start..before + range.end;
    changed.map(|op| (moved(op.old_range()), moved(op.new_range()))).collect()
}

/// A unified diff with git's headers, for `git apply` and `patch -p1`; `None` stands for a file that is not there. Empty if
/// nothing differs. Lines keep their own ends.
pub fn unified(path: &str, base: Option<&str>, text: Option<&str>) -> String {
    if base == text {
        return String::new();
    }
    let (a, b) = (quoted(&format!("a/{path}")), quoted(&format!("b/{path}")));
    let mut out = format!("diff --git {a} {b}\n");
    match (base, text) {
        (None, _) => out.push_str("new file mode 100644\n"),
        (_, None) => out.push_str("deleted file mode 100644\n"),
        _ => {}
    }
    let (old, new) = (lines(base), lines(text));
    let diff = TextDiff::from_slices(&old, &new);
    let groups = diff.grouped_ops(3);
    if !groups.is_empty() {
        let side = |there: bool, name: &str| if there { ended(name) } else { "/dev/null".to_owned() };
        out.push_str(&format!("--- {}\n+++ {}\n", side(base.is_some(), &a), side(text.is_some(), &b)));
    }
    for group in groups {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let old = range(first.old_range().start, last.old_range().end);
        let new = range(first.new_range().start, last.new_range().end);
        out.push_str(&format!("@@ -{old} +{new} @@\n"));
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            out.push(match change.tag() {
                ChangeTag::Insert => '+',
                ChangeTag::Delete => '-',
                ChangeTag::Equal => ' ',
            });
            out.push_str(change.value());
            if !change.value().ends_with('\n') {
                out.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
    out
}

/// Lines with their ends.
fn lines(text: Option<&str>) -> Vec<&str> {
    text.unwrap_or_default().split_inclusive('\n').collect()
}

/// Lines `start..end`, counted from 0, as a hunk's header has them: of no lines, the one before.
fn range(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        count => format!("{},{count}", start + 1),
    }
}

/// A name as git writes it: in quotes, as C has them, if it holds what would end or change it.
fn quoted(name: &str) -> String {
    if !name.contains(|c: char| c.is_control() || matches!(c, '"' | '\\')) {
        return name.to_owned();
    }
    let mut quoted = String::from("\"");
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            b'\t' => quoted.push_str("\\t"),
            b'\n' => quoted.push_str("\\n"),
            b' '..=b'~' => quoted.push(char::from(byte)),
            _ => quoted.push_str(&format!("\\{byte:03o}")),
        }
    }
    quoted + "\""
}

/// A name on a line of its own. A tab says where one with blanks ends; git and `patch` both know it.
fn ended(name: &str) -> String {
    let end = if name.contains(' ') && !name.starts_with('"') { "\t" } else { "" };
    format!("{name}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn lines_that_are_new_have_their_numbers_and_a_place_stands_for_those_that_are_gone() {
        assert_eq!(changed_lines("a\nb\nc\n", "a\nb\nc\n"), []);
        assert_eq!(changed_lines("a\nb\nc\n", "a\nx\ny\nc\n"), [(2, 3)]);
        assert_eq!(changed_lines("a\nb\nc\nd\n", "x\nb\nd\n"), [(1, 1), (2, 2)]);
        assert_eq!(changed_lines("", "a\nb\n"), [(1, 2)]);
        assert_eq!(changed_lines("a\n", ""), [(0, 0)]);
        assert_eq!(changed_lines("a\na\n", "a\na\na\n"), [(3, 3)]);
        let many = |word: &str| (0..30_000).map(|n| format!("{word}{n}\n")).collect::<String>();
        assert_eq!(changed_lines(&format!("a\n{}", many("x")), &format!("a\n{}", many("y"))), [(2, 30_001)]);
    }

    #[test]
    fn numbers_count_each_changed_line_on_its_side() {
        assert_eq!(stat(Some("a\nb\nc\n"), Some("a\nx\nc\nd\n")), Stat { added: 2, removed: 1 });
        assert_eq!(stat(None, Some("a\nb")), Stat { added: 2, removed: 0 });
        assert_eq!(stat(Some("a\n"), None), Stat { added: 0, removed: 1 });
    }

    #[test]
    fn git_and_patch_apply_it_to_the_same_bytes() {
        let texts = [
            (Some("one\ntwo\nthree\n"), Some("one\n2\nthree\nfour\n")),
            (Some("no newline"), Some("no newline\nat first")),
            (Some("a\nb"), Some("a\nb\n")),
            (Some("crlf\r\nlines\r\n"), Some("crlf\r\nother\r\n")),
            (Some("a\rb\n"), Some("a\rc\n")),
            (Some("a\nb\r"), Some("a\nc\r")),
            (Some("\ta\nb\n"), Some("\tb\nb\n")),
            (None, Some("new\n")),
            (Some("old\n"), None),
        ];
        let names = ["f.txt", "src/with blank.txt", "ä ö.txt", "a\"b.txt", "back\\slash x.txt", " lead and trail .txt"];
        let programs: [&[&str]; 2] = [&["git", "apply", "p"], &["patch", "--binary", "-s", "-p1", "-i", "p"]];
        for (base, text) in texts {
            for (name, program) in names.iter().flat_map(|name| programs.map(|program| (name, program))) {
                let folder = tempfile::tempdir().unwrap();
                let file = folder.path().join(name);
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                base.into_iter().for_each(|base| std::fs::write(&file, base).unwrap());
                let patch = unified(name, base, text);
                std::fs::write(folder.path().join("p"), &patch).unwrap();
                let run = Command::new(program[0]).args(&program[1..]).current_dir(folder.path()).output().unwrap();
                let said = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
                assert!(run.status.success(), "{program:?} {name:?}: {said}\n{patch}");
                assert_eq!(std::fs::read_to_string(&file).ok().as_deref(), text, "{program:?} {name:?}\n{patch}");
            }
        }
    }
}
