//! What must hold of every reply and every file, checked on whatever the fuzzer comes up with.

#[path = "../../tests/common/edits.rs"]
pub mod edits;
pub mod script;

use git_implement::edit::{Applied, Format, Tier, apply};
use git_implement::lld;
use git_implement::passage::Passages;
use std::collections::HashSet;

pub const TARGET: &str = "src/greet.py";

/// The base, a NUL, and the reply; without a NUL there is no base. So that a finding is a file that can be read.
pub fn split(data: &str) -> (Option<&str>, &str) {
    data.split_once('\0').map_or((None, data), |(base, reply)| (Some(base), reply))
}

/// Applies a reply and checks what came of it.
pub fn reply(format: Option<Format>, data: &[u8]) {
    let Ok(data) = std::str::from_utf8(data) else { return };
    let (base, reply) = split(data);
    let applied = apply(format, TARGET, base, reply);
    assert_eq!(applied, apply(format, TARGET, base, reply), "the same reply, another outcome");
    if !reply.contains('\r') {
        let crlf = apply(format, TARGET, base, &reply.replace('\n', "\r\n"));
        assert_eq!(applied, crlf, "the line ends of a reply say nothing");
    }
    let Ok(applied) = applied else { return };
    if let Some(format) = format {
        assert_eq!(applied.format, format);
    } else {
        let named = apply(Some(applied.format), TARGET, base, reply);
        assert_eq!(named.as_ref(), Ok(&applied), "recognised and named are not the same");
    }
    let base = base.unwrap_or("");
    edits_are_in_range(base, reply, &applied);
    lines_come_from_somewhere(base, reply, &applied);
    outside_is_untouched(base, &applied);
}

/// Reads a design and checks what came of it.
pub fn design(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for name in ["docs/plan.md", "specs/1/tasks.md", "tasks.json"] {
        let read = lld::parse(name, text);
        let passages = Passages::of(&read, text);
        let lines = text.split('\n').count();
        let mut paths = HashSet::new();
        for file in &read.files {
            assert!((1..=lines).contains(&file.line), "{file:?} of {lines} lines");
            assert!(paths.insert(file.path.as_str()), "{} twice", file.path);
            let line = passages.about(file.path.as_str(), &file.tasks).map_or(1, |passage| passage.line);
            assert!((1..=lines).contains(&line), "{file:?} of {lines} lines");
        }
        for finding in &read.findings {
            assert!(finding.line.is_none_or(|line| (1..=lines).contains(&line)), "{finding:?} of {lines} lines");
        }
        if !text.contains('\r') {
            let crlf = lld::parse(name, &text.replace('\n', "\r\n"));
            assert_eq!(crlf.files, read.files, "the line ends of a design say nothing");
        }
    }
}

fn count(text: &str) -> usize {
    text.split_inclusive('\n').count()
}

fn edits_are_in_range(base: &str, reply: &str, applied: &Applied) {
    let most = match applied.edits.len() {
        1 => count(base),
        // One may build on another.
        _ => count(base) + count(reply),
    };
    for edit in &applied.edits {
        assert!(edit.line >= 1 && edit.line - 1 + edit.lines <= most, "{edit:?} of {most} lines");
    }
}

/// Every line of the new text is the file's, or the reply's but for mark and indentation.
fn lines_come_from_somewhere(base: &str, reply: &str, applied: &Applied) {
    fn bare(line: &str) -> &str {
        line.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
    }
    let numbered = |line: &'_ str| line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mut known: HashSet<&str> = base.split('\n').map(bare).chain([""]).collect();
    for line in reply.split('\n') {
        known.insert(bare(line));
        known.insert(bare(line.get(1..).unwrap_or("")));
        for line in [line, line.get(1..).unwrap_or("")] {
            let rest = &line[line.len() - numbered(line)..];
            let code = rest.trim_start_matches(' ');
            known.insert(bare(code.strip_prefix(['|', '\u{2192}', '\t']).unwrap_or(code)));
        }
    }
    let reads = matches!(applied.format, Format::FindReplace | Format::SearchReplace);
    for line in applied.text.split('\n').map(bare).filter(|line| !known.contains(line)) {
        // A part of a line may be replaced.
        assert!(reads, "line {line:?} is from nowhere");
        if applied.edits.len() > 1 {
            continue;
        }
        let bases = || base.split('\n').map(bare);
        let head = bases().map(|other| shared(line.chars(), other.chars())).max().unwrap_or(0);
        let tail = bases().map(|other| shared(line.chars().rev(), other.chars().rev())).max().unwrap_or(0);
        let middle = line.get(head..line.len().saturating_sub(tail)).unwrap_or("");
        assert!(reply.contains(middle), "{middle:?} in line {line:?} is from nowhere");
    }
}

/// How many bytes two texts share from their beginning.
fn shared(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum()
}

/// What lies before and after the place of a single edit is the same bytes as before.
fn outside_is_untouched(base: &str, applied: &Applied) {
    let [edit] = &applied.edits[..] else { return };
    // A byte order mark is before the first line.
    let plain = |text: &str| text.strip_prefix('\u{feff}').unwrap_or(text).to_owned();
    let (base, text) = (&plain(base), &plain(&applied.text));
    let starts: Vec<usize> =
        std::iter::once(0).chain(base.match_indices('\n').map(|(at, _)| at + 1)).chain([base.len()]).collect();
    let start = |line: usize| starts.get(line).copied().unwrap_or(base.len());
    let mut before = &base[..start(edit.line - 1)];
    let mut after = &base[start(edit.line - 1 + edit.lines)..];
    if edit.tier >= Tier::Space {
        // Blank lines beside the place may go with it.
        (before, after) = (before.trim_end(), after.trim_start());
    }
    // What comes to be the last line of a file without a final newline loses its own.
    if after.is_empty() && !base.ends_with('\n') {
        before = before.trim_end_matches('\n').trim_end_matches('\r');
    }
    let len = before.len() + after.len();
    assert!(
        text.len() >= len && text.starts_with(before) && text.ends_with(after),
        "changed outside {edit:?}: {text:?}"
    );
}
