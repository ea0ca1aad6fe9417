//! Marks inside a line of Markdown: code spans, emphasis, links, escapes.
//!
//! Works on one cell or bullet at a time and never fails: what is not a mark is text. Linear.

use std::collections::HashMap;

/// A piece of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// The inside of `` `a code span` ``.
    Code(&'a str),
    Text(&'a str),
}

/// Byte ranges of the code spans, marks included, with the length of the marks.
fn code_spans(text: &str) -> Vec<(usize, usize, usize)> {
    let bytes = text.as_bytes();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'`', bytes.get(at..).unwrap_or_default()) {
        let start = at + found;
        let length = bytes.iter().skip(start).take_while(|&&byte| byte == b'`').count();
        runs.push((start, length));
        at = start + length;
    }
    // For each run the next one of its length: what closes it.
    let mut closing = vec![None; runs.len()];
    let mut next: HashMap<usize, usize> = HashMap::new();
    for (index, &(_, length)) in runs.iter().enumerate().rev() {
        if let Some(slot) = closing.get_mut(index) {
            *slot = next.insert(length, index);
        }
    }
    let mut spans = Vec::new();
    let mut index = 0;
    while let Some(&(start, length)) = runs.get(index) {
        match closing.get(index).copied().flatten().and_then(|close| Some((close, runs.get(close)?))) {
            Some((close, &(end, _))) => {
                spans.push((start, end + length, length));
                index = close + 1;
            }
            None => index += 1,
        }
    }
    spans
}

/// Cuts a line at its code spans.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for (start, end, length) in code_spans(text) {
        pieces.extend(text.get(at..start).filter(|gap| !gap.is_empty()).map(Piece::Text));
        pieces.extend(text.get(start + length..end - length).map(|code| Piece::Code(code.trim())));
        at = end;
    }
    pieces.extend(text.get(at..).filter(|gap| !gap.is_empty()).map(Piece::Text));
    pieces
}

/// The text with every code span as a row of `x`, byte for byte as long, so that marks can be looked for outside of code.
pub(super) fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (start, end, _) in code_spans(text) {
        out.push_str(text.get(at..start).unwrap_or_default());
        out.extend(std::iter::repeat_n('x', end - start));
        at = end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// The positions of `|` that separate cells: not escaped, and with `spans` not in a code span either.
pub(super) fn bars(text: &str, spans: bool) -> Vec<usize> {
    let code = if spans { code_spans(text) } else { Vec::new() };
    let mut code = code.iter().peekable();
    memchr::memchr_iter(b'|', text.as_bytes())
        .filter(|&at| {
            while code.next_if(|&&(_, end, _)| end <= at).is_some() {}
            let inside = code.peek().is_some_and(|&&(start, _, _)| start <= at);
            let slashes = text.as_bytes().iter().take(at).rev().take_while(|&&byte| byte == b'\\').count();
            !inside && slashes % 2 == 0
        })
        .collect()
}

/// The text that a reader sees: no emphasis, code marks or escapes, links as their text.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Code(code) => out.push_str(code),
            Piece::Text(text) => out.push_str(&unescape(&unlink(&text.replace("**", "").replace("~~", "")))),
        }
    }
    bare(&out).to_owned()
}

/// Takes emphasis off that goes round the whole text: `**a**`, `*a*`, `_a_`; never the `__` of `__init__.py`.
pub(super) fn bare(text: &str) -> &str {
    let mut text = text.trim();
    for mark in ["***", "**", "*", "__", "_"] {
        let inner = text.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
        if let Some(inner) = inner.filter(|inner| !inner.is_empty() && !inner.contains(mark)) {
            text = inner.trim();
        }
    }
    text
}

/// `a \_ b` as `a _ b`.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\\' && letters.peek().is_some_and(|next| next.is_ascii_punctuation() && *next != '\\') {
            continue;
        }
        out.push(letter);
    }
    out
}

/// `[text](target)`: the parts of the first link, and what is before and after it.
fn link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let middle = memchr::memmem::find(text.as_bytes(), b"](")?;
    let open = text.get(..middle)?.rfind('[')?;
    let close = middle + text.get(middle..)?.find(')')?;
    Some((text.get(..open)?, text.get(open + 1..middle)?, text.get(middle + 2..close)?, text.get(close + 1..)?))
}

