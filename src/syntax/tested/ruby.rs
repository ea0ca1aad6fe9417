//! The tests of RSpec, Minitest and test-unit.
//!
//! Blocks are told by how they are indented, as everybody writes them: their ends are not counted.

use super::{Family, File, Test};

pub const FAMILY: Family = Family { find, skips: SKIPS, ..Family::PLAIN };

/// Statements that skip a test.
const SKIPS: &[&str] = &["skip", "pending", "omit"];

/// What stands for a test, and what for a suite.
const TESTS: &[&str] = &["it", "specify", "example", "scenario", "test", "should"];
const SUITES: &[&str] = &["describe", "context", "feature"];

fn find(file: &File) -> Vec<Test> {
    let mut tests = Vec::new();
    for (place, (at, line)) in file.lines.iter().copied().enumerate() {
        let Some((name, kind)) = declared(file, at, line) else { continue };
        let depth = |line: &str| line.len() - line.trim_start().len();
        let is_after = |line: &str| !line.trim().is_empty() && depth(line) <= depth_of(file, place);
        let is_block = line.trim_end().ends_with("do") || line.contains(" do |") || kind == BlockKind::Method;
        let end = match is_block {
            true => file
                .lines
                .iter()
                .skip(place + 1)
                .find(|(_, line)| is_after(line))
                .map_or(file.code.len(), |(at, _)| *at),
            false => at + line.len(),
        };
        let skip = (kind == BlockKind::Skipped).then_some(at);
        // `def test_a = assert(b)` is all on one line.
        let below = (at + line.len()).min(end);
        let is_below = file.code.get(below..end).is_some_and(|body| !body.trim().is_empty());
        let test = file.test(&name, at, (if is_below { below } else { at }, end), skip);
        let only = kind == BlockKind::Focused
            || line.contains(", :focus")
            || line.contains("focus: true")
            || line.contains(":focus => true");
        tests.push(Test {
            is_quoted: kind != BlockKind::Method,
            only,
            is_suite: kind == BlockKind::Suite || is_suite(line),
            ..test
        });
    }
    tests
}

fn depth_of(file: &File, place: usize) -> usize {
    file.lines.get(place).map_or(0, |(_, line)| line.len() - line.trim_start().len())
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum BlockKind {
    Test,
    Suite,
    Skipped,
    Focused,
    Method,
}

fn word(line: &str) -> &str {
    let start = line.trim_start();
    let start = start.strip_prefix("RSpec.").unwrap_or(start);
    start.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

fn is_suite(line: &str) -> bool {
    SUITES.contains(&word(line).trim_start_matches(['x', 'f']))
}

/// The name of the test that the line begins.
fn declared(file: &File, at: usize, line: &str) -> Option<(String, BlockKind)> {
    let start = line.trim_start();
    if let Some(name) = start.strip_prefix("def ").filter(|name| name.starts_with("test_")) {
        let name = name.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '?' | '!')).next()?;
        return Some((name.to_owned(), BlockKind::Method));
    }
    let word = word(line);
    let kind = match word {
        _ if TESTS.contains(&word) => BlockKind::Test,
        _ if SUITES.contains(&word) => BlockKind::Suite,
        "xit" | "xspecify" | "xexample" | "xscenario" | "xdescribe" | "xcontext" => BlockKind::Skipped,
        "skip" | "pending" if line.trim_end().ends_with(" do") => BlockKind::Skipped,
        "fit" | "fspecify" | "fexample" | "fscenario" | "fdescribe" | "fcontext" => BlockKind::Focused,
        _ => return None,
    };
    let rest = start.strip_prefix("RSpec.").unwrap_or(start).strip_prefix(word)?;
    let opens = rest.trim_start().trim_start_matches('(');
    let is_call =
        opens.starts_with(['"', '\'', '{']) || rest.trim() == "do" || kind == BlockKind::Suite && rest.starts_with(' ');
    if !is_call {
        return None;
    }
    // `it 'is to be written'` is pending.
    let is_pending = kind == BlockKind::Test
        && word != "test"
        && word != "should"
        && opens.starts_with(['"', '\''])
        && rest.trim_end().ends_with(['"', '\'', ')'])
        && !rest.contains(" do")
        && !rest.contains('{');
    if !(is_pending || rest.contains(" do") || rest.contains('{') || rest.trim_end().ends_with(',')) {
        return None;
    }
    // `skip: windows?` depends.
    const MARKS: &[&str] = &[
        ":skip do",
        ":skip,",
        "skip: true",
        "skip: \"",
        "skip: '",
        "skip => true",
        "skip => \"",
        "skip => '",
        ":pending do",
        ":pending,",
        "pending: true",
        "pending: \"",
        "pending: '",
        "pending => true",
        "pending => \"",
        "pending => '",
        "if: false",
        ":if => false",
        "unless: true",
    ];
    let skipped = is_pending || MARKS.iter().any(|mark| rest.contains(mark));
    let kind = if skipped && kind == BlockKind::Test { BlockKind::Skipped } else { kind };
    // Quoted as it is written; `it { … }` is all of its line.
    let written = file.text.get(at..at + line.len())?.trim();
    let name = match opens.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
        Some(quote) => written.split_once(quote)?.1.split(quote).next()?.to_owned(),
        None => written.to_owned(),
    };
    Some((name, kind))
}
