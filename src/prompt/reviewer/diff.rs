//! A changed file as a reviewer reads it: the lines of a diff, those that are there now with their numbers, so that a remark
//! can name them.

use super::super::fenced;
use crate::reviewer::Changed;
use similar::{ChangeTag, TextDiff};

/// Lines that are shown round a change.
const AROUND: usize = 5;

pub(super) fn numbered(changed: &Changed) -> String {
    let Changed { path, from, base, text } = *changed;
    let what = match (from, base, text) {
        (Some(from), ..) => format!("`{path}`, which was `{from}`"),
        (_, None, _) => format!("`{path}`, which is new"),
        (_, _, None) => return format!("\n`{path}` is deleted.\n"),
        _ => format!("`{path}`"),
    };
    let (base, text) = (base.unwrap_or_default(), text.unwrap_or_default());
    if base == text {
        return format!("\n{what}: no line differs.\n");
    }
    let diff = TextDiff::from_lines(base, text);
    let mut lines = String::new();
    for (number, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if number > 0 {
            lines.push_str("…\n");
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Insert => '+',
                ChangeTag::Delete => '-',
                ChangeTag::Equal => ' ',
            };
            let at = change.new_index().map(|at| (at + 1).to_string()).unwrap_or_default();
            lines.push_str(&format!("{at:>4} {sign}{}\n", change.value().trim_end_matches(['\n', '\r'])));
        }
    }
    format!("\n{what}:\n\n{}", fenced(&lines, "diff"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_there_have_their_numbers() {
        let base: String = (1..=30).map(|n| format!("l{n}\n")).collect();
        let text = base.replace("l3\n", "new\nl3\n").replace("l28\n", "");
        let changed = Changed { path: "a.txt", from: Some("b.txt"), base: Some(&base), text: Some(&text) };
        let shown = numbered(&changed);
        assert!(
            shown.starts_with("\n`a.txt`, which was `b.txt`:\n\n```diff\n   1  l1\n   2  l2\n   3 +new\n   4  l3\n"),
            "{shown}"
        );
        assert!(shown.contains("\n…\n  24  l23\n") && shown.contains("\n     -l28\n  29  l29\n"), "{shown}");
        let gone = Changed { text: None, from: None, ..changed };
        assert_eq!(numbered(&gone), "\n`a.txt` is deleted.\n");
    }
}
