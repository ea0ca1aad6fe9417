//! What can be put right without knowing what was meant: a fence round a whole file, a second byte order mark, and characters
//! that only make a line look other than it is. A mend that leaves as much to say as before is none.

use super::{Candidate, Settings, bidi, fence, judge};
use crate::finding::{Finding, Severity};
use std::collections::HashSet;

const MARK: char = '\u{feff}';

/// Is there a mend for what the finding says?
pub fn is_mendable(finding: &Finding) -> bool {
    finding.severity > Severity::Note && [fence::CHECK.id, bidi::CHECK.id, bidi::INVISIBLE].contains(&&*finding.id)
}

/// The text without what `found` says of it, as far as that can be put right; `None`: nothing can.
pub fn mended(path: &str, text: &str, found: &[Finding], settings: &Settings) -> Option<String> {
    let of = |id: &str| found.iter().filter(|finding| finding.id == id).filter_map(|finding| finding.line).collect();
    let fences: HashSet<usize> = of(fence::CHECK.id);
    // One end of it may be all that is left of something else.
    let (first, last) = fence::ends(text);
    let wrap = first.zip(last).filter(|(first, _)| fences.contains(first));
    let reordered: HashSet<usize> = of(bidi::CHECK.id);
    let hidden: HashSet<usize> = of(bidi::INVISIBLE);
    let mut new = String::with_capacity(text.len());
    for (number, line) in text.split_inclusive('\n').enumerate().map(|(at, line)| (at + 1, line)) {
        if wrap.is_some_and(|(first, last)| number == first || number == last) {
            // What is before the fence stays: a byte order mark.
            new.extend(line.starts_with(MARK).then_some(MARK));
            continue;
        }
        let line = if number == 1 { one_mark(line) } else { line };
        let without: fn(&[char], usize) -> bool = match (reordered.contains(&number), hidden.contains(&number)) {
            (false, false) => {
                new.push_str(line);
                continue;
            }
            (true, false) => |line, at| reorders(line[at]),
            (false, true) => is_hidden,
            (true, true) => |line, at| reorders(line[at]) || is_hidden(line, at),
        };
        let line: Vec<char> = line.chars().collect();
        new.extend((0..line.len()).filter(|at| !without(&line, *at)).map(|at| line[at]));
    }
    let left = |text: &str| {
        let candidate = Candidate { path, text, ..Candidate::default() };
        judge(&candidate, settings).iter().filter(|finding| finding.severity > Severity::Note).count()
    };
    (new != text && left(&new) < left(text)).then_some(new)
}

/// A line that begins with no more than one byte order mark.
fn one_mark(line: &str) -> &str {
    let rest = line.trim_start_matches(MARK);
    let marks = line.len() - rest.len();
    line.get(marks.saturating_sub(MARK.len_utf8())..).unwrap_or(line)
}

fn reorders(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Without a width; what joins letters of other scripts, or parts of an emoji, only between those of ASCII. Letters that are
/// not seen may be names: whoever knows what they stand for has to say.
fn is_hidden(line: &[char], at: usize) -> bool {
    let is_plain = |at: Option<usize>| at.and_then(|at| line.get(at)).is_none_or(|c| c.is_ascii());
    match line[at] {
        MARK => at > 0,
        '\u{ad}' | '\u{200c}' | '\u{200d}' => is_plain(at.checked_sub(1)) && is_plain(Some(at + 1)),
        '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Author;

    fn mend(path: &str, text: &str) -> Option<String> {
        let settings = Settings { author: Author::Anyone, ..Settings::default() };
        let found = judge(&Candidate { path, text, ..Candidate::default() }, &settings);
        mended(path, text, &found, &settings)
    }

    #[test]
    fn what_surely_was_not_meant_is_taken_out_and_nothing_else() {
        for (text, expected) in [
            ("```python\nx = 1\n```\n", Some("x = 1\n")),
            ("\u{feff}```python\nx = 1\n```\n", Some("\u{feff}x = 1\n")),
            ("x = 1\n```\n", None),
            ("is\u{200b}Admin = 1\n", Some("isAdmin = 1\n")),
            ("is\u{200d}Admin = '👩\u{200d}👧'\n", Some("isAdmin = '👩\u{200d}👧'\n")),
            ("a = 'x\u{202e}'\nb = 'שלום'\r\n", Some("a = 'x'\nb = 'שלום'\r\n")),
            ("is\u{3164}Admin = 1\n", None),
            ("x = 1\n", None),
        ] {
            assert_eq!(mend("a.py", text).as_deref(), expected, "{text:?}");
        }
        assert_eq!(mend("a.py", "\u{feff}\u{feff}is\u{200b}A = 1\n").as_deref(), Some("\u{feff}isA = 1\n"));
    }
}
