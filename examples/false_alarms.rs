//! Counts what the syntax gate refuses of files that nobody broke: `doc/LANGUAGES.md` has the results.
//!
//! ```text
//! cargo run --release --example false_alarms -- [--meant-broken <fragment>]... <tree>...
//! ```
//! A table goes to stdout, every refused file with the reason to stderr. Equal texts in a language count once, so that
//! vendored copies weigh nothing. Test data that is meant to be broken has a column of its own: files below a folder of
//! tests with a word like `invalid` in their path, and those whose path holds a `<fragment>`.

use git_implement::syntax::{self, LANGUAGES, Parsed, Trust};
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

const TESTS: &[&str] =
    &["test", "tests", "testdata", "testing", "fixture", "fixtures", "spec", "specs", "samples", "resources"];
const BROKEN: &[&str] = &[
    "bad",
    "broken",
    "corrupt",
    "corrupted",
    "err",
    "error",
    "errors",
    "fail",
    "fails",
    "failing",
    "failure",
    "fuzz",
    "fuzzy",
    "incomplete",
    "invalid",
    "malformed",
    "neg",
    "negative",
    "recovery",
    "syntaxerror",
    "unclosed",
];

#[derive(Default)]
struct Count {
    files: usize,
    bytes: usize,
    refused: usize,
    meant: usize,
    unknown: usize,
    not_applicable: usize,
    time: Duration,
}

fn main() -> ExitCode {
    let mut trees = Vec::new();
    let mut fragments = Vec::new();
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.strip_prefix("--meant-broken") {
            Some("") => fragments.extend(arguments.next()),
            Some(fragment) => fragments.push(fragment.trim_start_matches('=').to_owned()),
            None => trees.push(PathBuf::from(argument)),
        }
    }
    if trees.is_empty() {
        eprintln!("usage: false_alarms [--meant-broken <fragment>]... <tree>...");
        return ExitCode::from(129);
    }
    let mut paths = Vec::new();
    trees.iter().for_each(|tree| walk(tree, &mut paths));
    paths.sort();
    print(&count(&paths, &fragments));
    ExitCode::SUCCESS
}

/// Every file below `folder`, hidden ones too, links aside.
fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && entry.file_name() != ".git" => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => paths.push(entry.path()),
                _ => {}
            }
        }
    }
}

fn count(paths: &[PathBuf], fragments: &[String]) -> BTreeMap<&'static str, Count> {
    let next = AtomicUsize::new(0);
    let seen = Mutex::new(HashSet::new());
    let counts = Mutex::new(BTreeMap::<&'static str, Count>::new());
    let work = || {
        while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            let name = path.to_string_lossy();
            // Most files are of no language: they are not read.
            let extension = path.extension().is_some();
            if extension && syntax::language(&name).is_none() {
                continue;
            }
            let Ok(text) = fs::read_to_string(path) else { continue };
            let Some(language) = syntax::language_of(&name, &text) else { continue };
            let mut hasher = DefaultHasher::new();
            (language.name, &text).hash(&mut hasher);
            if text.trim().is_empty() || !seen.lock().unwrap().insert(hasher.finish()) {
                continue;
            }
            let start = Instant::now();
            let parsed = syntax::parse(&name, &text);
            let time = start.elapsed();
            let mut counts = counts.lock().unwrap();
            let count = counts.entry(language.name).or_default();
            count.files += 1;
            count.bytes += text.len();
            count.time += time;
            match parsed {
                None | Some(Parsed::Clean | Parsed::Lenient(_)) => {}
                Some(Parsed::NotApplicable(_)) => count.not_applicable += 1,
                Some(Parsed::Unknown(reason)) => {
                    count.unknown += 1;
                    eprintln!("{}: unknown: {name}: {reason}", language.name);
                }
                Some(Parsed::Broken(errors)) => {
                    let meant = is_meant_broken(&name, fragments);
                    if meant {
                        count.meant += 1;
                    } else {
                        count.refused += 1;
                    }
                    let (line, message) = errors.first().map_or((0, ""), |error| (error.line, error.message.as_str()));
                    let kind = if meant { "meant" } else { "refused" };
                    let quoted: String =
                        text.lines().nth(line.saturating_sub(1)).unwrap_or("").trim().chars().take(100).collect();
                    eprintln!("{}: {kind}: {name}:{line}: {message} | {quoted}", language.name);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    counts.into_inner().unwrap()
}

fn is_meant_broken(path: &str, fragments: &[String]) -> bool {
    let lower = path.to_ascii_lowercase();
    let words = |words: &[&str]| lower.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word));
    fragments.iter().any(|fragment| path.contains(fragment)) || words(TESTS) && words(BROKEN)
}

fn print(counts: &BTreeMap<&'static str, Count>) {
    println!(
        "| language | judged as | files | refused | per 1000 | meant to be broken | not applicable | could not judge | MB/s |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|");
    for (name, count) in counts {
        let language = LANGUAGES.iter().find(|language| language.name == *name);
        let trust = match language.and_then(|language| language.parser).map(|parser| parser.trust) {
            Some(Trust::Warning(_)) => "warning",
            _ => "error",
        };
        println!(
            "| {name} | {trust} | {} | {} | {:.2} | {} | {} | {} | {:.0} |",
            count.files,
            count.refused,
            1000.0 * count.refused as f64 / count.files.max(1) as f64,
            count.meant,
            count.not_applicable,
            count.unknown,
            count.bytes as f64 / 1e6 / count.time.as_secs_f64().max(1e-9),
        );
    }
}
