//! Characters that make code look other than it is: bidirectional controls that reorder it ("Trojan Source"), invisible
//! ones inside of names, texts smuggled in as tags or variation selectors, letters of other alphabets that look like those
//! of ASCII, and what a terminal obeys in place of showing it. Only new ones count.
//!
//! The same characters have honest uses, and those are left alone: right-to-left text that is closed where it was
//! opened, joiners of Persian and Indic words, emoji sequences, a byte order mark, names in one alphabet. Prose and data
//! are for people to read in any language, so that only what no reader could want is found there.

use super::change::Side;
use super::{Base, Change, Check, Design, Settings, Verdict, Weight, kind};
use crate::finding::{Finding, Severity};
use std::collections::HashMap;

mod confusable;
mod control;
mod invisible;
mod reorder;

pub const CHECK: Check =
    Check { id: "bidi", allowable: true, design: Design::Never, weight: Weight::ALWAYS, base: Base::Excuses, run };

/// The ids of what does other than to reorder.
pub(super) const INVISIBLE: &str = "bidi-invisible";
const CONFUSABLE: &str = "bidi-confusable";
const ESCAPE: &str = "bidi-escape";

fn run(candidate: &Change, _: &Settings) -> Verdict {
    let reader = Reader::of(candidate.path);
    let found = reader.faults(candidate.now());
    if found.is_empty() {
        return Verdict::Pass;
    }
    // Moving such a line, or indenting it, is not writing it.
    let mut had: HashMap<&str, usize> = HashMap::new();
    for (_, line, _) in candidate.before().map(|base| reader.faults(base)).unwrap_or_default() {
        *had.entry(line.trim()).or_default() += 1;
    }
    let is_new =
        |line: &str| had.get_mut(line.trim()).and_then(|left| left.checked_sub(1).map(|less| *left = less)).is_none();
    let mut is_new = is_new;
    let found = found.into_iter().filter(|(_, line, _)| is_new(line));
    let found: Vec<Finding> = found.map(|(at, _, fault)| fault.finding(candidate.path).line(at)).collect();
    if found.is_empty() { Verdict::Pass } else { Verdict::Fail(found) }
}

/// The lines, counted from 1, that are other than they look to whoever reads code.
pub(super) fn lines(text: &str) -> impl Iterator<Item = usize> {
    let lines = is_suspicious(text).then(|| text.lines().enumerate()).into_iter().flatten();
    lines
        .filter(|(_, line)| is_suspicious(line) && (plain_fault(line, true).is_some() || control::is_overwritten(line)))
        .map(|(at, _)| at + 1)
}

/// Has the text anything but printed ASCII in lines? Most texts end here, at the speed of memory.
fn is_suspicious(text: &str) -> bool {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\t'..=b'\r');
    let bytes = text.as_bytes();
    let has_others = bytes.chunks(1024).any(|chunk| chunk.iter().fold(false, |others, byte| others | !is_plain(*byte)));
    has_others || memchr::memchr_iter(b'\r', bytes).any(|at| bytes.get(at + 1) != Some(&b'\n'))
}

/// What a file's path says of how to read it.
struct Reader {
    is_code: bool,
    is_formal: bool,
    /// There is text between tags, which is no code.
    has_tags: bool,
    is_python: bool,
    /// Tests of how letters are read have all of them.
    is_for_tests: bool,
    /// What a terminal obeys is at home in what tests read, and in records of what programs wrote.
    has_escapes: bool,
}

impl Reader {
    fn of(path: &str) -> Reader {
        let extension = crate::syntax::extension(path);
        let is_code = kind::is_code(path);
        let is_hidden = crate::syntax::file_name(path).starts_with('.');
        Reader {
            is_code,
            is_formal: is_code || kind::is_formal(path),
            has_tags: matches!(extension.as_str(), "jsx" | "tsx" | "js" | "mjs"),
            is_python: matches!(extension.as_str(), "py" | "pyi" | "pyw"),
            is_for_tests: kind::is_for_tests(path),
            has_escapes: kind::is_for_tests(path) || !(is_code || kind::is_prose(path) || is_hidden),
        }
    }

