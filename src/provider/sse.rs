//! Byte streams cut into lines, and lines into server-sent events (WHATWG HTML, 9.2.6). Takes bytes as they come,
//! in pieces of any size, and knows nothing of what the events mean.
//!
//! Own code rather than a crate: those at hand are adapters of async streams that buffer a line without bound;
//! this is fed by hand, so that what sits on top is a plain function of bytes.

/// A line of a model's API is a few kilobytes. Beyond this, it is no such API.
const LONGEST_LINE: usize = 16 << 20;

/// A line, or an event, grew past all reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

/// Bytes to lines. A line ends with LF, CR LF or CR; a byte order mark at the very beginning is dropped; what is
/// not UTF-8 becomes U+FFFD, as the standard wants.
#[derive(Debug, Default)]
pub(super) struct Lines {
    line: Vec<u8>,
    after_cr: bool,
    begun: bool,
}

impl Lines {
    /// Hands each line that is complete now to `take`, without its end.
    pub(super) fn push(&mut self, bytes: &[u8], mut take: impl FnMut(&str)) -> Result<(), TooLong> {
        for &byte in bytes {
            match byte {
                b'\n' if self.after_cr => self.after_cr = false,
                b'\n' | b'\r' => {
                    self.after_cr = byte == b'\r';
                    let whole = std::mem::take(&mut self.line);
                    let text = String::from_utf8_lossy(&whole);
                    take(if self.begun { &text } else { text.strip_prefix('\u{feff}').unwrap_or(&text) });
                    self.begun = true;
                }
                _ => {
                    self.after_cr = false;
                    if self.line.len() >= LONGEST_LINE {
                        return Err(TooLong);
                    }
                    self.line.push(byte);
                }
            }
        }
        Ok(())
    }

    /// The line that no line end followed, if there is one.
    pub(super) fn rest(&mut self) -> Option<String> {
        let rest = std::mem::take(&mut self.line);
        (!rest.is_empty()).then(|| String::from_utf8_lossy(&rest).trim_start_matches('\u{feff}').to_owned())
    }
}

/// One event. `name` is empty when the stream names none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Event {
    pub name: String,
    pub data: String,
}

/// Bytes to events. An event without data, and one that the end of the stream cut off, is none.
#[derive(Debug, Default)]
pub(super) struct Events {
    lines: Lines,
    name: String,
    data: Option<String>,
}

impl Events {
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Vec<Event>, TooLong> {
        let Events { lines, name, data } = self;
        let mut events = Vec::new();
        let mut too_long = false;
        lines.push(bytes, |line| {
            if line.is_empty() {
                let name = std::mem::take(name);
                events.extend(data.take().map(|data| Event { name, data }));
                return;
            }
            let (field, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "event" => *name = value.to_owned(),
                "data" => match data {
                    Some(data) if data.len() + value.len() > LONGEST_LINE => too_long = true,
                    Some(data) => data.extend(["\n", value]),
                    None => *data = Some(value.to_owned()),
                },
                // A comment (no field name), `id`, `retry`, or what no standard names.
                _ => {}
            }
        })?;
        if too_long { Err(TooLong) } else { Ok(events) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events of a stream, which must be the same however it is cut.
    fn events(stream: &[u8]) -> Vec<(String, String)> {
        let cut = |size: usize| {
            let mut events = Events::default();
            let all = stream.chunks(size).flat_map(|piece| events.push(piece).unwrap());
            all.map(|event| (event.name, event.data)).collect::<Vec<_>>()
        };
        let whole = cut(stream.len().max(1));
        for size in [1, 2, 3, 7] {
            assert_eq!(cut(size), whole, "cut into pieces of {size}");
        }
        whole
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(name, data)| (name.to_string(), data.to_string())).collect()
    }

    #[test]
    fn lines_end_with_lf_crlf_or_cr() {
        let expected = pairs(&[("a", "1"), ("", "2")]);
        assert_eq!(events(b"event: a\ndata: 1\n\ndata: 2\n\n"), expected);
        assert_eq!(events(b"event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n"), expected);
        assert_eq!(events(b"event: a\rdata: 1\r\rdata: 2\r\r"), expected);
    }

    #[test]
    fn a_byte_order_mark_is_dropped_at_the_beginning_only() {
        assert_eq!(events(b"\xef\xbb\xbfdata: 1\n\n\xef\xbb\xbfdata: 2\n\n"), pairs(&[("", "1")]));
    }

    #[test]
    fn a_code_point_may_be_cut_between_two_pieces() {
        assert_eq!(events("data: héllo 🦀\n\n".as_bytes()), pairs(&[("", "héllo 🦀")]));
    }

    #[test]
    fn data_lines_are_joined_and_comments_skipped() {
        let stream = b": keep-alive\n\ndata: a\ndata: b\n: x\ndata\ndata:c\nfoo: bar\nretry: 5\nid: 3\n\n: end\n\n";
        assert_eq!(events(stream), pairs(&[("", "a\nb\n\nc")]));
    }

    #[test]
    fn an_event_without_data_is_none_but_empty_data_is_some() {
        assert_eq!(events(b"event: ping\n\ndata: 1\n\n"), pairs(&[("", "1")]));
        assert_eq!(events(b"event: ping\ndata:\n\n"), pairs(&[("ping", "")]));
    }

    #[test]
    fn an_event_that_the_end_cuts_off_is_none() {
        assert_eq!(events(b"data: 1\n\ndata: 2\n"), pairs(&[("", "1")]));
        assert_eq!(events(b"data: 1\n\ndata: {\"par"), pairs(&[("", "1")]));
        assert_eq!(events(b""), pairs(&[]));
    }

    #[test]
    fn what_is_not_utf8_does_not_stop_the_stream() {
        assert_eq!(events(b"data: \xff\xfe\n\ndata: 2\n\n"), pairs(&[("", "\u{fffd}\u{fffd}"), ("", "2")]));
    }

    #[test]
    fn an_endless_line_is_refused() {
        let mut events = Events::default();
        let piece = vec![b'x'; 1 << 20];
        assert!((0..17).any(|_| events.push(&piece).is_err()));
    }
}
