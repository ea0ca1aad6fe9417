//! Edit scripts: cuts in a file, rendered in a format and then disturbed as models do it. What comes of them is known: the
//! text that the script means, or a refusal; another text never.

use crate::TARGET;
use crate::edits::{self, EDITS, Edit, Tag, key, keys, loose_occurrences, occurrences};
use arbitrary::Arbitrary;
use git_implement::edit::apply;

/// Lines as files have them, and some that hardly differ.
const WORDS: &[&str] = &[
    "",
    "",
    "}",
    "{",
    "return result",
    "value = compute(1)",
    "value = compute(2)",
    "valeu = compute(1)",
    "if value:",
    "else:",
    "def first(self):",
    "def second(self):",
    "import os",
    "import sys",
    "pass",
    "# the first of them",
    "# the first of all of them",
    "x = \"text\"",
    "x = 'text'",
    "f(a, b)",
    "f(a,b)",
    "end",
    "ends",
    "```",
    "=======",
    "-- x",
    "++ x",
    "@@",
    "...",
    "a - b",
    "été = 1",
    "total += value.amount",
];

#[derive(Debug, Clone, Copy, Arbitrary)]
pub struct Line {
    word: u8,
    deep: u8,
    /// Makes some lines unlike all others.
    number: Option<u8>,
}

impl Line {
    fn text(self) -> String {
        let word = WORDS[self.word as usize % WORDS.len()];
        let number = self.number.filter(|_| !word.is_empty()).map_or(String::new(), |number| format!(" # {number}"));
        let deep = if word.is_empty() { 0 } else { self.deep as usize % 4 };
        format!("{}{word}{number}", "    ".repeat(deep))
    }
}

#[derive(Debug, Clone, Copy, Arbitrary)]
enum Fault {
    None,
    TrailingSpace(u32),
    Deeper(u8),
    Shallower(u8),
    BlankLinesDropped,
    SpaceInside(u8),
    Typography,
    Typo {
        line: u8,
        at: u8,
    },
    LineLeftOut(u8),
    Elided,
    /// A removed line that the file does not have.
    WrongMinus {
        line: u8,
        at: u8,
    },
}

#[derive(Debug, Arbitrary)]
pub struct Script {
    lines: Vec<Line>,
    crlf: bool,
    unended: bool,
    bom: bool,
    format: u8,
    cuts: Vec<(u8, u8, Vec<Line>)>,
    context: (u8, u8),
    rotate: u8,
    fault: Fault,
    /// The edit that has the fault.
    which: u8,
}

impl Script {
    pub fn check(self) {
        let lines: Vec<String> = self.lines.iter().take(120).map(|line| line.text()).collect();
        let wanted = self.cuts.iter().take(6).map(|(start, long, plus)| {
            (*start as usize, *long as usize % 5, plus.iter().take(5).map(|line| line.text()).collect())
        });
        let cuts = edits::cuts(lines.len(), wanted);
        let (before, after) = (self.context.0 as usize % 12, self.context.1 as usize % 12);
        let mut all = edits::edits(&lines, &cuts, before, after);
        if all.is_empty() || lines.is_empty() {
            return;
        }
        let format = EDITS[self.format as usize % EDITS.len()];
        let (which, rotate) = (self.which as usize % all.len(), self.rotate as usize % all.len());
        if !disturb(&mut all[which], self.fault) {
            return;
        }
        let ended = !self.unended || lines.last().is_some_and(String::is_empty);
        // A file of one unended line shows no line end.
        let ending = if self.crlf && (ended || lines.len() > 1) { "\r\n" } else { "\n" };
        let mark = if self.bom { "\u{feff}" } else { "" };
        let base = format!("{mark}{}", edits::text(&lines, ending, ended));
        let new = edits::cut(&lines, &cuts);
        let text = format!("{mark}{}", edits::text(&new, ending, ended));
        // Edits that say the same are one.
        let said = all.iter().map(|edit| edits::render(format, TARGET, std::slice::from_ref(edit)));
        if said.collect::<std::collections::HashSet<_>>().len() < all.len() {
            return;
        }
        let ordered = all.clone();
        all.rotate_left(rotate);
        let reply = edits::render(format, TARGET, &all);
        let outcome = apply(Some(format), TARGET, Some(&base), &reply);
        let told = || {
            format!("{:?}\n--- base\n{base}\n--- reply\n{reply}\n--- wanted\n{text}\n--- came\n{outcome:?}", self.fault)
        };

        let plain = |edit: &Edit| occurrences(&lines, &edit.old(), |a, b| a == b);
        let trailing = |edit: &Edit| occurrences(&lines, &edit.old(), |a, b| a.trim_end() == b.trim_end());
        let loose = |edit: &Edit| loose_occurrences(&lines, &edit.old());
        let old = ordered[0].old();
        let pieces = || old.split(|line| line.contains("...")).filter(|piece| !piece.is_empty());
        let solid = all.iter().all(|edit| !edit.old().is_empty());
        let readable = !self
            .lines
            .iter()
            .chain(self.cuts.iter().flat_map(|cut| &cut.2))
            .any(|line| line.number.is_none() && line.text().trim().starts_with(['`', '=', '@', '-', '+']));
        let came = outcome.as_ref().ok().map(|applied| &applied.text);
        let key_of = |text: &str| keys(text.trim_start_matches('\u{feff}').lines());
        // Where lines repeat, two neighbours may be read as changes of one place.
        let conflict = outcome.as_ref().is_err_and(|refusal| refusal.id == "edit-conflict") && all.len() > 1;
        let meant = || came.is_none_or(|came| key_of(came) == key_of(&text));
        match self.fault {
            Fault::None => {
                if all.iter().any(|edit| plain(edit) > 1) {
                    assert!(came.is_none(), "ambiguous, and applied: {}", told());
                } else if solid && all.iter().all(|edit| plain(edit) == 1) {
                    assert!(came.is_none_or(|came| *came == text), "wrong: {}", told());
                    assert!(came.is_some() || !readable || conflict, "refused: {}", told());
                }
            }
            Fault::TrailingSpace(_) if solid => {
                if all.iter().all(|edit| trailing(edit) == 1) {
                    let ends = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
                    assert!(came.is_none_or(|came| ends(came) == ends(&text)), "wrong: {}", told());
                    assert!(came.is_some() || !readable || conflict, "refused: {}", told());
                } else if all.iter().any(|edit| trailing(edit) > 1 && plain(edit) != 1) {
                    assert!(came.is_none(), "ambiguous, and applied: {}", told());
                }
            }
            Fault::Deeper(_)
            | Fault::Shallower(_)
            | Fault::BlankLinesDropped
            | Fault::SpaceInside(_)
            | Fault::Typography
                if solid && all.iter().all(|edit| loose(edit) == 1) =>
            {
                assert!(meant(), "wrong: {}", told());
            }
            // An end that stands more than once is looked for in the block that the other begins.
            Fault::Elided if pieces().any(|piece| loose_occurrences(&lines, piece) != 1) => {}
            Fault::Typo { .. } | Fault::LineLeftOut(_) | Fault::Elided
                if ordered.len() == 1 && loose(&ordered[0]) == 0 && !base.contains(&ordered[0].old().join(ending)) =>
            {
                assert!(meant(), "wrong: {}", told());
            }
            Fault::WrongMinus { .. }
                if ordered.len() == 1 && loose(&ordered[0]) == 0 && !base.contains(&ordered[0].old().join(ending)) =>
            {
                let already = came == Some(&base);
                assert!(came.is_none() || already, "removed what is not there: {}", told());
            }
            _ => {}
        }
    }
}

