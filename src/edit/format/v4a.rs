//! V4A: `*** Begin Patch`, `*** Update File: path`, hunks under `@@` and scope lines, `*** End Patch`.

use super::fence;
use super::labels::no_labelled_block;
use super::target;
use super::{Asked, Example, Format, FormatSpec, Parsed};
use crate::edit::Refusal;
use crate::edit::budget::Budget;
use crate::edit::files::{FileChange, FileReply, malformed, no_file};
use crate::edit::hunk::{Hunk, Line, Tag};
use crate::edit::lines::{lines, raw_lines};
use crate::edit::text::is_blank;

pub(super) const SPEC: FormatSpec = FormatSpec {
    format: Format::V4a,
    name: "v4a",
    instructions: "Reply with one patch and nothing else, without a fence round it; never with the whole file. The first line is `*** Begin Patch`, the \
second `*** Update File: <path>`, the last `*** End Patch`. Each hunk begins with a line `@@`, which may be followed by a line of the \
file that names the class or function in which the hunk lies. Every line of a hunk begins with a blank (unchanged), `-` (removed) or \
`+` (added). Give three unchanged lines before and after each change (fewer only at the very start or end of the file), copied from \
the file, and more where they would otherwise occur twice in it. White space at the ends of lines need not match. No line numbers. Never abbreviate with `...`. All hunks are applied to the original file, so they must \
not overlap; all of them apply, or none.",
    example: Example {
        path: "src/greet.py",
        base: "import sys\n\n\ndef greet(name):\n    return \"Hello \" + name\n\n\ndef main():\n    print(greet(sys.argv[1]))\n",
        reply: "*** Begin Patch
*** Update File: src/greet.py
@@
 import sys
 
 
-def greet(name):
-    return \"Hello \" + name
+def greet(name: str) -> str:
+    return f\"Hello, {name}\"
 
 
 def main():
@@ def main():
-    print(greet(sys.argv[1]))
+    name = sys.argv[1] if len(sys.argv) > 1 else \"world\"
+    print(greet(name))
*** End Patch
",
        result: "import sys\n\n\ndef greet(name: str) -> str:\n    return f\"Hello, {name}\"\n\n\ndef main():\n    name = sys.argv[1] if len(sys.argv) > 1 else \"world\"\n    print(greet(name))\n",
    },
    words: ("hunk", "its old text"),
    looks,
    parse,
    files,
};

/// Most replies have no line that is to be read for it.
fn looks(reply: &str) -> bool {
    reply.contains("***") && lines(reply).any(|line| is_mark(line, "begin patch") || file_line(line).is_some())
}

/// What follows the three stars that every line of the format itself begins with.
fn starred(line: &str) -> Option<&str> {
    line.strip_prefix("***").filter(|rest| !rest.starts_with('*')).map(str::trim)
}

/// `*** End Patch` and the like, whatever the capitals and the punctuation round the words.
pub(super) fn is_mark(line: &str, words: &str) -> bool {
    fn bare(text: &str) -> impl Iterator<Item = char> {
        text.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase())
    }
    starred(line).is_some_and(|rest| rest.len() < 40 && bare(rest).eq(bare(words)))
}

/// `*** Update File: path` as its verb and its path.
pub(super) fn file_line(line: &str) -> Option<(&'static str, &str)> {
    let rest = starred(line)?;
    ["Update File:", "Add File:", "Delete File:", "Move to:", "Move File:"].into_iter().find_map(|verb| {
        let said = rest.get(..verb.len()).filter(|said| said.eq_ignore_ascii_case(verb))?;
        Some((verb, rest.get(said.len()..)?.trim()))
    })
}

/// An added line, and not a point of a list.
pub(super) fn is_added(line: &str) -> bool {
    line.starts_with('+') && !line.starts_with("+ ")
}

/// A hunk while its lines come in.
#[derive(Default)]
struct Open<'r> {
    scopes: Vec<&'r str>,
    body: Vec<&'r str>,
    at_end: bool,
}

