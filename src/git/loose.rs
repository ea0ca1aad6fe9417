//! Loose objects, read without git: what has just been staged is loose, and to start a process and fetch it through a
//! pipe takes several times as long as to unpack it. Whatever is odd here is left to git, which knows how to say it.

use super::{Answer, Oid};
use flate2::{Decompress, FlushDecompress, Status};
use std::fs;
use std::path::{Path, PathBuf};

/// Where the object lies if it is loose.
pub(super) fn path(store: &Path, id: Oid) -> PathBuf {
    let name = id.to_string();
    let (folder, file) = name.split_at(2);
    store.join(folder).join(file)
}

/// The longest header: `blob `, a number and a zero byte.
const HEADER: usize = 32;

/// How many times its packed size a source file has at most, as a rule.
const RATIO: usize = 6;

/// The blob in this file; `None` if it is none that can be read whole. Of more than `most` bytes it is not unpacked.
pub(super) fn blob(path: &Path, most: u64) -> Option<Answer> {
    object(path, "blob ", most)
}

/// What the tree in this file has by this name; `None` if that cannot be said.
pub(super) fn entry(path: &Path, name: &str) -> Option<Oid> {
    /// A larger tree is no record's.
    const MOST: u64 = 1 << 20;
    let Answer::Bytes(tree) = object(path, "tree ", MOST)? else { return None };
    let mut rest = tree.as_slice();
    while let Some(end) = memchr::memchr(0, rest) {
        let (head, id) = (rest.get(..end)?, rest.get(end + 1..end + 21)?);
        let (_, own) = std::str::from_utf8(head).ok()?.split_once(' ')?;
        if own == name {
            return Oid::from_bytes(id).ok();
        }
        rest = rest.get(end + 21..)?;
    }
    None
}

/// The object in this file if it is of this kind, which a blank follows.
fn object(path: &Path, kind: &str, most: u64) -> Option<Answer> {
    let packed = fs::read(path).ok()?;
    let mut inflate = Decompress::new(true);
    // In one go where the guess is right: the text is unpacked straight to where it stays.
    let guess = packed.len().saturating_mul(RATIO).min(usize::try_from(most).ok()?);
    let mut bytes = Vec::with_capacity(guess.max(HEADER));
    let mut status = inflate.decompress_vec(&packed, &mut bytes, FlushDecompress::None).ok()?;
    let header = memchr::memchr(0, bytes.get(..HEADER.min(bytes.len()))?)?;
    let size = std::str::from_utf8(bytes.get(..header)?).ok()?.strip_prefix(kind)?.parse::<u64>().ok()?;
    if size > most {
        return Some(Answer::TooLarge);
    }
    let length = header + 1 + usize::try_from(size).ok()?;
    if status != Status::StreamEnd {
        // A byte more than there should be, so that it is seen.
        bytes.reserve_exact((length + 1).checked_sub(bytes.len())?);
        let rest = packed.get(usize::try_from(inflate.total_in()).ok()?..)?;
        status = inflate.decompress_vec(rest, &mut bytes, FlushDecompress::Finish).ok()?;
    }
    if status != Status::StreamEnd || bytes.len() != length {
        return None;
    }
    bytes.drain(..=header);
    Some(Answer::Bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn what_git_has_just_written_is_read_and_anything_else_is_left_to_git() {
        let folder = tempfile::tempdir().unwrap();
        let git = |arguments: &[&str]| {
            let output = Command::new("git").current_dir(folder.path()).args(arguments).output().unwrap();
            assert!(output.status.success(), "{arguments:?}");
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        };
        git(&["init", "-q"]);
        let text = "line\n".repeat(10_000);
        fs::write(folder.path().join("a"), &text).unwrap();
        let id = Oid::from_str(&git(&["hash-object", "-w", "a"])).unwrap();
        let place = path(&folder.path().join(".git/objects"), id);
        assert!(matches!(blob(&place, 50_000), Some(Answer::Bytes(bytes)) if bytes == text.as_bytes()));
        assert!(matches!(blob(&place, 49_999), Some(Answer::TooLarge)));
        let packed = fs::read(&place).unwrap();
        for odd in [&packed[..packed.len() / 2], &packed[..3], b"", b"text"] {
            fs::write(folder.path().join("odd"), odd).unwrap();
            assert!(blob(&folder.path().join("odd"), 50_000).is_none());
        }
        git(&["add", "a"]);
        let tree = Oid::from_str(&git(&["write-tree"])).unwrap();
        let tree = path(&folder.path().join(".git/objects"), tree);
        assert!(blob(&tree, 50_000).is_none(), "a tree");
        assert_eq!((entry(&tree, "a"), entry(&tree, "b"), entry(&place, "a")), (Some(id), None, None));
    }
}
