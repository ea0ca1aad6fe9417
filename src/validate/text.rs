//! Bytes as the text that the gates judge, or the reason why there is none.

use crate::git::{Answer, Blobs, GitError, Oid};

/// A file larger than this is not read.
pub(super) const MOST_BYTES: u64 = 32 << 20;

/// What a file holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content {
    Text(String),
    /// A symbolic link, and where it leads.
    Link(String),
    TooLarge,
    /// It is not in the repository; in a partial clone a remote may have it.
    Missing(Oid),
    /// Not text, or something else that stands for the file: nothing to judge.
    Other,
}

impl Content {
    pub fn of(bytes: Vec<u8>) -> Content {
        text(bytes).map_or(Content::Other, Content::Text)
    }

    /// The same as what stands in a link.
    pub fn linked(self) -> Content {
        match self {
            Content::Text(target) => Content::Link(target),
            other => other,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Content::Text(text) => Some(text),
            Content::Link(_) | Content::TooLarge | Content::Missing(_) | Content::Other => None,
        }
    }

    /// The next of the blobs that were asked for; `path` is for the error.
    pub fn next(blobs: &mut Blobs, id: Oid, path: &str) -> Result<Content, GitError> {
        Ok(match blobs.next(id, path, MOST_BYTES)? {
            Answer::Bytes(bytes) => Content::of(bytes),
            Answer::TooLarge => Content::TooLarge,
            Answer::Missing => Content::Missing(id),
        })
    }
}

/// Reads UTF-8, UTF-16 by its byte order mark, and what is neither one byte a character, so that its lines are still
/// its lines.
fn text(bytes: Vec<u8>) -> Option<String> {
    if let Some((mark, little)) =
        [(b"\xff\xfe", true), (b"\xfe\xff", false)].into_iter().find(|(mark, _)| bytes.starts_with(*mark))
    {
        let units = bytes[mark.len()..].chunks_exact(2).map(|pair| match little {
            true => u16::from_le_bytes([pair[0], pair[1]]),
            false => u16::from_be_bytes([pair[0], pair[1]]),
        });
        let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        return Some(text).filter(|text| !text.contains('\0'));
    }
    // As git tells it, but in all of the file.
    if memchr::memchr(0, &bytes).is_some() || is_pointer(&bytes) {
        return None;
    }
    let text = String::from_utf8(bytes);
    Some(text.unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect()))
}

/// What Git LFS and git-annex keep in the place of a large file.
fn is_pointer(bytes: &[u8]) -> bool {
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let lfs = line.starts_with(b"version https://git-lfs.github.com/spec/")
        || line.starts_with(b"version https://hawser.github.com/spec/");
    bytes.len() < 2000 && (lfs || line.starts_with(b"/annex/objects/"))
}

#[cfg(test)]
mod tests {
    fn text(bytes: &[u8]) -> Option<String> {
        super::text(bytes.to_vec())
    }

    #[test]
    fn text_is_read_in_the_encodings_that_repositories_have() {
        assert_eq!(text("é\n".as_bytes()).as_deref(), Some("é\n"));
        assert_eq!(text(b"\xe9\nx").as_deref(), Some("é\nx"));
        assert_eq!(text(b"\xff\xfea\0\n\0").as_deref(), Some("a\n"));
        assert_eq!(text(b"\xfe\xff\0a\0\n\xd8").as_deref(), Some("a\n"));
        assert_eq!(text(b"").as_deref(), Some(""));
    }

    #[test]
    fn binary_files_and_pointers_to_large_ones_are_not_judged() {
        assert_eq!(text(b"a\0b"), None);
        assert_eq!(text(b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"), None);
        assert_eq!(text(b"/annex/objects/SHA256E-s1--00.json\n"), None);
        assert!(text(b"version: 1\n").is_some());
    }
}
