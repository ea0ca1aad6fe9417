//! Messages on a pipe: `Content-Length: 17`, an empty line, and that many bytes.
//!
//! Own code rather than the crate `lsp-server`: that fails at the first line on standard output that is no header, which
//! servers do print, and believes any length.

/// A longer message is not taken.
const MOST_BODY: usize = 32 << 20;
/// A line that is no header and never ends is dropped from here on.
const MOST_LINE: usize = 16 << 10;
const LENGTH: &[u8] = b"content-length:";

/// A message that is longer than anything a server has to say.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// What came from a server, taken apart.
#[derive(Default)]
pub(super) struct Frames {
    /// What was heard, to be added to.
    pub heard: Vec<u8>,
    /// So much of it has been read.
    read: usize,
    /// The length that the headers announced.
    length: Option<usize>,
    /// The headers have ended.
    is_body: bool,
}

impl Frames {
    /// The next message, if all of it is there. Lines that are no headers are passed over.
    pub fn next(&mut self) -> Result<Option<Vec<u8>>, TooLong> {
        let found = self.find();
        if found.as_ref().is_ok_and(Option::is_none) && self.read > 0 {
            self.heard.drain(..self.read);
            self.read = 0;
        }
        found
    }

    fn find(&mut self) -> Result<Option<Vec<u8>>, TooLong> {
        loop {
            let rest = self.heard.get(self.read..).unwrap_or_default();
            if self.is_body {
                let length = self.length.unwrap_or_default();
                let Some(body) = rest.get(..length).map(<[u8]>::to_vec) else { return Ok(None) };
                self.read += length;
                (self.length, self.is_body) = (None, false);
                return Ok(Some(body));
            }
            let Some(end) = memchr::memchr(b'\n', rest) else {
                if rest.len() > MOST_LINE {
                    self.read = self.heard.len();
                }
                return Ok(None);
            };
            let line = rest.get(..end).unwrap_or_default().trim_ascii();
            if line.is_empty() {
                self.is_body = self.length.is_some();
            } else if let Some(length) = announced(line) {
                self.length = Some(length.filter(|&length| length <= MOST_BODY).ok_or(TooLong)?);
            }
            self.read += end + 1;
        }
    }
}

/// The length that a header announces, `Some(None)` if it is no number. Noise may stand before it on its line.
fn announced(line: &[u8]) -> Option<Option<usize>> {
    let line = line.to_ascii_lowercase();
    let at = memchr::memmem::rfind(&line, LENGTH)?;
    let number = line.get(at + LENGTH.len()..).unwrap_or_default().trim_ascii();
    Some(std::str::from_utf8(number).ok().and_then(|number| number.parse().ok()))
}

/// A message with its headers.
pub(super) fn framed(body: &[u8]) -> Vec<u8> {
    [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All messages in `words`, which come in pieces of this size.
    fn read(words: &[u8], piece: usize) -> Result<Vec<String>, TooLong> {
        let (mut frames, mut found) = (Frames::default(), Vec::new());
        for piece in words.chunks(piece) {
            frames.heard.extend_from_slice(piece);
            while let Some(body) = frames.next()? {
                found.push(String::from_utf8(body).unwrap());
            }
        }
        Ok(found)
    }

    #[test]
    fn messages_are_read_however_they_are_cut_into_pieces() {
        let words = [framed(b"{}"), framed("ä\r\n\r\n".as_bytes()), framed(b"")].concat();
        for piece in 1..words.len() {
            assert_eq!(read(&words, piece).unwrap(), ["{}", "ä\r\n\r\n", ""], "{piece}");
        }
    }

    #[test]
    fn noise_between_messages_is_passed_over() {
        let noise = "warning: old\n\n{\"a\": 1}\nloading".as_bytes();
        let other = b"Content-Type: x\r\ncontent-length:  3 \r\nX: y\r\n\r\nabc";
        assert_eq!(read(&[noise, &framed(b"{}"), noise, b"\n", other].concat(), 7).unwrap(), ["{}", "abc"]);
    }

    #[test]
    fn a_line_without_an_end_takes_no_memory() {
        let mut frames = Frames::default();
        for _ in 0..1_000 {
            frames.heard.extend_from_slice(&[b'x'; 4096]);
            assert_eq!(frames.next(), Ok(None));
        }
        assert!(frames.heard.len() <= MOST_LINE + 4096);
    }

    #[test]
    fn a_length_that_is_none_or_too_large_is_refused() {
        for length in ["99999999999", "-1", "18446744073709551616", "x", "33554433"] {
            assert_eq!(read(format!("Content-Length: {length}\r\n\r\n").as_bytes(), 9), Err(TooLong), "{length}");
        }
    }
}
