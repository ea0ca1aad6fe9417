//! The whole file in one fence: from the first opening fence to the last bare closing one.
//!
//! Models put fences inside the file's text without making the outer one longer, so that Markdown's own rule would
//! cut the text at the first inner fence. What must be told apart from that is a reply with two blocks.

use super::fence::{self, Fence, fences};
use super::labels::tagged_paths;
use super::target;
use super::{Asked, Example, Format, FormatSpec, Parsed};
use crate::edit::Refusal;
use crate::edit::text::{Text, bare, is_blank};

pub(super) const SPEC: FormatSpec = FormatSpec {
    format: Format::Whole,
    name: "whole",
    instructions: "Reply with the complete new content of the file in exactly one fenced code block, and nothing else: no words \
before or after it, no second block. Write out every line; never stand in for code with a comment such as \"rest unchanged\". \
If the content itself has code fences, make the outer fence longer than any of them (four backticks or more). \
If the file is to be empty, reply with an empty block.",
    example: Example {
        path: "src/greet.py",
        base: "def greet(name):\n    return \"Hello \" + name\n",
        reply: "```python\ndef greet(name: str) -> str:\n    return f\"Hello, {name}\"\n```\n",
        result: "def greet(name: str) -> str:\n    return f\"Hello, {name}\"\n",
    },
    words: ("block", "the block"),
    // With the marks of other edits in it, it may be the whole file all the same; with these it is too likely not to be.
    looks: |reply| !(super::search_replace::SPEC.looks)(reply),
    parse,
    files: super::labels::files,
};

fn parse<'r>(reply: &'r str, asked: &Asked) -> Result<Parsed<'r>, Refusal> {
    let target = asked.target;
    let all = fences(reply);
    let Some(open) = all.first() else { return Err(no_fence(reply, target)) };
    if let [_, close] = &all[..]
        && close.may_close(open)
        && !close.closes(open)
    {
        return between(reply, open, close, target);
    }
    // An indented fence belongs to what a list item or a nested text shows, and a shorter or longer one as well.
    let marks: Vec<Fence> = all
        .iter()
        .filter(|fence| fence.mark == open.mark && fence.long == open.long && fence.indent <= open.indent)
        .copied()
        .collect();
    let last = marks
        .iter()
        .rposition(|fence| fence.closes(open))
        .filter(|at| *at > 0)
        .ok_or_else(|| fence::unclosed(target))?;
    if last + 1 != marks.len() {
        return Err(if fence::all_closed(&marks) { two_blocks(target) } else { fence::unclosed(target) });
    }
    if all.iter().any(|fence| fence.start > marks[last].start && fence.indent <= open.indent) {
        return Err(two_blocks(target));
    }
    if !is_one_block(reply, &marks) {
        return Err(two_blocks(target));
    }
    between(reply, open, &marks[last], target)
}

/// The text between two fences, if it is the file's.
fn between<'r>(reply: &'r str, open: &Fence, close: &Fence, target: &str) -> Result<Parsed<'r>, Refusal> {
    names_another(reply, open, target)?;
    let before = reply.get(..open.start).unwrap_or("");
    let leads = before.lines().rev().find(|line| !is_blank(line)).is_some_and(super::find_replace::is_marker);
    if leads || before.lines().any(super::search_replace::is_open) {
        return Err(not_whole(target));
    }
    let text = reply.get(open.end..close.start).unwrap_or("");
    is_content(open, text, target)?;
    Ok(Parsed::Whole(text))
}

fn two_blocks(target: &str) -> Refusal {
    Refusal::new("reply-two-blocks", format!("the reply for '{target}' has more than one code block"))
        .hint("exactly one block, with the whole file in it, is asked for")
}

/// Is what stands between the first and the last of `marks` one text, with any fences inside it its own?
fn is_one_block(reply: &str, marks: &[Fence]) -> bool {
    // Fences with an info string open, bare ones close: where that closes the outer block only at the end, it is one.
    let mut depth = 0_usize;
    let mut gaps = Vec::new();
    for (at, mark) in marks.iter().enumerate() {
        if !mark.is_bare() || depth == 0 {
            depth += 1;
        } else {
            depth -= 1;
            if depth == 0 && at + 1 < marks.len() {
                gaps.push((mark.end, marks[at + 1].start));
            }
        }
    }
    if gaps.is_empty() {
        return depth == 0;
    }
    // Else bare fences may open inner blocks, if the inner ones then pair up one after the other …
    let inner = &marks[1..marks.len() - 1];
    if !inner.len().is_multiple_of(2) || inner.chunks(2).any(|pair| !pair[1].is_bare()) {
        return false;
    }
    // … and what is then the text of an inner block does not read like the words between two blocks.
    gaps.iter().all(|(from, to)| !between_blocks(reply.get(*from..*to).unwrap_or("")))
}

