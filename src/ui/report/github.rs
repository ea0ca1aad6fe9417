//! `--github`: workflow commands, which GitHub Actions shows as annotations at the lines they are about.
//!
//! <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>

use super::Form;
use crate::finding::{Finding, Severity};
use crate::ui::plain::neutralise;
use crate::validate::Report;
use std::io::{self, Write};

pub(super) const FORM: Form = Form { name: "github", write };

fn write(out: &mut dyn Write, report: &Report, _: bool) -> io::Result<()> {
    report.found.iter().try_for_each(|reported| annotation(out, &reported.finding))
}

/// A finding as one annotation.
pub fn annotation(out: &mut dyn Write, finding: &Finding) -> io::Result<()> {
    let word = match finding.severity {
        Severity::Note => "notice",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    write!(out, "::{word} title={}", property(&finding.id))?;
    finding.path.iter().try_for_each(|path| write!(out, ",file={}", property(path)))?;
    finding.line.iter().try_for_each(|line| write!(out, ",line={line}"))?;
    let hint = finding.hint.iter().map(|hint| format!("\nhint: {hint}"));
    let message: String = std::iter::once(finding.message.clone()).chain(hint).collect();
    writeln!(out, "::{}", data(&message))
}

/// The text of a command. A line break would begin another command.
fn data(text: &str) -> String {
    let lines: Vec<String> = text.replace('%', "%25").lines().map(|line| neutralise(line).into_owned()).collect();
    lines.join("%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::Reported;

    #[test]
    fn what_a_file_is_called_or_says_begins_no_command_of_its_own() {
        let finding = Finding::error("syntax-x", "50% 'a'\r\n::set-env").path("a,b:c\n").line(3).hint("so\nthen");
        let report =
            Report { checked: 1, found: vec![Reported { finding, excerpt: None, commit: None }], ..Report::default() };
        let mut out = Vec::new();
        write(&mut out, &report, false).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "::error title=syntax-x,file=a%2Cb%3Ac,line=3::50%25 'a'%0A::set-env%0Ahint: so%0Athen\n"
        );
    }
}
