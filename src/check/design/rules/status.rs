//! The two places that say whether a design is approved agree.

use crate::check::design::{Rule, ground::Ground};
use crate::finding::Finding;
use crate::lld::Approval;

pub(super) const RULE: Rule = Rule { id: "design-status", run };

fn run(ground: &Ground, findings: &mut Vec<Finding>) {
    let (Some(status), Some(last)) = (&ground.lld.status, &ground.lld.final_status) else { return };
    let (Some(first), Some(second)) = (Approval::of(status), Approval::of(last)) else { return };
    // Work goes on under "Draft" after a review that refused.
    if first == second || (first == Approval::Open && second == Approval::Refused) {
        return;
    }
    let shown = |text: &str| text.chars().filter(|c| !c.is_control()).take(40).collect::<String>();
    let message = format!("the status is '{}', the final status '{}'", shown(status), shown(last));
    let mut finding = Finding::warning(RULE.id, message).hint("change the one that is out of date");
    finding.line = ground.text.split('\n').position(|line| line.contains("Status:")).map(|at| at + 1);
    findings.push(finding);
}
