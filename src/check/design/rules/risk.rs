//! A mitigation that names a function of the design's own names one that the design has.

use crate::check::design::{Rule, ground::Ground};
use crate::finding::Finding;
use crate::lld::Item;
use std::collections::HashSet;

pub(super) const RULE: Rule = Rule { id: "design-risk", run };

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let Some(first) = ground.lld.risks.first().filter(|_| !ground.lld.signatures.is_empty()) else { return };
    // Elsewhere: what the design calls in its pseudocode, its tests or its file list is not made up here.
    let risks = ground.lld.sections.iter().filter(|section| section.line < first.line).rfind(|s| s.end >= first.line);
    let own = risks.map_or(first.line..=first.line, |section| section.line..=section.end);
    let lines = ground.text.split('\n').enumerate().filter(|(at, _)| !own.contains(&(at + 1)));
    let words: HashSet<&str> = lines.flat_map(|(_, line)| line.split(|c| !in_name(c))).collect();
    for item in &ground.lld.risks {
        for name in calls(mitigation(item)) {
            if !words.contains(name) {
                let message = format!("a mitigation names '{name}()', which the design has nowhere else");
                let finding = Finding::warning(RULE.id, message).line(item.line);
                findings.push(finding.hint("name the function of section 2.4 that does it, or add it there"));
            }
        }
    }
}

fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn mitigation(item: &Item) -> &str {
    let column = item.cells.iter().find(|(title, _)| title.contains("mitigation"));
    column.map_or(item.text.as_str(), |(_, cell)| cell)
}

/// Names before a `(` that look like functions of a program and of no library: `check_size(` but not `open(`,
/// `os.path.join(` or `Size (`.
fn calls(text: &str) -> Vec<&str> {
    let named = |(at, _): (usize, &str)| {
        let before = text.get(..at)?;
        let name = before.get(before.trim_end_matches(in_name).len()..)?;
        let lead = before.strip_suffix(name)?.chars().next_back();
        let several = name.trim_matches('_').contains('_')
            || (name.contains(|c: char| c.is_ascii_uppercase()) && name.starts_with(|c: char| c.is_ascii_lowercase()));
        (several && !lead.is_some_and(|c| c == '.' || c.is_alphanumeric())).then_some(name)
    };
    text.match_indices('(').filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::calls;

    #[test]
    fn only_calls_of_functions_with_names_of_their_own_count() {
        assert_eq!(calls("`check_size()` and parseAll(x), (see _load_it(y))"), ["check_size", "parseAll", "_load_it"]);
        assert!(calls("open(), os.path_join(a), Size (b), HTTP(s), plain_name, f(x)").is_empty());
    }
}