    /// The lines in which something is wrong, with their numbers.
    fn faults<'t>(&self, side: &Side<'t>) -> Vec<(usize, &'t str, Fault)> {
        if !is_suspicious(side.text) {
            return Vec::new();
        }
        let may_overwrite = !self.has_escapes && self.is_formal && control::has_lines(side.text);
        let (mut found, mut start) = (Vec::new(), 0);
        for (number, whole) in side.text.split_inclusive('\n').enumerate() {
            let text = whole.strip_suffix('\n').unwrap_or(whole);
            let text = text.strip_suffix('\r').unwrap_or(text);
            if is_suspicious(text) {
                let fault = plain_fault(text, self.is_code)
                    .or_else(|| (may_overwrite && control::is_overwritten(text)).then_some(Fault::Overwritten))
                    .or_else(|| self.fault_beside_mask(side, start, text));
                found.extend(fault.map(|fault| (number + 1, text, fault)));
            }
            start += whole.len();
        }
        found
    }

    /// What is only wrong in some places: where these are has to be found out.
    fn fault_beside_mask(&self, side: &Side, start: usize, text: &str) -> Option<Fault> {
        if !self.is_formal && self.has_escapes || !text.chars().any(is_of_interest) {
            return None;
        }
        let code = side.code().filter(|_| self.is_code).and_then(|code| code.get(start..start + text.len()));
        let line = Line { text, code, is_first: start == 0, is_python: self.is_python };
        let in_tags = |fault| if self.has_tags { Fault::Between(fault) } else { Fault::InCode(fault) };
        let escape = || control::escape(&line).map(|(c, severity)| Fault::Escape(c, severity));
        let stray = || control::stray(&line).map(|c| Fault::Escape(c, Severity::Warning));
        let confusable =
            || confusable::letter(&line).map(|it| Fault::Confusable(it.letter, it.in_code && !self.is_for_tests));
        (!self.has_escapes).then(|| escape().or_else(stray)).flatten().or_else(|| {
            let invisible = invisible::in_code(&line).map(in_tags);
            invisible
                .or_else(|| invisible::ends_remark(&line).map(Fault::InCode))
                .or_else(|| self.is_formal.then(confusable).flatten())
        })
    }
}

/// May the character be wrong in some place?
fn is_of_interest(c: char) -> bool {
    c.is_control() || (!c.is_ascii() && (invisible::is_candidate(c) || confusable::is_candidate(c)))
}

/// A line with what is code in it, as far as that is known.
struct Line<'t> {
    text: &'t str,
    /// Spaces for remarks, `_` for strings; as long as the text.
    code: Option<&'t str>,
    /// It may begin with a byte order mark.
    is_first: bool,
    is_python: bool,
}

impl Line<'_> {
    fn is_known(&self) -> bool {
        self.code.is_some()
    }
    /// The byte of the mask for the character at `at`.
    fn mask(&self, at: usize) -> Option<u8> {
        self.code.and_then(|code| code.as_bytes().get(at).copied())
    }
    fn is_code(&self, at: usize) -> bool {
        self.mask(at).is_some_and(|mask| self.text.as_bytes().get(at) == Some(&mask))
    }
    fn is_string(&self, at: usize) -> bool {
        self.mask(at) == Some(b'_')
    }
    /// Characters in code, but for a byte order mark and for joiners between others than those of ASCII.
    fn in_code(&self) -> impl Iterator<Item = (usize, char)> {
        self.text.char_indices().filter(|(at, c)| {
            let is_mark = *c == '\u{feff}' && *at == 0 && self.is_first;
            let ascii = |c: Option<char>| c.is_none_or(|c| c.is_ascii());
            let (before, after) = (self.text[..*at].chars().next_back(), self.text[at + c.len_utf8()..].chars().next());
            let joins = matches!(c, '\u{200c}' | '\u{200d}') && !ascii(before) && !ascii(after);
            self.is_code(*at) && !is_mark && !joins
        })
    }
    /// Characters in code and in remarks.
    fn outside_strings(&self) -> impl Iterator<Item = (usize, char)> {
        self.text.char_indices().filter(|(at, _)| self.is_known() && !self.is_string(*at))
    }
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Reorders(char),
    InName(char),
    Smuggled(char),
    /// Invisible, in code.
    InCode(char),
    /// The same, unless it is text between tags.
    Between(char),
    /// A letter that looks like another, in code or in a text.
    Confusable(char, bool),
    Escape(char, Severity),
    Overwritten,
}

impl Fault {
    fn finding(self, path: &str) -> Finding {
        const TAKE_OUT: &str = "take it out, or write it as an escape";
        let (id, what, hint) = match self {
            Fault::Reorders(c) => (
                CHECK.id,
                format!("a bidirectional control ({}) that makes it look other than it is", name(c)),
                "write it as an escape, or close it before the text it stands in ends",
            ),
            Fault::InName(c) => (INVISIBLE, format!("an invisible character ({}) inside of a word", name(c)), TAKE_OUT),
            Fault::InCode(c) | Fault::Between(c) => {
                (INVISIBLE, format!("an invisible character ({}) in its code", name(c)), TAKE_OUT)
            }
            Fault::Smuggled(c) => {
                (INVISIBLE, format!("a text of invisible characters (from {})", name(c)), "take it out")
            }
            Fault::Confusable(c, _) => (
                CONFUSABLE,
                format!("a letter ({}) in a word of ASCII that only looks like one", name(c)),
                "write the word in one alphabet",
            ),
            Fault::Escape(c, _) => {
                (ESCAPE, format!("a control character ({}) that a terminal obeys", name(c)), "write it as an escape")
            }
            Fault::Overwritten => (
                ESCAPE,
                "a carriage return (U+000D) within a line, which hides what is before it in a terminal".to_owned(),
                "end the line there, or take it out",
            ),
        };
        let message = format!("'{path}' has {what}");
        let doubtful =
            matches!(self, Fault::Between(_) | Fault::Confusable(_, false) | Fault::Escape(_, Severity::Warning));
        if doubtful { Finding::warning(id, message).hint(hint) } else { Finding::error(id, message).hint(hint) }
    }
}

