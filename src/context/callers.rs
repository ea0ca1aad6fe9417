//! Who uses what a change touches: the places in files that do not change which name it, those first whose file takes
//! something in from a changed one. By names alone, so that a place may mean something else of that name.

use super::Excerpt;
use super::declared::{Declaration, Kind};
use super::fit::{Piece, fit};
use super::resolve;
use super::search::{is_declared, is_test, is_whole_word, nearest};
use super::source::{Source, words};
use super::tree::{Tree, folder};
use super::words::is_telling;
use crate::syntax;
use aho_corasick::{AhoCorasick, MatchKind};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// As many names are looked for, of as many letters at least.
const MOST_NAMES: usize = 60;
const SHORTEST: usize = 3;
/// As many files are looked at, the nearest first, and as many bytes of them.
const MOST_FILES: usize = 4_000;
const MOST_BYTES: usize = 32 << 20;
/// Of one name as many places are remembered, in one file as many, and of all as many are looked at closely.
const MOST_PLACES: usize = 24;
const MOST_OF_A_FILE: usize = 6;
const MOST_LOOKED_AT: usize = 240;
/// Of one name in one file as many uses are shown.
const MOST_SHOWN: usize = 2;
/// And of one that is a word like any other, in files that take in nothing that has changed.
const MOST_PLAIN: usize = 2;
/// A function of so many lines is shown whole; of a longer one as many before a use, and as many behind it.
const SHORT: usize = 30;
const BEFORE: usize = 2;
const BEHIND: usize = 8;

/// A place: the file, and the line, counted from 0.
type Place<'a> = (&'a str, usize);

/// The places that use one of `names`, which files that are `changed` declare; as far as `budget` tokens go.
pub fn callers(tree: &Tree, names: &[String], changed: &[&str], budget: u64) -> Vec<Excerpt> {
    let is_name = |name: &&String| name.chars().count() >= SHORTEST && !name.starts_with("__");
    let names: Vec<&str> = names.iter().filter(is_name).map(String::as_str).take(MOST_NAMES).collect();
    let mut found: Vec<((bool, bool), Piece)> = Vec::new();
    let mut shown: HashMap<(&str, &str), usize> = HashMap::new();
    let mut plain: HashMap<&str, usize> = HashMap::new();
    let mut imports: HashMap<&str, Vec<Range<usize>>> = HashMap::new();
    for (name, (path, line)) in ranked(&names, &places(tree, &names, changed)) {
        let Some(source) = tree.source(path) else { continue };
        let is_code = words(source.code_line(line)).any(|(_, word)| word == name);
        let is_head = source.declared().iter().any(|declared| declared.line == line && declared.name == name);
        let shown = shown.entry((name, path)).or_default();
        let imports = imports.entry(path).or_insert_with(|| self::imports(tree, &source));
        if !is_code || is_head || *shown >= MOST_SHOWN || imports.iter().any(|lines| lines.contains(&line)) {
            continue;
        }
        let takes = resolve::taken(tree, &source).iter().flat_map(|taken| &taken.files);
        let is_taken = takes.into_iter().any(|file| changed.contains(&file.as_str()));
        // A word like any other means something else in most places.
        let is_near = || changed.iter().any(|changed| folder(changed) == folder(path));
        let plain = plain.entry(name).or_default();
        let is_shown = is_taken || is_telling(name) || (*plain < MOST_PLAIN && is_near());
        if is_shown {
            *plain += usize::from(!is_taken);
            *shown += 1;
            let piece = surroundings(source, line, format!("uses `{name}`"));
            found.push(((is_test(path), !is_taken), piece));
        }
    }
    // Tests say what was meant, code what is done with it.
    found.sort_by_key(|(rank, _)| *rank);
    fit(found.into_iter().map(|(_, piece)| piece).collect(), budget)
}

/// A use of something with what becomes of it: the function that it is in if that is short, else the heads of what it is in
/// and some lines on either side.
fn surroundings(source: Rc<Source>, line: usize, reason: String) -> Piece {
    let around = source.declared().iter().filter(|declared| declared.lines.contains(&line) && declared.line < line);
    let around: Vec<&Declaration> = around.collect();
    let mut lines: Vec<Range<usize>> = around.iter().map(|declared| declared.line..declared.body).collect();
    let innermost = around.iter().max_by_key(|declared| declared.line);
    let end = innermost.map_or(source.count(), |innermost| innermost.lines.end);
    match innermost.filter(|innermost| innermost.kind == Kind::Function && innermost.lines.len() <= SHORT) {
        Some(short) => lines.push(short.line..short.lines.end),
        None => {
            let statement = source.statement(line).end.min(line + BEHIND);
            lines.push(line.saturating_sub(BEFORE)..(statement + BEHIND).min(end.max(statement)));
        }
    }
    Piece { source, lines, reason }
}

