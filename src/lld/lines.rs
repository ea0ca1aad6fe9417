//! The lines of a Markdown document and what each of them is: heading, fence, code, comment, text.
//!
//! Not a CommonMark parser: designs are written by people and models who never rendered them. Fences may nest,
//! stay open, or hold fences of their own length. Knows nothing of tables, lists or designs.

use std::collections::HashMap;

/// What a line is. Every line is exactly one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineKind<'a> {
    Blank,
    /// `## Title`: the level (1 to 6; 7 for a caption) and the title, less the marks.
    Heading(usize, &'a str),
    /// The line that opens a fence.
    Open,
    /// The line that closes a fence.
    Close,
    /// Inside a fence.
    Code,
    /// Front matter, its two `---` included.
    Front,
    /// Part of an HTML comment.
    Comment,
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// Counted from 1.
    pub number: usize,
    /// Without its line end.
    pub text: &'a str,
    pub kind: LineKind<'a>,
}

/// How fences are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fences {
    /// As CommonMark says: what opens is closed by the first bare fence that is long enough.
    First,
    /// A tagged fence inside a fence opens another one, which takes a closing fence of its own. This is how models
    /// write Markdown in Markdown.
    Nested,
}

/// Reads `text` (any bytes that are UTF-8: byte order mark, CRLF and a missing final newline are fine). Linear.
pub(crate) fn scan(text: &str, fences: Fences) -> Vec<Line<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let raw: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let front = front_matter(&raw);
    let closers = Closers::new(&raw);
    let comment_end = raw.iter().rposition(|line| line.contains("-->"));
    let mut open: Vec<Mark> = Vec::new();
    let mut in_comment = false;
    let mut lines = Vec::with_capacity(raw.len());
    for (index, &text) in raw.iter().enumerate() {
        let kind = if index < front {
            LineKind::Front
        } else if let Some(outer) = open.last().copied() {
            match Mark::of(text) {
                Some(mark) if mark.closes(outer) => {
                    open.pop();
                    if open.is_empty() { LineKind::Close } else { LineKind::Code }
                }
                Some(mark) if fences == Fences::Nested && mark.nests_in(outer) => {
                    open.push(mark);
                    LineKind::Code
                }
                // A fence that nobody closes would swallow the rest of the design: it ends at a section.
                _ => match heading(text) {
                    Some((level, title)) if level > 1 && !closers.after(index, outer) => {
                        open.clear();
                        LineKind::Heading(level, title)
                    }
                    _ => LineKind::Code,
                },
            }
        } else if in_comment {
            in_comment = !text.contains("-->");
            LineKind::Comment
        } else if text.trim().is_empty() {
            LineKind::Blank
        } else if let Some(mark) = Mark::of(text) {
            open.push(mark);
            LineKind::Open
        } else if text.trim_start().starts_with("<!--") {
            in_comment = !text.contains("-->") && comment_end.is_some_and(|end| end > index);
            LineKind::Comment
        } else if let Some((level, title)) = heading(text) {
            LineKind::Heading(level, title)
        } else {
            LineKind::Text
        };
        lines.push(Line { number: index + 1, text, kind });
    }
    lines
}

/// A document that lies whole in a Markdown fence, as models answer, without that fence; lines keep their numbers.
pub(super) fn unwrap(text: &str) -> Option<String> {
    let lines = scan(text, Fences::First);
    let open = lines.iter().position(|line| matches!(line.kind, LineKind::Open | LineKind::Heading(..)))?;
    let mark = lines.get(open).and_then(|line| Mark::of(line.text))?;
    let markdown = matches!(mark.info.to_ascii_lowercase().as_str(), "markdown" | "md");
    let titled = lines.iter().skip(open + 1).find(|line| !line.text.trim().is_empty());
    if !markdown || titled.and_then(|line| heading(line.text)).is_none_or(|(level, _)| level > 1) {
        return None;
    }
    let close = lines.iter().rposition(|line| Mark::of(line.text).is_some_and(|end| end.closes(mark)));
    let kept = lines.iter().enumerate().map(|(at, line)| if at == open || Some(at) == close { "" } else { line.text });
    Some(kept.collect::<Vec<_>>().join("\n"))
}

/// How many lines the front matter takes: none unless it is closed.
fn front_matter(raw: &[&str]) -> usize {
    if raw.first().is_none_or(|line| line.trim_end() != "---") {
        return 0;
    }
    let end = raw.iter().skip(1).position(|line| matches!(line.trim_end(), "---" | "..."));
    end.map_or(0, |at| at + 2)
}

