//! Reading objects, through one long-lived `git cat-file --batch`.
//!
//! Not through libgit2, which loops for ever on a loose object that was cut short, and knows neither promised objects
//! nor every way to borrow them. What was read here once, libgit2 may then read again to write trees over it.

use super::child::Git;
use super::{GitError, Oid};
use crate::plan::Kind;
use crate::process::Conversation;
use std::io::Read;

/// An entry of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub id: Oid,
    pub kind: Kind,
}

/// The child. It ends when this is dropped.
pub(super) struct Objects(Conversation);

impl Objects {
    pub fn start(git: Git) -> Result<Objects, GitError> {
        // In the foreground: a promised object is fetched, and ssh may have to ask for a pass-phrase.
        git.args(["cat-file", "--batch"]).foreground().converse().map(Objects)
    }

    /// The object's bytes; it must be there and be of `kind`. `path` is for the error.
    pub fn read(&mut self, id: Oid, kind: &str, path: &str) -> Result<Vec<u8>, GitError> {
        self.ask([id]);
        Ok(self.answer(id, kind, path, u64::MAX - 1)?.unwrap_or_default())
    }

    /// Asks for objects; an [`Objects::answer`] for each must follow, in this order. Their names must fit into a pipe.
    pub fn ask(&mut self, ids: impl IntoIterator<Item = Oid>) {
        let names: String = ids.into_iter().map(|id| format!("{id}\n")).collect();
        // A child that has died says why when it is listened to.
        let _ = self.0.say(names.as_bytes());
    }

    /// The object that was asked for next; `None` if it has more than `most` bytes.
    pub fn answer(&mut self, id: Oid, kind: &str, path: &str, most: u64) -> Result<Option<Vec<u8>>, GitError> {
        let bad = |message: &str| GitError::BadObject {
            id: id.to_string(),
            path: path.to_owned(),
            message: message.to_owned(),
        };
        let mut header = String::new();
        match self.0.answers().read_line(&mut header) {
            Ok(length) if length > 0 => {}
            _ => return Err(bad(&self.last_words())),
        }
        let mut words = header.split_whitespace().skip(1);
        let (found, size) = (words.next().unwrap_or_default(), words.next().and_then(|size| size.parse::<u64>().ok()));
        let Some(size) = size else { return Err(bad("it is missing")) };
        // And the line feed after it.
        let mut object = self.0.answers().take(size + 1);
        let mut bytes = Vec::new();
        let read = if size > most {
            std::io::copy(&mut object, &mut std::io::sink()).ok()
        } else {
            object.read_to_end(&mut bytes).ok().and_then(|length| u64::try_from(length).ok())
        };
        if read != Some(size + 1) {
            return Err(bad(&self.last_words()));
        }
        bytes.pop();
        match found == kind {
            true => Ok(Some(bytes).filter(|_| size <= most)),
            false => Err(bad(&format!("it is a {found}, not a {kind}"))),
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

    /// What git said as it gave up.
    fn last_words(&mut self) -> String {
        super::child::Output { code: None, stdout: Vec::new(), stderr: self.0.end() }.message().replace('\n', "; ")
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
