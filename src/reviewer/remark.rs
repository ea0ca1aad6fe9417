//! Remarks: each names a file and a line of the change, quotes what stands there, and says what is wrong with it.
//!
//! A remark that quotes nothing of the line that it names does not count: whoever has not read the line has nothing to say
//! about it.

use super::Changed;
use std::collections::HashMap;

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    pub path: String,
    /// Of the new text, from 1.
    pub line: usize,
    /// Of that line.
    pub quote: String,
    pub said: String,
}

/// The most remarks that are read.
const MOST: usize = 40;
/// The longest remark, in characters.
const LONGEST: usize = 1_000;
/// A quote is at least as long as this, or the whole line.
const LEAST_QUOTE: usize = 4;

/// What a reply says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remarks {
    pub counted: Vec<Remark>,
    /// How many others do not count.
    pub void: usize,
    /// Of these, those that are about files that are not in the change.
    pub outside: usize,
    /// And those that quote nothing of the line that they name.
    pub unquoted: usize,
}

/// The remarks of a reply, in its order:
///
/// ```text
/// src/a.py:12
/// > return total / count
/// count may be 0
/// ```
pub fn remarks(reply: &str, changed: &[Changed]) -> Remarks {
    let files: HashMap<&str, Vec<&str>> =
        changed.iter().filter_map(|file| Some((file.path, file.text?.lines().collect()))).collect();
    let mut remarks = Remarks::default();
    for Block { place: (path, line), quote, said } in blocks(reply, |path| files.contains_key(path)) {
        let file = files.get(path);
        let stands = line.checked_sub(1).and_then(|at| file?.get(at).copied()).unwrap_or_default();
        let quotes = !quote.is_empty()
            && stands.contains(quote)
            && (quote.chars().count() >= LEAST_QUOTE || quote == stands.trim());
        if quotes && remarks.counted.len() < MOST {
            // Who says nothing of it has shown it all the same.
            let said = if said.is_empty() { quote } else { &said };
            let said = said.chars().take(LONGEST).collect();
            remarks.counted.push(Remark { path: path.to_owned(), line, quote: quote.to_owned(), said });
            continue;
        }
        remarks.void += 1;
        remarks.outside += usize::from(file.is_none());
        remarks.unquoted += usize::from(file.is_some() && !quotes);
    }
    remarks
}

#[derive(Default)]
struct Block<'a> {
    place: (&'a str, usize),
    quote: &'a str,
    said: String,
}

fn blocks<'r>(reply: &'r str, is_known: impl Fn(&str) -> bool) -> Vec<Block<'r>> {
    let mut blocks: Vec<Block> = Vec::new();
    for line in reply.lines() {
        let line = line.trim();
        if let Some(place) = place(line, &is_known) {
            blocks.push(Block { place, ..Block::default() });
            continue;
        }
        let Some(block) = blocks.last_mut() else { continue };
        match line.strip_prefix('>') {
            Some(quote) if block.quote.is_empty() && block.said.is_empty() => block.quote = unquoted(quote),
            _ if line.is_empty() || line.starts_with("```") => {}
            _ => {
                block.said.extend((!block.said.is_empty()).then_some(' '));
                block.said.push_str(line);
            }
        }
    }
    blocks
}

/// `src/a.py:12`, alone on its line, as people set it off. A path that `is_known` may begin as an item of a list does; and a
/// sentence may end in a colon and a number: a name with blanks is a path only if it is known.
fn place<'l>(line: &'l str, is_known: &impl Fn(&str) -> bool) -> Option<(&'l str, usize)> {
    let whole = line.trim_end_matches([':', '*', ' ']);
    let item = unlisted(whole);
    let bare = unlisted(whole.trim_start_matches(['-', '*', '#', ' ']));
    let known = [whole, item, bare].into_iter().filter_map(numbered).find(|(path, _)| is_known(path));
    known.or_else(|| numbered(bare).filter(|(path, _)| !path.contains(' ')))
}

/// Without the mark of an item: `- `, `* `, `1. `, `1) `.
fn unlisted(line: &str) -> &str {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = if number.len() < line.len() { number.strip_prefix(['.', ')']) } else { line.strip_prefix(['-', '*']) };
    after.and_then(|rest| rest.strip_prefix(' ')).map_or(line, str::trim_start)
}

