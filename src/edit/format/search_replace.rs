//! SEARCH/REPLACE: `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`, in or out of a fence, and its common spellings.

use super::fence;
use super::labels::{label, no_labelled_block};
use super::target;
use super::{Asked, Example, Format, FormatSpec, Parsed};
use crate::edit::Refusal;
use crate::edit::budget::Budget;
use crate::edit::files::{FileChange, FileReply, malformed, no_file};
use crate::edit::hunk::Hunk;
use crate::edit::lines::{lines, raw_lines};
use crate::edit::text::is_blank;
use std::ops::Range;

pub(super) const SPEC: FormatSpec = FormatSpec {
    format: Format::SearchReplace,
    name: "search-replace",
    instructions: "Reply with SEARCH/REPLACE blocks only, never with the whole file. Each block is: the path of the file on a line \
of its own, an opening fence, a line `<<<<<<< SEARCH`, lines of the file, a line `=======`, what stands there afterwards, a line \
`>>>>>>> REPLACE`, a closing fence. The SEARCH part holds complete lines copied exactly from the file, indentation included, with \
enough lines round the change that they occur once in the file. The REPLACE part repeats the unchanged lines and leaves out what is to \
go; an empty REPLACE part deletes. White space at the ends of lines need not match. Never abbreviate with `...`. All blocks are applied to the original file, so they must not overlap; all of \
them apply, or none.",
    example: Example {
        path: "src/greet.py",
        base: "import sys\n\n\ndef greet(name):\n    return \"Hello \" + name\n\n\ndef main():\n    print(greet(sys.argv[1]))\n",
        reply: "src/greet.py
```python
<<<<<<< SEARCH
def greet(name):
    return \"Hello \" + name
=======
def greet(name: str) -> str:
    return f\"Hello, {name}\"
>>>>>>> REPLACE
```

src/greet.py
```python
<<<<<<< SEARCH
    print(greet(sys.argv[1]))
=======
    name = sys.argv[1] if len(sys.argv) > 1 else \"world\"
    print(greet(name))
>>>>>>> REPLACE
```
",
        result: "import sys\n\n\ndef greet(name: str) -> str:\n    return f\"Hello, {name}\"\n\n\ndef main():\n    name = sys.argv[1] if len(sys.argv) > 1 else \"world\"\n    print(greet(name))\n",
    },
    words: ("block", "SEARCH"),
    looks: |reply| lines(reply).any(is_open),
    parse,
    files,
};

/// A line as the run of `mark` that it begins with and what follows that.
fn run(line: &str, mark: char) -> (usize, &str) {
    let rest = line.trim_start_matches(mark);
    (line.len() - rest.len(), rest)
}

/// What stands after the word of a marker: a run of `mark`, a blank, one of `words`. Rules are also drawn with dashes, so
/// that of these there must be more, and the word in capitals.
fn marker<'r>(line: &'r str, mark: char, words: &[&str]) -> Option<&'r str> {
    let dashed = matches!(mark, '-' | '+');
    let (long, rest) = run(line, mark);
    let rest = rest.strip_prefix(' ').filter(|_| long >= if dashed { 5 } else { 3 })?.trim_start();
    let word = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    let known = |other: &&str| if dashed { word == *other } else { word.eq_ignore_ascii_case(other) };
    words.iter().any(known).then(|| rest.get(word.len()..).unwrap_or(""))
}

pub(super) fn is_open(line: &str) -> bool {
    open(line).is_some()
}

/// A line that begins a block: how many marks it has, and the path that may stand on it.
fn open(line: &str) -> Option<(usize, &str)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '<' | '-'))?;
    let rest = marker(line, mark, &["SEARCH", "ORIGINAL", "FIND"])?;
    Some((run(line, mark).0, rest.trim_matches(['<', '>', ' ', ':', '`'])))
}

fn is_close(line: &str) -> bool {
    let mark = line.chars().next().filter(|mark| matches!(mark, '>' | '+'));
    mark.is_some_and(|mark| marker(line, mark, &["REPLACE", "UPDATED", "REPLACED"]).is_some())
}

/// A line outside every block that must have been meant as a marker: read over, what it marks would be lost.
fn is_stray(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '*', '`']);
    // It may be quoted.
    let line = line.strip_prefix("> ").unwrap_or(line);
    if !line.starts_with(['<', '>', '-', '+']) {
        return false;
    }
    let arrows = ['<', '>'].into_iter().any(|mark| (5..=20).contains(&run(line, mark).0));
    let word = |mark, word| {
        let (long, rest) = run(line, mark);
        long >= 5 && rest.trim_start().starts_with(word)
    };
    arrows || word('-', "SEARCH") || word('+', "REPLACE")
}

