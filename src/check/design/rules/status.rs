//! The two places that say whether a design is approved agree.

use crate::check::design::{Rule, ground::Ground, words::has_phrase};
use crate::finding::Finding;

pub(super) const RULE: Rule = Rule { id: "design-status", run };

#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Open,
    Approved,
    Refused,
}

const WORDS: &[(Standing, &[&str])] = &[
    (Standing::Open, &["draft", "pending", "wip", "proposed", "awaiting", "todo", "in review", "under review"]),
    (Standing::Approved, &["approved", "accepted", "implemented"]),
    (Standing::Refused, &["rejected", "blocked", "revise", "denied", "declined"]),
];

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let (Some(status), Some(last)) = (&ground.lld.status, &ground.lld.final_status) else { return };
    let (Some(first), Some(second)) = (standing(status), standing(last)) else { return };
    // Work goes on under "Draft" after a review that refused.
    if first == second || (first == Standing::Open && second == Standing::Refused) {
        return;
    }
    let shown = |text: &str| text.chars().filter(|c| !c.is_control()).take(40).collect::<String>();
    let message = format!("the status is '{}', the final status '{}'", shown(status), shown(last));
    let mut finding = Finding::warning(RULE.id, message).hint("change the one that is out of date");
    finding.line = ground.text.split('\n').position(|line| line.contains("Status:")).map(|at| at + 1);
    findings.push(finding);
}

/// What a status says; `None` if it is no word of ours, or several, as in "Draft | Approved".
fn standing(text: &str) -> Option<Standing> {
    let text = text.split('(').next().unwrap_or_default().to_lowercase();
    let mut said = WORDS.iter().filter(|(_, words)| words.iter().any(|word| has_phrase(&text, word)));
    let (standing, _) = said.next()?;
    (said.next().is_none() && !text.contains(['|', '{', '/'])).then_some(*standing)
}
