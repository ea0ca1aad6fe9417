//! Unified diffs, as models write them: line numbers and counts wrong or missing, marks of blank lines lost.

use super::fence::fences;
use super::hunk::Hunk;
use super::target;
use super::whole::other_file;
use super::{Asked, Example, Format, FormatSpec, Parsed, Refusal};

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
    looks: |reply| reply.lines().any(|line| is_header(line) || line.starts_with("diff --git ")),
    parse,
    files: super::diff::files,
};

/// A line that begins a hunk: `@@ -1,2 +3,4 @@`, `@@ ... @@`, `@@`.
pub(super) fn is_header(line: &str) -> bool {
    let line = line.trim_end();
    line == "@@" || line.starts_with("@@ ") && (line[3..].contains("@@") || line.starts_with("@@ -"))
}

/// The diffs of a reply: what its fences hold that begins like one, or the whole reply if nothing is fenced so.
pub(super) fn regions<'r>(reply: &'r str, target: &str) -> Result<(Vec<&'r str>, bool), Refusal> {
    let fences = fences(reply);
    let (mut regions, mut outside, mut from, mut at) = (Vec::new(), Vec::new(), 0, 0);
    while let Some(open) = fences.get(at) {
        let close = (at + 1..fences.len()).find(|close| fences[*close].closes(open));
        let end = close.map_or(reply.len(), |close| fences[close].start);
        let inside = reply.get(open.end..end).unwrap_or("");
        let tagged = matches!(
            open.info.split([' ', ':']).next().unwrap_or("").to_lowercase().as_str(),
            "diff" | "patch" | "udiff"
        );
        // A fence inside an unfenced diff is a line of it, with its mark before it, and is not seen here.
        if tagged || inside.lines().any(is_header) {
            outside.push(reply.get(from..open.start).unwrap_or(""));
            regions.push(inside);
            from = close.map_or(reply.len(), |close| fences[close].end);
        }
        at = close.map_or(fences.len(), |close| close + 1);
    }
    outside.push(reply.get(from..).unwrap_or(""));
    if regions.is_empty() {
        return Ok((vec![reply], true));
    }
    let edit =
        |line: &str| is_header(line) || line.starts_with("+++ ") || line.starts_with('+') && !line.starts_with("+ ");
    if outside.iter().any(|text| text.lines().any(edit)) {
        let message = format!("the reply for '{target}' cannot be read: it has lines of a diff outside the diff");
        return Err(Refusal::new("reply-malformed", message));
    }
    Ok((regions, false))
}

fn parse<'r>(reply: &'r str, asked: &Asked) -> Result<Parsed<'r>, Refusal> {
    let (regions, open_ended) = regions(reply, asked.target)?;
    let mut edits: Vec<Vec<Hunk>> = Vec::new();
    for region in regions {
        let lines: Vec<&str> = region.lines().collect();
        let mut body: Option<Vec<&str>> = None;
        for (at, line) in lines.iter().enumerate() {
            if is_file_header(&lines, at) {
                finish(&mut body, open_ended, &mut edits);
                names_target(line, lines.get(at + 1).unwrap_or(&""), asked.target)?;
            } else if is_header(line) {
                finish(&mut body, open_ended, &mut edits);
                body = Some(Vec::new());
            } else if line.starts_with("diff --git ") {
                finish(&mut body, open_ended, &mut edits);
            } else if let Some(body) = &mut body {
                body.push(line);
            } else if ["rename from ", "rename to ", "deleted file mode", "GIT binary patch", "Binary files "]
                .iter()
                .any(|mark| line.starts_with(mark))
            {
                let message =
                    format!("the diff for '{}' does more than change its text: '{}'", asked.target, line.trim_end());
                return Err(Refusal::new("reply-unsupported", message));
            }
        }
        finish(&mut body, open_ended, &mut edits);
    }
    if edits.is_empty() {
        return Err(Refusal::new(
            "reply-no-edit",
            format!("the reply for '{}' has no hunk that changes anything", asked.target),
        ));
    }
    Ok(Parsed::Edits(edits))
}

fn finish<'r>(body: &mut Option<Vec<&'r str>>, open_ended: bool, edits: &mut Vec<Vec<Hunk<'r>>>) {
    let Some(body) = body.take() else { return };
    // The second line of a file's header may follow a body that ended with blank lines or git's own lines.
    let readings = Hunk::from_diff(&body, open_ended);
    if !readings.is_empty() {
        edits.push(readings);
    }
}

/// `--- a/x`, `+++ b/x`, and then a hunk; a removed line `-- x` and an added `++ x` look the same without the hunk.
pub(super) fn is_file_header(lines: &[&str], at: usize) -> bool {
    let is = |n: usize, mark: &str| lines.get(at + n).is_some_and(|line| line.starts_with(mark));
    is(0, "--- ") && is(1, "+++ ") && (is(2, "@@") || lines[..at].iter().all(|line| !is_header(line)))
}

fn names_target(old: &str, new: &str, target: &str) -> Result<(), Refusal> {
    let path = |line: &str| line.get(4..).unwrap_or("").split('\t').next().unwrap_or("").trim().to_owned();
    let (old, new) = (path(old), path(new));
    if new == "/dev/null" {
        return Err(Refusal::new("reply-unsupported", format!("the diff deletes '{target}'")));
    }
    for named in [old, new] {
        // Words such as `original` and `modified` are no paths.
        if named != "/dev/null" && target::looks_like_path(&named) && !target::names(&named, target) {
            return Err(other_file(&named, target));
        }
    }
    Ok(())
}
