//! Loose objects, read without git: what has just been staged is loose, and to start a process and fetch it through a
//! pipe takes several times as long as to unpack it. Whatever is odd here is left to git, which knows how to say it.

use super::Oid;
use flate2::bufread::ZlibDecoder;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Where the object lies if it is loose.
pub(super) fn path(store: &Path, id: Oid) -> PathBuf {
    let name = id.to_string();
    let (folder, file) = name.split_at(2);
    store.join(folder).join(file)
}

/// A loose blob.
pub(super) enum Loose {
    Bytes(Vec<u8>),
    TooLarge,
}

/// The blob in this file; `None` if it is none that can be read whole. Of more than `most` bytes it is not unpacked.
pub(super) fn blob(path: &Path, most: u64) -> Option<Loose> {
    let packed = fs::read(path).ok()?;
    let mut reader = BufReader::new(ZlibDecoder::new(packed.as_slice()));
    let mut header = Vec::new();
    (&mut reader).take(32).read_until(0, &mut header).ok()?;
    let size = std::str::from_utf8(&header).ok()?.strip_prefix("blob ")?.strip_suffix('\0')?.parse::<u64>().ok()?;
    if size > most {
        return Some(Loose::TooLarge);
    }
    let length = usize::try_from(size).ok()?;
    let mut bytes = Vec::with_capacity(length);
    // A byte more than there should be, so that it is seen.
    reader.take(size + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() == length).then_some(Loose::Bytes(bytes))
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
        assert!(matches!(blob(&place, 50_000), Some(Loose::Bytes(bytes)) if bytes == text.as_bytes()));
        assert!(matches!(blob(&place, 49_999), Some(Loose::TooLarge)));
        let packed = fs::read(&place).unwrap();
        for odd in [&packed[..packed.len() / 2], &packed[..3], b"", b"text"] {
            fs::write(folder.path().join("odd"), odd).unwrap();
            assert!(blob(&folder.path().join("odd"), 50_000).is_none());
        }
        let tree = Oid::from_str(&git(&["mktree", "--missing"])).unwrap();
        assert!(blob(&path(&folder.path().join(".git/objects"), tree), 50_000).is_none(), "a tree");
    }
}
