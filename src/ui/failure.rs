//! How a verb says that it failed: findings, the error, the beginning of the reply, hints.

use super::{Style, findings as lines, printer};
use crate::check::Mask;
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::implement::ImplementError;
use std::io::{self, Write};

/// As much of a refused reply as is shown, in characters.
const PREVIEW: usize = 500;

/// Findings on stderr. `design`: their lines are lines of this document.
pub fn findings(findings: &[Finding], design: Option<&str>, colour: bool) {
    let _ = lines::write(&mut printer::err(), findings, design, colour);
}

/// `fatal: …`
pub fn fatal(message: &str, hints: &[String]) {
    let _ = lines::fatal(&mut printer::err(), message, hints);
}

/// `hint: …`, a line each, below what somebody else has said.
pub fn hints(hints: &[String]) {
    let _ = hints.iter().try_for_each(|text| lines::hint(&mut printer::err(), text, false));
}

/// Why a run made nothing. `hints`: what to do next, before what the error itself says of it.
pub fn show(error: &ImplementError, hints: &[String], style: Style) {
    let _ = write(&mut printer::err(), error, hints, style.colour);
}

fn write(err: &mut dyn Write, error: &ImplementError, hints: &[String], colour: bool) -> io::Result<()> {
    let design = if let ImplementError::Plan { lld, .. } = error { Some(lld.as_str()) } else { None };
    lines::write(err, error.findings(), design, colour)?;
    if error.exit_code() == ExitCode::Fatal {
        lines::fatal(err, &error.to_string(), &[])?;
    } else {
        lines::error(err, &error.to_string(), colour)?;
    }
    if let Some(reply) = error.reply() {
        // It may be refused for the very secret that is in it.
        let mut preview: String = Mask::of([reply]).apply(reply).chars().take(PREVIEW).collect();
        if preview.trim().is_empty() {
            preview = "(empty)".to_owned();
        }
        writeln!(err, "the reply begins:")?;
        lines::quote(err, &preview)?;
    }
    hints.iter().chain(&error.hints()).try_for_each(|hint| lines::hint(err, hint, colour))
}
