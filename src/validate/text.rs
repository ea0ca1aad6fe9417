//! Bytes as the text that the gates judge, or the reason why there is none.

use crate::check;
use crate::git::{Answer, Blobs, GitError, Oid};

/// A file larger than this is not read.
pub(super) const MOST_BYTES: u64 = 32 << 20;

/// What a file holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content {
    Text(String),
    /// Source, by its name, with bytes that no source has: what is text of it, and what is wrong. It is judged as far as
    /// that goes, since one such byte would otherwise hide all the others from every gate.
    Garbled(String, &'static str),
    /// A symbolic link, and where it leads.
    Link(String),
    TooLarge,
    /// It is not in the repository; in a partial clone a remote may have it.
    Missing(Oid),
    /// Not text, or something else that stands for the file: nothing to judge.
    Other,
}

impl Content {
    /// What is in a file of this path.
    pub fn of(path: &str, bytes: Vec<u8>) -> Content {
        if let Some(text) = utf16(&bytes) {
            return match (text.contains('\0'), is_source(path, &bytes)) {
                (false, _) => Content::Text(text),
                (true, true) => Content::Garbled(text.replace('\0', ""), NUL),
                (true, false) => Content::Other,
            };
        }
        if is_pointer(&bytes) {
            return Content::Other;
        }
        // As git tells binary files, but in all of the file.
        if memchr::memchr(0, &bytes).is_some() {
            return match is_source(path, &bytes) {
                // Without them UTF-16 that has no mark is read as well, as far as it is ASCII.
                true => Content::Garbled(mixed(bytes.into_iter().filter(|byte| *byte != 0).collect()), NUL),
                false => Content::Other,
            };
        }
        match String::from_utf8(bytes) {
            Ok(text) => Content::Text(text),
            Err(error) => match is_source(path, error.as_bytes()) {
                true => Content::Garbled(mixed(error.into_bytes()), NOT_UTF8),
                false => Content::Text(mixed(error.into_bytes())),
            },
        }
    }

    /// The same as what stands in a link.
    pub fn linked(self) -> Content {
        match self {
            Content::Text(target) | Content::Garbled(target, _) => Content::Link(target),
            other => other,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Content::Text(text) | Content::Garbled(text, _) => Some(text),
            Content::Link(_) | Content::TooLarge | Content::Missing(_) | Content::Other => None,
        }
    }

    /// The next of the blobs that were asked for; `path` is for the error.
    pub fn next(blobs: &mut Blobs, id: Oid, path: &str) -> Result<Content, GitError> {
        Ok(match blobs.next(id, path, MOST_BYTES)? {
            Answer::Bytes(bytes) => Content::of(path, bytes),
            Answer::TooLarge => Content::TooLarge,
            Answer::Missing => Content::Missing(id),
        })
    }
}

/// Why a file with such bytes is not parsed.
pub(super) const NUL: &str = "it has NUL bytes, as no source has";
const NOT_UTF8: &str = "it is not UTF-8";

/// Is the file source by its name, or a script by its first bytes? A property list may be binary, and says so.
fn is_source(path: &str, bytes: &[u8]) -> bool {
    (check::is_source(path) || bytes.starts_with(b"#!")) && !bytes.starts_with(b"bplist00")
}

/// The text of UTF-16 that says so by its byte order mark.
fn utf16(bytes: &[u8]) -> Option<String> {
    let marks = [(b"\xff\xfe", true), (b"\xfe\xff", false)];
    let (mark, little) = marks.into_iter().find(|(mark, _)| bytes.starts_with(*mark))?;
    let units = bytes[mark.len()..].chunks_exact(2).map(|pair| match little {
        true => u16::from_le_bytes([pair[0], pair[1]]),
        false => u16::from_be_bytes([pair[0], pair[1]]),
    });
    Some(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// UTF-8, and each byte that is none as the character that it is in Latin-1. So the lines of a text in an old encoding
/// are its lines, and one stray byte does not hide characters that are well written.
fn mixed(bytes: Vec<u8>) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| char::from(*byte)));
    }
    text
}