/// For each name the places that have it as a word and do not declare it.
fn places<'a>(tree: &Tree<'a>, names: &[&str], changed: &[&str]) -> Vec<Vec<Place<'a>>> {
    let mut places: Vec<Vec<Place>> = vec![Vec::new(); names.len()];
    let matcher = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(names);
    let Some(matcher) = matcher.ok().filter(|_| !names.is_empty()) else { return places };
    let mut files = nearest(tree, changed);
    files.truncate(MOST_FILES);
    let mut left = MOST_BYTES;
    tree.look_at(&files, |path, text| {
        look(&matcher, path, text, &mut places);
        left = left.saturating_sub(text.len());
        left > 0 && places.iter().any(|of_name| of_name.len() < MOST_PLACES)
    });
    places
}

fn look<'a>(matcher: &AhoCorasick, path: &'a str, text: &str, places: &mut [Vec<Place<'a>>]) {
    let bytes = text.as_bytes();
    // Lines are counted as far as somebody asks.
    let (mut line, mut counted) = (0, 0);
    for hit in matcher.find_iter(text).filter(|hit| is_whole_word(bytes, hit.start(), hit.end())) {
        let Some(of_name) = places.get_mut(hit.pattern().as_usize()) else { continue };
        let here = of_name.iter().rev().take_while(|(known, _)| *known == path).count();
        if here >= MOST_OF_A_FILE || of_name.len() >= MOST_PLACES {
            continue;
        }
        let start = memchr::memrchr(b'\n', bytes.get(..hit.start()).unwrap_or_default()).map_or(0, |at| at + 1);
        let from = text.ceil_char_boundary(start.max(hit.start().saturating_sub(200)));
        let before = text.get(from..hit.start()).unwrap_or_default();
        line += memchr::memchr_iter(b'\n', bytes.get(counted..hit.start()).unwrap_or_default()).count();
        counted = hit.start();
        let is_known = of_name.last() == Some(&(path, line));
        // What takes it in says nothing of how it is used, and would be counted in its place.
        let takes_in = TAKES_IN.iter().any(|word| before.trim_start().starts_with(word));
        if !is_known && !takes_in && !is_declared(before) {
            of_name.push((path, line));
        }
    }
}

/// The nearest place of each name, then the next of each.
fn ranked<'n, 'a>(names: &[&'n str], places: &[Vec<Place<'a>>]) -> Vec<(&'n str, Place<'a>)> {
    let rank = |rank: usize| {
        let of_name = move |(name, places): (&&'n str, &Vec<Place<'a>>)| Some((*name, *places.get(rank)?));
        names.iter().zip(places).filter_map(of_name)
    };
    (0..MOST_PLACES).flat_map(rank).take(MOST_LOOKED_AT).collect()
}

/// How lines begin that take something in.
const TAKES_IN: &[&str] = &["import ", "from ", "use ", "pub use ", "#include", "using ", "export *"];

