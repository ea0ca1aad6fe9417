//! Which files of a repository a design may be about, by words alone: paths and names that it writes out, and words of its
//! tasks that are parts of paths.

use std::collections::{HashMap, HashSet};

/// Words that are in every task and in many paths, and say nothing.
const COMMON: &[&str] = &[
    "add",
    "and",
    "for",
    "the",
    "with",
    "from",
    "into",
    "that",
    "this",
    "new",
    "all",
    "use",
    "create",
    "update",
    "implement",
    "file",
    "files",
    "src",
    "lib",
    "app",
    "index",
    "main",
    "mod",
    "init",
    "code",
    "task",
    "run",
    "set",
    "get",
    "not",
    "when",
];

/// How much speaks for each of `paths`, in their order; 0: nothing. `documents` are all texts of the design, `tasks` those of
/// the tasks that are asked about.
pub fn rank(paths: &[&str], documents: &[&str], tasks: &[&str]) -> Vec<u32> {
    let mut written: HashSet<&str> = HashSet::new();
    let separators = |c: char| c.is_whitespace() || "`'\"()[]{}<>|,;*:=".contains(c);
    for word in documents.iter().flat_map(|text| text.split(separators)) {
        let word = word.trim_start_matches("./").trim_end_matches(['.', '/', '!', '?']);
        if word.contains(['.', '/']) && word.len() <= 200 {
            written.insert(word);
        }
    }
    let mut words: HashSet<String> = HashSet::new();
    tasks.iter().for_each(|text| {
        split(text, |word| {
            words.insert(word);
        })
    });
    let mut known: HashSet<String> = HashSet::new();
    documents.iter().for_each(|text| {
        split(text, |word| {
            known.insert(word);
        })
    });
    let parts: Vec<HashSet<String>> = paths.iter().map(|path| parts(path)).collect();
    // What is in many paths tells them apart from few.
    let mut uses: HashMap<&str, usize> = HashMap::new();
    parts.iter().flatten().for_each(|word| *uses.entry(word).or_default() += 1);
    let weight = |word: &String| {
        let rare = match uses.get(word.as_str()) {
            Some(0..=5) => 12,
            Some(6..=25) => 8,
            Some(26..=100) => 5,
            _ => 3,
        };
        match (words.contains(word), known.contains(word)) {
            (true, _) => rare,
            (false, true) => rare / 4,
            (false, false) => 0,
        }
    };
    let score = |(path, parts): (&&str, &HashSet<String>)| {
        let mut weights: Vec<u32> = parts.iter().map(weight).collect();
        weights.sort_unstable_by(|a, b| b.cmp(a));
        // A path is not more to the point for its length.
        named(path, &written) + weights.iter().take(TELLING).sum::<u32>()
    };
    paths.iter().zip(&parts).map(score).collect()
}

/// What has this much or more speaking for it the design writes out, if only by its name.
pub const WRITTEN_OUT: u32 = 60;

/// As many words of one path as count.
const TELLING: usize = 3;

fn parts(path: &str) -> HashSet<String> {
    let mut parts = HashSet::new();
    split(path, |word| {
        parts.insert(word);
    });
    parts
}

/// What speaks for a path because the design writes it out: whole, under a shorter name (the longer the surer), or its
/// directory.
fn named(path: &str, written: &HashSet<&str>) -> u32 {
    let ends = || path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut parents = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    let itself = if written.contains(path) {
        200
    } else if ends().any(|end| end.contains('/') && written.contains(end)) {
        120
    } else if name.contains('.') && written.contains(name) {
        WRITTEN_OUT
    } else {
        0
    };
    itself + if parents.any(|directory| directory.contains('/') && written.contains(directory)) { 20 } else { 0 }
}

/// The words of a text or path in lower case, `camelCase` taken apart, plurals as singulars.
fn split(text: &str, mut take: impl FnMut(String)) {
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let mut start = 0;
        let mut before = false;
        let mut part = |part: &str| {
            let word = part.to_lowercase();
            let word = word.strip_suffix('s').filter(|stem| stem.len() > 3).unwrap_or(&word);
            if word.len() >= 3 && !COMMON.contains(&word) {
                take(word.to_owned());
            }
        };
        for (at, c) in word.char_indices() {
            if c.is_uppercase() && before {
                part(word.get(start..at).unwrap_or_default());
                start = at;
            }
            before = c.is_lowercase() || c.is_ascii_digit();
        }
        part(word.get(start..).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn what_the_design_writes_out_goes_before_what_its_words_are_part_of() {
        let paths = ["docs/a.md", "src/clock/parse.ts", "src/userSettings.ts", "web/src/clock/face.ts", "src/other.ts"];
        let found =
            rank(&paths, &["See `src/clock/face.ts` and ./src/clock/parse.ts."], &["Show the settings of a user"]);
        assert!(found[1] > found[3] && found[3] > found[2] && found[2] > found[4], "{found:?}");
        assert_eq!((found[0], found[4]), (0, 0));
    }
}
