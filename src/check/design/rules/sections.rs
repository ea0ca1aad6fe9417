//! The sections that the other rules, and whoever accepts the work, go by.
//!
//! A design of free form needs none.

use crate::check::design::{DesignKind, Rule, ground::Ground};
use crate::finding::Finding;
use crate::lld::Section;

pub(super) const RULE: Rule = Rule { id: "design-sections", run };

/// A section, and whether a title is one for it.
type Wanted = (&'static str, fn(&str) -> bool);

const OF_DESIGN: &[Wanted] = &[
    ("Requirements", |title| {
        has(title, &["requirements", "requirement"]) || has(title, &["acceptance"]) || has(title, &["goals"])
    }),
    ("Test Scenarios", |title| has(title, &["test", "tests", "testing", "scenarios", "verification", "validation"])),
    ("Definition of Done", |title| has(title, &["done", "acceptance", "dod"]) || title == "success criteria"),
];
const OF_SPEC: &[Wanted] =
    &[("Test Mapping", |title| has(title, &["test", "tests", "testing", "verification", "validation"]))];

fn has(title: &str, words: &[&str]) -> bool {
    title.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
}

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let wanted = match ground.kind {
        DesignKind::Design => OF_DESIGN,
        DesignKind::Spec => OF_SPEC,
        DesignKind::Free => return,
    };
    for (name, is) in wanted {
        let sections = || ground.lld.sections.iter().filter(|section| section.level > 1 && is(&section.title));
        let hint = "write it, so that it can be seen whether the work is done";
        match sections().next() {
            None => {
                let finding = Finding::warning(RULE.id, format!("the design has no section '{name}'"));
                findings.push(finding.hint(hint));
            }
            Some(section) if sections().all(|section| is_bare(ground, section)) => {
                let finding = Finding::warning(RULE.id, format!("the section '{name}' holds nothing"));
                findings.push(finding.line(section.line).hint(hint));
            }
            Some(_) => {}
        }
    }
}

/// Is there nothing under the heading but blank lines, other headings and rules?
fn is_bare(ground: &Ground, section: &Section) -> bool {
    ground.under(section).all(|(_, line)| line.trim().is_empty() || line.starts_with('#') || line.trim() == "---")
}
