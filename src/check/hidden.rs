//! Lines that are shown to nobody: a secret is on them, or what makes text look other than it is.

use super::{bidi, secret};
use crate::finding::{Finding, allows};

fn hides(finding: &Finding) -> bool {
    [secret::CHECK.id, bidi::CHECK.id].iter().any(|id| allows(id, &finding.id, None))
}

/// The lines of these findings that must not be shown to anybody.
pub fn unshown(findings: &[Finding]) -> Vec<usize> {
    findings.iter().filter(|finding| hides(finding)).filter_map(|finding| finding.line).collect()
}

/// Other gates quote the lines that they find; not those.
pub(super) fn hush(findings: &mut [Finding]) {
    let unshown = unshown(findings);
    for finding in findings.iter_mut().filter(|finding| !hides(finding)) {
        if finding.line.is_some_and(|line| unshown.contains(&line)) {
            let path = finding.path.as_deref().unwrap_or_default();
            finding.message = format!("'{path}' has more on a line that is not shown");
            finding.hint = None;
        }
    }
}
