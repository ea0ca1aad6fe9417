//! A reply that names its files, taken apart: what is to become of each, and the part of the reply that says so.
//!
//! How a format names a file is in that format's own file, and in `header` for diffs; here is what they share. What is
//! there already is known to the caller alone, who is asked where a name can be read in two ways.

use super::format::single_slashes;
use super::{Applied, FORMATS, Format, Refusal};
use std::borrow::Cow;
use std::collections::HashMap;

/// What a reply wants to become of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChange {
    /// It must not be there.
    Add,
    /// It must be there.
    Modify,
    /// It is made if it is not there, and modified if it is.
    Write,
    /// It must be there, and hold what the reply says it holds.
    Delete,
    /// It comes from `from`, which must be there.
    Rename { from: String },
}

/// One file of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReply {
    /// Where the file is afterwards (before, if it is deleted), as the reply has it: nobody has checked it.
    pub path: String,
    /// The same with what may be a diff's `a/` or a directory of that name; [`settle`] decides.
    pub prefixed: Option<String>,
    pub change: FileChange,
    /// What the reply says of the file's mode.
    pub executable: Option<bool>,
    /// Its lines end in CR LF, by a diff whose own lines do not; of a file that is added.
    pub crlf: bool,
    pub format: Format,
    /// The part for this file, a reply in `format` of its own; `None`: the text stays as it is.
    pub reply: Option<String>,
}

impl FileReply {
    pub(super) fn new(path: &str, change: FileChange, format: Format, reply: Option<String>) -> FileReply {
        let path = single_slashes(path.strip_prefix("./").unwrap_or(path));
        FileReply { path, prefixed: None, change, executable: None, crlf: false, format, reply }
    }

    /// The file's new text, from the text that it has (that `from` has, if it is renamed; `None`: it is not there). A
    /// file that is deleted ends up empty: a part that leaves something of it is refused.
    pub fn apply(&self, base: Option<&str>) -> Result<Applied, Refusal> {
        let Some(reply) = &self.reply else {
            let text = if self.change == FileChange::Delete { "" } else { base.unwrap_or("") };
            return Ok(Applied { format: self.format, text: text.to_owned(), edits: Vec::new() });
        };
        let mut applied = super::apply(Some(self.format), &self.path, base, reply)?;
        if self.change == FileChange::Delete && !applied.text.is_empty() {
            let message =
                format!("removal patch leaves file contents: '{}' has lines that it does not remove", self.path);
            return Err(Refusal::new("reply-delete", message));
        }
        if self.crlf {
            applied.text = applied.text.replace('\n', "\r\n");
        }
        Ok(applied)
    }

    /// The paths that the reply may mean, for [`settle`] to be told which of them are there.
    pub fn candidates(&self) -> impl Iterator<Item = &str> {
        let from = match &self.change {
            FileChange::Rename { from } => Some(from),
            _ => None,
        };
        [Some(&self.path), self.prefixed.as_ref(), from].into_iter().flatten().map(String::as_str)
    }
}

/// Takes a reply apart. `format` `None` recognises it. In the order of the reply; what several parts say of one file
/// is one part.
pub fn files(format: Option<Format>, reply: &str) -> Result<Vec<FileReply>, Refusal> {
    let reply = plain(reply.strip_prefix('\u{feff}').unwrap_or(reply));
    if reply.trim().is_empty() {
        return Err(Refusal::new("reply-empty", "the reply is empty"));
    }
    if let Some(format) = format {
        return joined((format.spec().files)(&reply)?);
    }
    let mut split: Option<(&'static str, Vec<FileReply>)> = None;
    let mut refused = None;
    for spec in FORMATS.iter().filter(|spec| (spec.looks)(&reply)) {
        match ((spec.files)(&reply), &split) {
            (Ok(_), Some((other, _))) => {
                let message = format!("the reply reads both as {other} and as {}", spec.name);
                return Err(Refusal::new("reply-two-formats", message).hint("say which with --format"));
            }
            (Ok(files), None) => split = Some((spec.name, files)),
            (Err(refusal), _) => refused = refused.or(Some(refusal)),
        }
    }
    match split {
        Some((_, files)) => joined(files),
        None => Err(refused.unwrap_or_else(|| Refusal::new("reply-no-format", "the reply is in no known format"))),
    }
}

/// Line ends of a reply say nothing, but in a diff whose own lines end otherwise than the lines of its files.
fn plain(reply: &str) -> Cow<'_, str> {
    let own = |line: &str| line.starts_with("@@ ") && !line.ends_with("\r\n");
    if !reply.contains("\r\n") || reply.split_inclusive('\n').any(own) {
        return Cow::Borrowed(reply);
    }
    Cow::Owned(reply.replace("\r\n", "\n"))
}

