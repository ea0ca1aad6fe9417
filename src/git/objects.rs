//! Reading objects, through one long-lived `git cat-file --batch`.
//!
//! Not through libgit2, which loops for ever on a loose object that was cut short, and knows neither promised objects
//! nor every way to borrow them. What was read here once, libgit2 may then read again to write trees over it.

use super::child::{Git, by_hand};
use super::{GitError, Oid};
use crate::plan::EntryKind;
use crate::process::Conversation;
use std::collections::HashMap;
use std::io::Read;

/// What is read ahead is no longer, each and together: the rest is read when it is needed.
const AHEAD: u64 = 1 << 20;
const ALL_AHEAD: usize = 32 << 20;
/// As many are asked for at once: their names fit into a pipe.
const ASKED_AT_ONCE: usize = 100;

/// An entry of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub id: Oid,
    pub kind: EntryKind,
}

/// Reads objects. The child is started when something is asked for, and ends when this is dropped.
pub(super) struct Objects {
    git: Git,
    reader: Option<Conversation>,
    /// What was read ahead, with its kind.
    ahead: HashMap<Oid, (String, Vec<u8>)>,
}

/// What became of the question for an object.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    Bytes(Vec<u8>),
    /// It has more bytes than were wanted.
    TooLarge,
    /// It is nowhere here; in a partial clone it may be at the remote.
    Missing,
}

impl Objects {
    pub fn new(git: Git) -> Objects {
        // In the foreground: a promised object is fetched, and ssh may have to ask for a pass-phrase.
        Objects { git: git.args(["cat-file", "--batch"]).foreground(), reader: None, ahead: HashMap::new() }
    }

