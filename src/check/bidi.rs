//! Characters that make code look other than it is: bidirectional controls that reorder it ("Trojan Source"), invisible
//! ones inside of names, and texts smuggled in as tags or variation selectors. Only new ones count.
//!
//! The same characters have honest uses, and those are left alone: right-to-left text that is closed where it was
//! opened, joiners of Persian and Indic words, emoji sequences, a byte order mark. Prose and data are for people to read
//! in any language, so that only what no reader could want is found there.

use super::{Base, Change, Check, Design, Settings, Verdict, Weight, kind, lines};
use crate::finding::Finding;

pub const CHECK: Check =
    Check { id: "bidi", allowable: true, design: Design::Never, weight: Weight::ALWAYS, base: Base::Excuses, run };

/// The id of what hides rather than reorders.
const INVISIBLE: &str = "bidi-invisible";
/// A variation selector follows what it varies; sloppy editors double it. Nobody but a smuggler writes so many.
const SELECTORS: usize = 4;

fn run(candidate: &Change, _: &Settings) -> Verdict {
    if !suspicious(candidate.text) {
        return Verdict::Pass;
    }
    let is_code = kind::is_code(candidate.path);
    let base = candidate.base.filter(|base| suspicious(base));
    let test: fn(&str) -> bool =
        if is_code { |line| look(line, true).is_some() } else { |line| look(line, false).is_some() };
    let found: Vec<Finding> = lines::new_lines(base, candidate.text, None, test)
        .into_iter()
        .filter_map(|(at, line)| Some((at, look(line, is_code)?)))
        .map(|(at, found)| found.finding(candidate.path).line(at))
        .collect();
    if found.is_empty() { Verdict::Pass } else { Verdict::Fail(found) }
}

/// The lines, counted from 1, that are other than they look to whoever reads code.
pub(super) fn lines(text: &str) -> impl Iterator<Item = usize> {
    let lines = suspicious(text).then(|| text.lines().enumerate()).into_iter().flatten();
    lines.filter(|(_, line)| look(line, true).is_some()).map(|(at, _)| at + 1)
}

