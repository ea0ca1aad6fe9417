//! The index of a scratch worktree, read and written without git.
//!
//! git writes an index whole and goes through it twice for each commit: in a large repository that costs more than all else
//! of a run, and most of it is the sum at the file's end. Here the index is read once; from then on the entries of what
//! changed are replaced, and the sum is made with the processor's instructions for it.
//!
//! Only in its plain form (version 2, one stage, no part that must be understood): what is otherwise is left to git. What git
//! can do without, and would notice as out of date, is not kept; the trees that it knows to be in the index are.

mod trees;

use super::Oid;
use sha1::{Digest, Sha1};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// `DIRC`, the version, the number of entries.
const HEADER: usize = 12;
/// What of an entry stands before its name: ten numbers, the id, the flags.
const BEFORE_NAME: usize = 62;
/// Where in an entry the size of the file is, and where its id.
const SIZE: usize = 36;
const ID: usize = 40;
/// The sum at the end.
const SUM: usize = 20;
/// A longer name's length is not in its flags.
const LONG_NAME: usize = 0xfff;
/// The flags of an entry that this does not know: extended, and the stage of a conflict.
const UNKNOWN_FLAGS: u16 = 0x7000;

pub(super) struct Index {
    path: PathBuf,
    /// All of them, as they are in the file.
    entries: Vec<u8>,
    /// Where each begins. They are in the order of their names.
    starts: Vec<usize>,
    /// The extension `TREE`; empty if there is none.
    trees: Vec<u8>,
    /// Whether there is a sum (`index.skipHash`).
    has_sum: bool,
    /// The file as it was read or written last.
    seen: Option<Seen>,
}

/// What an entry is to become.
pub(super) struct NewEntry {
    pub id: Oid,
    pub executable: bool,
    /// Of the file on disk, if there is one.
    pub data: Option<Metadata>,
}

/// By what a file is known to be the same still.
#[derive(PartialEq, Eq)]
struct Seen {
    inode: u64,
    size: u64,
    changed: (i64, i64),
}

impl Index {
    /// Reads the index at `path`. `None` if there is none, or in a form that is for git.
    pub fn read(path: &Path) -> Option<Index> {
        let seen = Seen::of(path)?;
        let bytes = fs::read(path).ok()?;
        let (body, sum) = bytes.split_at_checked(bytes.len().checked_sub(SUM)?)?;
        let (starts, end) = starts(body)?;
        let trees = extensions(body.get(end..)?)?;
        let entries = body.get(HEADER..end)?.to_vec();
        let has_sum = sum.iter().any(|&byte| byte != 0);
        Some(Index { path: path.to_owned(), entries, starts, trees, has_sum, seen: Some(seen) })
    }

    /// Is the file what was read or written last?
    pub fn is_current(&self) -> bool {
        self.seen.is_some() && Seen::of(&self.path) == self.seen
    }

    /// Reads it again, if somebody else has written it. `None` as for [`Index::read`].
    pub fn reread(self) -> Option<Index> {
        if self.is_current() {
            return Some(self);
        }
        // How it is to be written was said by whoever made it.
        Index::read(&self.path).map(|index| Index { has_sum: self.has_sum, ..index })
    }

    /// The folders of all files, each at least once; the root is `""`. `None` if a name is no text.
    pub fn folders(&self) -> Option<BTreeSet<&str>> {
        let mut folders = BTreeSet::from([""]);
        let mut last = "";
        for &start in &self.starts {
            let name = std::str::from_utf8(name(&self.entries, start)?).ok()?;
            let mut folder = parent(name);
            while folder != last && folders.insert(folder) {
                folder = parent(folder);
            }
            last = parent(name);
        }
        Some(folders)
    }