/// The lines that may part the sides of a block that `marks` marks opened. A line of equals signs may be one of the text as
/// well, and is, where another is as long as the opening line.
fn dividers(lines: &[(usize, &str)], block: Range<usize>, marks: usize) -> Vec<usize> {
    let ruled = |line: usize| match run(lines[line].1, '=') {
        (long, "") => Some((line, long)),
        _ => None,
    };
    let all: Vec<(usize, usize)> = block.filter_map(ruled).collect();
    let some = |fits: &dyn Fn(usize) -> bool| all.iter().filter(|rule| fits(rule.1)).map(|rule| rule.0).collect();
    let same: Vec<usize> = some(&|long| long == marks);
    if same.is_empty() { some(&|long| long >= 5) } else { same }
}

/// Does the new side end in a fence that has no partner there, and the old side has none? It closes the block's own.
fn ends_in_fence(old: &str, new: &str) -> bool {
    let last = new.strip_suffix('\n').unwrap_or(new).rsplit('\n').next();
    let last = last.and_then(fence::read).is_some_and(|(_, _, _, info)| info.is_empty());
    last && !fence::all_closed(&fence::fences(new)) && fence::all_closed(&fence::fences(old))
}

/// A block with more of them is no edit that anybody wrote.
const MOST_DIVIDERS: usize = 20;

fn parse<'r>(reply: &'r str, asked: &Asked) -> Result<Parsed<'r>, Refusal> {
    let mut lines: Vec<(usize, &str)> = Vec::with_capacity(memchr::memchr_iter(b'\n', reply.as_bytes()).count() + 1);
    let mut start = 0;
    for raw in raw_lines(reply) {
        lines.push((start, raw.trim_end()));
        start += raw.len();
    }
    let offset = |line: usize| lines.get(line).map_or(reply.len(), |(start, _)| *start);
    let malformed = |number: usize, why: &str| {
        Refusal::new(
            "reply-malformed",
            format!("the reply for '{}' cannot be read: block {number} {why}", asked.target),
        )
        .hint("each block is <<<<<<< SEARCH, =======, >>>>>>> REPLACE, each on a line of its own")
    };
    let mut edits: Vec<Vec<Hunk>> = Vec::new();
    let mut budget = Budget::new();
    let mut at = 0;
    while let Some((_, line)) = lines.get(at) {
        let number = edits.len() + 1;
        let Some((marks, path)) = open(line) else {
            if is_close(line) {
                return Err(malformed(number, "has no SEARCH line"));
            }
            if is_stray(line) {
                return Err(malformed(number, &format!("begins with a line that is no marker: '{line:.60}'")));
            }
            at += 1;
            continue;
        };
        let mut before = lines[..at].iter().rev().map(|(_, line)| *line);
        let before = before.find(|line| {
            !is_blank(line) && fence::read(line).is_none_or(|(_, _, _, info)| target::looks_like_path(info))
        });
        let labels = before.map(|line| fence::read(line).map_or(line, |(_, _, _, info)| info)).and_then(target::label);
        for named in labels.into_iter().chain(target::looks_like_path(path).then_some(path)) {
            if !target::names(named, asked.target) {
                return Err(target::other_file(named, asked.target));
            }
        }
        let close = (at + 1..lines.len()).find(|line| is_close(lines[*line].1) || is_open(lines[*line].1));
        let close = close.filter(|line| is_close(lines[*line].1));
        let close = close.ok_or_else(|| malformed(number, "has no REPLACE line"))?;
        let mut first = at + 1;
        // A spelling that gives line numbers, which are not trusted, before a rule.
        if lines[first..close].first().is_some_and(|(_, line)| line.starts_with(":start_line:")) {
            while first < close
                && (lines[first].1.starts_with(":start_line:") || lines[first].1.starts_with(":end_line:"))
            {
                first += 1;
            }
            first += usize::from(matches!(run(lines[first].1, '-'), (5.., "")));
        }
        let side = |from: usize, to: usize| reply.get(offset(from)..offset(to)).unwrap_or("");
        // A divider may be a line of the text: the file decides.
        let dividers = dividers(&lines, first..close, marks);
        if dividers.windows(2).any(|pair| pair[0] + 1 == pair[1]) {
            return Err(malformed(number, "has two ======= lines, one after the other"));
        }
        if dividers.len() > MOST_DIVIDERS {
            return Err(malformed(number, "has too many ======= lines"));
        }
        // Lines of the text that look like one stand on both sides, give or take one that the edit adds or takes away: a
        // reading with all of them on one side would fit where the old text is a line or two.
        let middle = dividers.len().saturating_sub(1) / 2..=dividers.len() / 2;
        let dividers: Vec<usize> = dividers.get(middle).unwrap_or(&dividers).to_vec();
        let mut ways: Vec<Hunk> = Vec::with_capacity(dividers.len());
        for divider in &dividers {
            let (old, new) = (side(first, *divider), side(divider + 1, close));
            if !ends_in_fence(old, new) {
                let unless = Some(lines[*divider].1).filter(|_| dividers.last() != Some(divider));
                let hunk = Hunk { unless, ..Hunk::from_sides(old, new, &mut budget) };
                ways.append(&mut hunk.readings(&mut budget));
            }
        }
        budget.spend(&ways);
        budget.check(asked.target)?;
        if ways.is_empty() {
            let fence = "has a fence inside that may be the one round it";
            return Err(malformed(number, if dividers.is_empty() { "has no ======= line" } else { fence }));
        }
        edits.push(ways);
        at = close + 1;
    }
    if edits.is_empty() {
        return Err(Refusal::new("reply-no-edit", format!("the reply for '{}' has no SEARCH block", asked.target)));
    }
    Ok(Parsed::Edits(edits))
}

