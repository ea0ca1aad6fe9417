//! Lines that are shown to nobody, because a secret is on them or what makes text look other than it is; and secrets
//! blanked out of whatever quotes a text.

use super::{Lines, bidi, secret};
use crate::finding::{Finding, allows};
use aho_corasick::AhoCorasick;
use std::borrow::Cow;
use std::collections::HashSet;

/// The lines of one text that must not be shown.
#[derive(Debug, Default)]
pub struct Hidden {
    /// There was too much to look through: any line may hold something.
    all: bool,
    lines: HashSet<usize>,
}

impl Hidden {
    /// Those of `text`, whoever wrote them and whoever permits them.
    pub fn of(text: &str) -> Hidden {
        let Some(ranges) = secret::ranges(text) else { return Hidden { all: true, lines: HashSet::new() } };
        let mut lines: HashSet<usize> = bidi::lines(text).collect();
        if !ranges.is_empty() {
            let numbers = Lines::of(text);
            let of = |offset: usize| numbers.number(offset);
            lines.extend(ranges.into_iter().flat_map(|range| of(range.start)..=of(range.end.saturating_sub(1))));
        }
        Hidden { all: false, lines }
    }

    /// Is the line, counted from 1, to be shown to nobody?
    pub fn has(&self, line: usize) -> bool {
        self.all || self.lines.contains(&line)
    }

    /// Gates quote the lines that they find: takes those words back where such a line is meant.
    pub(super) fn hush(&self, findings: &mut [Finding]) {
        let names_no_more =
            |finding: &Finding| [secret::CHECK.id, bidi::CHECK.id].iter().any(|id| allows(id, &finding.id, None));
        for finding in findings.iter_mut().filter(|finding| !names_no_more(finding)) {
            if finding.line.is_some_and(|line| self.has(line)) {
                let path = finding.path.as_deref().unwrap_or_default();
                finding.message = format!("'{path}' has more on a line that is not shown");
                finding.hint = None;
            }
        }
    }
}

/// What stands where a secret was.
const BLANK: &str = "[secret]";
/// Bytes of a secret that say nothing yet: formats begin with as many that all secrets of the kind share.
const TELLING: usize = 8;

/// The secrets of some texts, to be blanked out of what quotes them, whole or cut short.
#[derive(Debug, Default)]
pub struct Mask {
    all: bool,
    /// In order, so that the one that goes on most like a text is beside the place where that would stand.
    secrets: Vec<String>,
    /// Finds the beginnings of all of them.
    finder: Option<AhoCorasick>,
}

impl Mask {
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Mask {
        let mut mask = Mask::default();
        for text in texts {
            let Some(ranges) = secret::ranges(text) else {
                mask.all = true;
                continue;
            };
            // What quotes a text may quote one line of it.
            let lines = ranges.into_iter().filter_map(|range| text.get(range)).flat_map(str::lines);
            mask.secrets.extend(lines.map(str::trim).filter(|line| line.len() >= TELLING).map(str::to_owned));
        }
        mask.secrets.sort();
        mask.secrets.dedup();
        if !mask.secrets.is_empty() {
            let mut starts: Vec<&str> = mask.secrets.iter().map(|it| &it[..it.floor_char_boundary(TELLING)]).collect();
            starts.dedup();
            mask.finder = AhoCorasick::new(starts).ok();
            mask.all |= mask.finder.is_none();
        }
        mask
    }

    /// `text` without the secrets, and without the beginnings of any that was cut.
    pub fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.all {
            return Cow::Borrowed("(not shown: too much in it looks like a secret)");
        }
        let Some(finder) = &self.finder else { return Cow::Borrowed(text) };
        let (mut shown, mut from) = (String::new(), 0);
        for found in finder.find_iter(text) {
            // One that begins within another is gone with that.
            if found.start() >= from {
                shown.push_str(&text[from..found.start()]);
                shown.push_str(BLANK);
                from = text.floor_char_boundary(found.start() + self.same(&text[found.start()..]));
            }
        }
        if from == 0 { Cow::Borrowed(text) } else { Cow::Owned(shown + &text[from..]) }
    }

    /// How many bytes the secret that is most like the beginning of `text` has in common with it.
    fn same(&self, text: &str) -> usize {
        let next = self.secrets.partition_point(|secret| secret.as_str() < text);
        let beside = [next.checked_sub(1), Some(next)].into_iter().flatten().filter_map(|at| self.secrets.get(at));
        let common = |secret: &String| secret.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
        beside.map(common).max().unwrap_or_default()
    }

    /// A finding that may quote one of the texts.
    pub fn finding(&self, finding: Finding) -> Finding {
        let message = self.apply(&finding.message).into_owned();
        let hint = finding.hint.map(|hint| self.apply(&hint).into_owned());
        Finding { message, hint, ..finding }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Put together here, so that no scanner takes this file for one that has lost a secret.
    fn token() -> String {
        ["gh", "p_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat()
    }

    fn key() -> String {
        let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
        let more = "MSTtr3Xo2Z5Q6fVcXb0sLw9RkYp1nAeHgTiUzJdKqWvPxFyMmNsCaBoErlGu4387";
        ["-----BEGIN PRIV", "ATE KEY-----\n", body, "\n", more, "\n-----END PRIV", "ATE KEY-----\n"].concat()
    }

    #[test]
    fn a_secret_is_blanked_wherever_it_is_quoted_whole_or_cut_short() {
        let token = token();
        let mask = Mask::of([format!("a\nkey = '{token}'\n").as_str()]);
        assert_eq!(mask.apply(&format!("x '{token}' y '{token}'")), "x 'ghp_[secret]' y 'ghp_[secret]'");
        assert_eq!(mask.apply(&format!("x '{}…", &token[..20])), "x 'ghp_[secret]…");
        assert!(matches!(mask.apply("nothing of it"), Cow::Borrowed(_)));
        let finding = Finding::error("x", format!("'{token}'")).hint(token.clone());
        assert!(!format!("{:?}", mask.finding(finding)).contains(&token[5..12]));
    }

    #[test]
    fn a_key_of_several_lines_is_blanked_and_hidden_up_to_its_end() {
        let text = format!("a\n{}b\n", key());
        let hidden = Hidden::of(&text);
        assert_eq!((1..=6).map(|line| hidden.has(line)).collect::<Vec<_>>(), [false, false, true, true, false, false]);
        let shown = Mask::of([text.as_str()]).apply(&text).into_owned();
        assert!(!shown.contains("MSTtr3Xo") && !shown.contains("MIIEvQIB"), "{shown}");
        let cut: String = text.chars().take(100).collect();
        assert!(!Mask::of([text.as_str()]).apply(&cut).contains("MIIEvQIB"));
    }
}
