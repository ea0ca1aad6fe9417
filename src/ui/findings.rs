//! Findings as git words what it has to say: `error: <place>: <message>`, then `hint: <next step>`.

use super::plain::{neutralise, neutralise_lines};
use crate::finding::{Finding, Severity};
use std::io::{self, Write};

const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const CYAN: &str = "\x1b[36m";
const PLAIN: &str = "\x1b[0m";

/// Writes findings, one or more lines each. `design`: their lines are lines of this document, not of the file that
/// they are about.
pub fn write(out: &mut dyn Write, findings: &[Finding], design: Option<&str>, colour: bool) -> io::Result<()> {
    for finding in findings {
        head(out, finding.severity, colour)?;
        let place = design.or(finding.path.as_deref());
        match (place, finding.line) {
            (Some(place), Some(line)) => write!(out, "{}:{line}: ", neutralise(place))?,
            // A message that names its subject needs no place in front.
            (Some(place), None) if design.is_none() && !finding.message.contains(place) => {
                write!(out, "{}: ", neutralise(place))?
            }
            _ => {}
        }
        writeln!(out, "{}", neutralise(&finding.message))?;
        finding.hint.iter().try_for_each(|text| hint(out, text, colour))?;
    }
    Ok(())
}

/// `error: <message>`. Lines after the first are somebody else's words, such as a hook's, and shown as they came.
pub fn error(out: &mut dyn Write, message: &str, colour: bool) -> io::Result<()> {
    let (message, words) = message.split_once('\n').unwrap_or((message, ""));
    head(out, Severity::Error, colour)?;
    writeln!(out, "{}", neutralise(message))?;
    quote(out, words)
}

/// `hint: <text>`, a line each.
pub fn hint(out: &mut dyn Write, text: &str, colour: bool) -> io::Result<()> {
    let (on, off) = if colour { (YELLOW, PLAIN) } else { ("", "") };
    text.lines().try_for_each(|line| writeln!(out, "{on}hint: {}{off}", neutralise(line)))
}

/// `fatal: <message>`, and hints.
pub fn fatal(out: &mut dyn Write, message: &str, hints: &[String]) -> io::Result<()> {
    writeln!(out, "fatal: {}", neutralise_lines(message))?;
    hints.iter().try_for_each(|text| hint(out, text, false))
}

/// Something shown as it came, such as the beginning of a reply: each line marked, so that it cannot be taken for ours.
pub fn quote(out: &mut dyn Write, text: &str) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "    | {}", neutralise(line)))
}

/// `error: `
pub(super) fn head(out: &mut dyn Write, severity: Severity, colour: bool) -> io::Result<()> {
    let (word, paint) = match severity {
        Severity::Note => ("note", CYAN),
        Severity::Warning => ("warning", YELLOW),
        Severity::Error => ("error", RED),
    };
    if colour { write!(out, "{paint}{word}:{PLAIN} ") } else { write!(out, "{word}: ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(finding: Finding, design: Option<&str>) -> String {
        let mut out = Vec::new();
        write(&mut out, &[finding], design, false).unwrap();
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
