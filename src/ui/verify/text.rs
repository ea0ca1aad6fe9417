//! For people: a line a commit, and below it why, and in what it differs.

use super::{Form, Judged, Shape, counts, said};
use crate::check::Mask;
use crate::record::verify::Verification;
use crate::ui::findings;
use crate::ui::plain::{neutralise, neutralise_patch_line};
use std::io::{self, Write};

pub(super) const FORM: Form = Form { name: "text", write };

fn write(out: &mut dyn Write, judged: &[Judged], shape: Shape) -> io::Result<()> {
    let shown = judged.iter().filter(|one| !shape.quiet || !one.is_good());
    for one in shown {
        commit(out, one, shape)?;
    }
    if judged.is_empty() {
        return writeln!(out, "there is no commit in this range");
    }
    writeln!(out, "{}", counts(judged))
}

fn commit(out: &mut dyn Write, one: &Judged, Shape { colour, quiet }: Shape) -> io::Result<()> {
    let paint = match one.verification {
        _ if !colour => ("", ""),
        Verification::Exact => ("\x1b[32m", "\x1b[m"),
        Verification::NotGenerated => ("", ""),
        Verification::Edited => ("\x1b[33m", "\x1b[m"),
        Verification::TooOld | Verification::TooNew | Verification::Missing | Verification::Altered => {
            ("\x1b[31m", "\x1b[m")
        }
    };
    let (on, off) = paint;
    let word = one.verification.word();
    writeln!(out, "{on}{word:<14}{off} {:.10} {}", one.commit, neutralise(&one.subject))?;
    for line in one.reasons.iter().chain(&one.notes) {
        writeln!(out, "    {}", neutralise(line))?;
    }
    for mismatch in &one.mismatches {
        writeln!(out, "    {}: {}", neutralise(&mismatch.path), said(mismatch))?;
    }
    for finding in &one.findings {
        write!(out, "    ")?;
        findings::head(out, finding.severity, colour)?;
        writeln!(out, "{} [{}]", neutralise(&finding.message), neutralise(&finding.id))?;
    }
    if quiet {
        return Ok(());
    }
    for mismatch in &one.mismatches {
        // What a person wrote may hold what is to be shown to nobody.
        let patch = Mask::of([mismatch.patch.as_str()]).apply(&mismatch.patch).into_owned();
        for line in patch.split_terminator('\n') {
            writeln!(out, "{}", neutralise_patch_line(line))?;
        }
    }
    Ok(())
}
