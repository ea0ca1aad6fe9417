//! `--github`: an annotation for each commit that is not what its record makes, at the lines that differ.

use super::{Form, Judged, Shape, counts, said};
use crate::finding::Finding;
use crate::record::verify::Verification;
use crate::ui::report::github::annotation;
use std::io::{self, Write};

pub(super) const FORM: Form = Form { name: "github", write };

fn write(out: &mut dyn Write, judged: &[Judged], _: Shape) -> io::Result<()> {
    for one in judged.iter().filter(|one| !one.is_good()) {
        let id = format!("verify-{}", one.verification.word());
        let about = |said: String| format!("{:.10} {}: {said}", one.commit, one.subject);
        let said_of = |message: String| match one.verification {
            Verification::Edited => Finding::warning(id.clone(), about(message)),
            _ => Finding::error(id.clone(), about(message)),
        };
        for why in &one.reasons {
            annotation(out, &said_of(why.clone()))?;
        }
        for mismatch in &one.mismatches {
            let finding = said_of(format!("'{}': {}", mismatch.path, said(mismatch))).path(&mismatch.path);
            let line = mismatch.lines.first().map(|(from, _)| (*from).max(1));
            annotation(out, &line.into_iter().fold(finding, Finding::line))?;
        }
        one.findings.iter().try_for_each(|finding| annotation(out, finding))?;
    }
    annotation(out, &Finding::note("verify", counts(judged)))
}
