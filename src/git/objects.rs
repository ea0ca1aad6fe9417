//! Reading objects, through one long-lived `git cat-file --batch`.
//!
//! Not through libgit2, which loops for ever on a loose object that was cut short, and knows neither promised objects
//! nor every way to borrow them. What was read here once, libgit2 may then read again to write trees over it.

use super::child::Git;
use super::{GitError, Oid};
use crate::plan::Kind;
use std::io::{BufRead, BufReader, Read, Seek, Write};
use std::process::{Child, ChildStdin, ChildStdout};

/// An entry of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub id: Oid,
    pub kind: Kind,
}

/// Reads objects. The child is started when something is asked for, and ends when this is dropped.
pub(super) struct Objects {
    git: Git,
    reader: Option<Reader>,
}

/// The child.
struct Reader {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    stderr: std::fs::File,
}

impl Objects {
    pub fn new(git: Git) -> Objects {
        // In the foreground: a promised object is fetched, and ssh may have to ask for a pass-phrase.
        Objects { git: git.args(["cat-file", "--batch"]).foreground(), reader: None }
    }

    /// The object's bytes; it must be there and be of `kind`. `path` is for the error.
    pub fn read(&mut self, id: Oid, kind: &str, path: &str) -> Result<Vec<u8>, GitError> {
        self.ask([id])?;
        Ok(self.answer(id, kind, path, u64::MAX - 1)?.unwrap_or_default())
    }

    /// Asks for objects; an [`Objects::answer`] for each must follow, in this order. Their names must fit into a pipe.
    pub fn ask(&mut self, ids: impl IntoIterator<Item = Oid>) -> Result<(), GitError> {
        let names: String = ids.into_iter().map(|id| format!("{id}\n")).collect();
        if names.is_empty() {
            return Ok(());
        }
        let reader = match self.reader.take() {
            Some(reader) => reader,
            None => Reader::start(&mut self.git)?,
        };
        // A child that has died says why when it is listened to.
        let _ = self.reader.insert(reader).stdin.as_mut().map(|stdin| stdin.write_all(names.as_bytes()));
        Ok(())
    }

    /// The object that was asked for next; `None` if it has more than `most` bytes.
    pub fn answer(&mut self, id: Oid, kind: &str, path: &str, most: u64) -> Result<Option<Vec<u8>>, GitError> {
        let bad = |message: &str| GitError::BadObject {
            id: id.to_string(),
            path: path.to_owned(),
            message: message.to_owned(),
        };
        let Some(reader) = &mut self.reader else { return Err(bad("nobody asked for it")) };
        let Some(answer) = reader.answer(most) else {
            let words = reader.last_words();
            self.reader = None;
            return Err(bad(&words));
        };
        match answer {
            Answer::Missing => Err(bad("it is missing")),
            Answer::Found { kind: found, .. } if found != kind => Err(bad(&format!("it is a {found}, not a {kind}"))),
            Answer::Found { bytes, .. } => Ok(bytes),
        }
    }

    /// The entries of a tree, names as far as they are text.
    pub fn tree(&mut self, id: Oid, path: &str) -> Result<Vec<(String, Entry)>, GitError> {
        let bytes = self.read(id, "tree", path)?;
        let malformed = || GitError::BadObject {
            id: id.to_string(),
            path: path.to_owned(),
            message: "it is not a well-formed tree".to_owned(),
        };
        let mut entries = Vec::new();
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let end = rest.iter().position(|&byte| byte == 0).ok_or_else(malformed)?;
            let head = rest.get(..end).ok_or_else(malformed)?;
            let space = head.iter().position(|&byte| byte == b' ').ok_or_else(malformed)?;
            let mode = std::str::from_utf8(head.get(..space).unwrap_or_default()).ok();
            let mode = mode.and_then(|mode| u32::from_str_radix(mode, 8).ok()).ok_or_else(malformed)?;
            let name = String::from_utf8_lossy(head.get(space + 1..).unwrap_or_default()).into_owned();
            let hash = rest.get(end + 1..end + 21).ok_or_else(malformed)?;
            let id = Oid::from_bytes(hash).map_err(|_| malformed())?;
            entries.push((name, Entry { id, kind: kind(mode) }));
            rest = rest.get(end + 21..).ok_or_else(malformed)?;
        }
        Ok(entries)
    }
}

/// What the child says of one object.
enum Answer {
    /// It has more bytes than were wanted if they are `None`.
    Found {
        kind: String,
        bytes: Option<Vec<u8>>,
    },
    Missing,
}

impl Reader {
    fn start(git: &mut Git) -> Result<Reader, GitError> {
        let (mut child, stderr) = git.converse()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(GitError::Git { verb: "cat-file".to_owned(), message: "it has no pipes".to_owned() });
        };
        Ok(Reader { child, stdin: Some(stdin), stdout: BufReader::new(stdout), stderr })
    }

    /// `None` if it gave up.
    fn answer(&mut self, most: u64) -> Option<Answer> {
        let mut header = String::new();
        self.stdout.read_line(&mut header).ok().filter(|length| *length > 0)?;
        let mut words = header.split_whitespace().skip(1);
        let (kind, size) = (words.next()?, words.next().and_then(|size| size.parse::<u64>().ok()));
        let Some(size) = size else { return Some(Answer::Missing) };
        // And the line feed after it.
        let mut object = (&mut self.stdout).take(size + 1);
        let mut bytes = Vec::new();
        let read = if size > most {
            std::io::copy(&mut object, &mut std::io::sink()).ok()?
        } else {
            u64::try_from(object.read_to_end(&mut bytes).ok()?).ok()?
        };
        bytes.pop();
        (read == size + 1).then(|| Answer::Found { kind: kind.to_owned(), bytes: Some(bytes).filter(|_| size <= most) })
    }

    /// What git said as it gave up.
    fn last_words(&mut self) -> String {
        self.stdin = None;
        let _ = self.child.wait();
        let mut bytes = Vec::new();
        let _ = self.stderr.rewind().and_then(|()| self.stderr.read_to_end(&mut bytes));
        super::child::Output { code: None, stdout: Vec::new(), stderr: bytes }.message().replace('\n', "; ")
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // It ends with its input.
        self.stdin = None;
        let _ = self.child.wait();
    }
}

/// What an entry of this mode is.
pub(super) fn kind(mode: u32) -> Kind {
    match mode {
        0o120000 => Kind::Symlink,
        0o160000 => Kind::Submodule,
        0o040000 => Kind::Directory,
        mode if mode & 0o111 != 0 => Kind::Executable,
        _ => Kind::File,
    }
}
