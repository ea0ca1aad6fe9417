//! Lines of a unified diff that are no lines of the file: the headers of hunks, the names of the file. What may be both.

use super::target;
use crate::edit::Refusal;

/// A line that begins a hunk: `@@ -1,2 +3,4 @@`, `@@ ... @@`, `@@`.
pub(super) fn is_header(line: &str) -> bool {
    let line = line.trim_end();
    line == "@@" || line.starts_with("@@ ") && (line[3..].contains("@@") || line.starts_with("@@ -"))
}

/// The same inside a diff, where the words after `@@` need no end.
pub(super) fn is_hunk(line: &str) -> bool {
    is_header(line) || line.starts_with("@@ ")
}

/// How many lines name a file here: `--- a/x`, `+++ b/x`, of which one may be missing before a hunk. Inside a hunk a removed
/// line `-- x` and an added `++ x` look the same without the next hunk after them.
pub(super) fn file_header(lines: &[&str], inside: bool) -> usize {
    let is = |n: usize, mark: &str| lines.get(n).is_some_and(|line| line.starts_with(mark));
    let hunk = |n: usize| lines.get(n).is_some_and(|line| is_hunk(line));
    match (is(0, "--- "), is(1, "+++ ")) {
        (true, true) if hunk(2) || !inside => 2,
        (one, false) if !inside && hunk(1) && (one || is(0, "+++ ")) => 1,
        _ => 0,
    }
}

/// Where the hunk whose header is at `at` ends by its numbers, if they are right: it ends where something else begins.
pub(super) fn counted_end(lines: &[&str], at: usize) -> Option<usize> {
    let mut ranges = lines.get(at)?.strip_prefix("@@ -")?.splitn(3, ' ');
    let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, count)| count.parse::<usize>().ok());
    let mut old = count(ranges.next()?)?;
    let mut new = count(ranges.next()?.strip_prefix('+')?)?;
    let mut end = at + 1;
    while old > 0 || new > 0 {
        match lines.get(end)?.as_bytes().first() {
            None | Some(b' ') => (old, new) = (old.checked_sub(1)?, new.checked_sub(1)?),
            Some(b'-') => old = old.checked_sub(1)?,
            Some(b'+') => new = new.checked_sub(1)?,
            Some(b'\\') => {}
            _ => return None,
        }
        end += 1;
    }
    end += usize::from(lines.get(end).is_some_and(|line| line.starts_with('\\')));
    let ends = ["@@ ", "diff --git ", "--- ", "-- "];
    lines.get(end).is_none_or(|line| line.is_empty() || ends.iter().any(|start| line.starts_with(start))).then_some(end)
}

/// The name on a line such as `--- a/x`, without a time.
pub(super) fn name(line: &str) -> &str {
    line.get(4..).unwrap_or("").split('\t').next().unwrap_or("").trim()
}

/// Do a `---` and a `+++` line name the file? Then they are no lines of a hunk, which would be a removed `-- a/x` and an added
/// `++ b/x`.
pub(super) fn names_it(lines: &[&str], target: &str) -> bool {
    let is = |line: &&str| {
        let name = name(line);
        name == "/dev/null" || target::looks_like_path(name) && target::names(name, target)
    };
    matches!(lines, [old, new, ..] if old.starts_with("--- ") && new.starts_with("+++ ") && is(old) && is(new))
}

pub(super) fn names_target(old: &str, new: &str, target: &str) -> Result<(), Refusal> {
    let (old, new) = (name(old), name(new));
    if new == "/dev/null" {
        return Err(Refusal::new("reply-unsupported", format!("the diff deletes '{target}'")));
    }
    for named in [old, new] {
        // Words such as `original` and `modified` are no paths.
        if named != "/dev/null" && target::looks_like_path(named) && !target::names(named, target) {
            return Err(target::other_file(named, target));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hunk_ends_where_its_numbers_say_if_something_else_begins_there() {
        let end = |diff: &str| counted_end(&diff.lines().collect::<Vec<_>>(), 0);
        for (diff, lines) in [
            ("@@ -1,2 +1,2 @@\n a\n-b\n+c", 4),
            ("@@ -1 +1 @@ f()\n-b\n+c\n@@ -9 +9 @@", 3),
            ("@@ -1,2 +1 @@\n a\n-b\n\nWell.", 3),
            ("@@ -1 +1,2 @@\n a\n+b\ndiff --git a/x b/x", 3),
            ("@@ -1,2 +0,0 @@\n-a\n--- b\n--- a/x", 3),
            ("@@ -0,0 +1,2 @@\n+a\n+++ b\n-- ", 3),
            ("@@ -1,3 +1,3 @@\n a\n\n-b\n\\ No newline at end of file\n+b", 6),
            ("@@ -1 +1 @@\n-b\n+b\n\\ No newline at end of file\n@@ -9 +9 @@", 4),
        ] {
            assert_eq!(end(diff), Some(lines), "{diff}");
        }
        for diff in [
            // Too few lines, too many, lines without a mark, no numbers.
            "@@ -1,2 +1,2 @@\n a",
            "@@ -1 +1 @@\n-a\n+b\n+c",
            "@@ -1 +1 @@\n-a\n c\n+b",
            "@@ -1 +1,2 @@\n-a\n-b\n+c",
            "@@ -1,2 +1,2 @@\n a\nb",
            "@@ -1,x +1 @@\n-a\n+b",
            "@@ ... @@\n-a\n+b",
            "@@",
            "",
        ] {
            assert_eq!(end(diff), None, "{diff}");
        }
    }
}