/// Bytes of the largest file that stands for another one.
const MOST_OF_POINTER: usize = 1024;

/// Is that all of what Git LFS or git-annex keeps in the place of a large file? A first line like theirs says nothing:
/// anybody can begin a program with it.
fn is_pointer(bytes: &[u8]) -> bool {
    let Some(text) = Some(bytes).filter(|it| it.len() < MOST_OF_POINTER).and_then(|it| str::from_utf8(it).ok()) else {
        return false;
    };
    if let Some(key) = text.strip_prefix("/annex/objects/") {
        return !key.trim_end().contains(char::is_whitespace);
    }
    let is_digest = |text: &str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_object = |line: &str| line.strip_prefix("oid sha256:").is_some_and(is_digest);
    // What other programs have made of the object before: `ext-0-name sha256:…`.
    let is_extension = |line: &&str| {
        line.strip_prefix("ext-")
            .and_then(|line| line.split_once(" sha256:"))
            .is_some_and(|(_, digest)| is_digest(digest))
    };
    let mut lines = text.lines();
    let is_version = |line: &str| {
        matches!(line, "version https://git-lfs.github.com/spec/v1" | "version https://hawser.github.com/spec/v1")
    };
    let is_size = |line: &str| line.strip_prefix("size ").is_some_and(|size| size.parse::<u64>().is_ok());
    lines.next().is_some_and(is_version)
        && lines.by_ref().find(|line| !is_extension(line)).is_some_and(is_object)
        && lines.next().is_some_and(is_size)
        && lines.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> Option<String> {
        match Content::of("a.txt", bytes.to_vec()) {
            Content::Text(text) => Some(text),
            _ => None,
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
    fn a_stray_byte_does_not_change_what_is_well_written_beside_it() {
        assert_eq!(
            text("\u{202e}é\n".as_bytes().iter().chain(b"\xff").copied().collect::<Vec<u8>>().as_slice()).as_deref(),
            Some("\u{202e}é\nÿ")
        );
    }

    #[test]
    fn binary_files_and_pointers_to_large_ones_are_not_judged() {
        let digest = "0123456789abcdef".repeat(4);
        let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 12345\n");
        let extended = pointer.replace("oid", &format!("ext-0-x sha256:{digest}\noid"));
        for bytes in
            [b"a\0b".as_slice(), pointer.as_bytes(), extended.as_bytes(), b"/annex/objects/SHA256E-s1--00.json\n"]
        {
            assert_eq!(text(bytes), None);
        }
        assert!(text(b"version: 1\n").is_some());
    }

    #[test]
    fn what_only_begins_like_a_pointer_is_judged() {
        let digest = "0".repeat(64);
        for text in [
            "version https://git-lfs.github.com/spec/v1\nprint(1)\n".to_owned(),
            format!("version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 1\nimport os\n"),
            format!("version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize one\n"),
            "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n".to_owned(),
            "/annex/objects/x\nimport os\n".to_owned(),
        ] {
            assert_eq!(self::text(text.as_bytes()).as_deref(), Some(text.as_str()));
        }
    }

    #[test]
    fn source_with_bytes_that_no_source_has_is_read_as_far_as_it_is_text() {
        let garbled = |text: &str, why| Content::Garbled(text.to_owned(), why);
        assert_eq!(Content::of("a.py", b"a = 1\0\n".to_vec()), garbled("a = 1\n", NUL));
        assert_eq!(Content::of("bin/run", b"#!/bin/sh\n\0".to_vec()), garbled("#!/bin/sh\n", NUL));
        assert_eq!(Content::of("a.rs", b"// \xe9\n".to_vec()), garbled("// é\n", NOT_UTF8));
        assert_eq!(Content::of("a.plist", b"bplist00\0".to_vec()), Content::Other);
        assert_eq!(Content::of("a.png", b"\x89PNG\0".to_vec()), Content::Other);
    }
}