fn name(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

/// The first thing that is wrong with `line` wherever it stands.
fn plain_fault(line: &str, is_code: bool) -> Option<Fault> {
    if line.is_ascii() {
        return None;
    }
    let reorders = || reorder::control(line, is_code).map(Fault::Reorders);
    let in_name = || if is_code { invisible::in_name(line).map(Fault::InName) } else { None };
    reorders().or_else(|| invisible::smuggled(line).map(Fault::Smuggled)).or_else(in_name)
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

    #[test]
    fn letters_of_other_alphabets_in_words_of_ascii_are_found_and_words_of_one_alphabet_are_not() {
        for (path, text) in [
            ("a.py", "import \u{43e}s\n"),
            ("a.js", "let is\u{410}dmin = 1;\n"),
            ("a.js", "if (debug\u{1c3}=1) {}\n"),
            ("a.py", "\u{1d41e}\u{1d42f}\u{1d41a}\u{1d425}(x)\n"),
            ("a.ts", "const \u{ff45}val = 1;\n"),
            ("a.py", "url = 'https://shop.c\u{43e}mmerce.io'\n"),
        ] {
            assert_eq!(found(path, None, text), ["bidi-confusable:1"], "{text}");
        }
        for (path, text) in [
            ("a.py", "\u{3b1} = \u{394}t + \u{b5}s + größe_é + x\u{3c0}\n"),
            ("a.py", "\u{441}\u{43e}\u{441} = 'слово и API\u{430}'\n"),
            ("a.js", "const word = /[a-zа-я]/i;\n"),
            ("a.js", "// JSON-файл, URL\u{443}, iPhone\u{430}\n"),
            ("a.py", "名前x = '日本語text'\n"),
            ("a.jl", "\u{1d431}i = 1\n"),
            ("a.md", "p\u{430}th\n"),
        ] {
            assert!(found(path, None, text).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_nobody_sees_is_found_in_code_and_left_alone_in_texts() {
        for (path, text) in [
            ("a.py", "total\u{ad} = 1\n"),
            ("a.py", "a = 1 \u{2028}import os\n"),
            ("a.js", "// fine \u{2028}run()\n"),
            ("a.js", "const { limit,\u{3164}} = query;\n"),
            (".rules", "Use\u{200b}\u{200c}\u{200d}\u{2060} tabs\n"),
        ] {
            assert_eq!(found(path, None, text), ["bidi-invisible:1"], "{text}");
        }
        for (path, text) in [
            ("a.js", "const s = 'a \u{2028} b';\n"),
            ("a.py", "# soft\u{ad}, and \u{200b} alone\n"),
            ("a.tsx", "<p>\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}</p>\n"),
            ("a.md", "spaced\u{200b}\u{200b}\u{200b}\u{200b}out\n"),
        ] {
            assert!(found(path, None, text).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_a_terminal_obeys_is_found_where_it_hides_something() {
        for (path, text) in [
            ("a.py", "x = 1\n# ok \u{1b}[2K\u{1b}[1A\n"),
            ("a.py", "x = 1\nCLEAR = '\u{1b}[2J'\n"),
            ("AGENTS.md", "x\n\u{1b}[8mand more\u{1b}[0m\n"),
            ("a.py", "y = 0\nx = 1\rimport b\n"),
        ] {
            assert_eq!(found(path, None, text), ["bidi-escape:2"], "{text}");
        }
        for (path, text) in [
            ("a.sh", "RED='\u{1b}[31m'\n"),
            ("tests/fixtures/screen.txt", "\u{1b}[2J\u{1b}[H$ ls\n"),
            ("tests/test_screen.py", "CLEAR = '\u{1b}[2J'\n"),
            ("a.py", "x = 1\ry = 2\rz = 3\r"),
            ("a.py", "x = 1\r\ny = 2\r\r\n"),
            ("build.log", "10 %\r20 %\n"),
        ] {
            assert!(found(path, None, text).is_empty(), "{text:?}");
        }
    }
}
