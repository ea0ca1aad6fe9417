//! [`Hunk`]: what every edit format comes down to. Lines that stay, lines that go, lines that come.
//!
//! Knows no format and no file.

use super::budget::Budget;
use super::lines::raw_lines;
use super::order::Numbers;
use super::text::is_blank;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Tag {
    /// In the file before and after. It says where, and is never written.
    Context,
    Minus,
    Plus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Line<'r> {
    pub tag: Tag,
    pub text: &'r str,
}

/// One way to read one edit of a reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Hunk<'r> {
    pub lines: Vec<Line<'r>>,
    /// Lines of the file, outermost first, in whose block the place lies.
    pub scopes: Vec<&'r str>,
    /// The place is at the end of the file.
    pub at_end: bool,
    /// The numbers of a diff's header. They never say where to look.
    pub numbers: Option<Numbers>,
    /// The byte at which its place begins, where the other hunks of a diff leave no other.
    pub begins: Option<usize>,
    /// The hunk says whether the new text ends in a line end.
    pub final_newline: Option<bool>,
    /// A line that another reading of the edit has after the old lines: where the file has it there too, that reading may
    /// be the one that was meant, even if it has no place.
    pub unless: Option<&'r str>,
    /// What both sides have was not looked for, so that some of the lines that come may be lines that stay. Where the old
    /// lines are the file's byte for byte, that makes no difference.
    pub coarse: bool,
    /// Both sides as they were written, where a side may begin or end in the middle of a line.
    pub sides: Option<(&'r str, &'r str)>,
}

impl<'r> Hunk<'r> {
    /// The lines that the file has before the edit.
    pub fn old(&self) -> impl Iterator<Item = &Line<'r>> {
        self.lines.iter().filter(|line| line.tag != Tag::Plus)
    }
    pub fn changes(&self) -> bool {
        self.lines.iter().any(|line| line.tag != Tag::Context)
    }

    pub fn adds(&self) -> bool {
        self.lines.iter().any(|line| line.tag == Tag::Plus)
    }

    /// A hunk from the two sides of a FIND/REPLACE or SEARCH/REPLACE edit, each with the end of its last line: what
    /// both have is context.
    pub fn from_sides(old: &'r str, new: &'r str, budget: &mut Budget) -> Hunk<'r> {
        fn bare(side: &str) -> &str {
            side.strip_suffix('\n').unwrap_or(side)
        }
        let (before, after) = (side_lines(old), side_lines(new));
        let (lines, compared) = diff_within(&before, &after, budget);
        Hunk { lines, coarse: !compared, sides: Some((bare(old), bare(new))), ..Hunk::default() }
    }

    /// The ways to read the body of a diff's hunk, the likeliest first; none if it has no line of the file. `open_ended`:
    /// words may follow it.
    pub fn from_diff(body: &[&'r str], open_ended: bool, budget: &mut Budget) -> Vec<Hunk<'r>> {
        let mut readings: Vec<Hunk<'r>> = Vec::new();
        let mut push = |hunk: Hunk<'r>| {
            if hunk.changes() {
                readings.push(hunk);
            }
        };
        let is_unmarked = |line: &&str| !line.is_empty() && !line.starts_with([' ', '+', '-', '\\']);
        let unmarked = body.iter().any(is_unmarked);
        // Blanks may be marks or indentation.
        let two_ways = unmarked && body.iter().any(|line| line.starts_with(' '));
        let solid = body.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
        let trimmed = (solid < body.len()).then_some(&body[..solid]);
        for lines in std::iter::once(body).chain(trimmed) {
            push(Hunk::from_marked(lines, false));
            if two_ways {
                push(Hunk::from_marked(lines, true));
            }
        }
        if open_ended
            && unmarked
            && let Some(end) = body.windows(2).position(|pair| is_blank(pair[0]) && is_unmarked(&pair[1]))
            && !body[end..].iter().any(|line| is_marked(line))
        {
            push(Hunk::from_marked(&body[..end], false));
        }
        let unchanged = |line: &&str| line.is_empty() || line.starts_with(' ');
        if readings.is_empty() && !body.iter().all(|line| is_blank(line)) && body.iter().all(unchanged) {
            readings.push(Hunk::from_marked(&body[..solid], false));
        }
        budget.spend(&readings);
        readings
    }

    /// The edits of a reply without those that only show lines of the file, unless there are no others: then they say that
    /// the file is as it should be.
    pub fn that_change(mut edits: Vec<Vec<Hunk<'r>>>) -> Vec<Vec<Hunk<'r>>> {
        let changes = |readings: &Vec<Hunk>| readings.iter().any(Hunk::changes);
        if edits.iter().any(changes) {
            edits.retain(changes);
        }
        edits
    }

    /// Lines with `+`, `-` and a blank before them. `bare`: context lines have no mark.
    fn from_marked(body: &[&'r str], bare: bool) -> Hunk<'r> {
        let mut hunk = Hunk { lines: Vec::with_capacity(body.len()), ..Hunk::default() };
        let mut ended = None; // what `\ No newline at end of file` said of the old and the new text
        for line in body {
            let (tag, text) = match line.as_bytes().first() {
                Some(b'+') => (Tag::Plus, &line[1..]),
                Some(b'-') => (Tag::Minus, &line[1..]),
                Some(b' ') if !bare => (Tag::Context, &line[1..]),
                Some(b'\\') if line.starts_with("\\ ") => {
                    match hunk.lines.last().map(|line| line.tag) {
                        Some(Tag::Plus) => ended = Some(false),
                        Some(Tag::Minus) => ended = ended.or(Some(true)),
                        _ => {}
                    }
                    continue;
                }
                _ => (Tag::Context, *line),
            };
            hunk.lines.push(Line { tag, text });
        }
        hunk.final_newline = ended.filter(|_| hunk.lines.iter().any(|line| line.tag == Tag::Plus));
        hunk
    }

    /// The ways to read a hunk of two sides: as it is, and without the line numbers of a listing if it has them.
    pub fn readings(self, budget: &mut Budget) -> Vec<Hunk<'r>> {
        match self.without_line_numbers(budget) {
            None => vec![self],
            Some(bare) => {
                let readings = vec![self, bare];
                budget.spend(&readings);
                readings
            }
        }
    }

    /// The hunk without the line numbers that the model copied from a listing (`17 | code`), if all its old lines
    /// have them and they count upwards.
    fn without_line_numbers(&self, budget: &mut Budget) -> Option<Hunk<'r>> {
        let mut last = 0;
        for line in self.old() {
            let (number, _) = split_number(line.text)?;
            if last != 0 && number != last + 1 {
                return None;
            }
            last = number;
        }
        if last == 0 {
            return None;
        }
        let bare =
            |line: &Line<'r>| Line { text: split_number(line.text).map_or(line.text, |(_, rest)| rest), ..*line };
        let lines: Vec<Line<'r>> = self.lines.iter().map(bare).collect();
        // Numbers of the two sides part ways after the first change; without them, more lines are the same.
        let old: Vec<&str> = lines.iter().filter(|l| l.tag != Tag::Plus).map(|l| l.text).collect();
        let new: Vec<&str> = lines.iter().filter(|l| l.tag != Tag::Minus).map(|l| l.text).collect();
        let (lines, compared) = diff_within(&old, &new, budget);
        Some(Hunk { lines, coarse: !compared, sides: None, ..self.clone() })
    }
}

/// A line that comes or goes, and not one of a list in words, or a rule.
fn is_marked(line: &str) -> bool {
    let item = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || "`\"'([*".contains(c));
    let listed = line.strip_prefix("- ").is_some_and(|rest| item(rest) && !rest.starts_with("* "));
    let rule = line.len() > 1 && line.trim_end().bytes().all(|byte| byte == b'-');
    line.starts_with(['+', '-']) && !listed && !rule
}

