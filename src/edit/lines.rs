//! A reply as lines. As `str::lines`, but quicker: a reply is gone over more than once, and most of it is lines.

/// The lines of a text, without their ends.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    raw_lines(text).map(|raw| {
        let end = match raw.as_bytes() {
            [.., b'\r', b'\n'] => 2,
            [.., b'\n'] => 1,
            _ => 0,
        };
        raw.get(..raw.len() - end).unwrap_or(raw)
    })
}

/// The same, in a vector of just the size.
pub(super) fn all_lines(text: &str) -> Vec<&str> {
    let mut all = Vec::with_capacity(memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1);
    all.extend(lines(text));
    all
}

/// The lines of a text with their ends.
pub(super) fn raw_lines(text: &str) -> impl Iterator<Item = &str> {
    let last = text.as_bytes().last().filter(|byte| **byte != b'\n').map(|_| text.len());
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1).chain(last);
    ends.scan(0, |start, end| text.get(std::mem::replace(start, end)..end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_standard_library() {
        for text in ["", "\n", "a", "a\n", "\n\n", "a\r\nb\r", "a\n\r\n b", "\r\r\n"] {
            assert_eq!(lines(text).collect::<Vec<_>>(), text.lines().collect::<Vec<_>>(), "{text:?}");
            assert!(raw_lines(text).eq(text.split_inclusive('\n')), "{text:?}");
        }
    }
}
