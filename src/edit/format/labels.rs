//! Code blocks with the paths of their files: in the tag of the fence, or on the line before it.
//!
//! What is in a block is the business of its format: whole files are read by `whole`, edits by theirs.

use super::fence::{Fence, fences};
use super::whole::{is_content, is_report};
use super::{FORMATS, Format, target};
use crate::edit::Refusal;
use crate::edit::files::{FileChange, FileReply, malformed};
use crate::edit::text::is_blank;

/// A fenced block that is not inside another one.
struct Block<'r> {
    open: Fence<'r>,
    /// Where its closing fence ends; `None`: it has none.
    end: Option<usize>,
    content: &'r str,
    /// The paths that its tag and the line before it name.
    paths: Vec<&'r str>,
}

/// The outermost blocks: fences with a tag open, bare ones close, as many as were opened.
fn blocks(reply: &str) -> Vec<Block<'_>> {
    let fences = fences(reply);
    let mut blocks = Vec::new();
    let (mut at, mut after) = (0, 0);
    while let Some(open) = fences.get(at) {
        let mut depth = 0_usize;
        let close = (at..fences.len()).find(|n| {
            let fence = &fences[*n];
            if fence.mark == open.mark && fence.long == open.long && fence.indent <= open.indent {
                depth = if fence.is_bare() && *n > at { depth - 1 } else { depth + 1 };
            }
            depth == 0
        });
        let close = close.or_else(|| (at + 1..fences.len()).find(|n| fences[*n].may_close(open)));
        let end = close.map(|close| fences[close].end);
        let until = close.map_or(reply.len(), |close| fences[close].start);
        let before = reply.get(after..open.start).unwrap_or("").lines().rev().find(|line| !is_blank(line));
        let paths = tagged_paths(open.info).next().into_iter().chain(before.and_then(label)).collect();
        blocks.push(Block { open: *open, end, content: reply.get(open.end..until).unwrap_or(""), paths });
        at = close.map_or(fences.len(), |close| close + 1);
        after = end.unwrap_or(reply.len());
    }
    blocks
}

/// The paths in a fence's tag: `python:src/a.py`, `python title="src/a.py"`, and in braces `{.python file=src/a.py}`, where a
/// word with a dot before it is a language.
pub(super) fn tagged_paths(info: &str) -> impl Iterator<Item = &str> {
    let braced = info.starts_with('{');
    let words = info.trim_matches(['{', '}']).split([' ', ',']).filter(move |word| !(braced && word.starts_with('.')));
    let words = words.flat_map(|word| word.split('='));
    let words = words.flat_map(|word| word.split_once(':').map_or([word, ""], |(a, b)| [a, b]));
    words.map(|word| word.trim_matches(|c| matches!(c, '"' | '\'' | '`'))).filter(|word| target::looks_like_path(word))
}

/// Files that people know by a name without a suffix.
const BARE_NAMES: &[&str] = &[
    "Dockerfile",
    "Gemfile",
    "Justfile",
    "LICENSE",
    "Makefile",
    "NOTICE",
    "Procfile",
    "README",
    "Rakefile",
    "justfile",
];

/// The path on a line of its own, in a list or with marks round it. A name without directory and suffix is one if it
/// is a known one, or is marked as code or as a file.
pub(super) fn label(line: &str) -> Option<&str> {
    let line = line.trim();
    let line = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(line);
    let line = match line.split_once(". ") {
        Some((number, rest)) if number.bytes().all(|b| b.is_ascii_digit()) => rest,
        _ => line,
    };
    let path = target::label(line).or_else(|| {
        let bare = line.trim_matches(|c| matches!(c, '#' | '*' | ':' | ' '));
        let said = bare.strip_prefix("File:").or_else(|| bare.strip_prefix("Path:")).map(str::trim);
        let name = said.unwrap_or(bare).trim_matches(|c| matches!(c, '*' | ' '));
        let code = name.strip_prefix('`').and_then(|name| name.strip_suffix('`'));
        let word = code.unwrap_or(name);
        let named = said.is_some() || code.is_some() || BARE_NAMES.contains(&word);
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        (named && !word.is_empty() && word.chars().all(plain)).then_some(word)
    })?;
    Some(path.strip_prefix("./").unwrap_or(path))
}

/// Blocks that show what to type in a shell, and need no name.
const SHOWN: &[&str] = &["bash", "cmd", "console", "powershell", "sh", "shell", "shell-session", "zsh"];

