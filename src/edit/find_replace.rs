//! FIND/REPLACE: `### CHANGE n: …`, `FIND:` and a fence, `REPLACE WITH:` and a fence.

use super::fence::{self, Fence, fences};
use super::hunk::Hunk;
use super::text::is_blank;
use super::{Asked, Example, Format, FormatSpec, Parsed, Refusal};

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
    looks: |reply| reply.lines().any(is_find) && reply.lines().any(is_replace),
    parse,
    files: |_| Err(super::files::no_file()),
};

/// A line less Markdown's emphasis and heading marks, in capitals.
fn word(line: &str) -> String {
    if line.len() > 200 {
        return String::new();
    }
    line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '#' | '_' | '`')).to_uppercase()
}

/// The words of a marker, without a note in brackets: `FIND (line 3):`.
fn marker(line: &str) -> String {
    let word = word(line);
    let word = word.trim_end_matches([':', '*', '`', ' ']);
    word.strip_suffix(')').and_then(|word| word.rsplit_once(" (")).map_or(word, |(word, _)| word).to_owned()
}

const FIND: [&str; 6] = ["FIND", "FIND THIS", "FIND BLOCK", "FIND CODE", "SEARCH", "SEARCH FOR"];
const REPLACE: [&str; 6] =
    ["REPLACE", "REPLACE WITH", "REPLACE BY", "REPLACE BLOCK", "REPLACE WITH THIS", "REPLACEMENT"];

fn is_find(line: &str) -> bool {
    is_flush(line) && FIND.contains(&marker(line).as_str())
}

fn is_replace(line: &str) -> bool {
    is_flush(line) && REPLACE.contains(&marker(line).as_str())
}

/// A marker, be it indented or in a list.
pub(super) fn is_marker(line: &str) -> bool {
    let words = marker(line.trim_start_matches(|c: char| !c.is_alphabetic()));
    FIND.contains(&words.as_str()) || REPLACE.contains(&words.as_str())
}

/// A line that leads to a block of an edit, as it seems: a marker with other words, in a list, indented. What it leads to
/// would be lost if it were read over.
fn leads_to_edit(line: &str) -> bool {
    let led = line.trim_end().trim_end_matches(['*', '`', '_']).ends_with(':');
    let word = word(line.trim_start_matches(|c: char| !c.is_alphabetic()));
    let first = word.split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
    line.len() <= 80 && led && matches!(first, "FIND" | "SEARCH" | "REPLACE" | "REPLACEMENT")
}

fn is_flush(line: &str) -> bool {
    !line.starts_with([' ', '\t'])
}

fn is_heading(line: &str) -> bool {
    let number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    is_flush(line)
        && line.starts_with(['#', '*'])
        && word(line).strip_prefix("CHANGE").is_some_and(|rest| number(rest.trim_start_matches([' ', '#'])))
}

/// The most fences inside a block that are tried as its end.
const MOST_CLOSERS: usize = 500;

/// The reply by lines and fences.
struct Scan<'a, 'r> {
    reply: &'r str,
    lines: Vec<&'r str>,
    fences: Vec<Fence<'r>>,
    target: &'a str,
}

impl<'r> Scan<'_, 'r> {
    /// The first line from `from` that is not blank.
    fn solid(&self, from: usize) -> usize {
        (from..self.lines.len()).find(|line| !is_blank(self.lines[*line])).unwrap_or(self.lines.len())
    }
    fn is(&self, line: usize, what: fn(&str) -> bool) -> bool {
        self.lines.get(line).is_some_and(|line| what(line))
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
    fn malformed(&self, number: usize, why: &str) -> Refusal {
        Refusal::new(
            "reply-malformed",
            format!("the reply for '{}' cannot be read: change {number} {why}", self.target),
        )
        .hint("each change is FIND: and a fenced block, then REPLACE WITH: and a fenced block")
    }
    /// Does a change begin at this line, whatever stands before it?
    fn begins(&self, line: usize) -> bool {
        let find = if self.is(line, is_heading) { self.solid(line + 1) } else { line };
        let after_block =
            || (0..line).rev().find(|l| !is_blank(self.lines[*l])).is_none_or(|l| self.fence_at(l).is_some());
        if !self.is(find, is_find) || self.block_after(find).is_none() {
            // A heading straight after a block is one, though what follows it cannot be read.
            return self.is(line, is_heading) && after_block();
        }
        find != line || after_block()
    }
}

