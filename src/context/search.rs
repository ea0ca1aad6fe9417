//! One pass over the files of the tree for all names that a design names: where each is declared, called and mentioned.

use super::source::words;
use super::tree::{Tree, folder};
use super::words::{DECLARES, Name};
use crate::syntax;
use aho_corasick::{AhoCorasick, MatchKind};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What was found of the names, by their places in the list.
#[derive(Default)]
pub(super) struct Found<'a> {
    /// Files that may declare it, the nearest first.
    pub declaring: BTreeMap<usize, Vec<&'a str>>,
    /// Files that call it, with the lines, counted from 0; the nearest first.
    pub calling: BTreeMap<usize, Vec<(&'a str, usize)>>,
    /// Files of tests, with the names that they mention.
    pub tests: Vec<(&'a str, BTreeSet<usize>)>,
}

/// As many files are looked at, the nearest first: a tree of a hundred thousand has those that matter close by.
const MOST_FILES: usize = 6_000;
/// And as many bytes of them.
const MOST_BYTES: usize = 64 << 20;
/// As many files that may declare a name are remembered, and as many calls of it.
const MOST_PLACES: usize = 12;
/// In one file as many calls of one name.
const MOST_OF_A_FILE: usize = 2;

/// Folders of what others have written, or a program has.
#[rustfmt::skip]
const FOREIGN: &[&str] = &[
    ".git", ".venv", "_build", "bower_components", "build", "dist", "node_modules", "out", "site-packages", "target",
    "third_party", "thirdparty", "vendor", "venv",
];

/// Looks for `names` in the files of the languages of `planned`, but not in those.
pub(super) fn search<'a>(tree: &Tree<'a>, names: &[Name], planned: &[&str]) -> Found<'a> {
    let mut found = Found::default();
    let matcher =
        AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(names.iter().map(|name| &name.name));
    let Some(matcher) = matcher.ok().filter(|_| !names.is_empty()) else { return found };
    let mut left = MOST_BYTES;
    tree.look_at(&nearest(tree, planned), |path, text| {
        look(&matcher, path, text, &mut found);
        left = left.saturating_sub(text.len());
        left > 0
    });
    found
}

/// The files of the languages of `planned`, those that have most directories in common with one of them first.
pub(super) fn nearest<'a>(tree: &Tree<'a>, planned: &[&str]) -> Vec<&'a str> {
    let families: HashSet<&str> = planned.iter().filter_map(|path| family(path)).collect();
    // By the end of the name, since there are many files and few ends.
    let mut known: HashMap<&str, bool> = HashMap::new();
    let mut is_of_them = |path: &'a str| {
        let end = path.rfind(['.', '/']).and_then(|at| path.get(at..)).unwrap_or(path);
        *known.entry(end).or_insert_with(|| family(path).is_some_and(|family| families.contains(family)))
    };
    let mut ancestors: HashSet<&str> = HashSet::new();
    for path in planned {
        let mut directory = folder(path);
        while !directory.is_empty() && ancestors.insert(directory) {
            directory = folder(directory);
        }
    }
    let planned: HashSet<&str> = planned.iter().copied().collect();
    // Paths are sorted, so that those of a directory follow one another.
    let (mut last, mut near, mut is_foreign) = ("\0", 0, false);
    let mut files: Vec<(usize, &str)> = Vec::new();
    for path in tree.paths().iter().copied() {
        let directory = folder(path);
        if directory != last {
            let mut common = directory;
            while !common.is_empty() && !ancestors.contains(common) {
                common = folder(common);
            }
            near = if common.is_empty() { 0 } else { common.split('/').count() };
            let below = directory.get(common.len()..).unwrap_or_default();
            is_foreign = below.split('/').any(|part| FOREIGN.contains(&part));
            last = directory;
        }
        if !is_foreign && is_of_them(path) && !planned.contains(path) {
            files.push((near, path));
        }
    }
    files.sort_by_key(|(near, _)| std::cmp::Reverse(*near));
    files.truncate(MOST_FILES);
    files.into_iter().map(|(_, path)| path).collect()
}

/// Languages whose files use one another.
fn family(path: &str) -> Option<&'static str> {
    let name = syntax::language(path).filter(|language| language.bodies.is_some())?.name;
    Some(match name {
        "javascript" => "typescript",
        "c" | "objective_c" => "cpp",
        "kotlin" => "java",
        name => name,
    })
}