fn parse<'r>(reply: &'r str, asked: &Asked) -> Result<Parsed<'r>, Refusal> {
    let target = asked.target;
    let unsupported = |what: &str| Refusal::new("reply-unsupported", format!("the patch for '{target}' {what}"));
    let mut edits: Vec<Vec<Hunk>> = Vec::new();
    let mut open = Open::default();
    let mut budget = Budget::new();
    let (mut inside, mut ended, mut adds) = (false, false, false);
    let mut fenced = false;
    let mut begun = false;
    for line in lines(reply) {
        // Before a hunk there is no line of the file that could look the same with a blank before it.
        let bare = if inside { line.trim_end() } else { line.trim() };
        // A patch that names no file is for the one that was asked for.
        (inside, begun) = (inside || begun && bare.starts_with("@@"), begun && !inside);
        if let Some((verb, path)) = file_line(bare) {
            finish(&mut open, &mut edits, adds, asked, &mut budget)?;
            match verb {
                "Delete File:" => return Err(unsupported("deletes a file")),
                "Move to:" | "Move File:" => return Err(unsupported("moves a file")),
                _ if !target::names(path, target) => return Err(target::other_file(path, target)),
                _ => (inside, ended, adds) = (true, false, verb == "Add File:"),
            }
        } else if is_mark(bare, "end patch") {
            finish(&mut open, &mut edits, adds, asked, &mut budget)?;
            (inside, ended, adds) = (false, true, false);
        } else if !inside {
            begun = is_mark(bare, "begin patch") || begun && starred(bare).is_none();
            // What could be a hunk and is in no file would be lost.
            if !begun && (bare.starts_with("@@") || ended && (is_added(line) || bare.starts_with("*** "))) {
                let place = if ended { "goes on after the end of the patch" } else { "has a hunk before the patch" };
                let message = format!("the reply for '{target}' cannot be read: it {place}");
                return Err(Refusal::new("reply-malformed", message));
            }
            fenced = fence::read(bare).is_some() != fenced;
        } else if is_mark(bare, "end of file") {
            open.at_end = true;
        } else if fenced && fence::read(line).is_some_and(|(indent, _, _, info)| indent == 0 && info.is_empty()) {
            finish(&mut open, &mut edits, adds, asked, &mut budget)?;
            (inside, ended, adds, fenced) = (false, true, false, false);
        } else if let Some(rest) = bare.strip_prefix("@@") {
            if adds || !open.body.iter().all(|line| is_blank(line)) {
                finish(&mut open, &mut edits, adds, asked, &mut budget)?;
            }
            open.body.clear();
            let scope = rest.strip_suffix("@@").unwrap_or(rest).trim();
            if !says_no_scope(scope) {
                open.scopes.push(scope);
            }
        } else {
            open.body.push(line);
        }
    }
    finish(&mut open, &mut edits, adds, asked, &mut budget)?;
    if inside && fenced {
        return Err(fence::unclosed(target));
    }
    if edits.is_empty() {
        return Err(Refusal::new("reply-no-edit", format!("the reply for '{target}' has no hunk")));
    }
    Ok(Parsed::Edits(Hunk::that_change(edits)))
}

/// Nothing, an ellipsis, or the numbers of a unified diff.
fn says_no_scope(scope: &str) -> bool {
    let numbered = scope.strip_prefix(['-', '+']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    numbered || scope.chars().all(|c| matches!(c, '.' | '…'))
}

fn finish<'r>(
    open: &mut Open<'r>,
    edits: &mut Vec<Vec<Hunk<'r>>>,
    adds: bool,
    asked: &Asked,
    budget: &mut Budget,
) -> Result<(), Refusal> {
    let open = std::mem::take(open);
    if adds {
        return add(&open.body, edits, asked);
    }
    let mut readings = Hunk::from_diff(&open.body, false, budget);
    for hunk in &mut readings {
        (hunk.scopes, hunk.at_end) = (open.scopes.clone(), open.at_end);
    }
    budget.check(asked.target)?;
    if !readings.is_empty() {
        edits.push(readings);
    }
    Ok(())
}

/// The lines of `*** Add File`.
fn add<'r>(body: &[&'r str], edits: &mut Vec<Vec<Hunk<'r>>>, asked: &Asked) -> Result<(), Refusal> {
    if !asked.new {
        let message = format!("the patch adds '{}', which exists", asked.target);
        return Err(Refusal::new("reply-add-exists", message));
    }
    let solid = body.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let lines = body[..solid].iter().map(|line| {
        let text = line.strip_prefix('+').or(line.is_empty().then_some(""))?;
        Some(Line { tag: Tag::Plus, text })
    });
    let message = || {
        Refusal::new(
            "reply-malformed",
            format!("the patch adds '{}' with lines that do not begin with '+'", asked.target),
        )
    };
    let lines = lines.collect::<Option<Vec<_>>>().ok_or_else(message)?;
    edits.push(vec![Hunk { lines, ..Hunk::default() }]);
    Ok(())
}