/// `## 2.1 Files` and the like; the title without closing `#`s.
fn heading(text: &str) -> Option<(usize, &str)> {
    let indent = text.len() - text.trim_start_matches(' ').len();
    let rest = text.get(indent..)?;
    let level = rest.bytes().take(7).take_while(|&byte| byte == b'#').count();
    let title = rest.get(level..)?;
    if indent > 3 || !(1..=6).contains(&level) || !(title.is_empty() || title.starts_with([' ', '\t'])) {
        return None;
    }
    let title = title.trim();
    let bare = title.trim_end_matches('#');
    Some((level, if bare.is_empty() || bare.ends_with([' ', '\t']) { bare.trim_end() } else { title }))
}

/// The beginning of a line that opens or closes a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark<'a> {
    letter: u8,
    length: usize,
    info: &'a str,
}

impl<'a> Mark<'a> {
    fn of(text: &'a str) -> Option<Mark<'a>> {
        // Any indentation: a fence in a list is indented as far as the list is deep.
        let rest = text.trim_start();
        let letter = *rest.as_bytes().first()?;
        let length = rest.bytes().take_while(|&byte| byte == letter).count();
        let info = rest.get(length..)?.trim();
        let fence = matches!(letter, b'`' | b'~') && length >= 3 && !(letter == b'`' && info.contains('`'));
        fence.then_some(Mark { letter, length, info })
    }
    fn closes(self, open: Mark) -> bool {
        self.info.is_empty() && self.letter == open.letter && self.length >= open.length
    }
    fn nests_in(self, outer: Mark) -> bool {
        !self.info.is_empty() && self.letter == outer.letter && self.length >= outer.length
    }
}

/// Where the last bare fence of each letter and length is, so that one look says whether a fence is ever closed.
struct Closers(HashMap<u8, Vec<(usize, usize)>>);

impl Closers {
    fn new(raw: &[&str]) -> Closers {
        let mut map: HashMap<u8, Vec<(usize, usize)>> = HashMap::new();
        for (index, text) in raw.iter().enumerate().rev() {
            if let Some(mark) = Mark::of(text).filter(|mark| mark.info.is_empty()) {
                // From the end: only a fence longer than all after it can close more.
                let list = map.entry(mark.letter).or_default();
                if list.last().is_none_or(|&(_, length)| mark.length > length) {
                    list.push((index, mark.length));
                }
            }
        }
        Closers(map)
    }
    /// Does any line after `index` close `open`?
    fn after(&self, index: usize, open: Mark) -> bool {
        let Some(list) = self.0.get(&open.letter) else { return false };
        let first = list.partition_point(|&(_, length)| length < open.length);
        list.get(first).is_some_and(|&(at, _)| at > index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str, fences: Fences) -> Vec<LineKind<'_>> {
        scan(text, fences).into_iter().map(|line| line.kind).collect()
    }

    #[test]
    fn a_longer_fence_holds_shorter_ones() {
        let text = "````md\n```\n# no\n```\n````\n# yes";
        for fences in [Fences::First, Fences::Nested] {
            let heads: Vec<_> =
                kinds(text, fences).into_iter().filter(|k| matches!(k, LineKind::Heading(..))).collect();
            assert_eq!(heads, [LineKind::Heading(1, "yes")]);
        }
    }

    #[test]
    fn a_tagged_fence_inside_a_fence_of_its_length_is_nested_or_ends_it_early() {
        let text = "```\n```py\nx\n```\n```\n## swallowed\n";
        assert!(kinds(text, Fences::Nested).contains(&LineKind::Heading(2, "swallowed")));
        let text = "```\n```py\nx\n```\n```\n## swallowed\n```\n";
        assert!(!kinds(text, Fences::First).contains(&LineKind::Heading(2, "swallowed")));
    }

    #[test]
    fn a_fence_that_is_never_closed_ends_at_the_next_section() {
        let text = "```sh\n# a comment\nls\n## Next\ntext";
        assert_eq!(
            kinds(text, Fences::First),
            [LineKind::Open, LineKind::Code, LineKind::Code, LineKind::Heading(2, "Next"), LineKind::Text]
        );
    }

    #[test]
    fn byte_order_mark_crlf_and_front_matter_are_read() {
        let text = "\u{feff}---\r\nname: x\r\n---\r\n# T #\r\n\r\n<!-- a\r\n# b\r\n-->\r\nend";
        assert_eq!(
            kinds(text, Fences::First),
            [
                LineKind::Front,
                LineKind::Front,
                LineKind::Front,
                LineKind::Heading(1, "T"),
                LineKind::Blank,
                LineKind::Comment,
                LineKind::Comment,
                LineKind::Comment,
                LineKind::Text
            ]
        );
    }

    #[test]
    fn what_only_looks_like_a_heading_is_text() {
        for text in ["#324 is fixed", "####### seven", "    # indented code", "#!/bin/sh"] {
            assert_eq!(kinds(text, Fences::First), [LineKind::Text], "{text}");
        }
        assert_eq!(kinds("# C#", Fences::First), [LineKind::Heading(1, "C#")]);
    }
}
