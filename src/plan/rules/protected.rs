//! Files that git, continuous integration, hooks or agents take instructions from are in no plan unless the person at
//! the command line says so; the design cannot.

use super::{about, verb};
use crate::finding::Finding;
use crate::plan::decide::{Case, Ground};

pub(super) fn judge(case: &Case, ground: &Ground, findings: &mut Vec<Finding>) {
    let paths = case.spec.from.iter().chain([&case.spec.path]);
    let Some((path, who)) = paths.into_iter().find_map(|path| Some((path, path.instructs()?))) else { return };
    if ground.permits(case, "protected") {
        return;
    }
    let message = format!("cannot {} '{}': '{path}' instructs {who}", verb(case), case.path());
    let hint = format!("if you have read what the design wants there, give --allow protected:{}", case.path());
    findings.push(about(case, Finding::error("protected", message).hint(hint)));
}