/// A patch by its files. A move comes after the line of the file that it moves.
pub(super) fn files(reply: &str) -> Result<Vec<FileReply>, Refusal> {
    let mut files: Vec<FileReply> = Vec::new();
    let mut outside = String::new();
    let (mut inside, mut ended, mut fenced, mut begun) = (false, false, false, false);
    for raw in raw_lines(reply) {
        let line = raw.trim_end_matches('\n');
        let bare = if inside { line.trim_end() } else { line.trim() };
        if let Some((verb, path)) = file_line(bare) {
            let change = match verb {
                "Add File:" => FileChange::Add,
                "Update File:" => FileChange::Modify,
                "Delete File:" => FileChange::Delete,
                "Move to:" => {
                    move_last(&mut files, inside, path)?;
                    continue;
                }
                _ => return Err(malformed(format_args!("'{bare}' does not say from where to where"))),
            };
            files.push(FileReply::new(path, change, Format::V4a, Some(String::new())));
            (inside, ended, begun) = (true, false, false);
        } else if is_mark(bare, "end patch") {
            (inside, ended) = (false, true);
        } else if !inside {
            if begun && bare.starts_with("@@") {
                return Err(no_file());
            }
            begun = is_mark(bare, "begin patch") || begun && starred(bare).is_none();
            // What could be a hunk and is in no file would be lost.
            if !begun && (bare.starts_with("@@") || ended && (is_added(line) || bare.starts_with("*** "))) {
                let place = if ended { "goes on after the end of the patch" } else { "has a hunk before the patch" };
                return Err(malformed(format_args!("it {place}")));
            }
            fenced = fence::read(bare).is_some() != fenced;
            if !is_mark(bare, "begin patch") {
                outside.push_str(raw);
            }
        } else if fenced && fence::read(line).is_some_and(|(indent, _, _, info)| indent == 0 && info.is_empty()) {
            (inside, ended, fenced) = (false, true, false);
            outside.push_str(raw);
        } else if let Some(reply) = files.last_mut().and_then(|file| file.reply.as_mut()) {
            reply.push_str(raw);
        }
    }
    if inside && fenced {
        return Err(fence::unclosed(files.last().map_or("", |file| &file.path)));
    }
    no_labelled_block(&outside)?;
    for file in &mut files {
        // Its marks only wrap the diff.
        if file.reply.as_deref().is_some_and(|body| is_named_diff(body, &file.path)) {
            return Err(malformed(format_args!("what it has for '{}' is a diff of its own", file.path)));
        }
        let Some(body) = file.reply.take().filter(|body| !body.trim().is_empty()) else {
            if file.change == FileChange::Modify {
                return Err(malformed(format_args!("the patch says nothing of '{}'", file.path)));
            }
            continue;
        };
        let verb = if file.change == FileChange::Add { "Add" } else { "Update" };
        let end = if body.ends_with('\n') { "" } else { "\n" };
        file.reply = Some(format!("*** {verb} File: {}\n{body}{end}", file.path));
    }
    Ok(files)
}

/// Does a unified diff begin here, with the names of the file?
fn is_named_diff(body: &str, path: &str) -> bool {
    let mut solid = lines(body).filter(|line| !is_blank(line));
    let names = [solid.next().unwrap_or(""), solid.next().unwrap_or("")];
    super::diff_lines::names_it(&names, path)
}

fn move_last(files: &mut [FileReply], inside: bool, to: &str) -> Result<(), Refusal> {
    let moved = |file: &&mut FileReply| {
        inside && file.change == FileChange::Modify && file.reply.as_ref().is_some_and(|body| body.trim().is_empty())
    };
    let file =
        files.last_mut().filter(moved).ok_or_else(|| malformed("'*** Move to:' is not below '*** Update File:'"))?;
    let from = std::mem::take(&mut file.path);
    *file = FileReply::new(to, FileChange::Rename { from }, Format::V4a, Some(String::new()));
    Ok(())
}