/// The path that a link means: where it leads beats what it shows, unless it leads to an address or out of the text, or shows
/// the whole of what it leads to.
fn linked_path(label: &str, target: &str) -> String {
    let label = label.trim_matches(['`', '*', ' ']);
    let target = target.trim().split(['#', ' ', '"']).next().unwrap_or_default().replace("%20", " ");
    let path = target.trim_start_matches("./").trim_start_matches("../");
    let shown_whole =
        label.ends_with(path) && label.get(..label.len() - path.len()).is_some_and(|before| before.ends_with('/'));
    if path.is_empty() || target.contains(':') || shown_whole || !path.contains(['.', '/']) {
        return label.to_owned();
    }
    let lower = label.to_lowercase();
    let folder = ["directory", "folder", "dir"].iter().any(|word| lower.ends_with(word)) && !path.ends_with('/');
    if folder { format!("{path}/") } else { path.to_owned() }
}

/// Does the text lead to a file of the project?
pub(super) fn has_link(text: &str) -> bool {
    link(text)
        .is_some_and(|(_, label, target, _)| !target.contains(':') && linked_path(label, target).contains(['.', '/']))
}

/// Links as their text.
fn unlink(text: &str) -> String {
    relinked(text, |label, _| label.to_owned())
}

/// Links as code spans of the paths that they mean.
pub(super) fn links_as_code(text: &str) -> String {
    relinked(text, |label, target| format!("`{}`", linked_path(label, target)))
}

/// The text with what `shown` makes of the label and the target of each link.
fn relinked(text: &str, shown: impl Fn(&str, &str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, label, target, after)) = link(rest) {
        out.push_str(before);
        out.push_str(&shown(label, target));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// `1.`, `2)`, `- [x]`, `*`: the text of a list item, its indentation in columns, and whether a box is ticked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bullet<'a> {
    pub indent: usize,
    /// The number of an ordered item.
    pub number: Option<&'a str>,
    /// `Some(true)` for `[x]`, `Some(false)` for `[ ]`.
    pub ticked: Option<bool>,
    pub text: &'a str,
}

pub(crate) fn bullet(line: &str) -> Option<Bullet<'_>> {
    let rest = line.trim_start();
    let indent = line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum();
    let (number, rest) = match rest.strip_prefix(['-', '*', '+', '•']) {
        Some(rest) => (None, rest),
        None => {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number = rest.get(..digits).filter(|number| (1..=9).contains(&number.len()))?;
            (Some(number), rest.get(digits..)?.strip_prefix(['.', ')'])?)
        }
    };
    if !(rest.is_empty() || rest.starts_with([' ', '\t', '\u{a0}'])) {
        return None;
    }
    let rest = rest.trim();
    let boxed = [("[ ]", false), ("[x]", true), ("[X]", true), ("[]", false), ("[~]", false), ("[-]", false)];
    let ticked = boxed.into_iter().find_map(|(mark, on)| rest.strip_prefix(mark).map(|text| (on, text)));
    // Kiro marks optional tasks with a star: `- [ ]* 1.2 Write tests`.
    let ticked = ticked.map(|(on, text)| match text.strip_prefix('*') {
        Some(rest) if rest.starts_with(' ') => (on, rest),
        _ => (on, text),
    });
    let (ticked, text) = match ticked {
        Some((on, text)) if text.is_empty() || text.starts_with([' ', '\t', '\u{a0}']) => (Some(on), text.trim()),
        _ => (None, rest),
    };
    Some(Bullet { indent, number, ticked, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_spans_are_cut_out_whatever_their_marks() {
        assert_eq!(pieces("a `b` c"), [Piece::Text("a "), Piece::Code("b"), Piece::Text(" c")]);
        assert_eq!(pieces("``a ` b``"), [Piece::Code("a ` b")]);
        assert_eq!(pieces("a ` b"), [Piece::Text("a ` b")]);
    }

    #[test]
    fn bars_in_code_and_escaped_bars_do_not_separate() {
        assert_eq!(bars(r"a | `b|c` \| d |", true), [2, 15]);
        assert_eq!(bars("`a | b", true), [3]);
    }

    #[test]
    fn readers_see_no_marks() {
        assert_eq!(plain("**Modify** `a.py` ([see](http://x))"), "Modify a.py (see)");
        assert_eq!(plain(r"src/\_\_init\_\_.py"), "src/__init__.py");
        assert_eq!(plain("__init__.py"), "__init__.py");
    }

    #[test]
    fn bullets_numbers_and_boxes_are_told_apart() {
        assert_eq!(bullet("  - [x] a").map(|b| (b.indent, b.ticked, b.text)), Some((2, Some(true), "a")));
        assert_eq!(bullet("12. b").map(|b| (b.number, b.text)), Some((Some("12"), "b")));
        assert_eq!(bullet("**bold** c"), None);
        assert_eq!(bullet("-x"), None);
        assert_eq!(bullet("- [link](x)").map(|b| (b.ticked, b.text)), Some((None, "[link](x)")));
    }
}
