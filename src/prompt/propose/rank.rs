//! Which files of a repository a design may be about, by words alone: paths and names that it writes out, and words of its
//! tasks that are parts of paths.

use std::collections::HashSet;

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
    paths.iter().map(|path| score(path, &written, &words, &known)).collect()
}

fn score(path: &str, written: &HashSet<&str>, words: &HashSet<String>, known: &HashSet<String>) -> u32 {
    let mut score = 0;
    if written.contains(path) {
        score += 200;
    } else {
        // Under a shorter name, as designs write it: the longer the surer.
        let ends = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
        let end = ends.clone().find(|end| end.contains('/') && written.contains(end));
        score += match end {
            Some(_) => 120,
            None if path.rsplit('/').next().is_some_and(|name| name.contains('.') && written.contains(name)) => 60,
            None => 0,
        };
    }
    let parents = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    score +=
        if parents.clone().any(|directory| directory.contains('/') && written.contains(directory)) { 20 } else { 0 };
    let mut seen: HashSet<String> = HashSet::new();
    split(path, |word| {
        seen.insert(word);
    });
    let counted = |word: &String| {
        if words.contains(word) {
            10
        } else if known.contains(word) {
            2
        } else {
            0
        }
    };
    score + seen.iter().map(counted).sum::<u32>()
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