/// Words that lead from one block to the next: set off by a blank line, or ending in a colon.
fn between_blocks(gap: &str) -> bool {
    let mut lines = gap.lines();
    let first = lines.next().unwrap_or("");
    let last = gap.lines().rev().find(|line| !is_blank(line)).unwrap_or("").trim_end();
    let leads = last.ends_with(':') && last.starts_with(char::is_uppercase);
    is_blank(first) || leads || target::label(last).is_some()
}

fn no_fence(reply: &str, target: &str) -> Refusal {
    let hint = "the model has no tools; its reply must be the text of the file itself";
    if is_report(reply) {
        let message = format!("the reply for '{target}' reports work instead of giving the file");
        return Refusal::new("reply-report", message).hint(hint);
    }
    Refusal::new("reply-no-fence", format!("the reply for '{target}' has no code block")).hint(hint)
}

/// An agent's account of what it did.
pub(super) fn is_report(reply: &str) -> bool {
    let words = reply.to_lowercase();
    let said = ["file", "test", "implement", "change", "code", "module", "director"];
    let done = [
        "written",
        "wrote",
        "created",
        "already",
        "exists",
        "pass",
        "updated",
        "complete",
        "modified",
        "in place",
        "added",
        "done",
        "saved",
        "no changes",
    ];
    said.iter().any(|word| words.contains(word)) && done.iter().any(|word| words.contains(word))
}

/// Refuses a block that is labelled with another file's path: after the tag, or on the line before the fence.
fn names_another(reply: &str, open: &Fence, target: &str) -> Result<(), Refusal> {
    let before = reply.get(..open.start).unwrap_or("").lines().rev().find(|line| !is_blank(line));
    for named in tagged_paths(open.info).chain(before.and_then(target::label)) {
        if !target::names(named, target) {
            return Err(target::other_file(named, target));
        }
    }
    Ok(())
}

/// Refuses a block that holds edits where the file is no collection of edits itself.
pub(super) fn is_content(open: &Fence, text: &str, target: &str) -> Result<(), Refusal> {
    if [".diff", ".patch", ".rej"].iter().any(|extension| target.ends_with(extension)) {
        return Ok(());
    }
    let tag = open.info.split([' ', ',', ':']).next().unwrap_or("").to_lowercase();
    let mut lines = text.lines().filter(|line| !is_blank(line));
    let first = lines.next().unwrap_or("");
    let second = lines.next().unwrap_or("");
    let diff = first.starts_with("diff --git ")
        || first.starts_with("--- ") && second.starts_with("+++ ")
        || first.starts_with("@@ ") && super::diff_lines::is_header(first);
    let patch = first.starts_with("*** Begin Patch") || first.starts_with("*** Update File:");
    let search = super::search_replace::is_open(first) || super::search_replace::is_open(second);
    if matches!(tag.as_str(), "diff" | "patch" | "udiff") || diff || patch || search {
        return Err(not_whole(target));
    }
    Ok(())
}

fn not_whole(target: &str) -> Refusal {
    Refusal::new("reply-not-whole", format!("the reply for '{target}' holds edits where the whole file was asked for"))
}

/// The text, every line of which has its end, with the base's line ends and final newline; a new file has plain ones and
/// ends with one.
pub(in crate::edit) fn fit(base: Option<&str>, text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(base) = base.filter(|base| !base.is_empty()) else {
        let kept = text.trim_end_matches('\n');
        return if kept.is_empty() { String::new() } else { format!("{kept}\n") };
    };
    let mut out = if base.contains("\r\n") { with_endings(base, text) } else { text.to_owned() };
    if !base.ends_with('\n') {
        out.truncate(bare(&out).len());
    }
    out
}

/// Line ends as in the base: line by line where the lines are the same, else as most of its lines have them.
fn with_endings(base: &str, text: &str) -> String {
    let (old, new) = (Text::new(base), Text::new(text));
    let usual = old.usual_ending();
    let lines = |text: &Text| text.lines(0, text.end()).collect::<Vec<_>>();
    let (olds, news) = (lines(&old), lines(&new));
    let before: Vec<&str> = olds.iter().map(|at| old.line(*at)).collect();
    let after: Vec<&str> = news.iter().map(|at| new.line(*at)).collect();
    let mut out = String::with_capacity(text.len() + after.len());
    let mut at = 0;
    for line in crate::edit::hunk::diff(&before, &after) {
        use crate::edit::hunk::Tag;
        let ending = match (line.tag, olds.get(at).map_or("", |at| old.ending(*at))) {
            (Tag::Minus | Tag::Plus, _) | (_, "") => usual,
            (Tag::Context, ending) => ending,
        };
        at += usize::from(line.tag != Tag::Plus);
        if line.tag != Tag::Minus {
            out.push_str(line.text);
            out.push_str(ending);
        }
    }
    out
}