fn look<'a>(matcher: &AhoCorasick, path: &'a str, text: &str, found: &mut Found<'a>) {
    let bytes = text.as_bytes();
    let mut mentioned: BTreeSet<usize> = BTreeSet::new();
    let mut calls: BTreeMap<usize, usize> = BTreeMap::new();
    // Lines are counted as far as somebody asks.
    let (mut line, mut counted) = (0, 0);
    for hit in matcher.find_iter(text) {
        if !is_whole_word(bytes, hit.start(), hit.end()) {
            continue;
        }
        let name = hit.pattern().as_usize();
        mentioned.insert(name);
        let start = memchr::memrchr(b'\n', bytes.get(..hit.start()).unwrap_or_default()).map_or(0, |at| at + 1);
        let before = text.get(start.max(hit.start().saturating_sub(200))..hit.start()).unwrap_or_default();
        let after = text.get(hit.end()..).unwrap_or_default();
        if may_declare(before, after) {
            let places = found.declaring.entry(name).or_default();
            if places.len() < MOST_PLACES && places.last() != Some(&path) {
                places.push(path);
            }
        } else if after.starts_with('(') && calls.get(&name).is_none_or(|count| *count < MOST_OF_A_FILE) {
            let places = found.calling.entry(name).or_default();
            if places.len() < MOST_PLACES {
                line += memchr::memchr_iter(b'\n', bytes.get(counted..hit.start()).unwrap_or_default()).count();
                counted = hit.start();
                places.push((path, line));
                *calls.entry(name).or_default() += 1;
            }
        }
    }
    if is_test(path) && !mentioned.is_empty() {
        found.tests.push((path, mentioned));
    }
}

/// Does what stands between these two places begin and end a word?
pub(super) fn is_whole_word(bytes: &[u8], start: usize, end: usize) -> bool {
    let is_word = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80)
    };
    !is_word(start.checked_sub(1)) && !is_word(Some(end))
}

/// Is a name behind this part of its line declared there, by a word that says so?
pub(super) fn is_declared(before: &str) -> bool {
    let last = words(before).last().map(|(_, word)| word).unwrap_or_default();
    let is_next = before.ends_with(char::is_whitespace) || before.ends_with(['*', '&', '~']);
    // Go's methods, Kotlin's extensions.
    is_next && DECLARES.contains(&last) || before.starts_with("func (") || before.trim_start().starts_with("fun ")
}

/// May a name between these two parts of its line be declared there?
fn may_declare(before: &str, after: &str) -> bool {
    if is_declared(before) {
        return true;
    }
    let last = words(before).last().map(|(_, word)| word).unwrap_or_default();
    let is_next = before.ends_with(char::is_whitespace) || before.ends_with(['*', '&', '~']);
    let line = after.split('\n').next().unwrap_or_default();
    if before.is_empty() {
        let rest = line.trim_start();
        return rest.starts_with('=') && !rest.starts_with("==") || rest.starts_with(": ");
    }
    // A method without a keyword: `int name(int x) {`, `  name(x: string): void {`.
    let ends = line.trim_end();
    let is_head = line.starts_with(['(', '<']) && (ends.ends_with(['{', '(', ',']) || ends.ends_with(')'));
    let is_free = before.trim().is_empty() || (is_next && !before.contains(['=', '(', '.', '"', '\'']));
    is_head && is_free && !matches!(last, "return" | "await" | "new" | "else" | "throw" | "yield")
}

/// Is the file one of tests, by its own name? Folders called `testing` hold programs as well.
pub(super) fn is_test(path: &str) -> bool {
    let name = syntax::file_name(path);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let ends = ["_test", "_tests", "_spec", "-test", "-spec", "Test", "Tests", "IT", "Spec", "TestCase"];
    name.starts_with("test_")
        || name.starts_with("conftest.")
        || [".test.", ".spec."].iter().any(|mark| name.contains(mark))
        || ends.iter().any(|end| stem.len() > end.len() && stem.ends_with(end))
        || folder(path).split('/').any(|part| matches!(part, "tests" | "test" | "__tests__" | "spec"))
}