fn parse<'r>(reply: &'r str, asked: &Asked) -> Result<Parsed<'r>, Refusal> {
    let scan = &Scan { reply, lines: reply.lines().collect(), fences: fences(reply), target: asked.target };
    let mut edits = Vec::new();
    let mut heading = false; // of a change that is still to come
    let mut line = 0;
    while line < scan.lines.len() {
        let number = edits.len() + 1;
        if scan.is(line, is_heading) {
            if heading {
                return Err(scan.malformed(number, "has no FIND block"));
            }
            heading = true;
        } else if scan.is(line, is_replace) && scan.block_after(line).is_some() {
            return Err(scan.malformed(number, "has no FIND block"));
        } else if scan.is(line, is_find) {
            let open = scan.block_after(line).ok_or_else(|| scan.malformed(number, "has no FIND block"))?;
            let (hunk, next) = change(scan, number, open)?;
            edits.push(readings(hunk));
            heading = false;
            line = next;
            continue;
        } else if scan.is(line, leads_to_edit) && scan.block_after(line).is_some() {
            return Err(scan.malformed(number, "begins with a line that is neither FIND: nor REPLACE WITH:"));
        }
        line += 1;
    }
    if heading {
        return Err(scan.malformed(edits.len() + 1, "has no FIND block"));
    }
    if edits.is_empty() {
        return Err(Refusal::new("reply-no-edit", format!("the reply for '{}' has no FIND block", asked.target)));
    }
    Ok(Parsed::Edits(edits))
}

pub(super) fn readings(hunk: Hunk) -> Vec<Hunk> {
    let bare = hunk.without_line_numbers();
    std::iter::once(hunk).chain(bare).collect()
}

/// Is it a kind of file whose own lines may be code fences?
fn holds_fences(target: &str) -> bool {
    let extension = target.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    matches!(
        extension.as_str(),
        "" | "md" | "mdx" | "markdown" | "mdown" | "rmd" | "qmd" | "txt" | "rst" | "adoc" | "mdc"
    )
}

/// One change, from the fence that opens its FIND block, and the line after it.
fn change<'r>(scan: &Scan<'_, 'r>, number: usize, open: usize) -> Result<(Hunk<'r>, usize), Refusal> {
    let ends = scan.closers(open, usize::MAX).find_map(|close| {
        let marker = scan.solid(scan.fences[close].line + 1);
        let second = scan.is(marker, is_replace).then(|| scan.block_after(marker)).flatten()?;
        Some((close, second))
    });
    let (close, second) = ends.ok_or_else(|| scan.malformed(number, "has no REPLACE WITH block"))?;
    let find = scan.inside(open, close);
    let bound = (scan.fences[second].line + 1..scan.lines.len())
        .filter(|line| scan.is(*line, is_heading) || scan.is(*line, is_find))
        .find(|line| scan.begins(*line))
        .unwrap_or(scan.lines.len());
    // Nothing inside a fence that was made longer counts.
    let bound = if scan.fences[second].long > 3 { scan.lines.len() } else { bound };
    let closers: Vec<usize> = scan.closers(second, bound).collect();
    if closers.is_empty() {
        return Err(scan.malformed(number, "has a REPLACE WITH block that is never closed"));
    }
    let rest = |close: usize| {
        let after = scan.fences.get(close + 1..).unwrap_or(&[]);
        &after[..after.partition_point(|fence| fence.line < bound)]
    };
    // What follows a block is nothing, or words set off by a blank line in which every fence is closed.
    let ends = |close: usize| {
        let next = scan.fences[close].line + 1;
        (next >= bound || scan.lines.get(next).is_none_or(|line| is_blank(line))) && fence::all_closed(rest(close))
    };
    if closers.len() == MOST_CLOSERS {
        return Err(scan.malformed(number, "has too many fences inside its blocks"));
    }
    let fitting: Vec<usize> = if scan.fences[second].long > 3 || closers.len() == 1 {
        closers
    } else {
        closers.into_iter().filter(|close| ends(*close)).collect()
    };
    let marks = |text| fences(text).iter().map(|fence| (fence.long, fence.info)).collect::<Vec<_>>();
    let alike = |close: &usize| marks(scan.inside(second, *close)) == marks(find);
    let unclear = || scan.malformed(number, "has fences inside its blocks, and it is not clear where they end");
    // Of several ends only the last loses nothing, and then what it takes in must be blocks as the file has them. Where
    // the file is not one that holds fences, what follows the first end are words to the reader.
    let (first, last) = fitting.first().zip(fitting.last()).ok_or_else(unclear)?;
    let close = if first != last && !alike(last) && !holds_fences(scan.target) { *first } else { *last };
    // A fence that has no partner inside the block may be the block's own, written twice.
    let closed = || fence::all_closed(&scan.fences[second + 1..close]);
    let sure = first == last && (scan.fences[second].long > 3 || closed());
    if !sure && !alike(&close) {
        return Err(unclear());
    }
    Ok((Hunk::from_sides(find, scan.inside(second, close)), scan.fences[close].line + 1))
}