/// A path and a line, or the first of some lines: `src/a.py:12-14`.
fn numbered(text: &str) -> Option<(&str, usize)> {
    let (path, lines) = text.trim_matches('`').rsplit_once(':')?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let number = |text: &str| text.trim_start_matches(['L', 'l']).parse::<usize>().ok();
    let path = path.trim_matches('`');
    number(last)?;
    number(first).map(|first| (path, first)).filter(|(path, _)| !path.is_empty())
}

/// The quote without what sets it off.
fn unquoted(quote: &str) -> &str {
    let quote = quote.trim();
    let bare = quote.strip_prefix('`').and_then(|quote| quote.strip_suffix('`')).unwrap_or(quote);
    bare.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "def mean(values):\n    total = sum(values)\n    return total / len(values)\n}\n";

    fn read(reply: &str) -> (Vec<Remark>, usize) {
        let read = all(reply);
        (read.counted, read.void)
    }

    fn all(reply: &str) -> Remarks {
        let dash = Changed { path: "-x.py", from: None, base: None, text: Some(TEXT) };
        remarks(reply, &[dash, Changed { path: "src/a b.py", from: None, base: None, text: Some(TEXT) }])
    }

    #[test]
    fn a_remark_names_a_line_and_quotes_it() {
        let (remarks, void) = read(
            "Two things.\n\n- `src/a b.py:3`\n  > `return total / len(values)`\n  An empty list\n  divides by zero.\n\n\
             ### src/a b.py:1:\n> def mean(values):\nNo docstring.\n",
        );
        assert_eq!(void, 0);
        let said: Vec<_> = remarks.iter().map(|it| (it.line, it.quote.as_str(), it.said.as_str())).collect();
        assert_eq!(
            said,
            [
                (3, "return total / len(values)", "An empty list divides by zero."),
                (1, "def mean(values):", "No docstring."),
            ]
        );
    }

    #[test]
    fn one_that_quotes_nothing_of_its_line_does_not_count() {
        for reply in [
            "src/a b.py:2\n> return total / len(values)\nwrong line",
            "src/a b.py:9\n> return total\nno such line",
            "src/a b.py:0\n> def\nno such line",
            "src/b.py:1\n> def mean(values):\nno such file",
            "src/a b.py:1\nno quote",
            "src/a b.py:1\n>\nan empty quote",
            "src/a b.py:1\n> e\na letter",
            "src/a b.py:99999999999999999999999\n> def mean\nx",
        ] {
            let (remarks, void) = read(reply);
            assert!(remarks.is_empty() && void <= 1, "{reply}: {remarks:?}");
        }
        assert_eq!(read("src/a b.py:4\n> }\nA short line is quoted whole.").0.len(), 1);
    }

    #[test]
    fn a_place_may_be_an_item_of_a_list_or_several_lines_and_its_quote_may_say_it_all() {
        let quote = "> return total / len(values)\n";
        for place in [
            "1. src/a b.py:3",
            "2) `src/a b.py:3`",
            "- src/a b.py:3-4",
            "* src/a b.py:L3-L4:",
            "**src/a b.py:3**",
            "-x.py:3",
            "- -x.py:3",
            "1. -x.py:3",
        ] {
            let (found, void) = read(&format!("{place}\n{quote}It divides.\n"));
            let said: Vec<_> = found.iter().map(|it| (it.line, it.said.as_str())).collect();
            assert_eq!((said, void), (vec![(3, "It divides.")], 0), "{place}");
        }
        let (found, void) = read(&format!("src/a b.py:3\n{quote}"));
        assert_eq!((found[0].said.as_str(), void), ("return total / len(values)", 0));
        // What is no line is no place.
        assert_eq!(read(&format!("1. a.py:x\n{quote}no\na.py:3-\n{quote}")), (vec![], 0));
    }

    #[test]
    fn why_a_remark_does_not_count_is_known() {
        let reply = "src/b.py:1\n> def mean(values):\nno such file\n\nsrc/a b.py:2\n> return total\nwrong line\n";
        let Remarks { void, outside, unquoted, .. } = all(reply);
        assert_eq!((void, outside, unquoted), (2, 1, 1));
    }
}