/// Decides between the readings of names by what is there: `exists` says it of files, `directory` of directories.
/// Refuses files that cannot be beside each other.
pub fn settle(
    mut files: Vec<FileReply>,
    exists: impl Fn(&str) -> bool,
    directory: impl Fn(&str) -> bool,
) -> Result<Vec<FileReply>, Refusal> {
    for file in &mut files {
        let Some(prefixed) = file.prefixed.take() else { continue };
        let top = prefixed.split('/').next().unwrap_or("");
        let (bare, whole) = (exists(&file.path), exists(&prefixed));
        let made = match file.change {
            FileChange::Add => true,
            FileChange::Write => !bare && !whole,
            _ => false,
        };
        if made && directory(top) || !made && bare && whole {
            let message = format!("'{prefixed}' can also be '{}' with the prefix of a diff", file.path);
            return Err(Refusal::new("reply-two-paths", message)
                .hint("begin the file with 'diff --git a/<path> b/<path>', which says it"));
        }
        if !made && whole {
            file.path = prefixed;
        }
    }
    let files = joined(files)?;
    let mut made: Vec<&str> =
        files.iter().filter(|file| file.change != FileChange::Delete).map(|file| file.path.as_str()).collect();
    // By components, so that what lies in `a` comes right after `a`, before `a.py`.
    made.sort_by(|a, b| a.split('/').cmp(b.split('/')));
    for pair in made.windows(2) {
        let [a, b] = pair else { continue };
        if b.strip_prefix(a).is_some_and(|rest| rest.starts_with('/')) {
            let message = format!("'{a}' appears as both a file and as a directory, of '{b}'");
            return Err(Refusal::new("reply-file-and-directory", message));
        }
    }
    Ok(files)
}

/// Parts that modify one file are made one; a file that is named twice in any other way is refused.
fn joined(files: Vec<FileReply>) -> Result<Vec<FileReply>, Refusal> {
    let mut joined: Vec<FileReply> = Vec::with_capacity(files.len());
    // Where a file is in `joined`; `None`: a name that nothing can be joined to.
    let mut places: HashMap<String, Option<usize>> = HashMap::new();
    for file in files {
        let twice = |path: &str| Refusal::new("reply-file-twice", format!("the reply says two things of '{path}'"));
        if let FileChange::Rename { from } = &file.change
            && places.insert(from.clone(), None).is_some()
        {
            return Err(twice(from));
        }
        match places.get(&file.path) {
            None => {
                let joins = file.change == FileChange::Modify && file.reply.is_some();
                places.insert(file.path.clone(), joins.then_some(joined.len()));
                joined.push(file);
            }
            Some(place) => {
                let first = place.and_then(|place| joined.get_mut(place)).filter(|first| {
                    file.change == FileChange::Modify
                        && first.format == file.format
                        && first.prefixed == file.prefixed
                        && (first.executable == file.executable || file.executable.is_none())
                });
                match (first.and_then(|first| first.reply.as_mut()), file.reply) {
                    (Some(first), Some(more)) => first.push_str(&more),
                    _ => return Err(twice(&file.path)),
                }
            }
        }
    }
    if joined.is_empty() { Err(no_file()) } else { Ok(joined) }
}

/// For a reply that holds edits and does not say of which file.
pub(super) fn no_file() -> Refusal {
    Refusal::new("reply-no-file", "the reply names no file").hint("say which file it is for with --target")
}

/// For a reply, or a part of one, that cannot be read.
pub(super) fn malformed(why: impl std::fmt::Display) -> Refusal {
    Refusal::new("reply-malformed", format!("the reply cannot be read: {why}"))
}
