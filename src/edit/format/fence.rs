//! Code fences, as Markdown has them and as models use them.

use super::target;
use crate::edit::Refusal;

/// A line that is a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fence<'r> {
    /// The line's number in the text, from 0.
    pub line: usize,
    /// Where the line begins, and where the next one does.
    pub start: usize,
    pub end: usize,
    pub indent: usize,
    pub mark: char,
    /// How many marks.
    pub long: usize,
    /// What follows the marks.
    pub info: &'r str,
}

impl Fence<'_> {
    /// Only marks, so that it may close a block.
    pub fn is_bare(&self) -> bool {
        self.info.is_empty()
    }
    /// Could close a block that `open` began.
    pub fn closes(&self, open: &Fence) -> bool {
        self.may_close(open) && self.long == open.long
    }
    /// The same by Markdown's own rule, by which the closing fence may be longer. Models use longer fences for what stands
    /// inside a block, so that this counts only where nothing of the same length closes it.
    pub fn may_close(&self, open: &Fence) -> bool {
        self.is_bare() && self.mark == open.mark && self.long >= open.long && self.indent <= open.indent
    }
}

/// Reads one line as a fence.
pub(super) fn read(line: &str) -> Option<(usize, char, usize, &str)> {
    let rest = line.trim_start_matches(' ');
    let indent = line.len() - rest.len();
    let mark = match rest.as_bytes().first()? {
        b'`' => '`',
        b'~' => '~',
        _ => return None,
    };
    let info = rest.trim_start_matches(mark);
    let long = rest.len() - info.len();
    let inline = mark == '`' && info.contains('`') && !names_a_file(info);
    (long >= 3 && indent <= 12 && !inline).then_some((indent, mark, long, info.trim()))
}

/// Does a tag end in a path as code: `` python `src/a.py` ``? Markdown takes no such line for a fence, and models write them.
fn names_a_file(info: &str) -> bool {
    let mut parts = info.trim_end().splitn(4, '`');
    let (_, path, end, more) = (parts.next(), parts.next(), parts.next(), parts.next());
    path.is_some_and(target::looks_like_path) && end == Some("") && more.is_none()
}

/// All fence lines of a text, in order.
pub(super) fn fences(text: &str) -> Vec<Fence<'_>> {
    each(text).collect()
}

/// The same, one after the other.
pub(super) fn each(text: &str) -> impl Iterator<Item = Fence<'_>> {
    let bytes = text.as_bytes();
    // Where the next line begins, and its number. Only lines with a mark in them are looked at.
    let (mut next, mut line) = (0, 0);
    std::iter::from_fn(move || {
        while let Some(mark) = memchr::memchr2(b'`', b'~', &bytes[next..]).map(|at| next + at) {
            let passed = &bytes[next..mark];
            let start = memchr::memrchr(b'\n', passed).map_or(next, |at| next + at + 1);
            let end = memchr::memchr(b'\n', &bytes[mark..]).map_or(text.len(), |at| mark + at + 1);
            let number = line + memchr::memchr_iter(b'\n', passed).count();
            (next, line) = (end, number + 1);
            if let Some((indent, mark, long, info)) = text.get(start..end).and_then(read) {
                return Some(Fence { line: number, start, end, indent, mark, long, info });
            }
        }
        None
    })
}

/// The reply for `target` ends inside a fence.
pub(super) fn unclosed(target: &str) -> Refusal {
    Refusal::new("reply-unclosed", format!("the reply for '{target}' has an open code fence that is never closed"))
        .hint("the reply may have been cut off")
}

/// Do these fences pair up as blocks, one after the other, each closed?
pub(super) fn all_closed(fences: &[Fence]) -> bool {
    let mut open: Option<&Fence> = None;
    for fence in fences {
        match open {
            None => open = Some(fence),
            Some(opened) if fence.is_bare() && fence.mark == opened.mark && fence.long >= opened.long => open = None,
            Some(_) => {}
        }
    }
    open.is_none()
}

/// The same for the fences from each of them on, and for none at last.
pub(super) fn closed_from(fences: &[Fence]) -> Vec<bool> {
    let mut closed = vec![true; fences.len() + 1];
    // For each mark the fences further on that may close one here: the nearest last, each shorter than the ones before it.
    let mut closers: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
    for (at, fence) in fences.iter().enumerate().rev() {
        let closers = &mut closers[usize::from(fence.mark == '~')];
        let long_enough = closers.partition_point(|close| fences[*close].long >= fence.long);
        closed[at] = closers[..long_enough].last().is_some_and(|close| closed[close + 1]);
        if fence.is_bare() {
            closers.truncate(closers.partition_point(|close| fences[*close].long > fence.long));
            closers.push(at);
        }
    }
    closed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_known_by_their_lines_and_bytes() {
        let text = "a `b`\n\n  ```py x\n~~ ```\n~~~~";
        let places: Vec<_> =
            fences(text).iter().map(|fence| (fence.line, fence.start, fence.end, fence.info)).collect();
        assert_eq!(places, [(2, 7, 17, "py x"), (4, 24, 28, "")]);
    }

    #[test]
    fn code_inside_a_line_is_no_fence() {
        assert_eq!(read("```a``` b"), None);
        assert_eq!(read("```py `src/a.py`"), Some((0, '`', 3, "py `src/a.py`")));
        assert_eq!(["```py `x`", "```py `a/b` c", "```py ``a/b``", "``` `a/b` `c/d`"].map(read), [None; 4]);
        assert_eq!(read("~~~ `a`"), Some((0, '~', 3, "`a`")));
        assert_eq!(["``", "~~ x", "a ```", "\t```"].map(read), [None; 4]);
        assert!(read(&(" ".repeat(12) + "```")).is_some() && read(&(" ".repeat(13) + "```")).is_none());
    }

    #[test]
    fn what_is_closed_from_each_fence_on_is_what_is_closed_alone() {
        // All sequences of up to six fences of five kinds.
        let kinds = ["```\n", "````\n", "```x\n", "~~~\n", "~~~~y\n"];
        for number in 0..5_usize.pow(6) {
            let text: String = (0..6).map(|n| kinds[number / 5_usize.pow(n) % 5]).collect();
            let fences = fences(&text);
            let alone: Vec<bool> = (0..=fences.len()).map(|from| all_closed(&fences[from..])).collect();
            assert_eq!(closed_from(&fences), alone, "{text}");
        }
    }
}
