//! Reading files that somebody names, which may be anything: a device, a pipe, larger than the memory.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// No text that is edited, and no reply, is read beyond this many bytes.
pub const MOST_BYTES: u64 = 64 << 20;

/// A number of bytes for people: `64 MiB`.
pub fn size(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

/// The bytes of the file at `path`. A device or a named pipe is refused without being opened, which could take for ever;
/// what the shell has opened already (`<(command)`) is read as it comes.
///
/// # Errors
///
/// Of kind `FileTooLarge` if there are more than `most` bytes, `InvalidInput` if it is no file.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(Error::new(ErrorKind::IsADirectory, "it is a directory"));
    }
    if !kind.is_file() && !is_open_already(path) {
        return Err(Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
    }
    all(File::open(path)?, most)
}

/// All that comes from `from`, if it is not more than `most` bytes.
///
/// # Errors
///
/// Of kind `FileTooLarge` if it is more.
pub fn all(from: impl Read, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

/// The error for what has more than `most` bytes.
pub fn too_large(most: u64) -> Error {
    Error::new(ErrorKind::FileTooLarge, format!("it is larger than {}", size(most)))
}

/// Is it a name for something that this process has open, such as `/dev/fd/63`?
fn is_open_already(path: &Path) -> bool {
    let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
    path == Path::new("/dev/stdin")
        || parent.is_some_and(|parent| {
            parent.starts_with("/proc") && parent.ends_with("fd") || parent == Path::new("/dev/fd")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_bytes_as_are_allowed_are_read_and_not_one_more() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f");
        for (length, fits) in [(0, true), (10, true), (11, false)] {
            fs::write(&file, vec![b'a'; length]).unwrap();
            let (bytes, stream) = (read(&file, 10), all(&vec![b'a'; length][..], 10));
            assert_eq!((bytes.is_ok(), stream.is_ok()), (fits, fits), "{length}");
            if let Err(error) = bytes {
                assert_eq!(
                    (error.kind(), error.to_string().as_str()),
                    (ErrorKind::FileTooLarge, "it is larger than 0 MiB")
                );
            }
        }
        assert_eq!(read(folder.path(), 10).unwrap_err().kind(), ErrorKind::IsADirectory);
        assert_eq!(read(&folder.path().join("none"), 10).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    fn a_device_is_not_opened() {
        assert_eq!(read(Path::new("/dev/zero"), 10).unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}
