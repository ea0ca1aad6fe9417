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

/// The remarks of a reply, in its order, and how many others do not count:
///
/// ```text
/// src/a.py:12
/// > return total / count
/// count may be 0
/// ```
pub fn remarks(reply: &str, changed: &[Changed]) -> (Vec<Remark>, usize) {
    let files: HashMap<&str, Vec<&str>> =
        changed.iter().filter_map(|file| Some((file.path, file.text?.lines().collect()))).collect();
    let (mut remarks, mut void) = (Vec::new(), 0);
    for Block { place: (path, line), quote, said } in blocks(reply, |path| files.contains_key(path)) {
        let stands = line.checked_sub(1).and_then(|at| files.get(path)?.get(at).copied()).unwrap_or_default();
        let quotes = !quote.is_empty()
            && stands.contains(quote)
            && (quote.chars().count() >= LEAST_QUOTE || quote == stands.trim());
        match quotes && !said.is_empty() && remarks.len() < MOST {
            true => {
                let said = said.chars().take(LONGEST).collect();
                remarks.push(Remark { path: path.to_owned(), line, quote: quote.to_owned(), said });
            }
            false => void += 1,
        }
    }
    (remarks, void)
}

#[derive(Default)]
struct Block<'a> {
    place: (&'a str, usize),
    quote: &'a str,
    said: String,
}

/// A sentence may end in a colon and a number: a name with blanks is a path only if it `is_known`.
fn blocks<'r>(reply: &'r str, is_known: impl Fn(&str) -> bool) -> Vec<Block<'r>> {
    let mut blocks: Vec<Block> = Vec::new();
    for line in reply.lines() {
        let line = line.trim();
        if let Some(place) = place(line).filter(|(path, _)| !path.contains(' ') || is_known(path)) {
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

/// `src/a.py:12`, alone on its line, as people set it off.
fn place(line: &str) -> Option<(&str, usize)> {
    let line = line.trim_start_matches(['-', '*', '#', ' ']).trim_end_matches([':', '*', ' ']);
    let (path, number) = line.trim_matches('`').rsplit_once(':')?;
    let number = number.trim_start_matches(['L', 'l']);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !path.is_empty()).then(|| Some((path.trim_matches('`'), number.parse().ok()?)))?
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
        remarks(reply, &[Changed { path: "src/a b.py", from: None, base: None, text: Some(TEXT) }])
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
            "src/a b.py:1\n> def mean(values):\n",
            "src/a b.py:99999999999999999999999\n> def mean\nx",
        ] {
            let (remarks, void) = read(reply);
            assert!(remarks.is_empty() && void <= 1, "{reply}: {remarks:?}");
        }
        assert_eq!(read("src/a b.py:4\n> }\nA short line is quoted whole.").0.len(), 1);
    }
}