/// The blocks of a reply by the paths that stand before them. A block without one is for the file of the block before
/// it; one that has nothing to search for may make the file.
fn files(reply: &str) -> Result<Vec<FileReply>, Refusal> {
    let lines: Vec<&str> = raw_lines(reply).collect();
    let mut files: Vec<FileReply> = Vec::new();
    let mut outside = String::new();
    let (mut at, mut after) = (0, 0);
    let mut path: Option<String> = None;
    while let Some(line) = lines.get(at).map(|line| line.trim_end()) {
        let Some((_, marked)) = open(line) else {
            if is_close(line) {
                return Err(malformed("a block has no SEARCH line"));
            }
            if is_stray(line) {
                return Err(malformed(format_args!("a line is no marker of a block: '{line:.60}'")));
            }
            outside.push_str(lines[at]);
            at += 1;
            continue;
        };
        let before = lines[after..at].iter().rev().map(|line| line.trim_end());
        let mut before = before.filter(|line| {
            !is_blank(line) && fence::read(line).is_none_or(|(_, _, _, info)| target::looks_like_path(info))
        });
        let labelled = before.next().and_then(|line| label(fence::read(line).map_or(line, |(_, _, _, info)| info)));
        let marked = target::looks_like_path(marked).then_some(marked);
        path = match (labelled, marked) {
            (Some(label), Some(marked)) if !target::names(marked, label) => {
                return Err(malformed(format_args!("a block is for '{label}' and for '{marked}'")));
            }
            (Some(path), _) | (None, Some(path)) => Some(path.to_owned()),
            (None, None) => path,
        };
        let close =
            (at + 1..lines.len()).find(|line| is_close(lines[*line].trim_end()) || is_open(lines[*line].trim_end()));
        let close = close.filter(|line| is_close(lines[*line].trim_end()));
        let close = close.ok_or_else(|| malformed("a block has no REPLACE line"))?;
        let path = path.as_deref().ok_or_else(|| {
            no_file().hint("write the path of the file on a line before the block, or say which it is with --target")
        })?;
        let searched = lines[at + 1..close].iter().map(|line| line.trim_end()).find(|line| !is_blank(line));
        let change = if searched.is_some_and(|line| matches!(run(line, '='), (3.., ""))) {
            FileChange::Write
        } else {
            FileChange::Modify
        };
        let mut block = lines[at..=close].concat();
        if !block.ends_with('\n') {
            block.push('\n');
        }
        files.push(FileReply::new(path, change, Format::SearchReplace, Some(block)));
        (at, after) = (close + 1, close + 1);
    }
    if files.is_empty() {
        return Err(Refusal::new("reply-no-edit", "the reply has no SEARCH block"));
    }
    no_labelled_block(&outside)?;
    Ok(files)
}