/// `17 | code` as 17 and `code`.
fn split_number(line: &str) -> Option<(u64, &str)> {
    let rest = line.trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = rest.get(..digits)?.parse().ok()?;
    let rest = rest.get(digits..)?;
    let rest = rest.trim_start_matches(' ');
    let code = rest.strip_prefix('|').or_else(|| rest.strip_prefix('\u{2192}')).or_else(|| rest.strip_prefix('\t'))?;
    Some((number, if rest.starts_with('|') { code.strip_prefix(' ').unwrap_or(code) } else { code }))
}

/// A side as lines; an empty side has none.
pub(super) fn side_lines(side: &str) -> Vec<&str> {
    let mut all = Vec::with_capacity(memchr::memchr_iter(b'\n', side.as_bytes()).count() + 1);
    all.extend(raw_lines(side).map(|raw| raw.strip_suffix('\n').unwrap_or(raw)));
    all
}

/// The most pairs of differing lines that are compared; past it, the middle is taken to be all different.
const MOST_PAIRS: usize = 4_000_000;

/// The lines of both sides, minus before plus, with what both have as context.
pub(super) fn diff<'r>(old: &[&'r str], new: &[&'r str]) -> Vec<Line<'r>> {
    diff_within(old, new, &mut Budget::new()).0
}

/// The same for one of the edits of a reply, and whether the sides were compared: what would take too long is taken to be
/// all different.
fn diff_within<'r>(old: &[&'r str], new: &[&'r str], budget: &mut Budget) -> (Vec<Line<'r>>, bool) {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_mid, new_mid) = (&old_rest[..old_rest.len() - tail], &new_rest[..new_rest.len() - tail]);
    fn tagged<'a, 'r>(tag: Tag, lines: &'a [&'r str]) -> impl Iterator<Item = Line<'r>> + 'a {
        lines.iter().map(move |text| Line { tag, text })
    }
    let mut out = Vec::with_capacity(old.len() + new_mid.len());
    out.extend(tagged(Tag::Context, &old[..head]));
    let pairs = old_mid.len().saturating_mul(new_mid.len());
    // Most edits of a model change one run of lines altogether, which needs no search for what is the same.
    let apart = pairs <= 256 && !old_mid.iter().any(|line| new_mid.contains(line));
    let compared = apart || pairs <= MOST_PAIRS && budget.compare(old_mid.len() + new_mid.len());
    if apart || !compared {
        out.extend(tagged(Tag::Minus, old_mid));
        out.extend(tagged(Tag::Plus, new_mid));
    } else {
        for op in similar::capture_diff_slices(similar::Algorithm::Myers, old_mid, new_mid) {
            let (tag, from, to) = op.as_tag_tuple();
            match tag {
                similar::DiffTag::Equal => out.extend(tagged(Tag::Context, &old_mid[from])),
                _ => {
                    out.extend(tagged(Tag::Minus, &old_mid[from]));
                    out.extend(tagged(Tag::Plus, &new_mid[to]));
                }
            }
        }
    }
    out.extend(tagged(Tag::Context, &old[old.len() - tail..]));
    (out, compared)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(hunk: &Hunk) -> Vec<String> {
        let mark = |tag: Tag| match tag {
            Tag::Context => ' ',
            Tag::Minus => '-',
            Tag::Plus => '+',
        };
        hunk.lines.iter().map(|line| format!("{}{}", mark(line.tag), line.text)).collect()
    }

    fn readings(body: &[&str], open_ended: bool) -> Vec<Vec<String>> {
        Hunk::from_diff(body, open_ended, &mut Budget::new()).iter().map(texts).collect()
    }

    #[test]
    fn a_body_is_read_in_each_way_that_its_marks_allow() {
        assert_eq!(readings(&[" a", "-b", "+c"], false), [[" a", "-b", "+c"]]);
        assert_eq!(readings(&[" a", "", "-b"], true), [[" a", " ", "-b"]]);
        // Of lines without a mark, those with a blank may be marked or indented.
        assert_eq!(readings(&["a", " b", "-c"], false), [[" a", " b", "-c"], [" a", "  b", "-c"]]);
        // Blank lines at the end may be no part of it.
        assert_eq!(readings(&["-b", "", ""], false), [vec!["-b", " ", " "], vec!["-b"]]);
        assert_eq!(readings(&[" a", " b"], false), [[" a", " b"]]);
        assert!(readings(&["a", "b"], false).is_empty() && readings(&["", ""], false).is_empty());
    }

    #[test]
    fn words_after_a_blank_line_may_follow_a_hunk_whose_end_is_not_known() {
        let body = ["-a", "", "So it goes."];
        let whole = vec!["-a", " ", " So it goes."];
        assert_eq!(readings(&body, false), std::slice::from_ref(&whole));
        assert_eq!(readings(&body, true), [whole, vec!["-a"]]);
        assert_eq!(readings(&["-a", "So it goes."], true), [["-a", " So it goes."]]);
        // A list may be among the words, and no change that would be lost.
        for (line, more) in [
            ("- it is **so**", 2),
            ("- `a`", 2),
            ("---", 2),
            ("-- ", 2),
            ("-", 1),
            ("-  b", 1),
            ("- * b", 1),
            ("+ b", 1),
            ("-b", 1),
        ] {
            assert_eq!(readings(&["-a", "", "So:", line], true).len(), more, "{line}");
        }
    }

    #[test]
    fn line_numbers_are_taken_off_if_every_old_line_has_the_next_one() {
        let bare = |old: &str, new: &str| {
            let mut budget = Budget::new();
            Hunk::from_sides(old, new, &mut budget).without_line_numbers(&mut budget).map(|hunk| texts(&hunk))
        };
        assert_eq!(bare("14 | a\n15 | b\n", "14 | a\n15 | x\n"), Some(vec![" a".into(), "-b".into(), "+x".into()]));
        assert_eq!(bare("9\u{2192}a\n10\u{2192}  b\n", "9\u{2192}a\n"), Some(vec![" a".into(), "-  b".into()]));
        assert_eq!(bare(" 9\ta\n10\tb\n", " 9\ta\nx\n"), Some(vec![" a".into(), "-b".into(), "+x".into()]));
        for old in ["1 | a\n3 | b\n", "2 | a\n2 | b\n", "2 | a\n1 | b\n", "1 | a\nb\n", "1 a\n2 b\n", "0 | a\n", ""] {
            assert_eq!(bare(old, "x\n"), None, "{old}");
        }
    }
}
