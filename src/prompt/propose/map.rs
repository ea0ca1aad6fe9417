//! The map of a repository: every path with its lines, a directory a line; where that is too long, the directories that
//! may matter, and how many files the others have.

use super::Mapped;
use crate::plan::estimate_tokens;
use std::collections::BTreeMap;

/// As many names of one directory as are shown, unless more of them may matter.
const NAMES: usize = 80;

/// The map within about `room` tokens. `scores` has one number a file: how much speaks for it. The same input gives the
/// same map.
pub fn map(files: &[Mapped], scores: &[u32], room: u64) -> String {
    let mut directories: BTreeMap<&str, Directory> = BTreeMap::new();
    for (file, score) in files.iter().zip(scores.iter().copied().chain(std::iter::repeat(0))) {
        let (parent, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let directory = directories.entry(parent).or_default();
        directory.score = directory.score.max(score);
        directory.files.push((name, file.lines, score));
    }
    let lines: BTreeMap<&str, String> =
        directories.iter().map(|(path, directory)| (*path, directory.line(path))).collect();
    let total: u64 = lines.values().map(|line| estimate_tokens(line)).sum();
    if total <= room {
        return lines.into_values().collect();
    }
    // A quarter is for what is not listed.
    let mut left = room - room / 4;
    let mut order: Vec<(&str, u32)> = directories.iter().map(|(path, directory)| (*path, directory.score)).collect();
    order.sort_by_key(|(path, score)| (std::cmp::Reverse(*score), path.matches('/').count(), *path));
    let mut shown: BTreeMap<&str, &str> = BTreeMap::new();
    for (path, _) in order {
        let Some(line) = lines.get(path) else { continue };
        let size = estimate_tokens(line);
        if size <= left {
            left -= size;
            shown.insert(path, line);
        }
    }
    let hidden = directories.iter().filter(|(path, _)| !shown.contains_key(*path));
    let mut out: String = shown.values().copied().collect();
    out.push_str(&summed(hidden.map(|(path, directory)| (*path, directory.files.len())), room / 4));
    out
}

#[derive(Default)]
struct Directory<'a> {
    score: u32,
    /// Name, lines, score.
    files: Vec<(&'a str, Option<usize>, u32)>,
}

impl Directory<'_> {
    /// `src/clock/: face.ts 120, parse.ts 33`.
    fn line(&self, path: &str) -> String {
        let mut files: Vec<_> = self.files.clone();
        let more = files.len().saturating_sub(NAMES);
        if more > 0 {
            files.sort_by_key(|(name, _, score)| (std::cmp::Reverse(*score), *name));
            files.truncate(NAMES);
        }
        files.sort_unstable();
        let name = |(name, lines, _): &(&str, Option<usize>, u32)| match lines {
            Some(lines) => format!("{name} {lines}"),
            None => (*name).to_owned(),
        };
        let names = files.iter().map(name).collect::<Vec<_>>().join(", ");
        let rest = if more > 0 { format!(", and {more} more that are not listed") } else { String::new() };
        let path = if path.is_empty() { "(root)".to_owned() } else { format!("{path}/") };
        format!("{path}: {names}{rest}\n")
    }
}

/// Directories that are not listed, by their first two levels: how many files each of these has.
fn summed<'a>(hidden: impl Iterator<Item = (&'a str, usize)>, room: u64) -> String {
    let mut sums: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, files) in hidden {
        let end = path.match_indices('/').nth(1).map_or(path.len(), |(at, _)| at);
        *sums.entry(path.get(..end).unwrap_or(path)).or_default() += files;
    }
    let (mut out, mut left) = ("\nNot listed for want of room:\n".to_owned(), room);
    let mut rest = 0;
    for (path, files) in sums {
        let path = if path.is_empty() { "(root)".to_owned() } else { format!("{path}/") };
        let line = format!("{path} {files} files\n");
        let size = estimate_tokens(&line);
        if rest == 0 && size <= left {
            left -= size;
            out.push_str(&line);
        } else {
            rest += files;
        }
    }
    if rest > 0 {
        out.push_str(&format!("and {rest} files elsewhere\n"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(paths: &[&str]) -> Vec<Mapped> {
        paths.iter().map(|path| Mapped { path: (*path).to_owned(), lines: Some(path.len()) }).collect()
    }

    #[test]
    fn a_small_repository_is_shown_whole_a_directory_a_line() {
        let mut files = files(&["README.md", "src/b.ts", "src/a.ts", "src/x/c.ts"]);
        files[2].lines = None;
        assert_eq!(map(&files, &[], 1000), "(root): README.md 9\nsrc/: a.ts, b.ts 8\nsrc/x/: c.ts 10\n");
    }

    #[test]
    fn of_a_large_one_what_may_matter_is_listed_and_the_rest_is_counted() {
        let paths: Vec<String> = (0..3000).map(|n| format!("packages/p{}/src/f{n}.ts", n / 10)).collect();
        let files = files(&paths.iter().map(String::as_str).collect::<Vec<_>>());
        let mut scores = vec![0; 3000];
        scores[1234] = 50;
        let shown = map(&files, &scores, 1000);
        assert!(shown.contains("packages/p123/src/: f1230.ts"), "{shown}");
        assert!(shown.contains("packages/p299/ 10 files\n") || shown.contains("files elsewhere\n"), "{shown}");
        assert!(estimate_tokens(&shown) < 1100, "{}", estimate_tokens(&shown));
        assert_eq!(shown, map(&files, &scores, 1000));
        let listed = shown.matches(".ts").count();
        let counted: usize = shown
            .lines()
            .filter_map(|line| line.strip_suffix(" files").or(line.strip_suffix(" files elsewhere")))
            .filter_map(|line| line.rsplit(' ').next()?.parse::<usize>().ok())
            .sum();
        assert_eq!(listed + counted, 3000, "{shown}");
    }

    #[test]
    fn of_a_large_directory_the_names_that_may_matter_are_shown() {
        let paths: Vec<String> = (0..200).map(|n| format!("icons/i{n:03}.svg")).collect();
        let files = files(&paths.iter().map(String::as_str).collect::<Vec<_>>());
        let mut scores = vec![0; 200];
        scores[199] = 1;
        let shown = map(&files, &scores, 10_000);
        assert!(shown.contains("i199.svg") && shown.ends_with("and 120 more that are not listed\n"), "{shown}");
    }
}