/// May the text hold any of the characters? Nearly every text ends here, at the speed of memory: their first bytes in
/// UTF-8 are few.
fn suspicious(text: &str) -> bool {
    let bytes = text.as_bytes();
    // U+2000 to U+206F; U+E0000 and on.
    let general = |at: usize| {
        matches!(bytes.get(at + 1..at + 3), Some([0x80, 0x8b..=0x8d] | [0x80, 0xaa..=0xae] | [0x81, 0xa0..=0xaf]))
    };
    memchr::memchr_iter(0xe2, bytes).any(general)
        // U+FE00 to U+FEFF and U+FFA0; U+3164.
        || memchr::memchr2_iter(0xef, 0xe3, bytes).any(|at| match bytes.get(at..at + 3) {
            Some([0xef, 0xb8, 0x80..=0x8f] | [0xef, 0xbe, 0xa0] | [0xe3, 0x85, 0xa4]) => true,
            Some([0xef, 0xbb, 0xbf]) => at > 0,
            _ => false,
        })
        || memchr::memchr_iter(0xf3, bytes).any(|at| bytes.get(at + 1) == Some(&0xa0))
        // U+115F and U+1160; U+00AD.
        || memchr::memchr2_iter(0xe1, 0xc2, bytes).any(|at| match bytes.get(at..at + 2) {
            Some([0xe1, 0x85]) => matches!(bytes.get(at + 2), Some(0x9f | 0xa0)),
            Some([0xc2, 0xad]) => true,
            _ => false,
        })
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BidiFault {
    Reorders(char),
    InName(char),
    Smuggled(char),
}

impl BidiFault {
    fn finding(self, path: &str) -> Finding {
        let (id, what, hint) = match self {
            BidiFault::Reorders(c) => (
                CHECK.id,
                format!("a bidirectional control ({}) that makes it look other than it is", name(c)),
                "write it as an escape, or close it before the text it stands in ends",
            ),
            BidiFault::InName(c) => (
                INVISIBLE,
                format!("an invisible character ({}) inside of a word", name(c)),
                "take it out, or write it as an escape",
            ),
            BidiFault::Smuggled(c) => {
                (INVISIBLE, format!("a text of invisible characters (from {})", name(c)), "take it out")
            }
        };
        Finding::error(id, format!("'{path}' has {what}")).hint(hint)
    }
}

fn name(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

/// The first thing that is wrong with `line`.
fn look(line: &str, is_code: bool) -> Option<BidiFault> {
    if line.is_ascii() {
        return None;
    }
    reordering(line, is_code).or_else(|| smuggled(line)).or_else(|| if is_code { inside_a_name(line) } else { None })
}

/// An opened direction that nothing closes or, in code, that spans anything but the text of one string or remark.
fn reordering(line: &str, is_code: bool) -> Option<BidiFault> {
    // What is open, each with the count of right-to-left letters before it.
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut letters = 0;
    for c in line.chars() {
        match c {
            '\u{202a}' | '\u{202b}' | '\u{202d}' | '\u{202e}' | '\u{2066}'..='\u{2068}' => open.push((c, letters)),
            '\u{202c}' | '\u{2069}' => {
                let closed = open.pop();
                if let Some((opener, before)) = closed
                    && before == letters
                    && is_code
                {
                    return Some(BidiFault::Reorders(opener));
                }
                // Closes what was never open: nothing is reordered.
            }
            _ if is_code && is_syntax(c) => {
                if let Some((opener, _)) = open.first() {
                    return Some(BidiFault::Reorders(*opener));
                }
            }
            _ if is_right_to_left(c) => letters += 1,
            _ => {}
        }
    }
    let overriding = |c: char| matches!(c, '\u{202d}' | '\u{202e}');
    open.iter().find(|(c, _)| is_code || overriding(*c)).map(|(c, _)| BidiFault::Reorders(*c))
}

/// What ends or begins a string, a remark or a block.
fn is_syntax(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '{' | '}' | ';' | '/' | '*' | '#' | '\\')
}

/// Hebrew, Arabic, Syriac, Thaana and on, with their presentation forms.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Tags other than those of a flag; more variation selectors than anything has variants.
fn smuggled(line: &str) -> Option<BidiFault> {
    let mut flag = false;
    let mut selectors = 0;
    for c in line.chars() {
        let tag = matches!(c, '\u{e0000}'..='\u{e007f}');
        if tag && !flag {
            return Some(BidiFault::Smuggled(c));
        }
        // A flag of a region is a black flag, tags, and a cancel tag.
        flag = c == '\u{1f3f4}' || (tag && c != '\u{e007f}');
        selectors = if matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}') { selectors + 1 } else { 0 };
        if selectors >= SELECTORS {
            return Some(BidiFault::Smuggled(c));
        }
    }
    None
}

/// An invisible character between two characters of a name of ASCII, or one that is itself a letter to a compiler.
fn inside_a_name(line: &str) -> Option<BidiFault> {
    let (mut before, mut hidden) = (None::<char>, None::<char>);
    for c in line.chars() {
        if is_invisible(c) {
            hidden = hidden.or(Some(c));
            continue;
        }
        if let Some(found) = hidden.take()
            && before.is_some_and(in_name)
            && in_name(c)
        {
            return Some(BidiFault::InName(found));
        }
        before = Some(c);
    }
    None
}

fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// Without a width, and without a use between letters of ASCII.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{115f}' | '\u{1160}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Candidate;

    fn found(path: &str, base: Option<&str>, text: &str) -> Vec<String> {
        match run(&Change::of(&Candidate { path, base, text, ..Candidate::default() }), &Settings::default()) {
            Verdict::Fail(found) => found.iter().map(|it| format!("{}:{}", it.id, it.line.unwrap_or(0))).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn controls_that_reorder_code_are_found_and_are_named_rather_than_shown() {
        let trojan = "x = 1\nif level != \"user\u{202e} \u{2066}# only for admins\u{2069} \u{2066}\":\n    pass\n";
        assert_eq!(found("a.py", None, trojan), ["bidi:2"]);
        assert_eq!(found("a.rs", None, "/* \u{202e} } \u{2066}if admin\u{2069} \u{2066} begin */\n"), ["bidi:1"]);
        assert_eq!(found("a.js", None, "const a = '\u{202b}';\n"), ["bidi:1"]);
        let judged =
            run(&Change::of(&Candidate { path: "a.py", text: trojan, ..Candidate::default() }), &Settings::default());
        let Verdict::Fail(judged) = judged else { panic!("passed") };
        assert!(judged.iter().all(|it| it.message.is_ascii() && it.message.contains("U+202E")), "{judged:?}");
    }

    #[test]
    fn right_to_left_text_that_is_closed_where_it_was_opened_is_left_alone() {
        for (path, text) in [
            ("a.ts", "const hello = \"\u{202b}שלום\u{202c}\";\n"),
            ("a.py", "NAME = 'مرحبا \u{200f}(1)\u{200f}'\n"),
            ("locale/ar.json", "{\"a\": \"\u{202b}مرحبا\"}\n"),
            ("fa.po", "msgstr \"می\u{200c}خواهم \u{202a}git\u{202c}\"\n"),
            ("README.md", "\u{2067}שלום\n"),
        ] {
            assert!(found(path, None, text).is_empty(), "{path}");
        }
        assert_eq!(found("README.md", None, "rename a\u{202e}gpj.exe\n"), ["bidi:1"]);
    }

    #[test]
    fn invisible_characters_inside_of_names_are_found_and_between_other_letters_are_not() {
        assert_eq!(found("a.js", None, "let is\u{200b}Admin = 1;\n"), ["bidi-invisible:1"]);
        assert_eq!(found("a.js", None, "let is\u{3164}Admin = 1;\n"), ["bidi-invisible:1"]);
        for (path, text) in [
            ("a.py", "\u{feff}x = 'می\u{200c}خواهم'\n"),
            ("a.py", "x = 'क्\u{200d}ष'\n"),
            ("a.py", "ZERO = '\u{200b}'\n"),
            ("a.py", "x = '👩\u{200d}👩\u{200d}👧 ❤\u{fe0f}'\n"),
            ("a.md", "long\u{200b}word and soft\u{ad}hyphen\n"),
        ] {
            assert!(found(path, None, text).is_empty(), "{text}");
        }
    }

    #[test]
    fn smuggled_texts_are_found_everywhere_and_flags_are_not_smuggled() {
        let tags: String = "run".chars().filter_map(|c| char::from_u32(0xe0000 + u32::from(c))).collect();
        for path in ["a.md", "a.py", "a.json"] {
            assert_eq!(found(path, None, &format!("x {tags}\n")), ["bidi-invisible:1"]);
            assert_eq!(found(path, None, "x\u{fe01}\u{fe0f}\u{fe02}\u{e0110}\n"), ["bidi-invisible:1"]);
        }
        let wales: String = "gbwls\u{7f}".chars().filter_map(|c| char::from_u32(0xe0000 + u32::from(c))).collect();
        assert!(found("a.md", None, &format!("\u{1f3f4}{wales} and 葛\u{e0100}\n")).is_empty());
    }

    #[test]
    fn what_the_base_has_is_nobodys_doing() {
        let line = "let is\u{200b}Admin = 1;\n";
        assert!(found("a.js", Some(line), &format!("// more\n  {line}")).is_empty());
        assert_eq!(found("a.js", Some(line), &format!("{line}{line}")), ["bidi-invisible:2"]);
    }
}
