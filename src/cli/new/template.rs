//! The text of a new design: the template, filled in.

/// What a design begins as.
const TEMPLATE: &str = include_str!("design.md");

/// What stands where nobody has said why.
const NOTHING: &str = "What is to be different, and why.";

/// Titles under the context begin at this level.
const LEVEL: usize = 3;

/// A design of this title about `context`, which is free text; its line ends are LF.
pub(super) fn design(title: &str, context: &str) -> String {
    let issue = number(title).map(|number| format!("* **Issue:** #{number}\n")).unwrap_or_default();
    let context = context.trim();
    let context = if context.is_empty() { NOTHING.to_owned() } else { inside(context) };
    // The context comes last: what looks like a place in it is none.
    let text = TEMPLATE.replacen("{title}", title, 1).replacen("{issue}", &issue, 1);
    text.replacen("{context}", &context, 1)
}

/// A title and the rest of a text that begins with one, as issues that are saved do.
pub(super) fn titled(text: &str) -> (Option<String>, String) {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let start = text.trim_start_matches('\n');
    let (first, rest) = start.split_once('\n').unwrap_or((start, ""));
    match first.strip_prefix("# ").map(one_line).filter(|title| !title.is_empty()) {
        Some(title) => (Some(title), rest.to_owned()),
        None => (None, start.to_owned()),
    }
}

/// A title as it may stand in a line.
pub(super) fn one_line(title: &str) -> String {
    let plain = title.split(char::is_control).collect::<Vec<_>>().join(" ");
    plain.trim_matches(['#', ' ']).to_owned()
}

/// `324` of `324 - Budgets`, `#324: Budgets` and `Issue 324`.
fn number(title: &str) -> Option<&str> {
    let rest = title.strip_prefix("Issue ").unwrap_or(title).trim_start_matches('#');
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, after) = rest.split_at_checked(digits)?;
    let ends = after.trim_start().is_empty() || after.trim_start().starts_with([':', '-', '–', '—']);
    (ends && (1..=9).contains(&digits)).then_some(number)
}

/// The text as it may stand under a title of the design: its own titles are deeper ones, and what it leaves open is closed.
fn inside(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut fence: Option<String> = None;
    for line in text.lines() {
        let start = line.trim_start();
        let marks: String = start.chars().take_while(|c| start.starts_with(*c) && matches!(c, '`' | '~')).collect();
        match &fence {
            Some(open) if marks.starts_with(open.as_str()) && start.trim_end() == marks => fence = None,
            None if marks.len() >= 3 => fence = Some(marks),
            _ => {}
        }
        let level = line.len() - line.trim_start_matches('#').len();
        let is_title = fence.is_none() && (1..=6).contains(&level) && line[level..].starts_with(' ');
        if is_title {
            out.push_str(&"#".repeat((level + LEVEL - 1).min(6) - level));
        }
        out.push_str(line);
        out.push('\n');
    }
    if let Some(open) = fence {
        out.push_str(&open);
        out.push('\n');
    }
    if out.rfind("<!--").is_some_and(|at| !out[at..].contains("-->")) {
        out.push_str("-->\n");
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lld;

    #[test]
    fn a_new_design_has_title_issue_and_an_empty_list_of_files() {
        let text = design("324 - Monthly budgets", "");
        let lld = lld::parse("docs/lld/324.md", &text);
        assert_eq!((lld.title.as_deref(), lld.issue.as_deref()), (Some("324 - Monthly budgets"), Some("324")));
        assert_eq!(lld.status.as_deref(), Some("Draft"));
        let found: Vec<_> = lld.findings.iter().map(|finding| (finding.id.as_ref(), finding.line)).collect();
        assert_eq!(found, [("lld-status", Some(4)), ("lld-no-file-list", Some(12))]);
        assert!(text.contains(NOTHING) && !text.contains('{'), "{text}");
        assert!(!design("Dark mode", "").contains("Issue"));
    }

    #[test]
    fn free_text_stays_under_its_title_whatever_is_in_it() {
        let context = "# Slow\n\nIt {title} is.\n\n```sh\n# no title\n<!-- open\n";
        let text = design("Start", context);
        assert!(text.contains("\n### Slow\n\nIt {title} is.\n\n```sh\n# no title\n<!-- open\n```\n-->\n"), "{text}");
        let titles: Vec<String> = lld::parse("d.md", &text).sections.into_iter().map(|it| it.title).collect();
        assert_eq!(
            titles,
            ["start", "context & goal", "slow", "proposed changes", "files changed", "requirements", "tests"]
        );
    }

    #[test]
    fn the_title_of_a_text_is_its_first_line() {
        assert_eq!(titled("\u{feff}\n# Dark mode #\r\n\r\nPlease."), (Some("Dark mode".into()), "\nPlease.".into()));
        assert_eq!(titled("Please.\n"), (None, "Please.\n".into()));
        assert_eq!([number("#7: a"), number("7th a"), number("Issue 12")], [Some("7"), None, Some("12")]);
    }
}
