//! The lines before the hunks of one file in a unified diff: `diff --git`, modes, `rename from`, `---` and `+++`.
//!
//! git's prefixes (`a/`, `b/`) are part of a name only by what the other names of the header say; a name that both
//! readings fit is left to who knows the files.

use super::{Format, target};
use crate::edit::Refusal;
use crate::edit::files::{FileChange, FileReply, malformed, no_file};

/// What a header says of its file, without the file's hunks.
pub(super) struct Header {
    pub file: FileReply,
    /// Do names have prefixes here? `None`: nothing tells.
    pub prefixes: Option<bool>,
    /// It has a `diff --git` line, so that it says everything there is to say.
    pub git: bool,
}

/// Reads the lines of a header; other lines among them say nothing.
pub(super) fn read(lines: &[&str]) -> Result<Header, Refusal> {
    let mut old = Side::Unsaid;
    let mut new = Side::Unsaid;
    let mut both: Option<(String, String)> = None;
    let (mut from, mut to) = (None, None);
    let (mut added, mut deleted, mut executable) = (false, false, None);
    let mut git = false;
    for line in lines {
        let line = line.trim_end_matches('\r');
        let after = |start: &str| line.strip_prefix(start);
        if let Some(names) = after("diff --git ") {
            (git, both) = (true, git_names(names));
        } else if let Some(name) = after("--- ") {
            old = Side::read(name)?;
        } else if let Some(name) = after("+++ ") {
            new = Side::read(name)?;
        } else if let Some(name) = after("rename from ") {
            from = Some(plain_name(name)?);
        } else if let Some(name) = after("rename to ") {
            to = Some(plain_name(name)?);
        } else if let Some(mode) = after("new file mode ") {
            (added, executable) = (true, Some(is_executable(mode)?));
        } else if let Some(mode) = after("new mode ") {
            executable = Some(is_executable(mode)?);
        } else if let Some(mode) = after("deleted file mode ") {
            is_executable(mode)?;
            deleted = true;
        } else if let Some(mode) = after("old mode ") {
            is_executable(mode)?;
        } else if let Some(mode) = after("index ").and_then(|rest| rest.split_once(' ')).map(|(_, mode)| mode) {
            is_executable(mode)?;
        } else if line.starts_with("copy from ") || line.starts_with("copy to ") {
            return Err(unsupported("copies a file", line));
        } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
            return Err(unsupported("changes a binary file", line));
        }
    }
    let change = match (from, to) {
        (Some(from), Some(to)) if !added && !deleted => {
            let change = FileChange::Rename { from };
            let file = FileReply { executable, ..FileReply::new(&to, change, Format::Unified, None) };
            return Ok(Header { file, prefixes: None, git });
        }
        (None, None) => match (added || old == Side::Nothing, deleted || new == Side::Nothing) {
            (true, true) => return Err(malformed("a diff both adds and deletes a file")),
            (true, false) => FileChange::Add,
            (false, true) => FileChange::Delete,
            (false, false) => FileChange::Modify,
        },
        _ => return Err(malformed("a diff renames a file and does not say from where to where")),
    };
    let mut written: Vec<String> = [old, new].into_iter().filter_map(Side::name).collect();
    if let [old, new] = &written[..]
        && common(&[old.clone(), new.clone()]).is_empty()
    {
        written = vec![file_of(old, new)?.to_owned()];
    }
    written.extend(both.into_iter().flat_map(|(old, new)| [old, new]));
    let mut names = common(&written);
    // Of two that are left the longer one has the prefix.
    names.sort_by_key(String::len);
    let Some(path) = names.first() else {
        return Err(if written.is_empty() { no_file() } else { two_files(&written) });
    };
    let prefixes = (names.len() == 1).then(|| written.iter().any(|name| name != path));
    let prefixed = names.get(1).cloned();
    let file = FileReply { executable, prefixed, ..FileReply::new(path, change, Format::Unified, None) };
    Ok(Header { file, prefixes, git })
}

/// What a `---` or `+++` line names.
#[derive(PartialEq)]
enum Side {
    Unsaid,
    /// `/dev/null`, or a time before all files: there is no such file on this side.
    Nothing,
    Name(String),
}

