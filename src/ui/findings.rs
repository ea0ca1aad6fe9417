//! Findings as git words what it has to say: `error: <place>: <message>`, then `hint: <next step>`.

use super::plain::neutralise;
use crate::finding::{Finding, Severity};
use std::io::{self, Write};

/// Writes findings, one or more lines each. `design`: their lines are lines of this document, not of the file that
/// they are about.
pub fn write(out: &mut dyn Write, findings: &[Finding], design: Option<&str>) -> io::Result<()> {
    for finding in findings {
        write!(out, "{}: ", word(finding.severity))?;
        let place = design.or(finding.path.as_deref());
        match (place, finding.line) {
            (Some(place), Some(line)) => write!(out, "{}:{line}: ", neutralise(place))?,
            (Some(place), None) if design.is_none() => write!(out, "{}: ", neutralise(place))?,
            _ => {}
        }
        writeln!(out, "{}", neutralise(&finding.message))?;
        for line in finding.hint.iter().flat_map(|hint| hint.lines()) {
            writeln!(out, "hint: {}", neutralise(line))?;
        }
    }
    Ok(())
}

/// `fatal: <message>`, and a hint.
pub fn fatal(out: &mut dyn Write, message: &str, hint: Option<&str>) -> io::Result<()> {
    writeln!(out, "fatal: {}", neutralise(message))?;
    hint.map_or(Ok(()), |hint| writeln!(out, "hint: {}", neutralise(hint)))
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(finding: Finding, design: Option<&str>) -> String {
        let mut out = Vec::new();
        write(&mut out, &[finding], design).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_finding_is_worded_as_git_words_it_with_its_place_and_hint() {
        let finding =
            Finding::error("x", "cannot add 'a.py': it exists").path("a.py").line(31).hint("did you mean it?");
        assert_eq!(
            shown(finding.clone(), Some("docs/324.md")),
            "error: docs/324.md:31: cannot add 'a.py': it exists\nhint: did you mean it?\n"
        );
        assert_eq!(shown(finding, None), "error: a.py:31: cannot add 'a.py': it exists\nhint: did you mean it?\n");
        assert_eq!(shown(Finding::warning("x", "odd").path("a.py"), None), "warning: a.py: odd\n");
        assert_eq!(shown(Finding::note("x", "so it is"), Some("d.md")), "note: so it is\n");
    }

    #[test]
    fn no_finding_carries_an_escape_or_a_line_of_its_own_to_the_terminal() {
        let finding = Finding::error("x", "a\u{1b}[2J\nerror: forged").path("b\u{1b}c").hint("one\ntwo\u{7}");
        assert_eq!(
            shown(finding, None),
            "error: b\\u{1b}c: a\\u{1b}[2J\\u{a}error: forged\nhint: one\nhint: two\\u{7}\n"
        );
    }
}
