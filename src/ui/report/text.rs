//! For people: `<path>:<line>: <severity>: <message> [<id>]`, which editors can jump to, then the line and what to do.

use super::Form;
use crate::check::{Silenced, SilencedBy};
use crate::finding::Severity;
use crate::ui::findings;
use crate::ui::plain::{neutralise, neutralise_line};
use crate::validate::{Report, Reported};
use std::io::{self, Write};

pub(super) const FORM: Form = Form { name: "text", write };

fn write(out: &mut dyn Write, report: &Report, colour: bool) -> io::Result<()> {
    report.found.iter().try_for_each(|reported| one(out, reported, colour))
}

fn one(out: &mut dyn Write, Reported { finding, excerpt, commit }: &Reported, colour: bool) -> io::Result<()> {
    // As `git grep` names a line of a commit.
    commit.iter().try_for_each(|commit| write!(out, "{commit:.10}:"))?;
    finding.path.iter().try_for_each(|path| write!(out, "{}:", neutralise_line(path)))?;
    finding.line.iter().try_for_each(|line| write!(out, "{line}:"))?;
    if finding.path.is_some() || commit.is_some() || finding.line.is_some() {
        write!(out, " ")?;
    }
    findings::head(out, finding.severity, colour)?;
    writeln!(out, "{} [{}]", neutralise(&finding.message), finding.id)?;
    if let (Some(line), Some(excerpt)) = (finding.line, excerpt) {
        writeln!(out, "{line:>7} | {}", neutralise(&excerpt.replace('\t', "    ")))?;
    }
    finding.hint.iter().try_for_each(|text| findings::hint(out, text, colour))
}

/// `2 errors and 1 warning in 14 files (3 silenced by comments)`; `None` if there is nothing to say.
pub(super) fn summary(report: &Report) -> Option<String> {
    let count = |severity: Severity| report.found.iter().filter(|found| found.finding.severity == severity).count();
    let some = |count: usize, word: &str| match count {
        0 => None,
        1 => Some(format!("1 {word}")),
        n => Some(format!("{n} {word}s")),
    };
    let counts = [some(count(Severity::Error), "error"), some(count(Severity::Warning), "warning")];
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    if counts.is_empty() && report.silenced.is_empty() {
        return None;
    }
    let counts = if counts.is_empty() { "nothing found".to_owned() } else { counts.join(" and ") };
    let files = some(report.checked, "file").map(|files| format!(" in {files}")).unwrap_or_default();
    Some(counts + &files + &silenced(&report.silenced))
}

/// ` (3 silenced by comments)`, ` (3 silenced: 2 by comments, 1 by the baseline)`
fn silenced(all: &[Silenced]) -> String {
    const WAYS: [&str; 3] = ["comments", "configuration", "the baseline"];
    let way = |it: &Silenced| match it.by {
        SilencedBy::Comment => WAYS[0],
        SilencedBy::Configuration => WAYS[1],
        SilencedBy::Baseline(_) => WAYS[2],
    };
    let ways = WAYS.map(|words| (all.iter().filter(|it| way(it) == words).count(), words));
    let ways: Vec<(usize, &str)> = ways.into_iter().filter(|(count, _)| *count > 0).collect();
    match &ways[..] {
        [] => String::new(),
        [(count, words)] => format!(" ({count} silenced by {words})"),
        ways => {
            let each: Vec<String> = ways.iter().map(|(count, words)| format!("{count} by {words}")).collect();
            format!(" ({} silenced: {})", all.len(), each.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Finding;

    #[test]
    fn a_finding_has_its_place_its_line_and_what_to_do() {
        let finding = Finding::error("syntax-x", "'a\u{1b}.py' does not parse").path("a\u{1b}.py").line(12).hint("do");
        let reported = Reported { finding, excerpt: Some("\tdef f(\u{7}".into()), commit: None };
        let report = Report { checked: 3, found: vec![reported], ..Report::default() };
        let mut out = Vec::new();
        write(&mut out, &report, false).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "a\\u{1b}.py:12: error: 'a\\u{1b}.py' does not parse [syntax-x]\n     12 |     def f(\\u{7}\nhint: do\n"
        );
        assert_eq!(summary(&report).as_deref(), Some("1 error in 3 files"));
        let quiet = Silenced { finding: Finding::warning("stub", ""), by: SilencedBy::Comment };
        let report = Report { checked: 3, silenced: vec![quiet.clone(), quiet], ..Report::default() };
        assert_eq!(summary(&report).as_deref(), Some("nothing found in 3 files (2 silenced by comments)"));
        assert_eq!(summary(&Report { checked: 3, ..Report::default() }), None);
    }
}
