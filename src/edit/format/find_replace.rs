//! FIND/REPLACE: `### CHANGE n: …`, `FIND:` and a fence, `REPLACE WITH:` and a fence.

use super::fence::{self, Fence, fences};
use super::{Asked, Example, Format, FormatSpec, Parsed};
use crate::edit::Refusal;
use crate::edit::budget::Budget;
use crate::edit::hunk::Hunk;
use crate::edit::lines::{all_lines, lines};
use crate::edit::text::is_blank;

pub(super) const SPEC: FormatSpec = FormatSpec {
    format: Format::FindReplace,
    name: "find-replace",
    instructions: "Reply with the changes only, never with the whole file. For each change write a heading `### CHANGE n: what it does`, \
then `FIND:` and a fenced block, then `REPLACE WITH:` and a fenced block. The FIND block holds complete lines copied exactly from the \
file, indentation included, with enough lines round the change that the block occurs once in the file. The REPLACE block holds what \
stands there afterwards: repeat the unchanged lines, leave out what is to go; an empty REPLACE block deletes. White space at the ends of lines need not match. Never abbreviate with `...`. \
All changes are made to the original file, so they must not overlap; all of them apply, or none. \
If a block contains a code fence, make the fences round it longer (four backticks or more).",
    example: Example {
        path: "src/greet.py",
        base: "import sys\n\n\ndef greet(name):\n    return \"Hello \" + name\n\n\ndef main():\n    print(greet(sys.argv[1]))\n",
        reply: "### CHANGE 1: type the parameter
FIND:
```python
def greet(name):
    return \"Hello \" + name
```

REPLACE WITH:
```python
def greet(name: str) -> str:
    return f\"Hello, {name}\"
```

### CHANGE 2: greet the world by default
FIND:
```python
    print(greet(sys.argv[1]))
```

REPLACE WITH:
```python
    name = sys.argv[1] if len(sys.argv) > 1 else \"world\"
    print(greet(name))
```
",
        result: "import sys\n\n\ndef greet(name: str) -> str:\n    return f\"Hello, {name}\"\n\n\ndef main():\n    name = sys.argv[1] if len(sys.argv) > 1 else \"world\"\n    print(greet(name))\n",
    },
    words: ("change", "FIND"),
    looks: |reply| {
        let any = |what| lines(reply).any(|line| mark(line) == Some(what));
        any(Mark::Find) && any(Mark::Replace) || leads_first_block(reply)
    },
    parse,
    files: |_| Err(crate::edit::files::no_file()),
};

/// Does one of the two markers lead to the first block of the reply? Then it is in this format, though one of them is missing.
fn leads_first_block(reply: &str) -> bool {
    let Some(first) = fence::each(reply).next() else { return false };
    let before = reply.get(..first.start).unwrap_or("").lines().rev().find(|line| !is_blank(line));
    before.is_some_and(|line| matches!(mark(line), Some(Mark::Find | Mark::Replace)))
}

/// A line less Markdown's emphasis and heading marks.
fn word(line: &str) -> &str {
    let word = line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '#' | '_' | '`'));
    if line.len() > 200 { "" } else { word }
}

/// The words of a marker, without a note in brackets: `FIND (line 3):`.
fn marker(line: &str) -> &str {
    let word = word(line).trim_end_matches([':', '*', '`', ' ']);
    word.strip_suffix(')').and_then(|word| word.rsplit_once(" (")).map_or(word, |(word, _)| word)
}

const FIND: [&str; 6] = ["FIND", "FIND THIS", "FIND BLOCK", "FIND CODE", "SEARCH", "SEARCH FOR"];
const REPLACE: [&str; 6] =
    ["REPLACE", "REPLACE WITH", "REPLACE BY", "REPLACE BLOCK", "REPLACE WITH THIS", "REPLACEMENT"];