    /// Reads these objects at once, as far as they are small and here: to ask for each by itself, and to wait, takes longer than
    /// all the rest.
    pub fn read_ahead(&mut self, ids: impl IntoIterator<Item = Oid>) -> Result<(), GitError> {
        let mut wanted: Vec<Oid> = ids.into_iter().filter(|id| !self.ahead.contains_key(id)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut size: usize = self.ahead.values().map(|(_, bytes)| bytes.len()).sum();
        for some in wanted.chunks(ASKED_AT_ONCE) {
            if size > ALL_AHEAD {
                break;
            }
            self.ask(some.iter().copied())?;
            for id in some {
                if let (kind, Answer::Bytes(bytes)) = self.any(*id, "", AHEAD)? {
                    size += bytes.len();
                    self.ahead.insert(*id, (kind, bytes));
                }
            }
        }
        Ok(())
    }

    /// The object's bytes; it must be there and be of `kind`. `path` is for the error.
    pub fn read(&mut self, id: Oid, kind: &str, path: &str) -> Result<Vec<u8>, GitError> {
        self.read_within(id, kind, path, u64::MAX - 1)?.ok_or_else(|| bad(id, path, "it is too large"))
    }

    /// The same; `None` if it has more than `most` of them.
    pub fn read_within(&mut self, id: Oid, kind: &str, path: &str, most: u64) -> Result<Option<Vec<u8>>, GitError> {
        if let Some((found, bytes)) = self.ahead.get(&id)
            && found == kind
        {
            return Ok((bytes.len() as u64 <= most).then(|| bytes.clone()));
        }
        self.ask([id])?;
        match self.answer(id, kind, path, most)? {
            Answer::Bytes(bytes) => Ok(Some(bytes)),
            Answer::TooLarge => Ok(None),
            Answer::Missing => Err(bad(id, path, "it is missing")),
        }
    }

    /// Is it here?
    pub fn has(&mut self, id: Oid) -> Result<bool, GitError> {
        if self.ahead.contains_key(&id) {
            return Ok(true);
        }
        self.ask([id])?;
        Ok(self.any(id, "", 0)?.1 != Answer::Missing)
    }

    /// Asks for objects; an [`Objects::answer`] for each must follow, in this order. Their names must fit into a pipe.
    pub fn ask(&mut self, ids: impl IntoIterator<Item = Oid>) -> Result<(), GitError> {
        self.ask_named(ids.into_iter().map(|id| id.to_string()))
    }

    /// The same for names as git reads them, which must have no line end: `<tree>:<path>`.
    pub fn ask_named(&mut self, names: impl IntoIterator<Item = String>) -> Result<(), GitError> {
        let names: String = names.into_iter().map(|name| name + "\n").collect();
        if names.is_empty() {
            return Ok(());
        }
        let reader = match self.reader.take() {
            Some(reader) => reader,
            None => self.git.converse()?,
        };
        // A child that has died says why when it is listened to.
        let _ = self.reader.insert(reader).say(names.as_bytes());
        Ok(())
    }

    /// What there is of the object that was asked for next, which must be of `kind`; at most `most` bytes are read.
    pub fn answer(&mut self, id: Oid, kind: &str, path: &str, most: u64) -> Result<Answer, GitError> {
        let (found, answer) = self.any(id, path, most)?;
        match answer {
            Answer::Bytes(_) | Answer::TooLarge if found != kind => {
                Err(bad(id, path, &format!("it is a {found}, not a {kind}")))
            }
            answer => Ok(answer),
        }
    }

    /// The kind of the object that was asked for next, and what there is of it.
    pub fn any(&mut self, id: Oid, path: &str, most: u64) -> Result<(String, Answer), GitError> {
        let Some(reader) = &mut self.reader else { return Err(bad(id, path, "nobody asked for it")) };
        match listen(reader, most) {
            Some(answer) => Ok(answer),
            None => Err(match self.reader.take().map(|mut reader| reader.end()) {
                Some((Some(status), _)) if by_hand(status) => GitError::Interrupted,
                Some((_, said)) => bad(id, path, &last_words(said)),
                None => bad(id, path, ""),
            }),
        }
    }

    /// The entries of a tree, names as far as they are text.
    pub fn tree(&mut self, id: Oid, path: &str) -> Result<Vec<(String, Entry)>, GitError> {
        let bytes = self.read(id, "tree", path)?;
        let malformed = || bad(id, path, "it is not a well-formed tree");
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

/// The kind of the next object, none if it is missing, and what there is of it; `None` if git gave up.
fn listen(reader: &mut Conversation, most: u64) -> Option<(String, Answer)> {
    let stdout = reader.answers();
    let mut header = String::new();
    stdout.read_line(&mut header).ok().filter(|length| *length > 0)?;
    let mut words = header.split_whitespace().skip(1);
    let (kind, size) = (words.next()?.to_owned(), words.next().and_then(|size| size.parse::<u64>().ok()));
    let Some(size) = size else { return Some((String::new(), Answer::Missing)) };
    // And the line feed after it.
    let mut object = stdout.take(size + 1);
    if size > most {
        let read = std::io::copy(&mut object, &mut std::io::sink()).ok()?;
        return (read == size + 1).then_some((kind, Answer::TooLarge));
    }
    let mut bytes = Vec::new();
    object.read_to_end(&mut bytes).ok()?;
    bytes.pop();
    (bytes.len() as u64 == size).then_some((kind, Answer::Bytes(bytes)))
}

/// What git said as it gave up.
fn last_words(stderr: Vec<u8>) -> String {
    super::child::Output { code: None, stdout: Vec::new(), stderr }.message().replace('\n', "; ")
}

fn bad(id: Oid, path: &str, message: &str) -> GitError {
    GitError::BadObject { id: id.to_string(), path: path.to_owned(), message: message.to_owned() }
}

/// What an entry of this mode is.
pub(super) fn kind(mode: u32) -> EntryKind {
    match mode {
        0o120000 => EntryKind::Symlink,
        0o160000 => EntryKind::Submodule,
        0o040000 => EntryKind::Directory,
        mode if mode & 0o111 != 0 => EntryKind::Executable,
        _ => EntryKind::File,
    }
}

/// The name of the blob that holds these bytes. Empty if libgit2 cannot hash, which it always can.
pub fn blob_id(bytes: &[u8]) -> String {
    git2::Oid::hash_object(git2::ObjectType::Blob, bytes).map(|id| id.to_string()).unwrap_or_default()
}
