//! What lies in the directories that a change touches, by name: what a new file may import, and whose conventions it keeps
//! to. Of many names those that have a word in common with a planned file.

use super::search::is_test;
use crate::plan::{EntryKind, Snapshot, Step};
use crate::syntax::file_name;
use std::collections::{BTreeSet, HashSet};

/// A directory as the base has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directory {
    /// Empty for the root.
    pub path: String,
    /// Names in it, directories with a slash at the end.
    pub names: Vec<String>,
    /// How many more there are.
    pub more: usize,
}

/// As many names of one directory are listed, tests left out, whatever they are.
const MOST: usize = 40;
/// As many tests are.
const MOST_TESTS: usize = 5;

/// Words that tell no file from another.
#[rustfmt::skip]
const COMMON: &[&str] = &[
    "base", "common", "conftest", "core", "index", "init", "lib", "main", "mod", "spec", "test", "tests", "type", "types",
    "util", "utils",
];

/// The directories of planned files, in their order, each once.
pub fn directories(steps: &[Step], snapshot: &Snapshot) -> Vec<Directory> {
    let mut seen = HashSet::new();
    let parents = steps.iter().map(|step| step.path.parent()).filter(|parent| seen.insert(*parent));
    let words: BTreeSet<String> = steps.iter().flat_map(|step| words(step.path.file_name())).collect();
    parents
        .filter_map(|parent| {
            let entries = snapshot.directories.get(parent)?;
            let is_kin = |name: &str| self::words(name).any(|word| words.contains(&word));
            let (tests, others): (Vec<_>, Vec<_>) =
                entries.iter().partition(|(name, kind)| **kind != EntryKind::Directory && is_test(name));
            let (kin, strange): (Vec<_>, Vec<_>) = others.into_iter().partition(|(name, _)| is_kin(name));
            // A directory with few names is told whole.
            let few = if kin.len() + strange.len() <= MOST { strange } else { Vec::new() };
            let tests = tests.into_iter().filter(|(name, _)| is_kin(name)).take(MOST_TESTS);
            let mut shown: Vec<_> = kin.into_iter().take(MOST).chain(few).chain(tests).collect();
            shown.sort_by_key(|(name, _)| *name);
            let slash = |kind: &EntryKind| if *kind == EntryKind::Directory { "/" } else { "" };
            let names: Vec<String> =
                shown.iter().map(|(name, kind)| format!("{}{}", name.escape_debug(), slash(kind))).collect();
            let more = entries.len() - names.len();
            Some(Directory { path: parent.to_owned(), names, more })
        })
        .collect()
}

/// The words of a file's name, in lower case.
fn words(name: &str) -> impl Iterator<Item = String> {
    let name = file_name(name);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let mut parts: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in stem.chars() {
        let begins = !c.is_alphanumeric() || (c.is_uppercase() && !last.is_uppercase());
        if begins || parts.is_empty() {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| c.is_alphanumeric()) {
            part.extend(c.to_lowercase());
        }
        last = c;
    }
    parts.into_iter().filter(|part| part.len() > 2 && !COMMON.contains(&part.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn listed(names: &[String], planned: &[&str]) -> Vec<(String, usize)> {
        let entries: BTreeMap<String, EntryKind> = names.iter().map(|name| (name.clone(), EntryKind::File)).collect();
        let snapshot = Snapshot { directories: [("tests".to_owned(), entries)].into(), ..Snapshot::default() };
        let steps: Vec<Step> = planned.iter().map(|path| super::super::tests::step(path, None)).collect();
        directories(&steps, &snapshot).into_iter().map(|it| (it.names.join(" "), it.more)).collect()
    }

    #[test]
    fn of_a_hundred_tests_those_are_listed_that_have_a_word_in_common_with_a_planned_file() {
        let mut names: Vec<String> = (0..100).map(|n| format!("test_x{n}.py")).collect();
        names.extend(["conftest.py", "helper.py", "test_run_budget.py"].map(str::to_owned));
        let found = listed(&names, &["tests/test_budget.py", "tests/gone.py"]);
        assert_eq!(found, [("helper.py test_run_budget.py".to_owned(), 101)]);
    }

    #[test]
    fn of_many_files_only_those_are_listed_too() {
        let mut names: Vec<String> = (0..50).map(|n| format!("page{n}.ts")).collect();
        names.push("userSettings.ts".to_owned());
        assert_eq!(listed(&names, &["tests/settings-view.ts"]), [("userSettings.ts".to_owned(), 50)]);
    }
}