fn is_one_of(words: &[&str], word: &str) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// A marker, be it indented or in a list.
pub(super) fn is_marker(line: &str) -> bool {
    let words = marker(line.trim_start_matches(|c: char| !c.is_alphabetic()));
    is_one_of(&FIND, words) || is_one_of(&REPLACE, words)
}

/// What a line is, as far as it is for this format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// `### CHANGE 2: …`
    Heading,
    /// `FIND:`
    Find,
    /// `REPLACE WITH:`
    Replace,
    /// A line that leads to a block of an edit, as it seems: a marker with other words, in a list, indented. What it leads to
    /// would be lost if it were read over.
    Leads,
    /// `FIND: x`, with the text itself on the line.
    Inline,
}

fn mark(line: &str) -> Option<Mark> {
    // Nearly every line of a reply is told apart by its first letter.
    let letter = line.bytes().find(u8::is_ascii_alphabetic)?;
    if !matches!(letter.to_ascii_lowercase(), b'c' | b'f' | b's' | b'r') {
        return None;
    }
    let words = line.trim_start_matches(|c: char| !c.is_alphabetic());
    let flush = !line.starts_with([' ', '\t']);
    match words.as_bytes().first()? {
        b'c' | b'C' => (flush && is_heading(line)).then_some(Mark::Heading),
        b'f' | b'F' | b's' | b'S' if flush && is_one_of(&FIND, marker(line)) => Some(Mark::Find),
        b'r' | b'R' if flush && is_one_of(&REPLACE, marker(line)) => Some(Mark::Replace),
        _ if ["FIND: ", "SEARCH: ", "REPLACE: ", "REPLACE WITH: "].iter().any(|start| words.starts_with(start)) => {
            Some(Mark::Inline)
        }
        b'f' | b'F' | b's' | b'S' | b'r' | b'R' => {
            let first = words.split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
            let led = line.trim_end().trim_end_matches(['*', '`', '_']).ends_with(':');
            let leads = line.len() <= 80 && led && is_one_of(&["FIND", "SEARCH", "REPLACE", "REPLACEMENT"], first);
            leads.then_some(Mark::Leads)
        }
        _ => None,
    }
}

fn is_heading(line: &str) -> bool {
    let number = |rest: &str| rest.trim_start_matches([' ', '#']).starts_with(|c: char| c.is_ascii_digit());
    let word = word(line);
    let change = word.get(..6).is_some_and(|said| said.eq_ignore_ascii_case("CHANGE"));
    line.starts_with(['#', '*']) && change && word.get(6..).is_some_and(number)
}

/// The most fences inside a block that are tried as its end.
const MOST_CLOSERS: usize = 500;

/// The reply by lines and fences.
struct Scan<'a, 'r> {
    reply: &'r str,
    lines: Vec<&'r str>,
    /// The lines that are marks.
    marks: Vec<(usize, Mark)>,
    fences: Vec<Fence<'r>>,
    /// The lines at which a change begins, whatever stands before it.
    begins: Vec<usize>,
    target: &'a str,
}