/// The statements that take something in.
fn imports(tree: &Tree, source: &Source) -> Vec<Range<usize>> {
    let own = resolve::taken(tree, source).iter().map(|taken| taken.line);
    let others = syntax::imports(&source.path, &source.text).into_iter().map(|import| import.line - 1);
    own.chain(others).map(|first| source.statement(first)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::Reading;
    use super::*;
    use std::collections::BTreeMap;

    fn shown(files: &[(&str, &str)], names: &[&str], changed: &[&str], budget: u64) -> Vec<(String, String)> {
        let texts: BTreeMap<&str, &str> = files.iter().copied().collect();
        let one = |path: &str| texts.get(path).map(|text| (*text).to_owned());
        let many = |paths: &[&str], look: &mut super::super::Look| {
            for (at, path) in paths.iter().enumerate() {
                if !texts.get(path).is_none_or(|text| look(at, text)) {
                    break;
                }
            }
        };
        let tree = Tree::new(texts.keys().copied().collect(), Reading { one: &one, many: &many });
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let excerpts = callers(&tree, &names, changed, budget);
        excerpts.into_iter().map(|excerpt| (excerpt.path, excerpt.text)).collect()
    }

    const CHANGED: &str = "def mean_of(values):\n    return sum(values)\n";

    #[test]
    fn a_use_is_shown_with_what_becomes_of_it_and_no_import_remark_or_declaration_is_one() {
        let user = "from src.a import (\n    mean_of,\n)\n\n# mean_of is slow\nclass Report:\n    def made(self):\n        \
                    x = 1\n        y = mean_of(\n            [x],\n        )\n        return y\n\n    def other(self):\n        pass\n";
        let other = "def mean_of(other):\n    return 'mean_of'\n";
        let files = [("src/a.py", CHANGED), ("b.py", user), ("c.py", other)];
        let short = "class Report:\n    def made(self):\n        x = 1\n        y = mean_of(\n            [x],\n        )\n        return y\n";
        assert_eq!(shown(&files, &["mean_of"], &["src/a.py"], 500), [("b.py".to_owned(), short.to_owned())]);
    }

    #[test]
    fn of_a_long_function_the_lines_around_a_use_are_shown_and_none_of_the_next_one() {
        let many = |name: &str, count: usize| (0..count).map(|n| format!("    {name}{n} = {n}\n")).collect::<String>();
        let user = format!(
            "from src.a import mean_of\n\n\ndef long(x):\n{}    y = mean_of(x)\n{}\n\ndef short(x):\n    {}\n",
            many("a", 30),
            many("b", 20),
            "mean_of(x)"
        );
        let files = [("src/a.py", CHANGED), ("b.py", user.as_str())];
        let want = format!(
            "def long(x):\n⋮\n    a28 = 28\n    a29 = 29\n    y = mean_of(x)\n{}⋮\ndef short(x):\n    mean_of(x)\n",
            many("b", 8)
        );
        assert_eq!(shown(&files, &["mean_of"], &["src/a.py"], 500), [("b.py".to_owned(), want)]);
    }

    #[test]
    fn code_comes_before_tests() {
        let user = "from src.a import mean_of\n\nmean_of(2)\n";
        let files = [("src/a.py", CHANGED), ("src/test_a.py", user), ("zzz/user.py", user)];
        let found = shown(&files, &["mean_of"], &["src/a.py"], 500);
        assert_eq!(found.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["zzz/user.py", "src/test_a.py"]);
    }

    #[test]
    fn those_that_take_the_changed_file_in_come_first_and_a_word_like_any_other_means_it_there_alone() {
        let far = "emit(1)\n";
        let user = "from src.a import emit\n\nemit(2)\n";
        let files = [("src/a.py", "def emit(x):\n    pass\n"), ("aaa/far.py", far), ("zzz/user.py", user)];
        let paths = |names: &[&str]| {
            shown(&files, names, &["src/a.py"], 500).into_iter().map(|(path, _)| path).collect::<Vec<_>>()
        };
        assert_eq!(paths(&["emit"]), ["zzz/user.py"]);
        assert_eq!(paths(&["it", "__init__"]), [""; 0]);
        let files = [
            ("src/a.py", CHANGED),
            ("aaa/far.py", "mean_of(1)\n"),
            ("zzz/user.py", "from src.a import mean_of\n\nmean_of(2)\n"),
        ];
        let found = shown(&files, &["mean_of"], &["src/a.py"], 500);
        assert_eq!(found.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["zzz/user.py", "aaa/far.py"]);
        assert_eq!(shown(&files, &["mean_of"], &["src/a.py"], 25).len(), 1, "no more than there is room for");
    }

    #[test]
    fn very_many_files_are_not_all_read() {
        let names: Vec<String> = (0..3 * MOST_FILES).map(|n| format!("d{n}/x.py")).collect();
        let read = std::cell::Cell::new(0);
        let many = |paths: &[&str], look: &mut super::super::Look| {
            for at in 0..paths.len() {
                read.set(read.get() + 1);
                if !look(at, "other_name(1)\n") {
                    break;
                }
            }
        };
        let tree = Tree::new(names.iter().map(String::as_str).collect(), Reading { one: &|_| None, many: &many });
        callers(&tree, &["mean_of".to_owned()], &["src/a.py"], 500);
        assert_eq!(read.get(), MOST_FILES);
        read.set(0);
        callers(&tree, &["other_name".to_owned()], &["src/a.py"], 500);
        assert_eq!(read.get(), MOST_PLACES, "enough is found");
    }
}