/// Puts the fault into an edit; says whether it has one now.
fn disturb(edit: &mut Edit, fault: Fault) -> bool {
    let nth = |edit: &Edit, tag: Tag, n: u8| {
        let of: Vec<usize> =
            (0..edit.lines.len()).filter(|i| edit.lines[*i].0 == tag && !key(&edit.lines[*i].1).is_empty()).collect();
        (!of.is_empty()).then(|| of[n as usize % of.len()])
    };
    match fault {
        Fault::None => {}
        Fault::TrailingSpace(mask) => {
            for (n, (tag, line)) in edit.lines.iter_mut().enumerate() {
                if *tag != Tag::Plus && mask >> (n % 32) & 1 == 1 {
                    line.push_str("  ");
                }
            }
        }
        Fault::Deeper(by) => {
            let indent = " ".repeat(by as usize % 8 + 1);
            for (_, line) in edit.lines.iter_mut().filter(|(_, line)| !line.is_empty()) {
                line.insert_str(0, &indent);
            }
        }
        Fault::Shallower(by) => {
            let indent = " ".repeat(by as usize % 8 + 1);
            if !edit.lines.iter().all(|(_, line)| line.is_empty() || line.starts_with(&indent)) {
                return false;
            }
            for (_, line) in &mut edit.lines {
                *line = line.strip_prefix(&indent).unwrap_or(line).to_owned();
            }
        }
        Fault::BlankLinesDropped => edit.lines.retain(|(tag, line)| *tag != Tag::Context || !line.is_empty()),
        Fault::SpaceInside(n) => {
            let Some(at) = nth(edit, Tag::Context, n) else { return false };
            edit.lines[at].1 = edit.lines[at].1.replace(' ', "  ");
        }
        Fault::Typography => {
            for (_, line) in &mut edit.lines {
                *line = line.replace('"', "\u{201d}").replace('\'', "\u{2019}").replace('-', "\u{2013}");
            }
        }
        Fault::Typo { line, at } => {
            let Some(line) = nth(edit, Tag::Context, line) else { return false };
            return slip(&mut edit.lines[line].1, at);
        }
        Fault::WrongMinus { line, at } => {
            let Some(line) = nth(edit, Tag::Minus, line) else { return false };
            return slip(&mut edit.lines[line].1, at);
        }
        Fault::LineLeftOut(n) => {
            let Some(at) = nth(edit, Tag::Context, n) else { return false };
            edit.lines.remove(at);
        }
        Fault::Elided => {
            let context = edit.lines.iter().take_while(|(tag, _)| *tag == Tag::Context).count();
            if context < 3 {
                return false;
            }
            edit.lines.splice(1..context - 1, [(Tag::Context, "# ... existing code ...".to_owned())]);
        }
    }
    true
}

/// One letter or digit is another one.
fn slip(line: &mut String, at: u8) -> bool {
    let letters: Vec<usize> =
        line.char_indices().filter(|(_, c)| c.is_ascii_alphanumeric()).map(|(at, _)| at).collect();
    if letters.is_empty() {
        return false;
    }
    let at = letters[at as usize % letters.len()];
    let other = match line.as_bytes()[at] {
        b'9' => "8",
        b'0'..=b'8' => "9",
        b'q' => "z",
        _ => "q",
    };
    line.replace_range(at..at + 1, other);
    true
}