impl<'a, 'r> Scan<'a, 'r> {
    fn new(reply: &'r str, target: &'a str) -> Scan<'a, 'r> {
        let lines = all_lines(reply);
        let marks = lines.iter().enumerate().filter_map(|(at, line)| Some((at, mark(line)?))).collect();
        let mut scan = Scan { reply, lines, marks, fences: fences(reply), begins: Vec::new(), target };
        scan.begins =
            scan.marks.iter().filter(|(line, mark)| scan.begins(*line, *mark)).map(|(line, _)| *line).collect();
        scan
    }
    /// The first line from `from` that is not blank.
    fn solid(&self, from: usize) -> usize {
        (from..self.lines.len()).find(|line| !is_blank(self.lines[*line])).unwrap_or(self.lines.len())
    }
    fn is(&self, line: usize, what: Mark) -> bool {
        self.lines.get(line).is_some_and(|line| mark(line) == Some(what))
    }
    fn fence_at(&self, line: usize) -> Option<usize> {
        self.fences.binary_search_by_key(&line, |fence| fence.line).ok()
    }
    /// The fence that opens a block after the marker at `line`.
    fn block_after(&self, line: usize) -> Option<usize> {
        self.fence_at(self.solid(line + 1))
    }
    fn inside(&self, open: usize, close: usize) -> &'r str {
        self.reply.get(self.fences[open].end..self.fences[close].start).unwrap_or("")
    }
    /// The fences that may close the block that `open` began. A fence longer than usual was chosen for what the block
    /// holds, so that the first of its length closes it.
    fn closers(&self, open: usize, before_line: usize) -> impl Iterator<Item = usize> {
        let opened = &self.fences[open];
        (open + 1..self.fences.len())
            .take_while(move |at| self.fences[*at].line < before_line)
            .filter(|at| self.fences[*at].closes(opened))
            .take(if opened.long > 3 { 1 } else { MOST_CLOSERS })
    }
    /// A longer fence that closes the block where none of the same length does.
    fn longer_closer(&self, open: usize, before_line: usize) -> Option<usize> {
        let within = (open + 1..self.fences.len()).take_while(|at| self.fences[*at].line < before_line);
        within.into_iter().find(|at| self.fences[*at].may_close(&self.fences[open]))
    }
    fn malformed(&self, number: usize, why: &str) -> Refusal {
        Refusal::new(
            "reply-malformed",
            format!("the reply for '{}' cannot be read: change {number} {why}", self.target),
        )
        .hint("each change is FIND: and a fenced block, then REPLACE WITH: and a fenced block")
    }
    /// Does a change begin at this line, which is `mark`?
    fn begins(&self, line: usize, mark: Mark) -> bool {
        let after_block =
            || (0..line).rev().find(|l| !is_blank(self.lines[*l])).is_none_or(|l| self.fence_at(l).is_some());
        let leads = |find| self.is(find, Mark::Find) && self.block_after(find).is_some();
        match mark {
            // A heading straight after a block is one, though what follows it cannot be read.
            Mark::Heading => leads(self.solid(line + 1)) || after_block(),
            Mark::Find => leads(line) && after_block(),
            Mark::Replace | Mark::Leads | Mark::Inline => false,
        }
    }
}

fn parse<'r>(reply: &'r str, asked: &Asked) -> Result<Parsed<'r>, Refusal> {
    let scan = &Scan::new(reply, asked.target);
    let mut budget = Budget::new();
    let mut edits = Vec::new();
    let mut heading = false; // of a change that is still to come
    let mut next = 0;
    for (line, mark) in scan.marks.iter().copied() {
        if line < next {
            continue; // inside the change before
        }
        let number = edits.len() + 1;
        match mark {
            Mark::Heading if heading => return Err(scan.malformed(number, "has no FIND block")),
            Mark::Heading => heading = true,
            Mark::Find => {
                let open = scan.block_after(line).ok_or_else(|| scan.malformed(number, "has no FIND block"))?;
                let (old, new, after) = change(scan, number, open, &mut budget)?;
                edits.push(Hunk::from_sides(old, new, &mut budget).readings(&mut budget));
                (heading, next) = (false, after);
            }
            Mark::Replace | Mark::Leads if scan.block_after(line).is_none() => {}
            Mark::Replace => return Err(scan.malformed(number, "has no FIND block")),
            Mark::Inline => return Err(scan.malformed(number, "has its text on the line of its marker")),
            Mark::Leads => {
                return Err(scan.malformed(number, "begins with a line that is neither FIND: nor REPLACE WITH:"));
            }
        }
    }
    if heading {
        return Err(scan.malformed(edits.len() + 1, "has no FIND block"));
    }
    budget.check(asked.target)?;
    if edits.is_empty() {
        return Err(Refusal::new("reply-no-edit", format!("the reply for '{}' has no FIND block", asked.target)));
    }
    Ok(Parsed::Edits(edits))
}

