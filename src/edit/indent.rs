//! How a model's indentation is carried over to the file's: seen in the lines that matched, or not at all.

use std::cell::OnceCell;
use std::collections::HashMap;

/// Line indentations as the edit has them, each with the file's for the same line.
pub(super) type Pair<'a> = (&'a str, &'a str);

/// A rule that turns every indentation of the edit into the file's.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Rule {
    Same,
    /// The file has this in front.
    Deeper(String),
    /// The edit has this in front.
    Shallower(String),
    /// Columns: a tab of the edit is `tab` wide; the file's columns are `times` / `over` as many, `shift` more, and written
    /// in tabs of `tab` if `tabs`.
    Columns {
        tab: usize,
        tabs: bool,
        times: usize,
        over: usize,
        shift: isize,
    },
}

/// Carries indentation from an edit to a file.
pub(super) struct Indentation<'a> {
    rule: Option<Rule>,
    pairs: Vec<Pair<'a>>,
    /// The first line of the edit lost its indentation; the rule holds for the others.
    first: Option<Pair<'a>>,
    known: OnceCell<HashMap<&'a str, Option<&'a str>>>,
}

impl<'a> Indentation<'a> {
    /// From the lines that matched, in order.
    pub fn seen(pairs: Vec<Pair<'a>>) -> Indentation<'a> {
        if let Some(rule) = rule(&pairs) {
            return Indentation { rule: Some(rule), pairs, first: None, known: OnceCell::new() };
        }
        if let Some((first, rest)) = pairs.split_first()
            && let Some(rule) = rule(rest)
            && first.0.len() < first.1.len()
        {
            return Indentation { rule: Some(rule), first: Some(*first), pairs: rest.to_vec(), known: OnceCell::new() };
        }
        Indentation { rule: None, pairs, first: None, known: OnceCell::new() }
    }
    /// One rule explains all matched lines.
    pub fn is_uniform(&self) -> bool {
        self.rule.is_some() && self.first.is_none()
    }
    /// The file's indentation for an added line; `leading`: it comes before every other line of the edit that the file keeps.
    pub fn carry(&self, indent: &str, leading: bool) -> Option<String> {
        if let Some((edit, file)) = self.first {
            if leading && edit == indent {
                return Some(file.to_owned());
            }
            // A later line that is shallower than the first one truly is: lost as well, or meant so?
            let inside = self.pairs.iter().all(|(edit, _)| edit.len() >= file.len());
            if !leading && inside && indent.len() < file.len() {
                return None;
            }
        }
        if let Some(carried) = self.rule.as_ref().and_then(|rule| apply(rule, indent)) {
            return Some(carried);
        }
        self.known().get(indent).copied().flatten().map(str::to_owned)
    }
    /// The file's form of an added line of white space: as it is, unless tabs stand for other columns here.
    pub fn carry_blank(&self, line: &str) -> String {
        match &self.rule {
            Some(rule @ Rule::Columns { .. }) => apply(rule, line).unwrap_or_default(),
            _ => line.to_owned(),
        }
    }
    /// For each indentation of the edit the file's, if it is always the same.
    fn known(&self) -> &HashMap<&'a str, Option<&'a str>> {
        self.known.get_or_init(|| {
            let mut known = HashMap::new();
            for (edit, file) in &self.pairs {
                let seen = known.entry(*edit).or_insert(Some(*file));
                *seen = seen.filter(|seen| seen == file);
            }
            known
        })
    }
}

fn rule(pairs: &[Pair]) -> Option<Rule> {
    let fits = |rule: &Rule| pairs.iter().all(|(edit, file)| apply(rule, edit).as_deref() == Some(*file));
    let mut rules = vec![Rule::Same];
    let Some((edit, file)) = pairs.first() else { return Some(Rule::Same) };
    if let Some(prefix) = file.strip_suffix(edit) {
        rules.push(Rule::Deeper(prefix.to_owned()));
    }
    if let Some(prefix) = edit.strip_suffix(file) {
        rules.push(Rule::Shallower(prefix.to_owned()));
    }
    let tabs = pairs.iter().any(|(_, file)| file.contains('\t'));
    if tabs || pairs.iter().any(|(edit, _)| edit.contains('\t')) {
        for tab in [4, 2, 8, 3] {
            rules.push(Rule::Columns { tab, tabs, times: 1, over: 1, shift: 0 });
        }
        for tab in [4, 2, 8, 3] {
            let shift = columns(file, tab) as isize - columns(edit, tab) as isize;
            rules.push(Rule::Columns { tab, tabs, times: 1, over: 1, shift });
        }
    } else if pairs.iter().any(|(edit, _)| !edit.is_empty()) {
        for (times, over) in [(2, 1), (1, 2), (4, 3), (3, 4), (3, 2), (2, 3)] {
            rules.push(Rule::Columns { tab: 1, tabs: false, times, over, shift: 0 });
        }
    }
    rules.into_iter().find(fits)
}

fn apply(rule: &Rule, indent: &str) -> Option<String> {
    match rule {
        Rule::Same => Some(indent.to_owned()),
        Rule::Deeper(prefix) => Some(format!("{prefix}{indent}")),
        Rule::Shallower(prefix) => indent.strip_prefix(prefix.as_str()).map(str::to_owned),
        Rule::Columns { tab, tabs, times, over, shift } => {
            let wide = columns(indent, *tab) * times;
            if !wide.is_multiple_of(*over) {
                return None;
            }
            let wide = usize::try_from((wide / over) as isize + shift).ok()?;
            Some(if *tabs { "\t".repeat(wide / tab) + &" ".repeat(wide % tab) } else { " ".repeat(wide) })
        }
    }
}

fn columns(indent: &str, tab: usize) -> usize {
    indent.chars().fold(0, |at, c| if c == '\t' { (at / tab + 1) * tab } else { at + 1 })
}

/// A line as its indentation and the rest.
pub(super) fn split(line: &str) -> (&str, &str) {
    line.split_at(line.len() - line.trim_start().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carry(pairs: &[Pair], indent: &str) -> Option<String> {
        Indentation::seen(pairs.to_vec()).carry(indent, false)
    }

    #[test]
    fn a_shift_of_the_matched_lines_shifts_the_added_ones() {
        assert_eq!(carry(&[("", "    "), ("  ", "      ")], "    "), Some("        ".into()));
        assert_eq!(carry(&[("    ", ""), ("      ", "  ")], "    "), Some("".into()));
        assert_eq!(carry(&[("    ", ""), ("      ", "  ")], "  "), None);
    }

    #[test]
    fn spaces_become_the_tabs_of_the_file_and_the_other_way_round() {
        assert_eq!(carry(&[("    ", "\t"), ("        ", "\t\t")], "            "), Some("\t\t\t".into()));
        assert_eq!(carry(&[("\t", "  "), ("\t\t", "    ")], "\t\t\t"), Some("      ".into()));
        assert_eq!(carry(&[("", "\t"), ("    ", "\t\t")], "        "), Some("\t\t\t".into()));
    }

    #[test]
    fn another_width_is_carried_over_in_proportion() {
        assert_eq!(carry(&[("  ", "    "), ("    ", "        ")], "      "), Some(" ".repeat(12)));
        assert_eq!(carry(&[("    ", "  "), ("        ", "    ")], "            "), Some(" ".repeat(6)));
        assert_eq!(carry(&[("    ", "   "), ("        ", "      ")], "            "), Some(" ".repeat(9)));
        assert_eq!(carry(&[("    ", "  "), ("        ", "    ")], "     "), None);
        // Another width in tabs, and deeper.
        assert_eq!(carry(&[("    ", "\t\t"), ("        ", "\t\t\t")], "            "), Some("\t\t\t\t".into()));
        assert_eq!(carry(&[("        ", "\t"), ("            ", "\t\t")], "  "), None);
    }

    #[test]
    fn an_indentation_that_no_rule_explains_is_looked_up_or_refused() {
        let odd = [("  ", "    "), ("    ", "     "), ("   ", "         ")];
        assert_eq!(carry(&odd, "   "), Some("         ".into()));
        assert_eq!(carry(&odd, "      "), None);
    }

    #[test]
    fn a_first_line_that_lost_no_indentation_is_like_the_others() {
        let odd = [("  ", "  "), ("    ", "      "), ("      ", "        ")];
        assert_eq!(carry(&odd, "        "), None);
        assert!(!Indentation::seen(odd.to_vec()).is_uniform());
        assert!(!Indentation::seen(vec![("", "  "), ("    ", "    ")]).is_uniform());
        assert!(Indentation::seen(vec![("", "  "), ("    ", "      ")]).is_uniform());
    }

    #[test]
    fn a_first_line_that_lost_its_indentation_speaks_for_itself_only() {
        let map = Indentation::seen(vec![("", "    "), ("        ", "        ")]);
        assert_eq!(map.carry("", true), Some("    ".into()));
        assert_eq!(map.carry("    ", false), Some("    ".into()));
        assert_eq!(map.carry("", false), None);
    }
}
