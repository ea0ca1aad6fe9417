//! Unified diffs, as models write them: line numbers and counts wrong or missing, marks of blank lines lost.

use super::diff_lines::{counted_end, file_header, is_header, is_hunk, name, names_it, names_target};
use super::fence::{self, Fence, fences};
use super::target;
use super::v4a;
use super::{Asked, Example, Format, FormatSpec, Parsed};
use crate::edit::Refusal;
use crate::edit::budget::Budget;
use crate::edit::hunk::Hunk;
use crate::edit::lines::{all_lines, lines};
use crate::edit::order::Numbers;

pub(super) const SPEC: FormatSpec = FormatSpec {
    format: Format::Unified,
    name: "unified",
    instructions: "Reply with one unified diff in a fenced block tagged `diff`, and nothing else; never with the whole file. \
Begin with `--- a/<path>` and `+++ b/<path>`. Each hunk begins with a line `@@ ... @@`: line numbers are not needed and not used. \
Every line of a hunk begins with a blank (unchanged), `-` (removed) or `+` (added). Give at least three unchanged lines before and \
after each change (fewer only at the very start or end of the file), copied from the file, and more where they would otherwise occur \
twice in it. White space at the ends of lines need not match. Never abbreviate with `...`. \
All hunks are applied to the original file, so they must not overlap; all of them apply, or none.",
    example: Example {
        path: "src/greet.py",
        base: "import sys\n\n\ndef greet(name):\n    return \"Hello \" + name\n\n\ndef main():\n    print(greet(sys.argv[1]))\n",
        reply: "```diff
--- a/src/greet.py
+++ b/src/greet.py
@@ ... @@
 import sys
 
 
-def greet(name):
-    return \"Hello \" + name
+def greet(name: str) -> str:
+    return f\"Hello, {name}\"
 
 
 def main():
@@ ... @@
 def main():
-    print(greet(sys.argv[1]))
+    name = sys.argv[1] if len(sys.argv) > 1 else \"world\"
+    print(greet(name))
```
",
        result: "import sys\n\n\ndef greet(name: str) -> str:\n    return f\"Hello, {name}\"\n\n\ndef main():\n    name = sys.argv[1] if len(sys.argv) > 1 else \"world\"\n    print(greet(name))\n",
    },
    words: ("hunk", "its old text"),
    looks,
    parse,
    files: super::diff::files,
};

/// It has a hunk, the names of a file, git's own line or a fence that says so, and is no patch of the format whose marks only
/// wrap a diff here.
fn looks(reply: &str) -> bool {
    let pairs = || lines(reply).zip(lines(reply).skip(1));
    let named = || reply.contains("\n+++ ") && pairs().any(|(a, b)| a.starts_with("--- ") && b.starts_with("+++ "));
    let git = || lines(reply).any(|line| line.starts_with("diff --git "));
    let tagged = || fence::each(reply).any(|fence| is_tagged(&fence));
    named() || git() || !(v4a::SPEC.looks)(reply) && (lines(reply).any(is_header) || tagged())
}

fn is_tagged(fence: &Fence) -> bool {
    let tag = fence.info.split([' ', ':']).next().unwrap_or("").to_lowercase();
    matches!(tag.as_str(), "diff" | "patch" | "udiff")
}

/// A stretch of the reply that is read as a diff.
pub(super) struct Region<'r> {
    pub text: &'r str,
    /// Its fence says that it is one, so that every line in it is a line of it.
    pub tagged: bool,
}

/// The diffs of a reply: what its fences hold that begins like one, or the whole reply if nothing is fenced so.
pub(super) fn regions<'r>(reply: &'r str, target: &str) -> Result<(Vec<Region<'r>>, bool), Refusal> {
    let fences = fences(reply);
    // In a diff without a fence round it, a fence is a line of the text.
    if fences.first().is_none_or(|first| lines(reply.get(..first.start).unwrap_or("")).any(is_header)) {
        return Ok((vec![Region { text: reply, tagged: false }], true));
    }
    let (mut regions, mut outside, mut from, mut at) = (Vec::new(), Vec::new(), 0, 0);
    while let Some(open) = fences.get(at) {
        let later = || at + 1..fences.len();
        let close = later().find(|close| fences[*close].closes(open));
        let close = close.or_else(|| later().find(|close| fences[*close].may_close(open)));
        let end = close.map_or(reply.len(), |close| fences[close].start);
        let inside = reply.get(open.end..end).unwrap_or("");
        let tagged = is_tagged(open);
        if tagged || lines(inside).any(is_header) {
            if close.is_none() {
                return Err(fence::unclosed(target));
            }
            outside.push(reply.get(from..open.start).unwrap_or(""));
            regions.push(Region { text: inside, tagged });
            from = close.map_or(reply.len(), |close| fences[close].end);
        }
        at = close.map_or(fences.len(), |close| close + 1);
    }
    outside.push(reply.get(from..).unwrap_or(""));
    if regions.is_empty() {
        return Ok((vec![Region { text: reply, tagged: false }], true));
    }
    let edit = |line: &str| is_header(line) || v4a::is_added(line);
    if outside.iter().any(|text| lines(text).any(edit)) {
        let message = format!("the reply for '{target}' cannot be read: it has lines of a diff outside the diff");
        return Err(Refusal::new("reply-malformed", message));
    }
    Ok((regions, false))
}

fn parse<'r>(reply: &'r str, asked: &Asked) -> Result<Parsed<'r>, Refusal> {
    let (regions, open_ended) = regions(reply, asked.target)?;
    let mut edits: Vec<Vec<Hunk>> = Vec::new();
    let mut budget = Budget::new();
    for Region { text, tagged } in regions {
        let lines = all_lines(text);
        let mut body: Option<Body> = None;
        // No hunk has begun: the next line of a diff may begin one without a header.
        let (mut headless, mut at) = (tagged, 0);
        // Names that may as well be the first lines of a hunk without a header.
        let mut names: &[&str] = &[];
        // What the numbers of a hunk say is in it.
        let mut counted = 0;
        // Only a diff has such a line, and no list follows it.
        let mut git = false;
        while let Some(&line) = lines.get(at) {
            let header = file_header(&lines[at..], body.is_some());
            // Names that are words may be lines of a hunk.
            let doubtful = match header {
                0 => false,
                1 => !target::looks_like_path(name(line)),
                _ => !names_it(&lines[at..], asked.target),
            };
            if header == 2 && !(doubtful && at < counted) || header == 1 && !doubtful {
                let said = &lines[at..at + header];
                if let (Some(body), true) = (&mut body, doubtful) {
                    body.after = said;
                }
                names = if doubtful && body.is_none() { said } else { &[] };
                finish(&mut body, open_ended, &mut edits, &mut budget);
                names_target(line, said.last().unwrap_or(&""), asked.target)?;
                (headless, at) = (true, at + header);
                continue;
            }
            if is_hunk(line) {
                finish(&mut body, open_ended, &mut edits, &mut budget);
                budget.check(asked.target)?;
                body = Some(Body { numbers: Numbers::read(line), ..Body::default() });
                (headless, names) = (false, &[]);
                counted = counted_end(&lines, at).unwrap_or(0);
            } else if line.starts_with("diff --git ") {
                finish(&mut body, open_ended, &mut edits, &mut budget);
                git = true;
            } else if is_wrapper(line, asked.target)? {
                finish(&mut body, open_ended, &mut edits, &mut budget);
                headless = tagged && !v4a::is_mark(line, "end patch");
            } else if let Some(body) = &mut body {
                body.lines.push(line);
            } else if let Some(what) = MORE_THAN_TEXT.iter().find(|mark| line.starts_with(**mark)) {
                return Err(more_than_text(what, asked.target));
            } else if headless && line.starts_with([' ', '+', '-']) {
                (body, headless) = (Some(Body { before: names, lines: vec![line], ..Body::default() }), false);
            } else if is_lost(line, tagged || git) || !edits.is_empty() && v4a::is_added(line) {
                let message = format!(
                    "the reply for '{}' cannot be read: its diff has a line outside every hunk: '{line:.60}'",
                    asked.target
                );
                return Err(Refusal::new("reply-malformed", message));
            }
            at += 1;
        }
        finish(&mut body, open_ended, &mut edits, &mut budget);
    }
    budget.check(asked.target)?;
    if edits.is_empty() {
        return Err(Refusal::new("reply-no-edit", format!("the reply for '{}' has no hunk", asked.target)));
    }
    Ok(Parsed::Edits(Hunk::that_change(edits)))
}

/// The lines of a hunk, and what looks like the names of a file before or after them and may be lines of it: the file
/// decides.
#[derive(Default)]
struct Body<'b, 'r> {
    before: &'b [&'r str],
    lines: Vec<&'r str>,
    after: &'b [&'r str],
    numbers: Option<Numbers>,
}

/// A line outside every hunk that looks like one of a hunk. `all`: only a diff is there.
fn is_lost(line: &str, all: bool) -> bool {
    line.starts_with("@@@") || all && line.starts_with(['+', '-'])
}

/// Lines of git's headers that say that more happens than a change of the text.
const MORE_THAN_TEXT: [&str; 5] =
    ["rename from ", "rename to ", "deleted file mode", "GIT binary patch", "Binary files "];

fn more_than_text(what: &str, target: &str) -> Refusal {
    let message = format!("the diff for '{target}' does more than change its text: '{:.60}'", what.trim_end());
    Refusal::new("reply-unsupported", message)
}

/// A line of the other patch format, which models wrap diffs in.
fn is_wrapper(line: &str, target: &str) -> Result<bool, Refusal> {
    if !line.starts_with("***") {
        return Ok(false);
    }
    let line = line.trim_end();
    let Some((verb, path)) = v4a::file_line(line) else {
        if line.contains("File:") {
            return Err(more_than_text(line, target));
        }
        return Ok(["begin patch", "end patch", "end of file"].iter().any(|words| v4a::is_mark(line, words)));
    };
    if verb != "Update File:" {
        return Err(more_than_text(line, target));
    }
    if target::names(path, target) { Ok(true) } else { Err(target::other_file(path, target)) }
}

fn finish<'r>(body: &mut Option<Body<'_, 'r>>, open_ended: bool, edits: &mut Vec<Vec<Hunk<'r>>>, budget: &mut Budget) {
    let Some(body) = body.take() else { return };
    let mut readings = Hunk::from_diff(without_signature(&body.lines), open_ended, budget);
    if !(body.before.is_empty() && body.after.is_empty()) {
        // A hunk that changes nothing was none without them.
        readings.retain(Hunk::changes);
        readings.extend(Hunk::from_diff(&[body.before, &body.lines, body.after].concat(), false, budget));
    }
    for hunk in &mut readings {
        hunk.numbers = body.numbers;
    }
    if !readings.is_empty() {
        edits.push(readings);
    }
}

/// The lines without the version of git that ends a patch made for mail.
fn without_signature<'b, 'r>(body: &'b [&'r str]) -> &'b [&'r str] {
    let is_version = |line: &str| line.contains('.') && line.starts_with(|c: char| c.is_ascii_digit());
    let solid = body.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    match &body[..solid] {
        [rest @ .., "-- ", version] if is_version(version) => rest,
        _ => body,
    }
}