impl Side {
    fn read(text: &str) -> Result<Side, Refusal> {
        // In a name that is quoted, a tab is as well.
        let (name, time) = text.split_once('\t').map_or((text, ""), |(name, time)| (name, time.trim()));
        let epoch = ["1970-01-01 ", "1969-12-31 "].iter().any(|day| time.starts_with(day));
        match name.trim_end() {
            "/dev/null" => Ok(Side::Nothing),
            // GNU diff says so of a file that is not there. On the old side the hunk says it as well.
            _ if epoch && time.contains(":00:00") => Ok(Side::Nothing),
            name => Ok(Side::Name(plain_name(name)?)),
        }
    }
    fn name(self) -> Option<String> {
        match self {
            Side::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// A name and, if it may have a prefix, the name without it.
fn readings(name: &str) -> Vec<&str> {
    let bare = name.split_once('/').filter(|(top, _)| matches!(*top, "a" | "b" | "c" | "i" | "o" | "w"));
    std::iter::once(name).chain(bare.map(|(_, rest)| rest)).filter(|name| !name.is_empty()).collect()
}

/// The names that all of `written` can be read as.
fn common(written: &[String]) -> Vec<String> {
    let Some((first, rest)) = written.split_first() else { return Vec::new() };
    let fits = |name: &&str| rest.iter().all(|other| readings(other).contains(name));
    readings(first).into_iter().filter(fits).map(str::to_owned).collect()
}

/// The file's name, where the other side's is `original`, or that of a kept copy.
fn file_of<'n>(old: &'n str, new: &'n str) -> Result<&'n str, Refusal> {
    let copy = [".orig", ".old", ".bak"].iter().any(|suffix| old.strip_suffix(suffix) == Some(new));
    match (target::looks_like_path(old) && !copy, target::looks_like_path(new)) {
        (false, true) => Ok(new),
        (true, false) => Ok(old),
        _ => Err(two_files(&[old.to_owned(), new.to_owned()])),
    }
}

fn two_files(names: &[String]) -> Refusal {
    let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    malformed(format_args!("one diff names the files {}", names.join(" and ")))
}

fn unsupported(what: &str, line: &str) -> Refusal {
    let line: String = line.chars().take(200).collect();
    Refusal::new("reply-unsupported", format!("the diff {what}, which it cannot do here: '{line}'"))
}

/// Does a mode make the file executable? Links and submodules are no text.
fn is_executable(mode: &str) -> Result<bool, Refusal> {
    let mode = mode.trim();
    match u32::from_str_radix(mode, 8).ok() {
        Some(bits) if bits & 0o170_000 == 0o100_000 => Ok(bits & 0o111 != 0),
        Some(0o120_000) => Err(unsupported("is about a symbolic link", &format!("mode {mode}"))),
        Some(0o160_000) => Err(unsupported("is about a submodule", &format!("mode {mode}"))),
        _ => Err(malformed(format_args!("'{mode}' is not a mode of a file"))),
    }
}

/// The two names of a `diff --git` line: where they part is unsaid if they have blanks, but they are the same but for
/// their prefixes.
fn git_names(text: &str) -> Option<(String, String)> {
    // No file system has longer names, and every blank is tried.
    let text = Some(text.trim_end()).filter(|text| text.len() < 10_000)?;
    let quoted_end = |text: &str| {
        let mut escaped = false;
        text.char_indices().skip(1).find_map(|(at, c)| {
            let end = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            end.then_some(at + 1)
        })
    };
    if text.starts_with('"') {
        let (old, new) = text.split_at_checked(quoted_end(text)?)?;
        return Some((plain_name(old).ok()?, plain_name(new.strip_prefix(' ')?).ok()?));
    }
    if text.ends_with('"') {
        let (old, new) = text.split_once(" \"")?;
        return Some((old.to_owned(), plain_name(&format!("\"{new}")).ok()?));
    }
    let mut splits = text.match_indices(' ').filter_map(|(at, _)| {
        let (old, new) = (text.get(..at)?, text.get(at + 1..)?);
        (!common(&[old.to_owned(), new.to_owned()]).is_empty()).then(|| (old.to_owned(), new.to_owned()))
    });
    let first = splits.next()?;
    splits.next().is_none().then_some(first)
}

/// A name as it is, or unquoted if git has quoted it as C does.
fn plain_name(name: &str) -> Result<String, Refusal> {
    let name = name.trim_end();
    let Some(inner) = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return Ok(name.strip_prefix("./").unwrap_or(name).to_owned());
    };
    let bad = || malformed(format_args!("'{name}' is not a name as git quotes it"));
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next().ok_or_else(bad)? {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            same @ (b'"' | b'\\') => same,
            high @ b'0'..=b'3' => {
                let mut digit = || rest.next().filter(|c| matches!(c, b'0'..=b'7')).map(|c| c - b'0');
                let (mid, low) = (digit().ok_or_else(bad)?, digit().ok_or_else(bad)?);
                (high - b'0') << 6 | mid << 3 | low
            }
            _ => return Err(bad()),
        });
    }
    String::from_utf8(bytes).map_err(|_| bad())
}