    pub fn has(&self, path: &str) -> bool {
        self.find(path).is_ok()
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// What they take on disk.
    pub fn bytes(&self) -> u64 {
        let size =
            |&start: &usize| Some(u32::from_be_bytes(self.entries.get(start + SIZE..start + ID)?.try_into().ok()?));
        self.starts.iter().filter_map(size).map(u64::from).sum()
    }

    /// The ids of the files with this name, wherever they lie.
    pub fn ids_of(&self, file: &str) -> Vec<Oid> {
        let has_name = |&&start: &&usize| {
            name(&self.entries, start)
                .is_some_and(|name| name.rsplit(|&byte| byte == b'/').next() == Some(file.as_bytes()))
        };
        let id = |&start: &usize| Oid::from_bytes(self.entries.get(start + ID..start + ID + SUM)?).ok();
        self.starts.iter().filter(has_name).filter_map(id).collect()
    }

    /// Changes the entries of these paths; `None` removes one. In one pass over the index, however many there are.
    pub fn update(&mut self, changes: &BTreeMap<String, Option<NewEntry>>) {
        let mut entries = Vec::with_capacity(self.entries.len() + changes.len() * 128);
        let mut starts = Vec::with_capacity(self.starts.len() + changes.len());
        let mut next = 0;
        for (path, change) in changes {
            let (at, after) = match self.find(path) {
                Ok(at) => (at, at + 1),
                Err(at) => (at, at),
            };
            self.copy(next..at, &mut entries, &mut starts);
            if let Some(new) = change {
                starts.push(entries.len());
                new.write(path, &mut entries);
            }
            next = after;
        }
        self.copy(next..self.starts.len(), &mut entries, &mut starts);
        (self.entries, self.starts) = (entries, starts);
        let mut folders = BTreeSet::new();
        for path in changes.keys() {
            let mut folder = parent(path);
            while folders.insert(folder) && !folder.is_empty() {
                folder = parent(folder);
            }
        }
        self.trees = trees::without(&self.trees, &folders).unwrap_or_default();
    }

    /// Writes the file, as git does: beside it, then in its place.
    pub fn write(&mut self) -> io::Result<()> {
        let count = u32::try_from(self.starts.len()).map_err(io::Error::other)?;
        let header = [b"DIRC".as_slice(), &2_u32.to_be_bytes(), &count.to_be_bytes()].concat();
        let length = u32::try_from(self.trees.len()).map_err(io::Error::other)?.to_be_bytes();
        let named: [&[u8]; 2] = if self.trees.is_empty() { [&[], &[]] } else { [b"TREE", &length] };
        let parts = [&header, self.entries.as_slice(), named[0], named[1], &self.trees];
        let mut sum = [0; SUM];
        if self.has_sum {
            let hash = parts.iter().fold(Sha1::new(), |hash, part| hash.chain_update(part));
            sum = hash.finalize().into();
        }
        let lock = self.path.with_extension("lock");
        let mut file = File::create_new(&lock)?;
        let written = parts.iter().try_for_each(|part| file.write_all(part)).and_then(|()| file.write_all(&sum));
        let written = written.and_then(|()| fs::rename(&lock, &self.path));
        if written.is_err() {
            let _ = fs::remove_file(&lock);
        }
        self.seen = Seen::of(&self.path);
        written
    }

    /// Where the entry is, or would be.
    fn find(&self, path: &str) -> Result<usize, usize> {
        self.starts.binary_search_by(|&start| name(&self.entries, start).unwrap_or_default().cmp(path.as_bytes()))
    }

    fn copy(&self, range: std::ops::Range<usize>, entries: &mut Vec<u8>, starts: &mut Vec<usize>) {
        let place = |at: usize| self.starts.get(at).copied().unwrap_or(self.entries.len());
        let (from, to) = (place(range.start), place(range.end));
        let before = entries.len();
        entries.extend_from_slice(self.entries.get(from..to).unwrap_or_default());
        starts.extend(self.starts.get(range).unwrap_or_default().iter().map(|start| start - from + before));
    }
}

impl NewEntry {
    /// As in the file: numbers, id, flags, name, and NULs up to a multiple of eight.
    fn write(&self, path: &str, to: &mut Vec<u8>) {
        let begin = to.len();
        let mode: u32 = if self.executable { 0o100_755 } else { 0o100_644 };
        // Numbers that are too large lose their upper half, as git's do.
        let data = self.data.as_ref().map_or([0; 9], |data| {
            let (changed, modified) = ((data.ctime(), data.ctime_nsec()), (data.mtime(), data.mtime_nsec()));
            let times = [changed.0, changed.1, modified.0, modified.1].map(|number| number as u32);
            let [changed, changed_nsec, modified, modified_nsec] = times;
            let (device, inode, size) = (data.dev() as u32, data.ino() as u32, data.size() as u32);
            [changed, changed_nsec, modified, modified_nsec, device, inode, data.uid(), data.gid(), size]
        });
        let numbers = data.iter().take(6).chain([&mode]).chain(data.iter().skip(6));
        to.extend(numbers.flat_map(|number| number.to_be_bytes()));
        to.extend_from_slice(self.id.as_bytes());
        to.extend_from_slice(&(path.len().min(LONG_NAME) as u16).to_be_bytes());
        to.extend_from_slice(path.as_bytes());
        to.resize(begin + size(path.len()), 0);
    }
}

impl Seen {
    fn of(path: &Path) -> Option<Seen> {
        let data = fs::symlink_metadata(path).ok().filter(Metadata::is_file)?;
        Some(Seen { inode: data.ino(), size: data.size(), changed: (data.ctime(), data.ctime_nsec()) })
    }
}

/// What an entry takes with a name of so many bytes: at least one NUL follows.
fn size(name: usize) -> usize {
    (BEFORE_NAME + name + 8) & !7
}

/// Where the entries of an index begin, counted from the first, and where they end in it.
fn starts(body: &[u8]) -> Option<(Vec<usize>, usize)> {
    let number = |at: usize| Some(u32::from_be_bytes(body.get(at..at + 4)?.try_into().ok()?));
    if body.get(..4)? != b"DIRC" || number(4)? != 2 {
        return None;
    }
    let count = usize::try_from(number(8)?).ok()?;
    // No index has more entries than there is room for, whatever it says.
    let mut starts = Vec::with_capacity(count.min(body.len() / BEFORE_NAME));
    let (mut at, mut last): (usize, &[u8]) = (HEADER, b"");
    for _ in 0..count {
        let entry = body.get(at..)?;
        let flags = u16::from_be_bytes(entry.get(BEFORE_NAME - 2..BEFORE_NAME)?.try_into().ok()?);
        let name = name(entry, 0)?;
        if flags & UNKNOWN_FLAGS != 0 || name <= last {
            return None;
        }
        starts.push(at - HEADER);
        last = name;
        at += size(name.len());
    }
    (at <= body.len()).then_some((starts, at))
}

/// The name of the entry that begins there.
fn name(entries: &[u8], start: usize) -> Option<&[u8]> {
    let name = entries.get(start..)?.get(BEFORE_NAME - 2..)?;
    let (flags, name) = name.split_at_checked(2)?;
    let length = usize::from(u16::from_be_bytes(flags.try_into().ok()?)) & LONG_NAME;
    let length = if length < LONG_NAME { length } else { memchr::memchr(0, name)? };
    name.get(..length)
}

/// The content of the extension `TREE`, of all of them. `None` if one must be understood, and is not.
fn extensions(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut trees = Vec::new();
    while !rest.is_empty() {
        let (kind, after) = rest.split_at_checked(4)?;
        let (length, after) = after.split_at_checked(4)?;
        let length = usize::try_from(u32::from_be_bytes(length.try_into().ok()?)).ok()?;
        let (content, after) = after.split_at_checked(length)?;
        match kind.first()? {
            _ if kind == b"TREE" => trees = content.to_vec(),
            b'A'..=b'Z' => {}
            _ => return None,
        }
        rest = after;
    }
    Some(trees)
}

/// The folder of a path; that of a name alone is `""`.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests;
