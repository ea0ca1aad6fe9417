//! The number in the title is that of the issue: a design copied from another often keeps one of the two.
//!
//! `# 1272` for issue 272 is a house's way of counting, and no slip.

use crate::check::design::{Rule, ground::Ground};
use crate::finding::Finding;

pub(super) const RULE: Rule = Rule { id: "design-title", run };

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let (Some(title), Some(issue)) = (&ground.lld.title, &ground.lld.issue) else { return };
    let issue = issue.trim_start_matches('#').trim_start_matches('0');
    let Some(number) = number(title).filter(|_| !issue.is_empty() && issue.bytes().all(|b| b.is_ascii_digit())) else {
        return;
    };
    if !number.ends_with(issue) {
        let message = format!("the title's number is {number}, the issue is {issue}");
        let hint = "make the title and the 'Issue:' field name the same issue";
        let line = ground.lld.sections.iter().find(|section| section.level == 1).map_or(1, |section| section.line);
        findings.push(Finding::warning(RULE.id, message).line(line).hint(hint));
    }
}

/// The number that the title begins with, after a word for designs or not, or that stands after `#`.
fn number(title: &str) -> Option<&str> {
    let digits = |text: &'_ str| text.bytes().take_while(u8::is_ascii_digit).count();
    let after_mark =
        || title.match_indices('#').find_map(|(at, _)| title.get(at + 1..).filter(|rest| digits(rest) > 0));
    let lead = title.trim_start_matches(|c: char| c.is_alphabetic() || matches!(c, '-' | ' ' | ':'));
    let word = title.get(..title.len() - lead.len())?.to_lowercase();
    let named = matches!(word.trim_matches(['-', ' ', ':']), "" | "lld" | "issue" | "implementation spec" | "spec");
    let rest = after_mark().or_else(|| named.then_some(lead))?;
    let (number, rest) = rest.split_at_checked(digits(rest))?;
    // `3D view`, `2.0 release` and `2-phase commit` are names; `12 - name`, `12: name`, `#12` are numbers.
    let ends = rest.is_empty() || rest.starts_with([' ', ':', ')', ',', ']']);
    let number = number.trim_start_matches('0');
    let counted = title.contains('#') || !word.is_empty() || rest.trim_start().starts_with(['-', ':', '–', '—', '|']);
    (ends && counted && !number.is_empty()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn the_number_of_a_title_is_told_from_numbers_in_it() {
        for title in
            ["12 - Feature: X", "#12: X", "LLD-12: X", "Issue #12: X", "LLD: Gate (#12)", "Implementation Spec: 0012"]
        {
            assert_eq!(number(title), Some("12"), "{title}");
        }
        for title in ["3D view", "2.0 release", "12 monkeys", "Feature X", "Phase 2 - X", "C# binding", ""] {
            assert_eq!(number(title), None, "{title}");
        }
    }
}