/// The files of a reply that has a block for each, with its path in the tag or on the line before.
pub(super) fn files(reply: &str) -> Result<Vec<FileReply>, Refusal> {
    let mut files = Vec::new();
    let blocks = blocks(reply);
    no_edit_between(reply, &blocks)?;
    for block in blocks {
        let tag = block.open.info.split([' ', ',', ':']).next().unwrap_or("").to_lowercase();
        let (path, more) = match block.paths.split_first() {
            Some((path, more)) => (*path, more),
            None if SHOWN.contains(&tag.as_str()) && block.end.is_some() => continue,
            None => return Err(unnamed(reply, &block)),
        };
        if let Some(other) = more.iter().find(|other| !target::names(other, path)) {
            return Err(malformed(format_args!("a block is for '{path}' and for '{other}'")));
        }
        let Some(end) = block.end else {
            let message = format!("the block of '{path}' has an open code fence that is never closed");
            return Err(Refusal::new("reply-unclosed", message).hint("the reply may have been cut off"));
        };
        is_content(&block.open, block.content, path)?;
        let part = reply.get(block.open.start..end).unwrap_or("").to_owned();
        files.push(FileReply::new(path, FileChange::Write, Format::Whole, Some(part)));
    }
    if files.is_empty() { Err(no_fence_at_all(reply)) } else { Ok(files) }
}

/// Refuses edits of other formats beside the blocks: they would be passed over.
fn no_edit_between(reply: &str, blocks: &[Block]) -> Result<(), Refusal> {
    let starts = std::iter::once(0).chain(blocks.iter().map(|block| block.end.unwrap_or(reply.len())));
    let ends = blocks.iter().map(|block| block.open.start).chain(std::iter::once(reply.len()));
    for (start, end) in starts.zip(ends) {
        let between = reply.get(start..end).unwrap_or("");
        if FORMATS.iter().any(|spec| spec.format != Format::Whole && (spec.looks)(between)) {
            return Err(malformed("beside whole files it has edits"));
        }
    }
    Ok(())
}

fn no_fence_at_all(reply: &str) -> Refusal {
    if is_report(reply) {
        return Refusal::new("reply-report", "the reply reports work instead of giving files");
    }
    Refusal::new("reply-no-fence", "the reply has no code block that names its file")
}

fn unnamed(reply: &str, block: &Block) -> Refusal {
    let line = reply.get(..block.open.start).unwrap_or("").matches('\n').count() + 1;
    let message = format!("the code block at line {line} of the reply names no file");
    let hint = "the path of the file stands on a line before its block; for one file, say which with --target";
    Refusal::new("reply-no-file", message).hint(hint)
}

/// Refuses what a format leaves outside its edits if a block there has a name, and so is a file.
pub(super) fn no_labelled_block(outside: &str) -> Result<(), Refusal> {
    let named = blocks(outside).into_iter().find(|block| !block.paths.is_empty() && !block.content.trim().is_empty());
    match named.and_then(|block| block.paths.first().copied()) {
        Some(path) => Err(malformed(format_args!("beside edits it has a block for '{path}' that is not one"))),
        None => Ok(()),
    }
}

/// The path in the tag of a fence, or on the line before it.
pub(super) fn path_before<'r>(reply: &'r str, fence: &Fence<'r>) -> Option<&'r str> {
    let before = reply.get(..fence.start).unwrap_or("").lines().rev().find(|line| !is_blank(line));
    tagged_paths(fence.info).next().or_else(|| before.and_then(label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_a_path_or_a_name_that_is_known_or_said_to_be_one() {
        for (line, path) in [
            ("src/a.py", "src/a.py"),
            ("- ./src/a.py", "src/a.py"),
            ("* **src/a.py**:", "src/a.py"),
            ("12. `src/a.py`", "src/a.py"),
            ("Makefile", "Makefile"),
            ("## LICENSE", "LICENSE"),
            ("`run`", "run"),
            ("**`run_all-2`**:", "run_all-2"),
            ("File: run", "run"),
            ("**Path:** run", "run"),
        ] {
            assert_eq!(label(line), Some(path), "{line}");
        }
        for line in ["run", "Output:", "See. src/a.py", "`a b`", "`x()`", "File:", "``", "the Makefile"] {
            assert_eq!(label(line), None, "{line}");
        }
    }

    #[test]
    fn the_paths_in_a_tag_are_its_words_that_look_like_one() {
        let paths = |info: &'static str| tagged_paths(info).collect::<Vec<_>>();
        for info in [
            "src/a.py",
            "python:src/a.py",
            "python title=\"src/a.py\"",
            "{.python file='src/a.py'}",
            "py,src/a.py",
            "`src/a.py`",
            "python `src/a.py`",
        ] {
            assert_eq!(paths(info), ["src/a.py"], "{info}");
        }
        assert!(paths("").is_empty() && paths("python").is_empty() && paths("js linenos=true").is_empty());
    }
}
