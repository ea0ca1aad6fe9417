//! Blocks of code that a plan says are a file: by the fence's own words, by the first line in it, or by the line before it.
//! Of a file that has several nobody can say which is the whole, and neither where a fence may end in two places.

use crate::lld::{Fences, Line, LineKind, scan};
use std::collections::{BTreeSet, HashMap};

/// A block of code for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// The line of the plan on which its fence opens, counted from 1.
    pub line: usize,
    /// Without the fence, and without its indentation.
    pub text: String,
}

/// As many lines may stand between the line that names the file and the fence.
const BETWEEN: usize = 1;

/// The only block of each of these files.
pub(super) fn of(text: &str, planned: &BTreeSet<&str>) -> HashMap<String, Code> {
    let nested = blocks(text, Fences::Nested, planned);
    let mut found = blocks(text, Fences::First, planned);
    found.retain(|path, code| nested.get(path) == Some(code));
    found
}

fn blocks(text: &str, fences: Fences, planned: &BTreeSet<&str>) -> HashMap<String, Code> {
    let lines = scan(text, fences);
    let mut found: HashMap<String, Option<Code>> = HashMap::new();
    let mut at = 0;
    while let Some(open) = lines.get(at) {
        at += 1;
        if open.kind != LineKind::Open {
            continue;
        }
        let start = at;
        while lines.get(at).is_some_and(|line| line.kind == LineKind::Code) {
            at += 1;
        }
        let inside = lines.get(start..at).unwrap_or_default();
        let is_closed = lines.get(at).is_some_and(|line| line.kind == LineKind::Close);
        let before = lines.get(..start.saturating_sub(1)).unwrap_or_default();
        let info = open.text.trim().trim_start_matches(['`', '~']);
        let language = info.split_whitespace().next().unwrap_or_default();
        // Markdown has fences of its own, which end the fence round it unless that is longer.
        let marks = open.text.trim().len() - info.len();
        if matches!(language, "markdown" | "md" | "mdx") && marks < 4 {
            continue;
        }
        // What is typed into a shell, and differences, are no files.
        let is_file = !matches!(language, "bash" | "sh" | "shell" | "console" | "diff" | "text" | "");
        let Some((path, named_inside)) = named(info, inside, before, planned).filter(|_| is_closed) else { continue };
        if !is_file && !named_inside {
            continue;
        }
        let indent = open.text.len() - open.text.trim_start().len();
        let text =
            inside.iter().map(|line| dedented(line.text, indent)).fold(String::new(), |text, line| text + line + "\n");
        let code = Code { line: open.number, text };
        found.entry(path.to_owned()).and_modify(|known| *known = None).or_insert(Some(code));
    }
    found.into_iter().filter_map(|(path, code)| Some((path, code?))).collect()
}

/// The file that a fence is for; and whether the fence says so itself.
fn named<'p>(info: &str, inside: &[Line], before: &[Line], planned: &BTreeSet<&'p str>) -> Option<(&'p str, bool)> {
    let first = inside.first().map(|line| line.text.trim()).unwrap_or_default();
    let remark = ["//", "#", "--", "/*", "<!--", ";"].iter().any(|mark| first.starts_with(mark));
    if let Some(path) = only(info, planned).or_else(|| only(first, planned).filter(|_| remark)) {
        return Some((path, true));
    }
    let text = before.iter().rev().filter(|line| line.kind != LineKind::Blank).take(BETWEEN);
    let said = text.filter(|line| matches!(line.kind, LineKind::Text | LineKind::Heading(..)));
    let line = said.last()?;
    let ends = line.text.trim_end().trim_end_matches(['*', '`', ')', '_']);
    let announces =
        ends.ends_with([':', '：']) || line.text.trim_end().ends_with([':', '`']) || line.kind != LineKind::Text;
    only(line.text, planned).filter(|_| announces).map(|path| (path, false))
}

/// The only file that a line names.
fn only<'p>(line: &str, planned: &BTreeSet<&'p str>) -> Option<&'p str> {
    let words = line.split(|c: char| c.is_whitespace() || "`\"'()[]*=,{}<>".contains(c));
    let mut paths = words.filter_map(|word| planned.get(word.trim_end_matches([':', '.'])).copied());
    let first = paths.next()?;
    paths.all(|other| other == first).then_some(first)
}

/// The line without as much of its blanks as its fence has.
fn dedented(line: &str, indent: usize) -> &str {
    let blanks = line.bytes().take(indent).take_while(u8::is_ascii_whitespace).count();
    line.get(blanks..).unwrap_or(line)
}
