//! A change of a text as hunks, line by line, with the numbers of both sides.

use super::parts::{Part, parts};
use crate::edit::Tier;
use similar::{ChangeTag, TextDiff};
use std::ops::Range;

/// Unchanged lines that are shown on each side of what changed.
const AROUND: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    pub lines: Vec<Line>,
    /// How the loosest of its edits matched, if one did so other than to the byte.
    pub loose: Option<Tier>,
    /// Lines of it are a person's: the replies make something else.
    pub person: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub kind: Kind,
    /// Its number before and after, from 1.
    pub old: Option<usize>,
    pub new: Option<usize>,
    /// Without its line feed. A carriage return before that is of the line.
    pub text: String,
    /// The text ends in it, without a line feed.
    pub unended: bool,
    /// What of it is no plain code, for the eye.
    pub parts: Vec<(Range<usize>, Part)>,
    /// It was moved: where it is on the other side, as `path:line`.
    pub moved: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Same,
    Added,
    Removed,
}

/// The hunks between two texts of the file at `path`. Linear, but for what differs: Myers' algorithm, as git's.
pub fn hunks(path: &str, before: &str, after: &str) -> Vec<Hunk> {
    // git's lines, which end in a line feed alone.
    let (befores, afters): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let diff = TextDiff::from_slices(&befores, &afters);
    let (old, new) = (parts(path, before), parts(path, after));
    let of = |side: &[Vec<(Range<usize>, Part)>], at: Option<usize>| {
        at.and_then(|at| side.get(at)).cloned().unwrap_or_default()
    };
    let group = |ops: &Vec<similar::DiffOp>| {
        let changes = ops.iter().flat_map(|op| diff.iter_changes(op));
        let line = |change: similar::Change<&str>| Line {
            kind: match change.tag() {
                ChangeTag::Equal => Kind::Same,
                ChangeTag::Insert => Kind::Added,
                ChangeTag::Delete => Kind::Removed,
            },
            old: change.old_index().map(|at| at + 1),
            new: change.new_index().map(|at| at + 1),
            text: change.value().trim_end_matches('\n').to_owned(),
            unended: !change.value().ends_with('\n'),
            parts: match change.tag() {
                ChangeTag::Delete => of(&old, change.old_index()),
                _ => of(&new, change.new_index()),
            },
            moved: None,
        };
        Hunk { lines: changes.map(line).collect(), loose: None, person: false }
    };
    diff.grouped_ops(AROUND).iter().map(group).collect()
}

impl Hunk {
    /// The first line of it that changed, after the change; where lines are gone alone, before it.
    pub fn place(&self) -> usize {
        let changed = self.lines.iter().find(|line| line.kind != Kind::Same);
        changed.and_then(|line| line.new.or(line.old)).unwrap_or(1)
    }

    /// Lines added and removed.
    pub fn counts(&self) -> (usize, usize) {
        let of = |kind: Kind| self.lines.iter().filter(|line| line.kind == kind).count();
        (of(Kind::Added), of(Kind::Removed))
    }

    /// Does it touch one of these lines of the text before it (`old`), or after it?
    pub fn touches(&self, from: usize, to: usize, old: bool) -> bool {
        let number = |line: &Line| if old { line.old } else { line.new };
        self.lines.iter().filter_map(number).any(|number| (from..=to).contains(&number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_git_and_keep_what_they_end_in() {
        let shown = |before: &str, after: &str| -> Vec<(Kind, Option<usize>, String, bool)> {
            let lines = hunks("a.txt", before, after).into_iter().flat_map(|hunk| hunk.lines);
            lines.map(|line| (line.kind, line.old.or(line.new), line.text, line.unended)).collect()
        };
        let line = |kind, number, text: &str, unended| (kind, Some(number), text.to_owned(), unended);
        assert_eq!(
            shown("a\r\nb\rc\n", "a\nb\rc"),
            [
                line(Kind::Removed, 1, "a\r", false),
                line(Kind::Removed, 2, "b\rc", false),
                line(Kind::Added, 1, "a", false),
                line(Kind::Added, 2, "b\rc", true),
            ]
        );
    }

    #[test]
    fn a_hunk_has_the_numbers_of_both_sides_and_three_lines_around() {
        let before: String = (1..=20).map(|n| format!("{n}\n")).collect();
        let after = before.replace("10\n", "ten\nand a half\n");
        let hunks = hunks("a.txt", &before, &after);
        assert_eq!(hunks.len(), 1);
        let shown: Vec<(Option<usize>, Option<usize>, &str)> =
            hunks[0].lines.iter().map(|line| (line.old, line.new, line.text.as_str())).collect();
        assert_eq!(shown.first(), Some(&(Some(7), Some(7), "7")));
        assert!(shown.contains(&(Some(10), None, "10")) && shown.contains(&(None, Some(11), "and a half")));
        assert_eq!(shown.last(), Some(&(Some(13), Some(14), "13")));
        assert_eq!((hunks[0].place(), hunks[0].counts()), (10, (2, 1)));
        assert!(hunks[0].touches(10, 10, true) && !hunks[0].touches(15, 20, true) && hunks[0].touches(11, 11, false));
    }
}
