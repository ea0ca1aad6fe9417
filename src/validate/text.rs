//! Bytes as the text that the gates judge, or the reason why there is none.

use std::borrow::Cow;

/// What the bytes of a file are.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content<'a> {
    Text(Cow<'a, str>),
    /// Not text, or something else that stands for the file: nothing to judge.
    Other,
}

/// A file larger than this is not read.
pub(super) const MOST_BYTES: u64 = 32 << 20;

/// Reads UTF-8, UTF-16 by its byte order mark, and what is neither one byte a character, so that its lines are still
/// its lines.
pub(super) fn content(bytes: &[u8]) -> Content<'_> {
    if let Some((name, little)) =
        [(b"\xff\xfe", true), (b"\xfe\xff", false)].into_iter().find(|(mark, _)| bytes.starts_with(*mark))
    {
        let units = bytes[name.len()..].chunks_exact(2).map(|pair| match little {
            true => u16::from_le_bytes([pair[0], pair[1]]),
            false => u16::from_be_bytes([pair[0], pair[1]]),
        });
        let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        return if text.contains('\0') { Content::Other } else { Content::Text(Cow::Owned(text)) };
    }
    // As git tells it, but in all of the file.
    if memchr::memchr(0, bytes).is_some() || is_pointer(bytes) {
        return Content::Other;
    }
    Content::Text(match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
    })
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
    use super::*;

    fn text(bytes: &[u8]) -> Option<String> {
        match content(bytes) {
            Content::Text(text) => Some(text.into_owned()),
            Content::Other => None,
        }
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