/// Is it a kind of file whose own lines may be code fences?
fn holds_fences(target: &str) -> bool {
    let extension = target.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    matches!(
        extension.as_str(),
        "" | "md" | "mdx" | "markdown" | "mdown" | "rmd" | "qmd" | "txt" | "rst" | "adoc" | "mdc"
    )
}

/// One change, from the fence that opens its FIND block: its two sides, and the line after it.
fn change<'r>(
    scan: &Scan<'_, 'r>,
    number: usize,
    open: usize,
    budget: &mut Budget,
) -> Result<(&'r str, &'r str, usize), Refusal> {
    let replaces = |close: usize| {
        let marker = scan.solid(scan.fences[close].line + 1);
        let second = scan.is(marker, Mark::Replace).then(|| scan.block_after(marker)).flatten()?;
        Some((close, second))
    };
    let ends = scan.closers(open, usize::MAX).find_map(replaces);
    let ends = ends.or_else(|| replaces(scan.longer_closer(open, usize::MAX)?));
    let none = || scan.malformed(number, "has no REPLACE WITH block");
    let (find_close, second) = ends.ok_or_else(none)?;
    let (fences, opened) = (&scan.fences, &scan.fences[second]);
    // What seems to end the block further on is the end of another change, if one begins before it.
    let first_close = scan.closers(open, usize::MAX).next().unwrap_or(find_close);
    let between = fences[first_close].line..fences[find_close].line;
    if scan.begins.iter().any(|line| between.contains(line)) {
        return Err(none());
    }
    // Nothing inside a fence that was made longer counts.
    let longer = opened.long > 3;
    let bound = match scan.begins.get(scan.begins.partition_point(|line| *line <= opened.line)) {
        Some(next) if !longer => *next,
        _ => scan.lines.len(),
    };
    let until = fences.partition_point(|fence| fence.line < bound);
    let mut closers: Vec<usize> = scan.closers(second, bound).collect();
    if closers.is_empty() {
        closers.extend(scan.longer_closer(second, bound));
    }
    if closers.len() == MOST_CLOSERS || !longer && !budget.look_at_fences(until - second) {
        return Err(scan.malformed(number, "has too many fences inside its blocks"));
    }
    let fitting = match closers[..] {
        [] => return Err(scan.malformed(number, "has a REPLACE WITH block that is never closed")),
        [_] => closers,
        _ => {
            // What follows a block is nothing, or words set off by a blank line in which every fence is closed.
            let closed = fence::closed_from(&fences[second + 1..until]);
            let ends = |close: &usize| {
                let next = fences[*close].line + 1;
                let set_off = next >= bound || scan.lines.get(next).is_none_or(|line| is_blank(line));
                set_off && closed.get(close - second).is_some_and(|closed| *closed)
            };
            closers.into_iter().filter(ends).collect()
        }
    };
    let marks = |open: usize, close: usize| fences[open + 1..close].iter().map(|fence| (fence.long, fence.info));
    let alike = |close: usize| marks(second, close).eq(marks(open, find_close));
    let unclear = || scan.malformed(number, "has fences inside its blocks, and it is not clear where they end");
    // Of several ends only the last loses nothing, and then what it takes in must be blocks as the file has them. Where
    // the file is not one that holds fences, what follows the first end are words to the reader.
    let (first, last) = fitting.first().copied().zip(fitting.last().copied()).ok_or_else(unclear)?;
    let close = if first != last && !alike(last) && !holds_fences(scan.target) { first } else { last };
    // A fence that has no partner inside the block may be the block's own, written twice.
    let sure = first == last && (longer || fence::all_closed(&fences[second + 1..close]));
    if !sure && !alike(close) {
        return Err(unclear());
    }
    Ok((scan.inside(open, find_close), scan.inside(second, close), fences[close].line + 1))
}
